// A rematch: once all lobbies of a match that is over want another one, it is made as any match of named lobbies (make.ts). The Match
// that is over counts, also once only its record is left. Its votes have a row of their own (store.ts): the record may be large.
// crash-table.md says what a crash leaves.

import type { LobbyId } from '../../common/ids';
import { ok } from '../../common/result';
import type { RematchUpdate } from '../../lobby/command';
import { refusal, type Reply } from '../../lobby/refusals';
import { MADE_WITHIN_MS } from '../../lobby/rematch';
import type { MatchRpc } from '../contracts/match';
import { rematchId, rematchOf, shownTo, untilOf, type RematchRow } from './again';
import type { MatchCore } from './core';

type Voting = Pick<MatchCore, 'memory' | 'life' | 'ports' | 'id' | 'retire'>;

const TOO_LATE = refusal('INVALID_STATE', 'The match has been over for too long');
const OFF = refusal(
  'INVALID_STATE',
  'Not all lobbies of the match want a rematch, or can play one',
);
const NONE = refusal('INVALID_STATE', 'This match has no rematch');

function isWhole({ memory }: Voting): boolean {
  return memory.rematch.yes.length === memory.record.again?.lobbies.length;
}

/** Saves it, and owes all lobbies the news; once all have said yes, the rematch. */
function keep(core: Voting, row: RematchRow): void {
  const { again } = core.memory.record;
  const save = (): void => {
    core.memory.keepRematch(row);
    const made = row.ended === undefined && isWhole(core) ? [{ to: 'again' } as const] : [];
    const lobbies = row.ended === 'made' ? [] : (again?.lobbies ?? []);
    core.life.owe([
      ...made,
      ...lobbies.map(({ lobbyId }) => ({ to: 'rematch', lobbyId }) as const),
    ]);
  };
  core.life.save(save, () => core.retire());
}

export function rematchAsked(
  core: Voting,
  ...[project, { lobbyId, ticketId }, says]: Parameters<MatchRpc['rematch']>
): Reply<RematchUpdate> {
  const { memory, ports } = core;
  const record = memory.recordIn(project);
  const isIts = record?.again?.lobbies.some(
    (each) => each.lobbyId === lobbyId && each.ticketId === ticketId,
  );
  if (record === null || !isIts) {
    return NONE;
  }
  const { yes, ended } = memory.rematch;
  if (says === 'no') {
    refuseRematch(core);
  } else if (ended === 'off') {
    return OFF;
  } else if (!yes.includes(ticketId)) {
    if (ports.now() > untilOf(record)) {
      return TOO_LATE;
    }
    keep(core, { yes: [...yes, ticketId] });
  }
  return ok(shownTo(record, memory.rematch, ticketId));
}

/** A lobby does not want it. Once all have said yes, only whether they can be booked counts. */
export function refuseRematch(core: Voting): void {
  const { yes, ended } = core.memory.rematch;
  if (ended === undefined && !isWhole(core)) {
    keep(core, { yes, ended: 'off' });
  }
}

/** What that lobby is to be told. Null: its next match tells it. */
export function rematchFor({ memory }: Voting, lobbyId: LobbyId): RematchUpdate | null {
  const { record, rematch } = memory;
  const its = record.again?.lobbies.find((each) => each.lobbyId === lobbyId);
  return its && rematch.ended !== 'made' ? shownTo(record, rematch, its.ticketId) : null;
}

/** Throws if a lobby does not answer, to be called again: until its time is over, when no lobby is booked any more. */
export async function makeRematch(core: Voting): Promise<void> {
  const { memory, ports, id } = core;
  const { record } = memory;
  if (record.again === undefined || memory.rematch.ended !== undefined) {
    return;
  }
  const made = await ports.peers.match(rematchId(id)).make(rematchOf(record, record.again));
  const isTime = ports.now() <= untilOf(record) + MADE_WITHIN_MS;
  if (!made.ok && made.refusal.code === 'UNAVAILABLE' && isTime) {
    throw new Error(made.refusal.detail);
  }
  if (memory.rematch.ended === undefined) {
    keep(core, { yes: memory.rematch.yes, ended: made.ok ? 'made' : 'off' });
  }
}
