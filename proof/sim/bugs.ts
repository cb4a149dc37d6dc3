// Deliberate bugs, which prove that the checker works. Each replaces one actor or one of its ports,
// and everything else is the real code.

import type { TellHook } from '../../src/fleet/hook';
import type { Fleet, LaunchSpec } from '../../src/fleet/port';
import type { LobbyId, MatchId, MemberId, PlayerId } from '../../src/common/ids';
import type { Attributes } from '../../src/lobby/attributes';
import type { LobbyRpc, Membership } from '../../src/objects/contracts/lobby';
import type { LaunchOrder } from '../../src/objects/contracts/server';
import type { MatchRpc, Roster } from '../../src/objects/contracts/match';
import type { PlayersRpc } from '../../src/objects/contracts/players';
import type { RatedMatch } from '../../src/objects/contracts/ratings';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Store } from '../../src/objects/kit/ports';
import { DirectoryActor } from '../../src/objects/directory/actor';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { MatchActor } from '../../src/objects/match/actor';
import { onlyFleet } from '../../src/fleet/fleets';
import { QueueActor } from '../../src/objects/queue/actor';
import { RatingsActor } from '../../src/objects/ratings/actor';
import { SeatActor } from '../../src/objects/seat/actor';
import { ServerActor } from '../../src/objects/server/actor';
import { Believer, Credulous, Gossip, Lenient, twoHosts } from './bugs-of-hosts';
import { Deaf, Fenceless, Hurried, Lavish, Promiser, staying } from './bugs-of-lobbies';
import { OF_SPECTATORS } from './bugs-of-spectators';
import { doorless, hasty, noteless } from './bugs-of-fleets';
import { MOVING_BUGS } from './bugs-of-moves';
import { PARTY_BUGS } from './bugs-of-parties';
import { GIVEN_TWICE, OWNERLESS } from './bugs-of-warm';
import { Again, Doubling, Eager, Generous, Nostalgic, Partial, Presuming } from './bugs-of-matches';
import { forwarded, rewired } from './rewired';
import type { Placement } from './parts';
import { HOOK } from './receiver';
import { run, type Outcome, type RunOptions } from './run';
import { scenarioOf, type Scenario } from './scenario';
import { JOURNAL, REAL, type Makers } from './world';

export interface Bug {
  readonly name: string;
  readonly makers: Makers;
  /** The runs that can show it. Absent: any. */
  readonly in?: (scenario: Scenario) => boolean;
  /** It shows only in a box whose owner moves; the box itself may have it. */
  readonly moving?: Pick<RunOptions, 'tellsEarly'>;
}

/** The host of an actor that keeps in memory what belongs into rows whose keys begin so. */
function losing(ports: ActorPorts, prefix: string): ActorPorts {
  const store: Store = {
    ...forwarded(ports.store),
    put: (key, value) => void (key.startsWith(prefix) || ports.store.put(key, value)),
  };
  return rewired(ports, { store });
}

/** Releases the tickets of a proposal in memory, but does not save that. */
function releaseless(ports: ActorPorts): QueueActor {
  const store: Store = {
    ...forwarded(ports.store),
    delete: (key) => {
      if (!key.startsWith('proposal:')) {
        ports.store.delete(key);
      }
    },
  };
  return new QueueActor(rewired(ports, { store }));
}

/** Calls the fleet first and saves the intent afterwards. */
class Hasty extends ServerActor {
  readonly #fleet: Fleet;

  constructor(ports: ActorPorts, fleet: Fleet) {
    super(ports, { fleets: onlyFleet(fleet), publicUrl: '' });
    this.#fleet = fleet;
  }

  override async launch(order: LaunchOrder): ReturnType<ServerActor['launch']> {
    const build = { name: order.build, version: 1, label: null, launch: {}, ports: [] };
    const spec: LaunchSpec = {
      ...order,
      serverId: order.instanceId,
      build,
      startupArgs: null,
      token: 'early',
      reportUrl: '',
    };
    await this.#fleet.launch(spec);
    return super.launch(order);
  }
}

/** Gives one roster to two matches. */
function twofold(ports: ActorPorts): QueueActor {
  const { peers } = ports;
  const match = (id: MatchId): MatchRpc => {
    const first = peers.match(id);
    return new Proxy(first, {
      get: (_, method: keyof MatchRpc) => {
        if (method !== 'open') {
          return first[method];
        }
        return async (...[roster]: Parameters<MatchRpc['open']>) => {
          const other = ports.uuid() as MatchId;
          ports.background(peers.match(other).open({ ...roster, matchId: other }));
          return first.open(roster);
        };
      },
    });
  };
  return new QueueActor(rewired(ports, { peers: { ...peers, match } }));
}

/** Gives the seat to any claimer. */
class Seatless extends SeatActor {
  override async claim(lobbyId: LobbyId, membership: Membership) {
    const { player } = membership;
    const holder = this.#ports.store.get<{ memberId: MemberId }>(`seat:${player}`);
    await super.release({ player, memberId: holder?.memberId ?? membership.memberId });
    return super.claim(lobbyId, membership);
  }

  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports);
    this.#ports = ports;
  }
}

