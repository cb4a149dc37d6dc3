// One request of one player, with the fields that it may change. It is recorded when it leaves and
// settled by its answer, and stays in doubt for ever if the answer is lost.

import type { Answer, Lobby, Player } from '../../scripts/player.ts';
import { OPERATOR } from './history.ts';
import { NOWHERE, placeOf, SOMEWHERE } from './membership.ts';
import type { Removal } from './membership.ts';
import type { Register, Span } from './register.ts';
import type { World } from './world.ts';

/** Refusals with a status of 5xx that have changed nothing. */
const REFUSED = new Set(['LAUNCH_FAILED', 'CODES_EXHAUSTED', 'STORAGE_FULL']);
/** No request takes longer: a cancel waits for the outcome of a hold, a start for the fleet. */
const ANSWER_MS = 30_000;

export type Outcome =
  | { readonly how: 'done'; readonly lobby: Lobby | null }
  | { readonly how: 'refused'; readonly code: string }
  | { readonly how: 'lost' };

export interface Asking {
  readonly kind: string;
  readonly method: string;
  /** Follows `/lobbies/{config}`. */
  readonly path: string;
  readonly body?: unknown;
  /** The lobby in which the player believes to be, or that it wants to join. */
  readonly lobby: string | null;
}

type Settler = (outcome: Outcome, span: Span) => void;

function isLobby(body: unknown): body is Lobby {
  return typeof body === 'object' && body !== null && 'revision' in body;
}

export class Request {
  readonly from = performance.now();
  readonly config: string;
  readonly place: string;
  readonly #world: World;
  readonly #player: Player;
  readonly #asking: Asking;
  readonly #settlers: Settler[] = [];

  constructor(world: World, player: Player, config: string, asking: Asking) {
    this.#world = world;
    this.#player = player;
    this.config = config;
    this.place = placeOf(config, player.id);
    this.#asking = asking;
  }

  get lobby(): string | null {
    return this.#asking.lobby;
  }

  /** Called with the outcome, before the answer is judged. */
  settle(settler: Settler): this {
    this.#settlers.push(settler);
    return this;
  }

  /** The request writes a field. */
  writes<T>(register: Register<T> | null, value: T): this {
    const write = register?.begin(value, this.from);
    return this.settle(({ how }, { to }) => {
      if (register && write) {
        if (how === 'done') {
          register.settle(write, to);
        } else if (how === 'lost') {
          register.lose(write, to);
        } else {
          register.drop(write);
        }
      }
    });
  }

  /** The request may put the player, or everybody, out of a lobby; `isDone` tells by the answer. */
  removes(place: string | null, isDone: (lobby: Lobby | null) => boolean | null): this {
    const { membership, searches } = this.#world.facts;
    const { lobby } = this.#asking;
    if (lobby === null) {
      return this;
    }
    const removal: Removal = membership.remove(lobby, place, this.from);
    const end = searches.ends(lobby, this.from);
    return this.settle((outcome, { to }) => {
      const done = outcome.how === 'done' ? isDone(outcome.lobby) : null;
      removal.to = to;
      end.to = to;
      removal.sure = done === true;
      if (done === false || outcome.how === 'refused') {
        membership.drop(removal);
      }
      if (outcome.how === 'refused') {
        end.to = -1;
      }
    });
  }

