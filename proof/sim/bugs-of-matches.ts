// Deliberate bugs of a match (see bugs.ts).

import type { TellHook } from '../../src/fleet/hook';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { MatchId, PlayerId } from '../../src/common/ids';
import { defaultConfig } from '../../src/lobby/config';
import { refusal } from '../../src/lobby/refusals';
import type { LobbyRpc } from '../../src/objects/contracts/lobby';
import type { MatchOrder, MatchRpc, Offer, Roster } from '../../src/objects/contracts/match';
import type { QueueRpc } from '../../src/objects/contracts/queue';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { partySnapshot } from '../../src/objects/lobby/game';
import { loadLobby } from '../../src/objects/lobby/store';
import { MatchActor } from '../../src/objects/match/actor';
import { rematchId, rematchOf } from '../../src/objects/match/again';
import type { Match } from '../../src/objects/match/state';
import { rewired } from './rewired';
import { RATING } from './scenario';
import { JOURNAL } from './world';

/** Opens the places again that somebody has just taken. */
export class Generous extends MatchActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#ports = ports;
  }

  override async admit(...asked: Parameters<MatchRpc['admit']>): ReturnType<MatchRpc['admit']> {
    const open = this.#ports.store.get<Match>('match')?.steered?.open ?? [];
    const project = this.#ports.store.get<Roster>('roster')?.project ?? '';
    const refused = await super.admit(...asked);
    for (const { team, places } of refused === null ? open : []) {
      await super.steer(project, { open: places, ...(team !== null && { team }) });
    }
    return refused;
  }
}

/** Goes on comparing newcomers with the anchor, though it has left. */
export class Nostalgic extends MatchActor {
  constructor(ports: ActorPorts, tell: TellHook) {
    const { peers, store } = ports;
    const withAnchor = (offer: Offer): Offer => {
      const anchor = store.get<Roster>('roster')?.anchor;
      return { ...offer, match: offer.match && anchor ? { ...offer.match, anchor } : offer.match };
    };
    const queue: ActorPorts['peers']['queue'] = (...of) => {
      const rpc = peers.queue(...of);
      return new Proxy(rpc, {
        get: (_, method: keyof QueueRpc) =>
          method === 'offer'
            ? (...[id, offer]: Parameters<QueueRpc['offer']>) => rpc.offer(id, withAnchor(offer))
            : rpc[method],
      });
    };
    super(rewired(ports, { peers: { ...peers, queue } }), tell, JOURNAL);
  }

  override async admit(...[party, saved]: Parameters<MatchRpc['admit']>) {
    const { against: _, ...backfill } = party;
    return super.admit(backfill, saved);
  }
}

/** Takes one of its lobbies in twice: what always holds refuses that before it is saved. */
export class Doubling extends MatchActor {
  override open(roster: Roster): ReturnType<MatchActor['open']> {
    return super.open({ ...roster, parties: [...roster.parties, ...roster.parties.slice(0, 1)] });
  }
}

/** Makes a match of whoever can be in it, whoever else was named. */
export class Partial extends MatchActor {
  override async make(order: MatchOrder): ReturnType<MatchRpc['make']> {
    const reply = await super.make(order);
    const { issues = [] } = reply.ok ? {} : reply.refusal;
    const out = new Set(issues.map(({ path }) => path));
    const lobbies = order.lobbies.filter(({ path }) => !out.has(path));
    const isLess = lobbies.length < order.lobbies.length && lobbies.length > 0;
    return isLess ? super.make({ ...order, lobbies }) : reply;
  }
}

/** Makes the match anew when it is asked for again. */
export class Again extends MatchActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#ports = ports;
  }

  override async make(order: MatchOrder): ReturnType<MatchRpc['make']> {
    const isKnown = this.#ports.store.get<Roster>('roster') !== undefined;
    const other = this.#ports.uuid() as MatchId;
    return isKnown ? this.#ports.peers.match(other).make(order) : super.make(order);
  }
}

/** Rates a match that nobody played. */
export class Eager extends MatchActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#ports = ports;
  }

  override async decline(...[lobbyId, reason, by]: Parameters<MatchRpc['decline']>) {
    const { name, peers } = this.#ports;
    const players = [[by], ['nobody']].map(([id]) => [{ id: id as PlayerId, abandoned: false }]);
    const teams = players.map((own, at) => ({ rank: 2 - at, players: own }));
    const match = { matchId: name[0] as MatchId, at: 0, teams };
    const roster = this.#ports.store.get<Roster>('roster');
    if (roster !== undefined) {
      this.#ports.background(peers.ratings(roster.project, RATING.field).rate(match));
    }
    return super.decline(lobbyId, reason, by);
  }
}

/** Takes the yes of one lobby for that of all. */
export class Presuming extends MatchActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts, tell: TellHook) {
    super(ports, tell, JOURNAL);
    this.#ports = ports;
  }

  override async rematch(
    ...[project, stay, says]: Parameters<MatchRpc['rematch']>
  ): ReturnType<MatchRpc['rematch']> {
    const reply = await super.rematch(project, stay, says);
    const record = await super.record(project);
    const isYes = reply.ok && reply.value.votes !== null && says === 'yes';
    if (isYes && record?.again) {
      const order = rematchOf(record, record.again);
      void this.#ports.peers
        .match(rematchId(record.id))
        .make(order)
        .catch(() => {});
    }
    return reply;
  }
}

/** A lobby that is in the match of whoever asks. */
export class Overbooked extends LobbyActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports, undefined, JOURNAL);
    this.#ports = ports;
  }

  override async book(...asked: Parameters<LobbyRpc['book']>): ReturnType<LobbyRpc['book']> {
    const reply = await super.book(...asked);
    const { lobby = null } = loadLobby(this.#ports.store) ?? {};
    if (reply.held || lobby === null) {
      return reply;
    }
    const [, { ticketId }] = asked;
    const party = partySnapshot(lobby, ticketId, { config: defaultConfig('any'), hasHooks: false });
    return { held: true, party, ticket: refusal('INVALID_STATE') };
  }
}
