// Requests that come after what they speak of is over (docs/internals/crash-table.md: Late and doubled
// requests): each is sent again by hand, to the real objects, and changes nothing.

import { describe, expect, it } from 'vitest';
import { Drill } from '../../proof/sim/drill';
import {
  by,
  game,
  MODES,
  pair,
  playing,
  queue,
  state,
  type Play,
} from '../../proof/sim/drill-steps';
import { codesOn, queueOn, seatsOn } from '../../proof/sim/truth';
import type { LobbyId, MatchId, MemberId, PlayerId } from '../../src/common/ids';
import { seatShare } from '../../src/objects/contracts/peers';
import type { QueueEntry } from '../../src/objects/contracts/queue';

const CONFIG = 'arena';
const ANN = 'ann' as PlayerId;

/** Plays it; in the end all must agree as after a drill. */
async function played(play: Play): Promise<void> {
  const drill = new Drill(MODES, { seed: 1, placement: 'objects', crashAt: null });
  const { violations } = await drill.run(play);
  expect(violations).toEqual([]);
}

function late(drill: Drill) {
  return drill.world.peersOf(drill.world.client('late'));
}

async function leaveAlone(drill: Drill, id: LobbyId): Promise<void> {
  drill.ledger.removalAsked(ANN, id);
  drill.ledger.endAsked(id);
  await drill.command(id, by('ann', 'leave'), (lobby) => lobby === null);
}

describe('a request that comes late', () => {
  it('to release frees no younger hold, though it be for the same match', async () => {
    await played(async (drill) => {
      const [a] = await pair(drill, 'duel');
      const ticketId = drill.lobby(a)?.search?.ticketId;
      if (ticketId === undefined) {
        throw new Error('Ann does not search');
      }
      const hold = { ticketId, matchId: 'm' as MatchId };
      const lobby = late(drill).lobby(a);
      const seq = drill.lobby(a)?.search?.holdSeq ?? 0;
      expect((await lobby.hold({ ...hold, seq: seq + 2 })).held).toBe(true);
      await lobby.release({ ...hold, seq: seq + 1 });
      expect(drill.lobby(a)?.search?.hold?.seq).toBe(seq + 2);
      await lobby.release({ ...hold, seq: seq + 2 });
      expect(drill.lobby(a)?.search?.hold).toBeNull();
    });
  });

  it('to enter brings no ticket back that has left', async () => {
    await played(async (drill) => {
      const [a] = await pair(drill, 'duel');
      const { world } = drill;
      const { disk } = world.node('queue', world.project, CONFIG, 'duel');
      const ids = (): readonly string[] => queueOn(disk).tickets.map(({ ticket }) => ticket.id);
      await drill.until('the queue has it', () => ids().length === 1);
      const [row] = queueOn(disk).tickets;
      const { meta } = queueOn(disk);
      if (row === undefined || meta === null) {
        throw new Error('the queue has no ticket');
      }
      await drill.command(a, by('ann', 'cancel'), (lobby) => lobby?.search === null);
      await drill.until('the queue has let it go', () => ids().length === 0);
      const { ticket, revision, modeRevision } = row;
      const entry: QueueEntry = { ticket, revision, mode: meta.mode, modeRevision };
      await late(drill).queue(world.project, CONFIG, 'duel').enter(entry);
      await world.loop.sleep(1_000);
      expect(ids()).toEqual([]);
    });
  });

  it('with a ticket of other players than the lobby has now makes no match', async () => {
    await played(async (drill) => {
      const [a, b] = await pair(drill, 'duel');
      const { world } = drill;
      const { disk } = world.node('queue', world.project, CONFIG, 'duel');
      await drill.until('the queue has it', () => queueOn(disk).tickets.length === 1);
      const [row] = queueOn(disk).tickets;
      const { meta } = queueOn(disk);
      if (row === undefined || meta === null) {
        throw new Error('the queue has no ticket');
      }
      const stranger = 'stranger' as PlayerId;
      const ticket = { ...row.ticket, members: [{ id: stranger, roles: [] }], players: [stranger] };
      // Younger than what the queue has, older than what the lobby tells when it next changes.
      const entry: QueueEntry = { ...row, ticket, revision: row.revision + 0.5, mode: meta.mode };
      await late(drill).queue(world.project, CONFIG, 'duel').enter(entry);
      await queue(drill, b, 'ben', 'duel');
      await world.loop.sleep(3_000);
      expect([drill.lobby(a)?.part, drill.lobby(b)?.part]).toEqual([null, null]);
      await state(drill, a, 'ann', 1_000);
      await playing(drill, a, b);
    });
  });

  it('to claim a seat displaces no younger membership of the same lobby', async () => {
    await played(async (drill) => {
      const a = await drill.gather('ann');
      const { world } = drill;
      const { disk } = world.node('seat', world.project, CONFIG, seatShare('ann'));
      const before = seatsOn(disk).get('ann');
      const membership = { player: ANN, memberId: 'older' as MemberId };
      const { heldBy } = await late(drill).seat(world.project, CONFIG, ANN).claim(a, membership);
      expect(heldBy).toBe(a);
      expect(seatsOn(disk).get('ann')).toEqual(before);
    });
  });

  it('to allocate a code brings no lobby back that is gone, whichever founding it is of', async () => {
    await played(async (drill) => {
      const a = await drill.gather('ann');
      const founder = drill.lobby(a)?.players[0]?.memberId;
      const { world } = drill;
      const { disk } = world.node('directory', world.project, CONFIG);
      const codes = (): readonly string[] => codesOn(disk).map(({ lobbyId }) => lobbyId);
      if (founder === undefined) {
        throw new Error('Ann is not in her lobby');
      }
      // From when it has been awake for so long, the directory knows what it has let go of.
      await world.loop.sleep(90_000);
      await leaveAlone(drill, a);
      await drill.until('its code is free', () => codes().length === 0);
      const directory = late(drill).directory(world.project, CONFIG);
      expect((await directory.allocate({ lobbyId: a, by: founder }, null)).ok).toBe(false);
      // Of a founding that was given up nothing is known: it gets a code, and a row does not make
      // that code sure. The lobby is asked.
      const other = 'another founding' as MemberId;
      expect((await directory.allocate({ lobbyId: a, by: other }, null)).ok).toBe(true);
      await directory.put({ lobbyId: a, revision: 1, view: null });
      await world.loop.sleep(200_000);
      expect(codes()).toEqual([]);
    });
  });

  it('to offer open places does not undo a younger offer', async () => {
    await played(async (drill) => {
      const [a] = await game(drill, 'open');
      const matchId = drill.lobby(a)?.part?.matchId;
      const { world } = drill;
      const { disk } = world.node('queue', world.project, CONFIG, 'open');
      await drill.until('it is offered', () => queueOn(disk).offers.length === 1);
      const before = queueOn(disk).offers[0];
      if (matchId === undefined || before === undefined) {
        throw new Error('there is no game');
      }
      const queue = late(drill).queue(world.project, CONFIG, 'open');
      await queue.offer(matchId, { seq: before.seq - 1, match: null });
      await world.loop.sleep(100);
      expect(queueOn(disk).offers).toEqual([before]);
    });
  });
});
