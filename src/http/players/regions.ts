// Where a game measures how far away its regions are, for rules about latency.

import { surroundingsOf } from '../../fleet/surroundings';
import type { AnyCall } from '../wire/call';
import { json } from '../wire/answer';

export async function regions({ env, project }: AnyCall): Promise<Response> {
  return json({ regions: surroundingsOf(env).fleets.echoes(project) });
}
