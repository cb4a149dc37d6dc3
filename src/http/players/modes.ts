// The modes of a config as they look before a search.

import type { ModeOutlook } from '../../../packages/js/src/types';
import { configOf } from '../../objects/caches/project';
import { queueOutlook } from '../../objects/caches/queue-stats';
import { documentOf, json, retrying } from '../wire/answer';
import type { AnyCall } from '../wire/call';

export async function modes(call: AnyCall): Promise<Response> {
  const { peers, project, config } = call;
  const names = Object.keys(configOf(await documentOf(call), config).matchmaking.modes);
  const found = names.map(async (mode): Promise<ModeOutlook> => {
    const place = [project, config, mode] as const;
    return { mode, ...(await retrying(() => queueOutlook(peers, place, Date.now()))) };
  });
  return json({ modes: await Promise.all(found) });
}
