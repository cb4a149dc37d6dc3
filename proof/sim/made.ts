// Matches that somebody makes of named lobbies (decision 76): an order as the Worker sends it, and a maker who orders matches of
// lobbies and players as they come along, some twice, some with another order for the same ref.

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import { sha256Hex, uuidOf } from '../../src/common/signed';
import type { MatchOrder, NamedLobby } from '../../src/objects/contracts/match';
import { type Mode, sizeOf } from '../../src/match/rules/mode';
import type { Quiet } from './finally';
import { answerOf, asked } from './history';
import { isExplained } from './parts';
import { Random } from './random';
import { CONFIG, plainLobby } from './scenario';
import type { World } from './world';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 47;

/** What a team has: lobbies, and players with or without one. */
interface Wanted {
  readonly lobbies?: readonly LobbyId[];
  readonly players?: readonly PlayerId[];
}

export interface Made {
  readonly mode: string;
  readonly ref: string;
  readonly teams: readonly Wanted[];
  /** Null: as the mode says, if its matcher is outside. */
  readonly confirm?: boolean | null;
}

export function madeId(project: string, ref: string): MatchId {
  return uuidOf(`match ${project} ${ref}`) as MatchId;
}

/** `lobbyOf`: where the Worker finds the player. */
export function orderOf(
  world: Pick<World, 'project' | 'uuid'>,
  made: Made,
  lobbyOf: (player: PlayerId) => LobbyId | null,
): MatchOrder {
  const { project } = world;
  const lobbies = new Map<LobbyId, NamedLobby>();
  for (const [team, wanted] of made.teams.entries()) {
    for (const [index, lobbyId] of (wanted.lobbies ?? []).entries()) {
      lobbies.set(lobbyId, {
        lobbyId,
        team,
        path: `teams[${team}].lobbies[${index}]`,
        players: [],
      });
    }
    for (const [index, id] of (wanted.players ?? []).entries()) {
      const lobbyId = lobbyOf(id) ?? (world.uuid() as LobbyId);
      const founds = { ...plainLobby({ project, id: lobbyId, player: id }) };
      const named = lobbies.get(lobbyId) ?? {
        lobbyId,
        team: null,
        path: `teams[${team}].players[${index}]`,
        players: [],
        ...(lobbyOf(id) === null && { founds }),
      };
      lobbies.set(lobbyId, { ...named, players: [...named.players, { id, team }] });
    }
  }
  const { mode, ref, confirm = false } = made;
  return {
    project,
    config: CONFIG,
    mode,
    by: 'key',
    ref,
    confirm,
    digest: sha256Hex(JSON.stringify(made)),
    names: made.teams.map(() => null),
    lobbies: [...lobbies.values()],
    issues: [],
    rules: false,
    rated: true,
    region: null,
    build: null,
  };
}

/** The players of each full team. */
export function sizesOf({ teamComposition, teams, playersPerTeam }: Mode): readonly number[] {
  return teamComposition
    ? Object.values(teamComposition).map(sizeOf)
    : Array.from({ length: teams }, () => playersPerTeam);
}

/** Teams of the mode's sizes, of whoever is left, as well as it goes. */
function teamsOf(
  { always, scenario }: Pick<Quiet, 'always' | 'scenario'>,
  random: Random,
  mode: string,
): readonly Wanted[] {
  const its = scenario.config.matchmaking.modes[mode];
  if (its === undefined) {
    return [];
  }
  const sizes = sizesOf(its);
  const units: { size: number; wanted: Wanted }[] = [];
  const housed = new Set<PlayerId>();
  const isAny = random.chance(0.15);
  for (const { id, players, status } of always.lobbies.values()) {
    const ids = players.map((who) => who.id);
    ids.forEach((each) => housed.add(each));
    if (!isAny && status !== 'waiting' && status !== 'in_queue') {
      continue;
    }
    const wanted = random.chance(0.5) ? { lobbies: [id] } : { players: ids };
    units.push({ size: ids.length, wanted });
  }
  for (let at = 1; at <= scenario.players; at += 1) {
    const player = `p${at}` as PlayerId;
    if (!housed.has(player)) {
      units.push({ size: 1, wanted: { players: [player] } });
    }
  }
  const left = units.toSorted(() => random.next() - 0.5);
  return sizes.map((size) => {
    const lobbies: LobbyId[] = [];
    const players: PlayerId[] = [];
    for (let free = size; free > 0;) {
      const at = left.findIndex((unit) => unit.size <= free);
      const [unit] = at < 0 ? [] : left.splice(at, 1);
      if (unit === undefined) {
        break;
      }
      free -= unit.size;
      lobbies.push(...(unit.wanted.lobbies ?? []));
      players.push(...(unit.wanted.players ?? []));
    }
    return { lobbies, players };
  });
}

