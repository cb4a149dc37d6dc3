// Deliberate bugs in games that players host (records 0069, 0070 and 0075).

import type { TellHook } from '../../src/fleet/hook';
import type { Fleet, StatusReport } from '../../src/fleet/port';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { MatchRpc, Roster } from '../../src/objects/contracts/match';
import { onlyFleet } from '../../src/fleet/fleets';
import { MatchActor } from '../../src/objects/match/actor';
import { ServerActor } from '../../src/objects/server/actor';
import type { Instance } from '../../src/objects/server/state';
import { forwarded, rewired } from './rewired';
import { JOURNAL } from './world';

/** Takes the report of a former host for one of the host. */
export class Believer extends ServerActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, fleet: Fleet) {
    super(ports, { fleets: onlyFleet(fleet), publicUrl: '' });
    this.#ports = ports;
  }

  override async report(token: string, told: StatusReport): ReturnType<ServerActor['report']> {
    const { hosting, token: current = token } = this.#ports.store.get<Instance>('instance') ?? {};
    return super.report(hosting === undefined ? token : current, told);
  }
}

/** Elects the next host without a next term. */
export function twoHosts(ports: ActorPorts, fleet: Fleet): ServerActor {
  const store = {
    ...forwarded(ports.store),
    put: (key: string, value: unknown) => {
      const { hosting } = key === 'instance' ? (value as Instance) : {};
      ports.store.put(key, hosting === undefined ? value : { ...(value as Instance), run: 0 });
    },
  };
  return new ServerActor(rewired(ports, { store }), { fleets: onlyFleet(fleet), publicUrl: '' });
}

/** Takes the word of one player for the result. */
export class Credulous extends MatchActor {
  override result(...[project, told]: Parameters<MatchRpc['result']>) {
    return super.result(project, told);
  }
}

/** Does not hear how players went: who left votes. */
export class Lenient extends MatchActor {
  override roster(...[lobbyId, revision, players, ticketId]: Parameters<MatchRpc['roster']>) {
    return super.roster(lobbyId, revision, players, ticketId);
  }
}

/** The matches of each run, whose project is its own. */
const rosters = new Map<string, readonly Roster[]>();

/** Hands signals to the lobbies of other matches. */
export class Gossip extends MatchActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#ports = ports;
  }

  override open(roster: Roster): ReturnType<MatchActor['open']> {
    rosters.set(roster.project, [...(rosters.get(roster.project) ?? []), roster]);
    return super.open(roster);
  }

  override signal(...[from, said]: Parameters<MatchRpc['signal']>) {
    const { store, peers } = this.#ports;
    const own = store.get<Roster>('roster');
    const others = rosters.get(own?.project ?? '')?.filter((each) => each.matchId !== own?.matchId);
    for (const { matchId, parties } of others ?? []) {
      parties.forEach(({ lobbyId }) =>
        this.#ports.background(peers.lobby(lobbyId).signalled(matchId, said)),
      );
    }
    return super.signal(from, said);
  }
}
