// A lobby under commands by chance, and the streams of its players: some ask for changes, some for whole lobbies.

import type { Random } from '../../../../proof/sim/random';
import type { InstanceId, MatchId, MemberId, TicketId } from '../../../../src/common/ids';
import type { JsonObject } from '../../../../src/common/json';
import type { Heard } from '../../../../src/common/line';
import { deletion } from '../../../../src/lobby/change';
import type { Change, Command, MatchUpdate } from '../../../../src/lobby/command';
import { decide } from '../../../../src/lobby/decide';
import { matchUpdated, serverReported, standing } from '../../../../src/lobby/game';
import type { Lobby } from '../../../../src/lobby/lobby';
import { admit } from '../../../../src/lobby/members';
import { hold } from '../../../../src/lobby/queueing';
import type { Reply } from '../../../../src/lobby/refusals';
import { NO_STATS, viewOf, type LobbyView } from '../../../../src/lobby/view';
import type { RelayLine } from '../../../../src/objects/kit/ports';
import type { ActorPorts } from '../../../../src/objects/contracts/actor-ports';
import { LobbyNews } from '../../../../src/objects/lobby/news';
import type { Seen } from '../../../../src/objects/lobby/seen';
import { block, given, lobbyOf, matchUpdate, mode, player, T0 } from '../../../support/lobbies';
import { Client } from './told-client';

const NAMES = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'];
const KEYS = ['ready', 'n', 'a/b', '~', '~1', '__proto__', '7', 'é', '', 'constructor'];
const MODES = { duel: mode({ maxPartySize: 8, playersPerTeam: 8, minPlayersPerTeam: 1 }) };

interface Claim {
  readonly changes: boolean;
  readonly revision: number | null;
  readonly lobby: string | null;
  readonly known: LobbyView | null;
}

export class ToldLobby {
  readonly news: LobbyNews;
  readonly clients = new Map<string, Client>();
  lobby: Lobby | null;
  now = T0;
  /** Each state that players are to hear of. */
  readonly toldAt: { readonly at: number; readonly revision: number }[] = [];
  readonly #random: Random;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #around = { customProperties: {} as JsonObject, inviteUrl: null as string | null };
  #viewed: { readonly lobby: Lobby; readonly around: object; readonly view: LobbyView } | null =
    null;
  #ids = 0;

