// What the journals of queues tell: trends, searches of a player and why one ended, and a whole journal (record 0024).

import type { SearchSeen, TrendPoint, Trends } from '../../../packages/js/src/dashboard-types';
import * as z from 'zod';
import { iso } from '../../common/clock';
import type { PlayerId, TicketId } from '../../common/ids';
import { modeOf } from '../../lobby/config';
import type { JournalHead } from '../../match/journal/lines';
import { configOf } from '../../objects/caches/project';
import { journalOf } from '../../common/happening';
import type { JournalPart } from '../../objects/contracts/queue';
import { STEP_MS } from '../../objects/contracts/reports';
import type { QueryCall } from '../wire/call';
import { documentOf, json, jsonLines, refuseWith, retrying } from '../wire/answer';
import { queuesOf } from './journal';
import { anyConfig, configName, queryNumber } from '../wire/fields';

const MAX_TREND_HOURS = 48;

export const TrendsParams = z.object({
  config: anyConfig,
  mode: anyConfig,
  hours: queryNumber(1, MAX_TREND_HOURS, MAX_TREND_HOURS),
});

export const JournalParams = z.object({ config: configName, mode: configName });

const SINCE_MS = 2 * 86_400_000;
const MOST_SEARCHES = 20;
/** How many parts of journals one request reads at most, of all queues together. */
const MOST_PARTS = 200;
/** A journal has no more. */
const PARTS_OF_ONE = 40;

type Summed = Exclude<keyof TrendPoint, 'at' | 'waitP50' | 'waitP90'>;

/**
 * Several queues are summed, with the waits of the queue in which the most searches ended in the step. Beside the steps,
 * the waits of each queue and region over the whole time. Of one queue that is named, the hours of the last day too.
 */
export async function trends(call: QueryCall<typeof TrendsParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { config, mode, hours } = query;
  const queues = await queuesOf(call, config, mode);
  const isOne = config !== null && mode !== null;
  const read = await Promise.all(
    queues.map(async (queue) => {
      const asking = () => peers.queue(project, queue.config, queue.mode).trends(hours, isOne);
      return { queue, ...(await retrying(asking)) };
    }),
  );
  const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const steps = Math.ceil((hours * 3_600_000) / STEP_MS);
  const points = Array.from({ length: steps }, (_, index) => {
    const at = now - (steps - 1 - index) * STEP_MS;
    const ofStep = read.flatMap((each) => each.points.filter((point) => point.at === at));
    const sum = (of: Summed): number => ofStep.reduce((total, point) => total + point[of], 0);
    const [busiest] = ofStep.toSorted((a, b) => b.ended - a.ended);
    return {
      at: iso(at),
      matches: sum('matches'),
      failed: sum('failed'),
      ended: sum('ended'),
      unmatched: sum('unmatched'),
      noGame: sum('noGame'),
      waitP50: busiest?.waitP50 ?? null,
      waitP90: busiest?.waitP90 ?? null,
      queued: sum('queued'),
      players: sum('players'),
    };
  });
  const keptHours = journalOf(call.env).keepMs / 3_600_000;
  const waits = read.flatMap((each) => each.waits.map((of) => ({ ...each.queue, ...of })));
  const day = read[0]?.day?.map((hour) => ({ ...hour, at: iso(hour.at) }));
  return json<Trends>({ keptHours, step: STEP_MS / 1000, points, waits, ...(day && { day }) });
}

export const SearchesParams = z.object({ player: z.string() });

/** The player's last searches, newest first. `isAll`: false if older ones may exist that were not reached. */
export async function searches(call: QueryCall<typeof SearchesParams>): Promise<Response> {
  const { peers, project, query } = call;
  const since = Date.now() - SINCE_MS;
  const queues = await queuesOf(call, null, null);
  const parts = Math.min(PARTS_OF_ONE, Math.ceil(MOST_PARTS / queues.length));
  const found = await Promise.all(
    queues.map(async ({ config, mode }) => {
      const items: SearchSeen[] = [];
      let from: number | null = null;
      for (let part = 0; part < parts; part += 1) {
        const asked = () =>
          peers.queue(project, config, mode).searches(query.player as PlayerId, from, since);
        const page = await retrying(asked);
        items.push(...page.searches.map((each) => ({ ...each, config, mode })));
        from = page.next;
        if (from === null || items.length >= MOST_SEARCHES) {
          break;
        }
      }
      return { items, isAll: from === null };
    }),
  );
  const all = found.flatMap(({ items }) => items).toSorted((a, b) => b.startedAt - a.startedAt);
  const isAll = all.length <= MOST_SEARCHES && found.every((each) => each.isAll);
  return json({ items: all.slice(0, MOST_SEARCHES), isAll });
}

export const SearchEndParams = z.object({
  config: z.string(),
  mode: z.string(),
  ticket: z.string(),
  row: z.coerce.number().int(),
  at: z.coerce.number(),
});

/** Explains the end of a search by the mode as it was saved then. */
export async function searchEnd(call: QueryCall<typeof SearchEndParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { config, mode: name, ticket, row, at } = query;
  const document = await documentOf(call);
  const history = await retrying(() => peers.project(project).configHistory(config));
  const then = history.find(({ savedAt }) => savedAt <= at)?.value ?? configOf(document, config);
  const mode = modeOf(then, name);
  const asked = { ticketId: ticket as TicketId, row };
  const end =
    mode && (await retrying(() => peers.queue(project, config, name).searchEnd(asked, mode)));
  return json(end ?? refuseWith('NOT_FOUND', 'The journal does not know how this search ended'));
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
  const { mode: rules, waiting } = first;
  const head: JournalHead = { k: 'journal', version: 1, config, mode, rules, waiting };
  const text = `${JSON.stringify(head)}\n${first.text}`;
  let part: Pick<JournalPart, 'text' | 'next'> | null = { ...first, text };
  return jsonLines('application/jsonl; charset=utf-8', async () => {
    if (part === null) {
      return null;
    }
    const { text: its, next } = part;
    part = next === null ? null : await retrying(() => queue().journal(next));
    return its;
  });
}
