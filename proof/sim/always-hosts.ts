// Invariants of games that players host: a term has one host, whoever shows it, and never goes back.

import type { ServerBlock } from '../../src/fleet/port';
import type { Lobby } from '../../src/lobby/lobby';
import { launchedFor, LAUNCH_LIMIT_MS } from '../../src/objects/server/hearing';
import type { Journal } from './journal';
import type { Saved } from './parts';
import type { World } from './world';
import { serverOn, type SavedServer } from './truth';

export class Hosts {
  readonly #journal: Journal;
  readonly #hosts = new Map<string, string>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  saved(node: Saved): void {
    const { hosting, run = 0, order, status } = serverOn(node.disk) ?? {};
    if (hosting?.id && order && status !== 'stopped') {
      this.#noted(order.instanceId, run + 1, hosting.id);
    }
  }

  shown(before: Lobby | null, after: Lobby): void {
    const [was, is] = [before?.game?.block, after.game?.block];
    const { host_player: id, term } = is ?? {};
    if (!is || term === undefined) {
      return;
    }
    if (id) {
      this.#noted(is.instance_id, term, id);
    }
    this.#journal.check(
      !isEarlier(was, term, is.instance_id),
      () => `lobby ${after.id} went back from term ${was?.term} to ${term}`,
    );
  }

  #noted(server: string, term: number, host: string): void {
    const key = `${server} term ${term}`;
    const known = this.#hosts.get(key) ?? host;
    this.#journal.check(known === host, () => `${key} has the hosts ${known} and ${host}`);
    this.#hosts.set(key, known);
    this.#journal.count(term === 1 ? 'happened: a player hosts' : 'happened: another player hosts');
  }
}

function isEarlier(was: ServerBlock | null | undefined, term: number, id: string): boolean {
  return was?.instance_id === id && (was.term ?? 0) > term;
}

/**
 * The game that a player hosts has a host who is there, and whom everybody knows. A host who only polls is missed after some
 * minutes, which may be as all is quiet: then the game has its time to find another.
 */
export function checkHost(
  { id, game }: Lobby,
  server: SavedServer,
  { journal, now, upSince }: Pick<World, 'journal' | 'upSince'> & { readonly now: number },
): void {
  const { host_player: shown, term } = game?.block ?? {};
  const host = server.hosting?.id ?? null;
  const mayWait =
    server.status === 'launching' && now < launchedFor(LAUNCH_LIMIT_MS, server, upSince);
  journal.check(
    shown === host && term === server.run + 1,
    () => `lobby ${id} shows the host ${shown} of term ${term}, it is ${host}`,
  );
  journal.check(
    mayWait || (server.status === 'running' && host !== null),
    () => `the game ${server.order.instanceId} of ${id} still waits for a host`,
  );
}
