// One player, as a game client would behave: every request of the API, with the fields that it may
// change.

import { Player } from '../../scripts/player.ts';
import type { Lobby } from '../../scripts/player.ts';
import { MARK } from './facts.ts';
import { placeOf, SOMEWHERE } from './membership.ts';
import type { Random } from './random.ts';
import { Listener } from './listener.ts';
import { movesTo, Request } from './request.ts';
import type { Asking, Outcome } from './request.ts';
import { operatorOf } from './world.ts';
import type { Invitation, World } from './world.ts';

let marks = 0;

/** Distinguishes every write from all others. */
function newMark(): number {
  marks += 1;
  return marks;
}

export class Client {
  readonly place: string;
  readonly listener: Listener;
  readonly #world: World;
  readonly #random: Random;
  readonly #config: string;
  readonly #player: Player;
  /** The lobby as last seen, or null. It may be outdated. */
  view: Lobby | null = null;
  /** The outcome of the last request is unknown, so ask first. */
  inDoubt = false;
  constructor(world: World, config: string, id: string, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#config = config;
    this.#player = new Player(world.url, id);
    this.place = placeOf(config, id);
    const { place } = this;
    this.listener = new Listener(world, this.#player, { config, place, random });
    this.listener.onLobby = (lobby) => this.#hear(lobby);
  }

  get id(): string {
    return this.#player.id;
  }

  get isHost(): boolean {
    return this.view?.host === this.id;
  }

  #request(asking: Omit<Asking, 'lobby'> & { readonly lobby?: string | null }): Request {
    const lobby = asking.lobby === undefined ? (this.view?.id ?? null) : asking.lobby;
    return new Request(this.#world, this.#player, this.#config, { ...asking, lobby });
  }

  async #send(request: Request, goal: 'in' | 'out' | 'stay'): Promise<Outcome> {
    const outcome = await movesTo(this.#world, request, goal).send();
    if (outcome.how === 'lost') {
      this.inDoubt = true;
    } else if (outcome.how === 'done') {
      this.#believe(goal === 'out' ? null : outcome.lobby);
    } else if (outcome.code === 'LOBBY_NOT_FOUND' && goal !== 'in') {
      this.#believe(null);
    } else {
      // The belief is old: it would be refused again.
      this.inDoubt = goal !== 'in' || outcome.code === 'ALREADY_IN_LOBBY';
    }
    return outcome;
  }

  #believe(lobby: Lobby | null): void {
    const isOlder = lobby !== null && lobby.id === this.view?.id;
    if (!isOlder || lobby.revision >= (this.view?.revision ?? 0)) {
      this.view = lobby;
    }
    if (lobby !== null) {
      this.#world.board.post({ config: this.#config, id: lobby.id, code: lobby.code });
    }
  }

