// The searches of a player, and why one of them ended: for the dashboard's page of the player.

import * as z from 'zod';
import type { PlayerId, TicketId } from '../../common/ids';
import { configOf, projectDocument } from '../../objects/caches/project';
import { retrying } from '../ask';
import type { QueryCall } from '../call';
import { json } from '../problem';
import { refuseWith } from '../refused';
import { queuesOf } from './journal';
import type { SearchSeen } from './readings';

/** How far back searches are looked for. */
const SINCE_MS = 2 * 86_400_000;
const MOST_SEARCHES = 20;
/** How many parts of journals one request reads at most, of all queues together. */
const MOST_PARTS = 200;
/** A journal has no more. */
const PARTS_OF_ONE = 40;

export const SearchesParams = z.object({ player: z.string() });
export const SearchEndParams = z.object({
  config: z.string(),
  mode: z.string(),
  ticket: z.string(),
  row: z.coerce.number().int(),
  at: z.coerce.number(),
});

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

/** Explains the end of a search by the mode as it was saved then. */
export async function searchEnd(call: QueryCall<typeof SearchEndParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { config, mode: name, ticket, row, at } = query;
  const document = await projectDocument(peers, project, Date.now());
  const history = await retrying(() => peers.project(project).configHistory(config));
  const then = history.find(({ savedAt }) => savedAt <= at)?.value ?? configOf(document, config);
  const { modes } = then.matchmaking;
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  const asked = { ticketId: ticket as TicketId, row };
  const end =
    mode === undefined
      ? null
      : await retrying(() => peers.queue(project, config, name).searchEnd(asked, mode));
  return json(end ?? refuseWith('NOT_FOUND', 'The journal does not know how this search ended'));
}
