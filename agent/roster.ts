// Keeps the roster of a server's match in a file, for a build that asks for it (`launch.roster`): asks the service again and
// again for what has changed, and replaces the file. Ends with the server, or with its match.

import { setTimeout as sleep } from 'node:timers/promises';

import type { GameRoster, Seated } from '../packages/js/src/journal-types.ts';
import { retryAfter, type Rounds } from './reports.ts';

/** How long the service waits for news before it answers. */
const WAIT_SECONDS = 20;
const ANSWER_MS = 40_000;

/** Before the first answer. */
export const NO_ROSTER = { match: null, revision: 0, open: [], players: [] };

export interface RosterOptions {
  /** Where status reports go, beside which the roster is. */
  readonly service: Rounds;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Replaces the file. */
  readonly write: (roster: GameRoster) => Promise<void>;
}

export async function keepRoster(options: RosterOptions): Promise<void> {
  const { signal } = options;
  const players = new Map<string, Seated>();
  let revision = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const news = await ask(options, revision);
      if (news === null) {
        return;
      }
      news.players.forEach((each) => players.set(each.id, each));
      if (news.revision !== revision) {
        await options.write({ ...news, players: [...players.values()] });
      }
      revision = news.revision;
      failures = 0;
    } catch {
      failures += 1;
      options.service.failed();
      await sleep(retryAfter(failures), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Null: the server has no match that runs, or the service does not know the server any more. */
async function ask(
  { service, token, signal }: RosterOptions,
  after: number,
): Promise<GameRoster | null> {
  const url = service.url.replace(/status$/, 'roster');
  const response = await fetch(`${url}?after=${after}&wait=${WAIT_SECONDS}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  if (response.ok) {
    const roster = (await response.json()) as GameRoster;
    service.taken();
    return roster;
  }
  await response.body?.cancel();
  const { status } = response;
  if (status === 409 || (service.isKnown && [401, 404].includes(status))) {
    return null;
  }
  throw new Error(`status ${response.status}`);
}
