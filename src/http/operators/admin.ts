// What only the dashboard asks, with the server key: it may change with the dashboard, and is no
// part of the API description. Nothing here changes anything.

import * as z from 'zod';
import { parseConfig } from '../../lobby/config-schema';
import { modeSchema } from '../../match/rules/schema';
import { parseWith } from '../../shape';
import { invalid } from '../body';
import type { KeyedCall } from '../call';
import { preview, type PreviewBody } from '../../match/explain/preview';
import { json, problem } from '../problem';
import { AnyObject } from '../schemas';

export const CheckBody = z.object({ name: z.string().default(''), config: AnyObject });

/**
 * Everything a save of that config would be refused for, expressions included, or the config as it
 * would be saved, with every default. Nothing is saved.
 */
export function checkConfig(call: KeyedCall<z.infer<typeof CheckBody>>): Promise<Response> {
  const parsed = parseConfig(call.body.name, call.body.config);
  return Promise.resolve(
    json(
      parsed.ok ? { issues: [], config: parsed.value } : { issues: parsed.refusal, config: null },
    ),
  );
}

/** Whether two lobbies that one describes would match in that mode, rule by rule. */
export function previewMatch(call: KeyedCall<z.infer<typeof PreviewBody>>): Promise<Response> {
  const { mode, a, b } = call.body;
  const parsed = parseWith(z.object({ mode: modeSchema }), { mode });
  return Promise.resolve(
    parsed.ok
      ? json(preview(parsed.value.mode, { a, b }, Date.now()))
      : problem(invalid(parsed.refusal).refusal),
  );
}
