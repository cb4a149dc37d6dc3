// Reads what is saved, straight from the disks: the truth against which everything is checked.

import type { InstanceId, LobbyId, MemberId } from '../../src/common/ids';
import type { Doing, Lobby, LobbyFields, Player, Spectator } from '../../src/lobby/lobby';
import type { DirectoryRow } from '../../src/objects/contracts/directory';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import { matchIn } from '../../src/objects/match/store';
import type { Match } from '../../src/objects/match/state';
import type { TicketRow } from '../../src/objects/contracts/queue';
import type { OfferRow, ProposalRow, QueueMeta } from '../../src/objects/queue/rows';
import type { Instance } from '../../src/objects/server/state';
import type { Disk } from './disk';

type Head = Doing &
  Omit<LobbyFields, 'players' | 'spectators'> & {
    readonly players: readonly string[];
    readonly spectators?: readonly string[];
  };

export function lobbyOn(disk: Disk): Lobby | null {
  const head = disk.read<Head>('lobby');
  if (head === undefined) {
    return null;
  }
  const { players: playing, spectators: watching, ...rest } = head;
  const players = playing.flatMap((id) => disk.read<Player>(`player:${id}`) ?? []);
  const spectators = watching?.flatMap((id) => disk.read<Spectator>(`spectator:${id}`) ?? []);
  return { ...rest, players, ...(spectators && { spectators }) };
}

export interface Taken {
  readonly lobbyId: LobbyId;
  readonly memberId: MemberId;
}

/** The seats of a share of the players, those that are taken. */
export function seatsOn(disk: Disk): ReadonlyMap<string, Taken> {
  return new Map(
    [...disk.list<Taken>('seat:')].map(([key, taken]) => [key.slice('seat:'.length), taken]),
  );
}

export function matchOn(disk: Disk): Match | null {
  return matchIn({ get: (key) => disk.read(key), list: (prefix) => disk.list(prefix) });
}

export function isAborted(disk: Disk): boolean {
  return disk.read('aborted') !== undefined;
}

export interface QueueTruth {
  readonly meta: QueueMeta | null;
  readonly tickets: readonly TicketRow[];
  readonly proposals: readonly ProposalRow[];
  readonly offers: readonly OfferRow[];
}

export function queueOn(disk: Disk): QueueTruth {
  const proposals = disk.list<ProposalRow>('proposal:').map(([, row]) => row);
  return {
    meta: disk.read<QueueMeta>('meta') ?? null,
    tickets: [
      ...disk.list<TicketRow>('ticket:').map(([, row]) => row),
      ...proposals.flatMap(({ newcomers = [] }) => newcomers),
    ],
    proposals,
    offers: disk.list<OfferRow>('offer:').map(([, row]) => row),
  };
}

export type SavedServer = Omit<Instance, 'customData'>;

export function serverOn(disk: Disk): SavedServer | null {
  return disk.read<SavedServer>('instance') ?? null;
}

export interface CodeRow {
  readonly lobbyId: LobbyId;
  readonly code: string;
}

export function codesOn(disk: Disk): readonly CodeRow[] {
  return rowsOn(disk).flatMap(({ coded }) => coded ?? []);
}

interface SavedRow extends DirectoryRow {
  readonly coded?: CodeRow & { readonly at: number };
}

/** The newest row of each lobby: its own, or one that was saved together with those of other lobbies. */
export function rowsOn(disk: Disk): readonly SavedRow[] {
  const rows = new Map(disk.list<SavedRow>('row:').map(([, row]) => [row.lobbyId, row]));
  const together = disk.list<{ readonly rows: readonly SavedRow[] }>('views:');
  for (const row of together.flatMap(([, page]) => page.rows)) {
    const own = rows.get(row.lobbyId);
    if (own?.coded?.at === row.coded?.at && row.revision > (own?.revision ?? 0)) {
      rows.set(row.lobbyId, row);
    }
  }
  return [...rows.values()];
}

export function documentOn(disk: Disk): ProjectDocument | null {
  return disk.read<ProjectDocument>('document') ?? null;
}

type SavedDebt = readonly [key: string, debt: unknown, rung?: { readonly attempts: number }];

/** What an object still owes. */
export function debtsOn(disk: Disk): readonly SavedDebt[] {
  return disk.list<readonly SavedDebt[]>('debts:').flatMap(([, debts]) => debts);
}

/** Keys of what an object still owes. */
export function owedOn(disk: Disk): readonly string[] {
  return debtsOn(disk).map(([key]) => key);
}

export function owesRelease(disk: Disk, proposalId: string, ticketId: string): boolean {
  return owedOn(disk).includes(`release:${proposalId}:${ticketId}`);
}

/** The warm servers of a build in a region. */
interface WarmLine {
  readonly ids: readonly InstanceId[];
  readonly failures: number;
}

export function warmOn(disk: Disk): readonly WarmLine[] {
  return disk.list<WarmLine>('warm:').map(([, line]) => line);
}