  constructor(random: Random, players: readonly string[] = ['ann', 'ben']) {
    this.#random = random;
    const [host = 'ann', ...guests] = players;
    this.lobby = { ...lobbyOf(host), maxPlayers: 100 };
    this.news = new LobbyNews(this.#core());
    for (const guest of guests) {
      this.join(guest);
    }
  }

  view(lobby: Lobby): LobbyView {
    const around = this.#around;
    if (this.#viewed?.lobby !== lobby || this.#viewed.around !== around) {
      const queueStats = NO_STATS;
      this.#viewed = { lobby, around, view: viewOf(lobby, { ...around, queueStats }) };
    }
    return this.#viewed.view;
  }

  #core(): Seen {
    const open = (who: string, changes: boolean): RelayLine => {
      const hear = (heard: Heard): void => {
        const client = this.clients.get(who);
        if (client !== undefined) {
          client.hear(heard, this.now);
        }
      };
      return { player: who, changes, say: hear, end: hear };
    };
    const ports = {
      now: () => this.now,
      later: (ms: number, run: () => void) => {
        const timer = { at: this.now + ms, run };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      lines: {
        open: (who: string, changes: boolean) => ({ line: open(who, changes), far: {} as never }),
        all: () => [],
        watch: () => ({}) as never,
        watchers: () => [],
      },
    } as unknown as ActorPorts;
    const of = (): Lobby | null => this.lobby;
    return {
      ports,
      get lobby() {
        return of();
      },
      delayMs: 0,
      view: (lobby) => this.view(lobby),
      wake: async () => {},
    };
  }

  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) {
        break;
      }
      this.#timers = this.#timers.filter((each) => each !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  apply(change: Change | null): void {
    if (change === null) {
      return;
    }
    this.lobby = change.lobby;
    for (const each of change.news) {
      if (each.kind === 'updated') {
        this.toldAt.push({ at: this.now, revision: each.lobby.revision });
      }
      this.news.tell(each);
    }
  }

  run(reply: Reply<Change>): void {
    this.apply(reply.ok ? reply.value : null);
  }

  command(command: Command): void {
    if (this.lobby !== null) {
      this.#ids += 1;
      const ticketId = `t-${this.#ids}` as TicketId;
      const instanceId = `s-${this.#ids}` as InstanceId;
      const connected = this.news.streams.players as ReadonlySet<never>;
      const at = given({ now: this.now, modes: MODES, ticketId, made: { instanceId }, connected });
      this.run(decide(this.lobby, command, at));
    }
  }

  join(who: string): void {
    if (this.lobby !== null && !this.isIn(who)) {
      this.#ids += 1;
      const memberId = `m-${this.#ids}` as MemberId;
      this.run(admit(this.lobby, { id: player(who), memberId, state: null }, this.now));
    }
  }

  isIn(who: string): boolean {
    return this.lobby?.players.some(({ id }) => id === who) === true;
  }

  /** Opens a stream. `last`: goes on where the player's last stream ended. */
  listen(who: string, changes: boolean, last = false): Client | null {
    if (this.lobby === null || !this.isIn(who)) {
      return null;
    }
    const before = last ? (this.clients.get(who)?.known ?? null) : null;
    const resumes = before?.id === this.lobby.id;
    const known = resumes ? before : null;
    return this.claim(who, {
      changes,
      revision: known?.revision ?? null,
      lobby: known?.id ?? null,
      known,
    });
  }

  /** Opens a stream of a client that says, rightly or not, that it was shown that revision of that lobby as `known`. */
  claim(who: string, claimed: Claim): Client | null {
    if (this.lobby === null || !this.isIn(who)) {
      return null;
    }
    const { changes, revision, lobby, known } = claimed;
    const client = new Client(who, changes, known);
    this.clients.set(who, client);
    this.news.open(this.lobby, player(who), revision, { changes, lobby });
    return client;
  }

  hangUp(who: string): void {
    const client = this.clients.get(who);
    if (client !== undefined) {
      client.isOpen = false;
    }
    this.news.streams.closed(who);
  }

  #value(): JsonObject[string] {
    const values = [true, 1, 'x', 'ü', null, { a: [1, { b: 2 }] }, [], {}, 'y'.repeat(300)];
    return values[this.#random.below(values.length)] ?? null;
  }

  #object(): JsonObject {
    const count = this.#random.below(4);
    const key = (): string => KEYS[this.#random.below(KEYS.length)] ?? '';
    return Object.fromEntries(Array.from({ length: count }, () => [key(), this.#value()]));
  }

  #match(phase: MatchUpdate['phase'], runs: 'launching' | 'running' = 'launching'): void {
    const ticketId = this.lobby?.search?.ticketId ?? this.lobby?.part?.ticketId;
    if (ticketId === undefined) {
      return;
    }
    const matchId = (this.lobby?.part?.matchId ?? `match-${this.#ids}`) as MatchId;
    if (this.lobby?.search) {
      const { holdSeq } = this.lobby.search;
      this.apply(hold(this.lobby, { ticketId, matchId, seq: holdSeq + 1 }, this.now));
    }
    const { lobby } = this;
    const order = ['in_queue', 'match_found', 'matched', 'in_game', 'returned'];
    if (lobby === null || order.indexOf(phase) < order.indexOf(lobby.status)) {
      return;
    }
    const update = this.#update(lobby, matchUpdate({ ticketId, matchId, phase }), runs);
    if (standing(lobby, update) === 'apply') {
      const again = `again-${update.step}` as TicketId;
      this.apply(matchUpdated(lobby, update, this.now, again));
    }
  }

  #update(lobby: Lobby, update: MatchUpdate, runs: 'launching' | 'running'): MatchUpdate {
    const { phase, matchId: match_id, places } = update;
    const fresh = { ...block(runs), match_id, custom_data: { secret: this.#value() } };
    const known = (this.#random.chance(0.5) && lobby.game?.block) || fresh;
    const members = lobby.part?.places.members ?? lobby.players.map(({ id }) => id);
    return {
      ...update,
      step: (lobby.part?.step ?? 0) + 1,
      deadline: phase === 'match_found' ? this.now + 30_000 : null,
      confirmed: this.#random.chance(0.5),
      server: phase === 'in_game' ? known : null,
      places: { ...places, team: this.#random.below(2), members },
      reason: phase === 'returned' ? 'game_ended' : null,
    };
  }

  /** Does something by chance. */
  step(): void {
    const random = this.#random;
    const who = NAMES[random.below(NAMES.length)] ?? 'ann';
    const { lobby } = this;
    if (lobby === null) {
      return;
    }
    const asHost = lobby.host;
    const acts: readonly (() => void)[] = [
      () => this.command({ type: 'patch_state', player: player(who), state: this.#object() }),
      () => this.command({ type: 'patch_state', player: player(who), state: { n: this.now } }),
      () => this.command({ type: 'patch_state', player: player(who), state: { '7': 1, n: 1 } }),
      () => this.command({ type: 'settings', player: asHost, patch: { settings: this.#object() } }),
      () => this.command({ type: 'settings', player: asHost, patch: { name: `n${this.now}` } }),
      () => this.join(who),
      () => this.join(who),
      () => this.command({ type: random.chance(0.3) ? 'leave' : 'heartbeat', player: player(who) }),
      () => this.command({ type: 'kick', player: asHost, target: player(who) }),
      () => this.command({ type: 'enter', player: asHost, mode: 'duel' }),
      () => this.command({ type: 'cancel', player: asHost }),
      () => this.#match('match_found'),
      () => this.#match('matched'),
      () => this.#match('in_game'),
      () => this.#match('in_game', 'running'),
      () => this.#match('returned'),
      () => this.command({ type: 'start', player: asHost }),
      () => this.report('launching'),
      () => this.report('running'),
      () => this.command({ type: 'end_match', player: asHost }),
      () => {
        this.#around = {
          customProperties: this.#object(),
          inviteUrl: random.chance(0.5) ? 'https://x.test/join' : null,
        };
        // Players hear of it with the next change, or when they open a stream.
        if (random.chance(0.5)) {
          this.listen(who, random.chance(0.5));
          this.hangUp(who);
        }
        this.#ids += 1;
        const body = { n: -this.#ids };
        this.command({ type: 'patch_state', player: asHost, state: body });
      },
      () => void this.listen(who, random.chance(0.7), random.chance(0.6)),
      () => void this.listen(who, true, true),
      () => this.hangUp(who),
      () => this.pass(random.below(120)),
      () => this.pass(random.chance(0.05) ? 400_000 : 1),
      () => random.chance(0.03) && this.apply(deletion(lobby)),
    ];
    acts[random.below(acts.length)]?.();
  }

  report(status: 'launching' | 'running'): void {
    const { lobby } = this;
    if (lobby?.game?.own === true) {
      const { instanceId, seq } = lobby.game;
      const report = { instanceId, seq: seq + 1, block: block(status, instanceId) };
      this.apply(serverReported(lobby, report, this.now));
    }
  }
}
