// An incarnation: one actor of a box from its waking to its end, and the ports that its code is given. It ends when
// the actor has been idle for a while, or when one of its transactions failed. After the end, nothing that its code
// still does has an effect, and its callers get an error.

import { nameParts } from '../../../common/ids';
import type { Farewell, Heard } from '../../../common/line';
import { aboutActor } from '../../kit/about';
import type { ActorPorts } from '../../contracts/actor-ports';
import { storeFor } from '../../kit/rows';
import type { RelayLine, Page, Store } from '../../kit/ports';
import type { Kind, Peers } from '../../contracts/peers';
import type { AnyActor } from '../actors';
import type { Alarms } from './alarms';
import type { Ground, Post } from './ground';

/** The parts of the box that each actor uses. */
export interface Around {
  readonly ground: Ground;
  readonly alarms: Alarms;
  readonly atomically: Store['atomically'];
  /** An actor has written so much: UTF-16 units of JSON. Absent: no commit is too large here. */
  readonly wrote?: (size: number) => void;
  readonly settled?: () => Promise<void>;
  readonly peersOf: (incarnation: Incarnation) => Peers;
  /** Called when the actor becomes idle or busy. */
  readonly idle: (incarnation: Incarnation, isIdle: boolean) => void;
  readonly aborted: (incarnation: Incarnation, reason: string) => void;
}

/** The player of a watcher's line. No player has this id. */
const NOBODY = '';

/** An actor's kind and name as one text. Names are percent-encoded, so they contain no `|` and no `>`. */
export function actorKey(kind: Kind, name: string): string {
  return `${kind}|${name}`;
}

/** The incarnation has ended. A repeated call reaches the next one. */
export class Gone extends Error {
  readonly retryable = true;

  constructor(key: string) {
    super(`gone: ${key} has ended and was made anew`);
  }
}

export class Incarnation {
  readonly key: string;
  readonly #around: Around;
  readonly #actor: AnyActor;
  readonly #timers = new Set<() => void>();
  /** The open lines. Those of watchers belong to no player. */
  readonly #lines = new Map<Post, RelayLine>();
  /** Rejects the calls that are waiting for an answer. */
  readonly #callers = new Set<(error: Gone) => void>();
  /** How many calls, timers, lines and background tasks are under way. */
  #underWay = 0;
  #hasEnded = false;

  /** Throws if the actor's rows cannot be read, which harms this actor only. */
  constructor(kind: Kind, name: string, around: Around) {
    this.key = actorKey(kind, name);
    this.#around = around;
    try {
      this.#actor = around.ground.make(kind, this.#portsFor(kind, name));
      this.live();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Runs a call to the actor. Rejects at once if the incarnation ends in the meantime. */
  run(method: string, args: readonly unknown[]): Promise<unknown> {
    const call = async (): Promise<unknown> => this.#actor[method]?.(...args);
    return new Promise((resolve, reject) => {
      this.#begin();
      this.#callers.add(reject);
      const over = (): void => {
        this.#callers.delete(reject);
        this.#end();
      };
      call().then(resolve, reject).finally(over);
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#timers.forEach((cancel) => cancel());
    this.#timers.clear();
    this.#lines.forEach((_, post) => post.break());
    this.#lines.clear();
    this.#callers.forEach((fail) => fail(new Gone(this.key)));
    this.#callers.clear();
  }

  /** Throws if the incarnation has ended. */
  live(): void {
    if (this.#hasEnded) {
      throw new Gone(this.key);
    }
  }

  #begin(): void {
    this.#underWay += 1;
    if (this.#underWay === 1) {
      this.#around.idle(this, false);
    }
  }

  #end(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0 && !this.#hasEnded) {
      this.#around.idle(this, true);
    }
  }

  #portsFor(kind: Kind, name: string): ActorPorts {
    const { ground, peersOf, aborted } = this.#around;
    const peers = peersOf(this);
    const store = storeFor(kind, this.#store());
    const parts = nameParts(name);
    return {
      name: parts,
      store,
      peers,
      ...ground.basics,
      behindMs: () => 0,
      background: (work) => this.#background(work),
      later: (ms, run) => this.#later(ms, run),
      lines: {
        open: (player, changes) => this.#line(player, changes),
        // An actor never sleeps while a line is open, so an actor that wakes has no lines.
        all: () => [],
        watch: () => this.#line(NOBODY, false, () => {}).far,
        watchers: () => [...this.#lines.values()].filter(({ player }) => player === NOBODY),
      },
      document: (project) => ground.document(peers, project),
      abort: (reason) => aborted(this, reason),
      log: (event, facts) => ground.log(event, { ...aboutActor(kind, parts, store), ...facts }),
    };
  }

  #background(work: Promise<unknown>): void {
    const { ground } = this.#around;
    this.#begin();
    const logged = work.catch((error: unknown) => {
      if (!this.#hasEnded) {
        ground.log('background_failed', { error: String(error) });
      }
    });
    ground.background(logged.finally(() => this.#end()));
  }

  /** Opens a line. The actor stays in memory while it is open, because a line cannot wake it. */
  #line(
    player: string,
    changes: boolean,
    hungUp: () => void = () => this.#background(this.run('lineClosed', [player])),
  ): { readonly line: RelayLine; readonly far: Post } {
    const { ground } = this.#around;
    const over = (): void => {
      if (this.#lines.delete(post)) {
        this.#end();
      }
    };
    const post = ground.post(() => {
      if (this.#lines.has(post)) {
        over();
        hungUp();
      }
    });
    const say = (heard: Heard): void => {
      if (this.#lines.has(post)) {
        const fail = (): void => post.break();
        ground.gate(() => post.post(heard), fail);
      }
    };
    const end = (why: Farewell): void => {
      say(why);
      over();
    };
    const line = { player, changes, say, end };
    if (this.#hasEnded) {
      post.break();
    } else {
      this.#lines.set(post, line);
      this.#begin();
    }
    return { line, far: post };
  }

  #later(ms: number, run: () => void): () => void {
    if (this.#hasEnded) {
      return () => {};
    }
    const cancel = this.#around.ground.later(ms, () => {
      if (this.#timers.has(cancel)) {
        try {
          run();
        } finally {
          over();
        }
      }
    });
    const over = (): void => {
      if (this.#timers.delete(cancel)) {
        this.#end();
      }
    };
    this.#timers.add(cancel);
    this.#begin();
    return () => {
      cancel();
      over();
    };
  }

  /** The actor's rows in the one database. Their keys begin with the actor's key. */
  #store(): Store {
    const { ground, alarms, atomically, wrote, settled } = this.#around;
    const { rows } = ground;
    const prefix = `${this.key}>`;
    const own = (key: string): string => {
      this.live();
      return prefix + key;
    };
    return {
      get: <T>(key: string) => rows.get<T>(own(key)),
      put: (key, value, size = 0) => {
        wrote?.(size);
        rows.put(own(key), value);
      },
      settled,
      delete: (key) => rows.delete(own(key)),
      list: <T>(under: string, page?: Page) => {
        const on = page === undefined ? page : { ...page, after: prefix + page.after };
        const found = Iterator.from(rows.list<T>(own(under), on));
        return found.map(([key, value]) => [key.slice(prefix.length), value]);
      },
      isFull: () => rows.isFull?.() === true,
      atomically: (run, isOne) => {
        this.live();
        return atomically(run, isOne);
      },
      clear: () => {
        Array.from(rows.list(own('')), ([key]) => key).forEach((key) => rows.delete(key));
        alarms.set(this.key, null);
      },
      setAlarm: (at) => {
        this.live();
        alarms.set(this.key, at);
      },
    };
  }
}