export async function maker(
  quiet: Pick<Quiet, 'world' | 'always' | 'scenario' | 'ledger'>,
  isOver: () => boolean,
): Promise<void> {
  const { world, always, scenario } = quiet;
  if (scenario.makes === 0) {
    return;
  }
  const random = new Random(scenario.seed, STREAM);
  const modes = Object.keys(scenario.config.matchmaking.modes);
  const orders: Made[] = [];
  for (let left = scenario.makes; left > 0 && !isOver(); left -= 1) {
    await world.loop.sleep(random.between(20, 400 + 3 * scenario.thinkMs));
    const old = orders.length > 0 && random.chance(0.25) ? random.pick(orders) : null;
    const mode = random.pick(modes);
    const teams = teamsOf({ always, scenario }, random, mode);
    const ref = old?.ref ?? `game ${scenario.makes - left + 1}`;
    const fresh = { mode, ref, teams, confirm: random.chance(0.3) };
    const made = old !== null && random.chance(0.7) ? old : fresh;
    if (made.teams.length === 0 || made.teams.every((team) => sizeOfTeam(team) === 0)) {
      continue;
    }
    orders.push(made);
    const again = random.chance(0.15) ? make(quiet, made) : null;
    await Promise.all([make(quiet, made), again]);
  }
}

function sizeOfTeam({ lobbies = [], players = [] }: Wanted): number {
  return lobbies.length + players.length;
}

/** Whether there is such a match now. False too if nobody says so. */
export async function make(
  { world, always, ledger }: Pick<Quiet, 'world' | 'always' | 'ledger'>,
  made: Made,
): Promise<boolean> {
  const peers = world.peersOf(world.client('maker'));
  const lobbyOf = (player: PlayerId) => always.lobbiesOf(player)[0]?.id ?? null;
  const order = orderOf(world, made, lobbyOf);
  const players = made.teams.flatMap((team) => team.players ?? []);
  const marks = new Map(players.map((id) => [id, ledger.mark(id)]));
  const id = madeId(world.project, made.ref);
  try {
    const reply = await asked(
      world.history,
      { who: null, does: 'POST /v3/matches', body: { config: CONFIG, ...made } },
      {
        ask: () => peers.match(id).make(order),
        answer: (done) => answerOf(done, ({ ref, teams }) => ({ id, ref, teams })),
      },
    );
    const how = reply.ok ? 'made' : `refused: ${reply.refusal.code}`;
    world.journal.count(`happened: a match of named lobbies is ${how}`);
    if (reply.ok) {
      const { journal } = world;
      const { ref, teams, endedAt } = reply.value;
      journal.check(ref === made.ref && reply.value.id === id, () => `${made.ref} is ${ref} twice`);
      const text = JSON.stringify(teams);
      const names = made.teams.flatMap((team) => [
        ...(team.lobbies ?? []),
        ...(team.players ?? []),
      ]);
      // Asked again once it is over, it has only those who were in it to the end.
      const isListed = (name: string): boolean => text.includes(JSON.stringify(name));
      const missing = names.filter((name) => endedAt === null && !isListed(name));
      journal.check(missing.length === 0, () => `${ref} is without ${missing.join(', ')}`);
      const there = new Set(
        reply.value.teams.flatMap((team) => team.lobbies.map((its) => its.lobbyId)),
      );
      for (const { lobbyId, founds } of order.lobbies) {
        if (founds !== undefined && there.has(lobbyId)) {
          ledger.joined(founds.player, lobbyId, marks.get(founds.player) ?? -1);
        }
      }
    }
    return reply.ok;
  } catch (error) {
    if (!isExplained(error)) {
      throw error;
    }
    return false;
  }
}
