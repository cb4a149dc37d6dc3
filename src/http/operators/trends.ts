// The last hours of queues in steps, and a queue's whole journal (record 0024).

import { iso } from '../../common/clock';
import type { JournalHead } from '../../match/replay/lines';
import { journalOf } from '../../objects/kit/journal';
import { STEP_MS } from '../../objects/queue/trends';
import type { JournalPart } from '../../objects/queue/contract';
import type { TrendPoint } from '../../objects/reports';
import { retrying } from '../ask';
import type { QueryCall } from '../call';
import { json, jsonLines } from '../problem';
import { refuseWith } from '../refused';
import type { JournalParams, TrendsParams } from '../schemas';
import { queuesOf } from './journal';
import type { Trends } from './readings';

/**
 * The trends of one or several queues. Several queues are summed, and the waits are those of the queue in which
 * the most searches ended in the step. Steps in which nothing happened have zeros. Beside them, the waits of each
 * queue and region over the whole time.
 */
export async function trends(call: QueryCall<typeof TrendsParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { config, mode, hours } = query;
  const queues = await queuesOf(call, config, mode);
  const read = await Promise.all(
    queues.map(async (queue) => {
      const told = () => peers.queue(project, queue.config, queue.mode).trends(hours);
      return { queue, ...(await retrying(told)) };
    }),
  );
  const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const steps = Math.ceil((hours * 3_600_000) / STEP_MS);
  const points = Array.from({ length: steps }, (_, index) => {
    const at = now - (steps - 1 - index) * STEP_MS;
    const ofStep = read.flatMap((each) => each.points.filter((point) => point.at === at));
    return joined(at, ofStep);
  });
  const keptHours = journalOf(call.env).keepMs / 3_600_000;
  const waits = read.flatMap((each) => each.waits.map((of) => ({ ...each.queue, ...of })));
  const answer: Trends = { keptHours, step: STEP_MS / 1000, points, waits };
  return json(answer);
}

function joined(at: number, points: readonly TrendPoint[]): Trends['points'][number] {
  const sum = (of: 'matches' | 'failed' | 'ended' | 'unmatched' | 'queued' | 'players'): number =>
    points.reduce((total, point) => total + point[of], 0);
  const [busiest] = points.toSorted((a, b) => b.ended - a.ended);
  return {
    at: iso(at),
    matches: sum('matches'),
    failed: sum('failed'),
    ended: sum('ended'),
    unmatched: sum('unmatched'),
    waitP50: busiest?.waitP50 ?? null,
    waitP90: busiest?.waitP90 ?? null,
    queued: sum('queued'),
    players: sum('players'),
  };
}

/** JSON lines, oldest first. The first line names the queue and mode. */
export async function journal(call: QueryCall<typeof JournalParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { config, mode } = query;
  const queue = () => peers.queue(project, config, mode);
  const first = await retrying(() => queue().journal(null));
  if (first.mode === null) {
    return refuseWith('MODE_NOT_FOUND', 'No lobby has ever entered that queue');
  }
  const head: JournalHead = {
    k: 'journal',
    version: 1,
    config,
    mode,
    rules: first.mode,
    waiting: first.waiting,
  };
  let part: Pick<JournalPart, 'text' | 'next'> | null = {
    ...first,
    text: `${JSON.stringify(head)}\n${first.text}`,
  };
  return jsonLines('application/jsonl; charset=utf-8', async () => {
    if (part === null) {
      return null;
    }
    const { text, next } = part;
    part = next === null ? null : await retrying(() => queue().journal(next));
    return text;
  });
}