  /** Sends it, and checks the answer. */
  async send(): Promise<Outcome> {
    const { tally, asked, answers } = this.#world;
    const { kind } = this.#asking;
    tally.asked += 1;
    this.#note(`asks ${kind}${this.#detail()}`);
    asked.emit(kind);
    const { outcome, said } = await this.#call();
    const lateMs = outcome.how === 'lost' ? this.#world.lateMs : 0;
    const span = { from: this.from, to: performance.now() + lateMs };
    tally[outcome.how] += 1;
    const name = `${kind.replace(/^kick .*/, 'kick')} ${said}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
    this.#note(`${kind} -> ${said}${outcome.how === 'done' ? shortly(outcome.lobby) : ''}`);
    this.#settlers.forEach((settler) => settler(outcome, span));
    if (outcome.how === 'done' && outcome.lobby !== null) {
      this.#world.facts.read(outcome.lobby, span);
    }
    return outcome;
  }

  async #call(): Promise<{ outcome: Outcome; said: string }> {
    const { kind, path } = this.#asking;
    const late = AbortSignal.timeout(ANSWER_MS);
    try {
      const full = `/lobbies/${this.config}${path}`;
      const answer = await this.#answered(full, late);
      if (answer.status < 300) {
        const lobby = isLobby(answer.body) ? answer.body : null;
        return { outcome: { how: 'done', lobby }, said: String(answer.status) };
      }
      const { code } = answer.body as { code: string };
      const isAway = this.#world.lateMs > 0 && code === 'UNAVAILABLE';
      const mayFail = code === 'OVERLOADED' || isAway;
      if (kind === 'get' && !mayFail && answer.status >= 500) {
        this.#violation(`a read of ${this.place} was answered ${answer.status} ${code}`);
      }
      if (answer.status < 500 || REFUSED.has(code)) {
        return { outcome: { how: 'refused', code }, said: code };
      }
      if (answer.status === 500) {
        this.#violation(`${kind} of ${this.place} was answered 500`);
      }
      return { outcome: { how: 'lost' }, said: code };
    } catch {
      if (late.aborted) {
        this.#violation(`${kind} of ${this.place} was not answered within ${ANSWER_MS} ms`);
      }
      return { outcome: { how: 'lost' }, said: 'lost' };
    }
  }

  async #answered(path: string, late: AbortSignal): Promise<Answer<unknown>> {
    const { method, body } = this.#asking;
    const { history } = this.#world;
    const who = this.#player.id === OPERATOR ? null : this.#player.id;
    const answered = history?.asks(who, `${method} /v3${path}`, body);
    try {
      const answer = await this.#player.call<unknown>(method, path, body, late);
      answered?.(answer);
      return answer;
    } catch (error) {
      answered?.(null);
      throw error;
    }
  }

  #detail(): string {
    const { body, lobby } = this.#asking;
    const about = lobby === null ? '' : ` (lobby ${lobby.slice(0, 8)})`;
    return `${body === undefined ? '' : ` ${JSON.stringify(body)}`}${about}`;
  }

  tags(lobby: Lobby | null = null): readonly string[] {
    return [this.place, this.#asking.lobby ?? '', lobby?.id ?? ''].filter((tag) => tag !== '');
  }

  #note(text: string): void {
    this.#world.log.note(this.tags(), `${this.place} ${text}`);
  }

  #violation(what: string): void {
    this.#world.log.violation(what, this.tags());
  }
}

export function shortly(lobby: Lobby | null): string {
  if (lobby === null) {
    return ' (no lobby)';
  }
  const { id, revision, status, players, matchId, server } = lobby;
  const who = players.map((player) => player.id).join(' ');
  const game = server === null ? '' : ` server ${server.instance_id.slice(0, 8)} ${server.status}`;
  const match = matchId === null ? '' : ` match ${matchId.slice(0, 8)}`;
  return ` ${id.slice(0, 8)} r${revision} ${status} [${who}]${match}${game}`;
}

/** The player's own place: what it may have been before this request, against what the answer says. */
export function movesTo(world: World, request: Request, goal: 'in' | 'out' | 'stay'): Request {
  const { membership } = world.facts;
  const { place } = request;
  const register = membership.of(place);
  const under = { in: SOMEWHERE, out: NOWHERE, stay: null }[goal];
  const write = under === null ? null : register.begin(under, request.from);
  return request.settle((outcome, span) => {
    if (write !== null) {
      if (outcome.how === 'lost') {
        register.lose(write, span.to);
        return;
      }
      register.drop(write);
    }
    if (outcome.how !== 'lost') {
      judge(world, request, { outcome, span, goal });
    }
  });
}

interface Judged {
  readonly outcome: Exclude<Outcome, { how: 'lost' }>;
  readonly span: Span;
  readonly goal: 'in' | 'out' | 'stay';
}

/** A lobby that has members is found; a private one by its code alone. */
function judgeNotFound(world: World, request: Request, span: Span): void {
  const { place, config, lobby } = request;
  if (lobby === null || world.facts.isPrivate(lobby)) {
    return;
  }
  const members = world.facts.membership.membersOf(config, lobby, span).join(', ');
  if (members !== '') {
    world.log.violation(
      `lobby ${lobby} is not found by ${place}, but ${members} must be in it`,
      request.tags(),
    );
  }
}

function judge(world: World, request: Request, { outcome, span, goal }: Judged): void {
  const { membership } = world.facts;
  const { place } = request;
  const before = membership.allowed(place, span);
  const register = membership.of(place);
  const was = [...before].join(' or ');
  const violation = (what: string): void =>
    world.log.violation(`${place} ${what}, but must have been ${was}`, request.tags());
  if (outcome.how === 'done') {
    const now = outcome.lobby?.id ?? NOWHERE;
    const free = before.has(NOWHERE) || before.has(SOMEWHERE);
    const fits = before.has(now) || before.has(SOMEWHERE) || (goal === 'in' && free);
    if (!fits && outcome.lobby !== null) {
      violation(`is answered for in lobby ${now}`);
    }
    register.saw(goal === 'out' ? NOWHERE : now, span);
    return;
  }
  if (outcome.code === 'LOBBY_NOT_FOUND') {
    if (goal === 'in') {
      judgeNotFound(world, request, span);
    } else {
      if (!before.has(NOWHERE) && !before.has(SOMEWHERE)) {
        violation('is said to be in no lobby');
      }
      register.saw(NOWHERE, span);
    }
  }
  if (outcome.code === 'ALREADY_IN_LOBBY' && before.size === 1 && before.has(NOWHERE)) {
    violation('is said to be in another lobby');
  }
}