/** What the first lobby of an isolate read of a player, every lobby believes. */
const records = new Map<string, Attributes>();

function forgetful(ports: ActorPorts): LobbyActor {
  const { peers } = ports;
  const players = (project: string, player: PlayerId): PlayersRpc => {
    const rpc = peers.players(project, player);
    const key = `${project} ${player}`;
    const read = async (): Promise<Attributes> => {
      const found = records.get(key) ?? (await rpc.read(player));
      records.set(key, found);
      return found;
    };
    return new Proxy(rpc, {
      get: (_, method: keyof PlayersRpc) => (method === 'read' ? read : rpc[method]),
    });
  };
  return new LobbyActor(rewired(ports, { peers: { ...peers, players } }), undefined, JOURNAL);
}

/** Tells the lobbies of a match, but does not save the debt. */
function debtless(ports: ActorPorts, tell: TellHook): MatchActor {
  const store: Store = {
    ...forwarded(ports.store),
    put: (key, value) => {
      const debts = key.startsWith('debts:') ? (value as readonly [string, unknown][]) : null;
      ports.store.put(key, debts?.filter(([debt]) => !debt.startsWith('lobby:')) ?? value);
    },
  };
  return new MatchActor(rewired(ports, { store }), tell, JOURNAL);
}

/** Of the lobbies that it tells together, it skips those after one that fails, and takes them for told. */
function skipping(ports: ActorPorts, tell: TellHook): MatchActor {
  const { peers } = ports;
  let before: Promise<unknown> | null = null;
  const lobby = (id: LobbyId): LobbyRpc => {
    const rpc = peers.lobby(id);
    return new Proxy(rpc, {
      get: (_, method: keyof LobbyRpc) => {
        if (method !== 'matchUpdate') {
          return rpc[method];
        }
        return (...args: Parameters<LobbyRpc['matchUpdate']>) => {
          if (before === null) {
            ports.later(1, () => (before = null));
            before = rpc.matchUpdate(...args);
            return before;
          }
          return before.then(
            () => rpc.matchUpdate(...args),
            () => true,
          );
        };
      },
    });
  };
  return new MatchActor(rewired(ports, { peers: { ...peers, lobby } }), tell, JOURNAL);
}

/** Tells the backend of a match before it is decided that there is one. */
class Boastful extends MatchActor {
  readonly #tell: TellHook;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#tell = tell;
  }

  override async open(roster: Roster): ReturnType<MatchActor['open']> {
    if (roster.parties.some(({ hooks }) => hooks)) {
      const told = { type: 'match.formed', matchId: roster.matchId };
      await this.#tell(HOOK, JSON.stringify(told), roster.project).catch(() => {});
    }
    return super.open(roster);
  }
}

/** Does not know a match again whose result came at another time. */
class Twice extends RatingsActor {
  override async rate(match: RatedMatch): Promise<void> {
    await super.rate(match);
    await super.rate({ ...match, at: match.at + 1 });
  }
}

/** The runs of all seeds with the bug. */
export function runsOf({ makers, moving }: Pick<Bug, 'makers' | 'moving'>): RunOptions {
  return { makers, ...(moving && { ...moving, moves: true }) };
}

/** Which of them some run in this placement can show. */
export const bugsIn = (placement: Placement): readonly Bug[] =>
  BUGS.filter(({ moving }) => moving === undefined || placement === 'box');

/** The first run from a seed on that catches the bug. Null if none of so many does. */
export async function caught(
  bug: Bug,
  runs: number,
  placement: Placement,
  from = 1,
): Promise<Outcome | null> {
  for (let seed = from, left = runs; left > 0; seed += 1) {
    if (bug.in?.(scenarioOf(seed)) ?? true) {
      left -= 1;
      const outcome = await run(seed, { ...runsOf(bug), placement });
      if (outcome.violations.length > 0) {
        return outcome;
      }
    }
  }
  return null;
}

const steers = (scenario: Scenario): boolean => scenario.steers;
/** And in games that take parties. */
const opensPlaces = ({ steers: does, config }: Scenario): boolean =>
  does && Object.values(config.matchmaking.modes).some(({ allowBackfill }) => allowBackfill);
const isCrowded = (scenario: Scenario): boolean => scenario.theme === 'crowd';
const isHosted = ({ config }: Scenario): boolean => config.serverSettings.hosting !== undefined;
/** Places are filled again, in a mode that compares numbers. */
const comparesAgain = ({ config }: Scenario): boolean =>
  Object.values(config.matchmaking.modes).some(
    ({ allowBackfill, onDecline, rules }) =>
      (allowBackfill || onDecline === 'refill') && rules.some(({ type }) => type === 'difference'),
  );
