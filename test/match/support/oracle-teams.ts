// Who can be put into teams, tried out ticket by ticket: every choice of team (and of roles) that
// leads to a different state is followed. Exact, and exponential at worst: for the plain pool.

import type { PlayerId } from '../../../src/common/ids';
import type { SizedMode } from '../../../src/match/rules/sizes';
import type { OpenMatch, ProposedTeam } from '../../../src/match/pool';
import type { PartyMember, Ticket } from '../../../src/match/ticket/ticket';

/** Places left on one team, by role; a symmetric team has one role, the empty name. */
type Room = Readonly<Record<string, number>>;
type Roles = Readonly<Record<PlayerId, string>>;

interface Placement {
  readonly team: number;
  readonly ticket: Ticket;
  readonly roles: Roles;
}

/** A place in an open match that is already promised. */
export interface Promised {
  readonly team: number;
  readonly players: number;
  readonly roles: Roles | null;
  /** The match has told its room since. */
  isTold: boolean;
  /** The number of the offer with the place. */
  readonly offer: number | undefined;
  readonly who: Ticket;
}

export interface PlainTeams {
  readonly players: number;
  /** Bots take what is left, so one party may play alone. */
  readonly bots: boolean;
  fits(ticket: Ticket): boolean;
  /**
   * Teams of all of `must` and any of `may`: exactly full, or a legal short match. `areFoes`: those two are on no team
   * together.
   */
  arrange(
    must: readonly Ticket[],
    may: readonly Ticket[],
    full: boolean,
    areFoes?: (one: Ticket, other: Ticket) => boolean,
  ): readonly ProposedTeam[] | null;
  /** `barred`: teams on which the party does not play. */
  place(
    ticket: Ticket,
    match: OpenMatch,
    taken: readonly Promised[],
    barred?: readonly boolean[],
  ): { readonly team: number; readonly roles: Roles | null } | null;
}

export function choosePlainly(mode: SizedMode): PlainTeams {
  const composition = mode.teamComposition;
  const names = composition === null ? null : Object.keys(composition);
  const empty: readonly Room[] =
    composition === null
      ? Array.from({ length: mode.teams }, () => ({ '': mode.playersPerTeam }))
      : Object.values(composition);
  const players = empty.reduce((sum, room) => sum + left(room), 0);

  const isLegal = (rooms: readonly Room[], full: boolean): boolean => {
    if (full) {
      return rooms.every((room) => left(room) === 0);
    }
    if (mode.minHumans !== undefined) {
      return players - rooms.reduce((sum, room) => sum + left(room), 0) >= mode.minHumans;
    }
    const used = [...rooms.entries()].filter(
      ([team, room]) => left(room) < left(empty[team] ?? {}),
    );
    const isTeam = (whole: Room, room: Room): boolean =>
      left(whole) - left(room) >= Math.min(left(whole), mode.minPlayersPerTeam) &&
      Object.entries(whole).every(([role, count]) => role === '' || count > 1 || room[role] === 0);
    return (
      used.length >= mode.minTeams &&
      used.every(([team, room]) => isTeam(empty[team] ?? {}, room)) &&
      (mode.sameSize !== true ||
        new Set(used.map(([team, room]) => left(empty[team] ?? {}) - left(room))).size < 2)
    );
  };

  return {
    players,
    bots: mode.minHumans !== undefined,
    fits: (ticket) => empty.some((room) => seatings(ticket, room).length > 0),
    arrange(must, may, full, areFoes) {
      const all = [...must, ...may];
      const rest = all.map((_, index) => count(all.slice(index)));
      const failed = new Set<string>();
      const search = (
        index: number,
        rooms: readonly Room[],
        before: readonly Placement[] = [],
      ): readonly Placement[] | null => {
        if (index >= must.length && isLegal(rooms, full)) {
          return [];
        }
        const ticket = all[index];
        const state = JSON.stringify([index, names === null ? sorted(rooms) : rooms]);
        const open = rooms.reduce((sum, room) => sum + left(room), 0);
        if (ticket === undefined || failed.has(state) || (full && open > (rest[index] ?? 0))) {
          return null;
        }
        for (const [team, room] of rooms.entries()) {
          if (before.some((each) => each.team === team && areFoes?.(each.ticket, ticket))) {
            continue;
          }
          for (const seating of seatings(ticket, room)) {
            const all = areFoes && [...before, { team, ticket, roles: seating.roles }];
            const found = search(index + 1, rooms.with(team, seating.room), all);
            if (found !== null) {
              return [{ team, ticket, roles: seating.roles }, ...found];
            }
          }
        }
        const without = index < must.length ? null : search(index + 1, rooms, before);
        if (without === null && areFoes === undefined) {
          failed.add(state);
        }
        return without;
      };
      const found = search(0, empty);
      const made = found && teamsOf(found, names, empty.length);
      return made && mode.minHumans === undefined
        ? made.filter((team) => team.tickets.length > 0)
        : made;
    },
    place(ticket, match, taken, barred = []) {
      let best: { team: number; roles: Roles | null; slots: number } | null = null;
      for (const [team, open] of match.open.entries()) {
        const before = taken.filter((promised) => promised.team === team);
        const slots = open.slots - before.reduce((sum, promised) => sum + promised.players, 0);
        const room = { ...(open.roles ?? { '': slots }) };
        for (const role of before.flatMap((promised) => Object.values(promised.roles ?? {}))) {
          room[role] = (room[role] ?? 0) - 1;
        }
        const [seating] = slots < ticket.members.length ? [] : seatings(ticket, room);
        const isOpen = seating !== undefined && barred[team] !== true;
        if (isOpen && (best === null || slots > best.slots)) {
          best = { team, roles: open.roles === null ? null : seating.roles, slots };
        }
      }
      return best === null ? null : { team: best.team, roles: best.roles };
    },
  };
}