  #hear(lobby: Lobby): void {
    if (this.view?.id === lobby.id && lobby.revision > this.view.revision) {
      this.view = lobby;
    }
  }

  async get(): Promise<void> {
    const outcome = await this.#send(
      this.#request({ kind: 'get', method: 'GET', path: '/me' }),
      'stay',
    );
    this.inDoubt = outcome.how === 'lost';
  }

  /**
   * `lone` is far from everybody else's value, also on average: a player who queues by it finds
   * nobody.
   */
  #state(mark: number): Readonly<Record<string, number>> {
    return { [MARK]: mark, lone: this.#random.between(0, 1e9) };
  }

  async create(forceFresh: boolean): Promise<void> {
    const { facts } = this.#world;
    const mark = newMark();
    const body = {
      name: `lobby ${mark}`,
      maxPlayers: this.#random.whole(1, 4),
      isPrivate: this.#random.chance(0.2),
      settings: { [MARK]: mark },
      state: this.#state(mark),
      forceFresh,
    };
    const request = this.#request({ kind: 'create', method: 'POST', path: '', body });
    if (forceFresh) {
      // The fate of a lobby that it hosted only shows when somebody looks.
      request.removes(null, () => null);
    }
    const { place } = this;
    request.writes(facts.stateOf(place), mark).settle((outcome, span) => {
      if (outcome.how === 'done' && outcome.lobby !== null) {
        facts.heard(outcome.lobby, span.to);
        facts.nameOf(outcome.lobby.id)?.saw(body.name, span);
        facts.markOf(outcome.lobby.id)?.saw(mark, span);
      }
    });
    await this.#send(request, 'in');
  }

  async join(invitation: Invitation, by: 'code' | 'id'): Promise<void> {
    const { membership } = this.#world.facts;
    const mark = newMark();
    const state = this.#state(mark);
    const body =
      by === 'code' ? { code: invitation.code, state } : { lobbyId: invitation.id, state };
    const request = this.#request({
      kind: `join by ${by}`,
      method: 'POST',
      path: '/join',
      body,
      lobby: invitation.id,
    });
    const register = this.#world.facts.stateOf(this.place);
    const write = register.begin(mark, request.from);
    const before = membership.allowed(this.place, { from: request.from, to: request.from });
    request.settle((outcome, { to }) => {
      // A player who was in that lobby already keeps its state.
      const mayHaveBeenIn = before.has(invitation.id) || before.has(SOMEWHERE);
      if (outcome.how === 'refused') {
        register.drop(write);
      } else if (outcome.how === 'done' && !mayHaveBeenIn) {
        register.settle(write, to);
      } else {
        register.lose(write, to);
      }
    });
    await this.#send(request, 'in');
  }

  async leave(): Promise<void> {
    const request = this.#request({ kind: 'leave', method: 'DELETE', path: '/me' });
    request.removes(null, (lobby) => lobby === null);
    await this.#send(request, 'out');
  }

  async patch(): Promise<void> {
    const mark = newMark();
    const body = { state: { [MARK]: mark } };
    const request = this.#request({ kind: 'patch', method: 'PATCH', path: '/me', body });
    request.writes(this.#world.facts.stateOf(this.place), mark);
    await this.#send(request, 'stay');
  }

  async settings(): Promise<void> {
    const { facts } = this.#world;
    const mark = newMark();
    const body = { name: `lobby ${mark}`, settings: { [MARK]: mark } };
    const path = '/me/settings';
    const request = this.#request({ kind: 'settings', method: 'PATCH', path, body });
    const { lobby } = request;
    if (lobby !== null) {
      request.writes(facts.nameOf(lobby), body.name).writes(facts.markOf(lobby), mark);
    }
    await this.#send(request, 'stay');
  }

  async kick(target: string): Promise<void> {
    const path = `/me/players/${target}`;
    const request = this.#request({ kind: `kick ${target}`, method: 'DELETE', path });
    request.removes(placeOf(this.#config, target), () => true);
    await this.#send(request, 'stay');
  }

  async queue(mode: string): Promise<void> {
    const { searches } = this.#world.facts;
    const body = { mode };
    const path = '/me/matchmaking';
    const request = this.#request({ kind: 'queue', method: 'POST', path, body });
    const asked =
      request.lobby === null ? null : searches.ask('queue', request.lobby, request.from);
    request.settle((outcome, span) => {
      if (asked !== null) {
        asked.to = span.to;
        asked.sure = outcome.how === 'done';
        if (outcome.how === 'refused') {
          searches.drop(asked);
        }
      }
      if (outcome.how === 'done' && outcome.lobby !== null) {
        searches.began(outcome.lobby, span);
      }
    });
    await this.#send(request, 'stay');
  }

  async cancel(): Promise<void> {
    const { searches } = this.#world.facts;
    const request = this.#request({ kind: 'cancel', method: 'DELETE', path: '/me/matchmaking' });
    if (request.lobby !== null) {
      const ends = searches.ends(request.lobby, request.from);
      const asked = searches.ask('cancel', request.lobby, request.from);
      request.settle(({ how }, { to }) => {
        ends.to = how === 'refused' ? -1 : to;
        asked.to = to;
        asked.sure = how === 'done';
        if (how === 'refused') {
          searches.drop(asked);
        }
      });
    }
    await this.#send(request, 'stay');
  }

  async confirm(): Promise<void> {
    const path = '/me/confirm-match';
    await this.#send(this.#request({ kind: 'confirm', method: 'POST', path }), 'stay');
  }

  async decline(): Promise<void> {
    const path = '/me/confirm-match';
    const request = this.#request({ kind: 'decline', method: 'DELETE', path });
    request.settle((outcome) => {
      const lobby = outcome.how === 'done' ? outcome.lobby : null;
      const before = lobby === null ? null : this.#world.facts.shown(lobby.id, lobby.revision - 1);
      if (lobby !== null && before?.status === 'match_found' && before.matchId !== null) {
        this.#world.declined.push({ lobby: lobby.id, match: before.matchId });
      }
    });
    await this.#send(request, 'stay');
  }

  async start(): Promise<void> {
    const request = this.#request({ kind: 'start', method: 'POST', path: '/me/start' });
    request.settle((outcome) => {
      const lobby = outcome.how === 'done' ? outcome.lobby : null;
      const instance = lobby?.server?.instance_id;
      if (lobby !== null && instance !== undefined) {
        this.#world.started.push({ lobby: lobby.id, instance });
      }
    });
    await this.#send(request, 'stay');
  }

  async endMatch(): Promise<void> {
    const request = this.#request({ kind: 'end-match', method: 'POST', path: '/me/end-match' });
    request.settle((outcome) => {
      const lobby = outcome.how === 'done' ? outcome.lobby : null;
      const before = lobby === null ? null : this.#world.facts.shown(lobby.id, lobby.revision - 1);
      if (lobby !== null && before !== null && before.server !== null) {
        this.#world.ended.push({ lobby: lobby.id, instance: before.server.instance_id });
      }
    });
    await this.#send(request, 'stay');
  }

  /** The operator deletes the lobby, whoever is in it. */
  async doom(): Promise<void> {
    const lobby = this.view?.id ?? null;
    if (lobby !== null) {
      const operator = operatorOf(this.#world);
      const asking = { kind: 'admin delete', method: 'DELETE', path: `/${lobby}`, lobby };
      const request = new Request(this.#world, operator, this.#config, asking);
      await request.removes(null, () => true).send();
      this.inDoubt = true;
    }
  }
}