const keepsWarm = (scenario: Scenario): boolean => scenario.warm > 0 && scenario.room === null;
const makes = (scenario: Scenario): boolean => scenario.makes > 0;
const hasRoom = (scenario: Scenario): boolean => scenario.room !== null;

/** Each must be caught. */
export const BUGS: readonly Bug[] = [
  {
    name: 'skip the fence',
    makers: { ...REAL, lobby: (ports) => new Fenceless(ports) },
  },
  {
    name: 'two modes both win',
    makers: { ...REAL, lobby: (ports) => new Promiser(ports) },
  },
  ...OF_SPECTATORS,
  { name: 'leave a ticket behind', makers: { ...REAL, lobby: staying } },
  { name: 'two rooms', makers: { ...REAL, directory: (ports) => new Hurried(ports) } },
  { name: 'forget a release', makers: { ...REAL, queue: releaseless } },
  {
    name: 'launch before saving',
    makers: { ...REAL, server: (ports, fleet) => new Hasty(ports, fleet) },
  },
  { name: 'lose an owed message', makers: { ...REAL, match: debtless } },
  { name: 'skip a lobby after one that fails', makers: { ...REAL, match: skipping } },
  {
    name: 'tell the backend before saving',
    makers: { ...REAL, match: (ports, tell) => new Boastful(ports, tell) },
  },
  {
    name: 'forget what the backend is owed',
    makers: {
      ...REAL,
      match: (ports, tell) => new MatchActor(losing(ports, 'hooks'), tell, JOURNAL),
    },
  },
  {
    name: 'forget what browsing shows',
    makers: { ...REAL, directory: (ports) => new DirectoryActor(losing(ports, 'views:')) },
  },
  {
    name: 'take a lobby in twice',
    makers: { ...REAL, match: (ports, tell) => new Doubling(ports, tell, JOURNAL) },
  },
  {
    in: comparesAgain,
    name: 'compare with an anchor that left',
    makers: { ...REAL, match: (ports, tell) => new Nostalgic(ports, tell) },
  },
  { name: 'commit twice', makers: { ...REAL, queue: twofold } },
  {
    name: 'give a taken seat away',
    makers: { ...REAL, seat: (ports) => new Seatless(ports) },
  },
  { name: 'rate a result twice', makers: { ...REAL, ratings: (ports) => new Twice(ports) } },
  {
    name: 'rate an aborted match',
    makers: { ...REAL, match: (ports, tell) => new Eager(ports, tell) },
  },
  {
    in: opensPlaces,
    name: 'promise a place twice',
    makers: { ...REAL, match: (ports, tell) => new Generous(ports, tell) },
  },
  {
    in: steers,
    name: 'hold a released seat',
    makers: { ...REAL, lobby: (ports) => new Deaf(ports, 'members') },
  },
  {
    in: isCrowded,
    name: 'a kept place given away',
    makers: { ...REAL, lobby: (ports) => new Lavish(ports, undefined, JOURNAL) },
  },
  {
    in: steers,
    name: 'keep a kicked player',
    makers: { ...REAL, lobby: (ports) => new Deaf(ports, 'kicked') },
  },
  {
    name: 'lose an attribute at a join',
    makers: { ...REAL, lobby: forgetful },
  },
  {
    name: 'believe an old term',
    makers: { ...REAL, server: (ports, fleet) => new Believer(ports, fleet) },
  },
  { name: 'elect two hosts', makers: { ...REAL, server: twoHosts } },
  {
    in: isHosted,
    name: 'signal to a stranger',
    makers: { ...REAL, match: (ports, tell) => new Gossip(ports, tell) },
  },
  {
    in: isHosted,
    name: 'take the word of one',
    makers: { ...REAL, match: (ports, tell) => new Credulous(ports, tell, JOURNAL) },
  },
  {
    in: isHosted,
    name: 'the vote of who left',
    makers: { ...REAL, match: (ports, tell) => new Lenient(ports, tell, JOURNAL) },
  },
  {
    in: makes,
    name: 'make a match of some',
    makers: { ...REAL, match: (ports, tell) => new Partial(ports, tell, JOURNAL) },
  },
  {
    in: makes,
    name: 'make a match twice',
    makers: { ...REAL, match: (ports, tell) => new Again(ports, tell) },
  },
  ...PARTY_BUGS,
  {
    in: ({ rematches }) => rematches > 0,
    name: 'a rematch that one lobby wants',
    makers: { ...REAL, match: (ports, tell) => new Presuming(ports, tell) },
  },
  { in: hasRoom, name: 'two fleets for one match', makers: { ...REAL, server: hasty } },
  { in: hasRoom, name: 'jump the line', makers: { ...REAL, project: doorless } },
  { in: hasRoom, name: 'forget who stands in line', makers: { ...REAL, project: noteless } },
  { in: keepsWarm, name: 'warm server given twice', makers: GIVEN_TWICE },
  { in: keepsWarm, name: 'a server without an owner', makers: OWNERLESS },
  ...MOVING_BUGS,
];
