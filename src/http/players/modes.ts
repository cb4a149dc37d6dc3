// What a game asks before a search: how the modes of a config look, and where it measures how far away its regions are, for rules
// about latency.

import type { ModeOutlook } from '../../../packages/js/src/types';
import { configOf } from '../../objects/caches/project';
import { queueOutlook } from '../../objects/caches/queue-stats';
import { documentOf, json, retrying } from '../wire/answer';
import type { AnyCall } from '../wire/call';
import { surroundingsOf } from '../../fleet/surroundings';

export async function modes(call: AnyCall): Promise<Response> {
  const { peers, project, config } = call;
  const names = Object.keys(configOf(await documentOf(call), config).matchmaking.modes);
  const found = names.map(async (mode): Promise<ModeOutlook> => {
    const place = [project, config, mode] as const;
    return { mode, ...(await retrying(() => queueOutlook(peers, place, Date.now()))) };
  });
  return json({ modes: await Promise.all(found) });
}

export async function regions({ env, project }: AnyCall): Promise<Response> {
  return json({ regions: surroundingsOf(env).fleets.echoes(project) });
}