/** All ways to seat the party in the room that leave different rooms. */
function seatings(ticket: Ticket, room: Room): { readonly room: Room; readonly roles: Roles }[] {
  if ('' in room) {
    const free = (room[''] ?? 0) - ticket.members.length;
    return free < 0 ? [] : [{ room: { '': free }, roles: {} }];
  }
  const seen = new Map<string, { readonly room: Room; readonly roles: Roles }>();
  const seat = (index: number, now: Room, roles: Roles): void => {
    const member = ticket.members[index];
    if (member === undefined) {
      const key = JSON.stringify(now);
      if (!seen.has(key)) {
        seen.set(key, { room: now, roles });
      }
      return;
    }
    for (const role of wishes(member, now)) {
      const free = now[role] ?? 0;
      if (free > 0) {
        seat(index + 1, { ...now, [role]: free - 1 }, { ...roles, [member.id]: role });
      }
    }
  };
  seat(0, room, {});
  return [...seen.values()];
}

function wishes(member: PartyMember, room: Room): readonly string[] {
  const listed = member.roles.length === 0 ? ['fill'] : member.roles;
  return [...new Set(listed.flatMap((role) => (role === 'fill' ? Object.keys(room) : [role])))];
}

function teamsOf(
  placements: readonly Placement[],
  names: readonly string[] | null,
  count: number,
): readonly ProposedTeam[] {
  return Array.from({ length: count }, (_, team) => {
    const here = placements.filter((placement) => placement.team === team);
    const roles: Roles = Object.assign({}, ...here.map((placement) => placement.roles));
    return {
      name: names?.[team] ?? null,
      tickets: here.map((placement) => placement.ticket.id),
      roles: names === null ? null : roles,
    };
  });
}

function left(room: Room): number {
  return Object.values(room).reduce((sum, free) => sum + free, 0);
}

function sorted(rooms: readonly Room[]): readonly number[] {
  return rooms.map(left).sort((a, b) => a - b);
}

function count(tickets: readonly Ticket[]): number {
  return tickets.reduce((sum, ticket) => sum + ticket.members.length, 0);
}
