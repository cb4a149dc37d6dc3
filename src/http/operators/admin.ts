// Endpoints only for the dashboard, with the server key. They may change with the dashboard, and are no part of
// the API description. They change nothing.

import * as z from 'zod';
import { buildInput, parseBuild } from '../../fleet/build';
import { playersWrite } from '../../lobby/attributes';
import { parseConfig } from '../../lobby/config';
import { modeSchema } from '../../match/rules/schema';
import { projectDocument, trustedWith } from '../../objects/caches/project';
import { parseWith, unknownFields } from '../../common/shape';
import type { BodyCall } from '../call';
import { preview, type PreviewBody } from '../../match/explain/preview';
import { json } from '../problem';
import { valid } from '../refused';
import { AnyObject } from '../schemas';
import { warningsOf } from './configs';

export const CheckBody = z.object({ name: z.string().default(''), config: AnyObject });
export const CheckBuildBody = z.object({ name: z.string().default(''), build: AnyObject });

/**
 * Checks a config without saving it. Answers all issues for which a save would be refused, including those in
 * expressions, or the config with every default and its warnings. `playersWrite`: the numbers of its rules that
 * players can write. These are no mistakes of the config, so a save says nothing of them (decision 49).
 */
export async function checkConfig(call: BodyCall<typeof CheckBody>): Promise<Response> {
  const { name, config } = call.body;
  const parsed = parseConfig(name, config);
  if (!parsed.ok) {
    return json({ issues: parsed.refusal, warnings: [], config: null });
  }
  const document = await projectDocument(call.peers, call.project, Date.now());
  const warnings = warningsOf(document, parsed.value, config);
  const written = playersWrite(parsed.value.matchmaking.modes, trustedWith(document, parsed.value));
  return json({ issues: [], warnings, config: parsed.value, playersWrite: written });
}

/** Checks a build, except for the problems that only its fleet can find. */
export function checkBuild(call: BodyCall<typeof CheckBuildBody>): Promise<Response> {
  const { name, build } = call.body;
  const parsed = parseBuild(name, build);
  const warnings = parsed.ok ? unknownFields(buildInput, build) : [];
  return Promise.resolve(json({ issues: parsed.ok ? [] : parsed.refusal, warnings }));
}

/** Whether two described lobbies would match in that mode, rule by rule. */
export function previewMatch(call: BodyCall<typeof PreviewBody>): Promise<Response> {
  const { mode: sent, a, b } = call.body;
  const { mode } = valid(parseWith(z.object({ mode: modeSchema }), { mode: sent }));
  return Promise.resolve(json(preview(mode, { a, b }, Date.now())));
}
