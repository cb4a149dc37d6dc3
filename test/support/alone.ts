// One lobby object alone, in Node: its ports are in the test's hand. The clock stands until the
// test moves it, timers run in order of time, streams keep what was written, and the object can be
// thrown out of memory at any point.

import type { InstanceId, LobbyId, PlayerId } from '../../src/common/ids';
import type { Attributes } from '../../src/lobby/attributes';
import { defaultConfig, type LobbyConfig } from '../../src/lobby/config';
import type { QueueStats } from '../../src/lobby/view';
import type { Peers } from '../../src/objects/contracts/peers';
import type { CreateInput, Membership, StreamOpening } from '../../src/objects/contracts/lobby';
import type { LaunchOrder, ServerRpc } from '../../src/objects/contracts/server';
import { refusal } from '../../src/lobby/refusals';
import type { Bell } from '../../src/objects/contracts/bell';
import type { ProjectKeys } from '../../src/objects/contracts/secrets';
import type { DirectoryRow } from '../../src/objects/contracts/directory';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { RelayLine, Lines, Store } from '../../src/objects/kit/ports';
import { ANSWERED, type Farewell, type Message } from '../../src/common/line';
import type { JournalSettings } from '../../src/common/happening';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { sseParts } from '../../src/common/sse';
import { plainLobby } from '../../proof/sim/scenario';
import { T0 } from './lobbies';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** The texts that one reader was sent, with the time of each. */
export interface Heard {
  readonly texts: { readonly at: number; readonly text: string }[];
  /** Revisions of answers that its relay was told of. */
  readonly answers: (number | null)[];
  aborted: boolean;
  closed: boolean;
}

export class Alone {
  readonly id = 'lobby-1' as LobbyId;
  readonly saved = new Map<string, unknown>();
  readonly rows: DirectoryRow[] = [];
  readonly heard: Heard[] = [];
  /** The earliest instant the object asked to be woken at. */
  alarmAt: number | null = null;
  config: LobbyConfig;
  stats: QueueStats = { playersSearching: 1, lobbiesInQueue: 1, avgWaitSeconds: 0 };
  statsAsked = 0;
  /** How often the queue was told a ticket. */
  entered = 0;
  /** What the server that the lobby starts itself answers to its launch. */
  launch: ServerRpc['launch'] = async () => refusal('LAUNCH_FAILED');
  /** The Directory accepts calls and never answers. */
  isDirectorySilent = false;
  /** The Directory takes rows, and its answers are lost. */
  losesRows = false;
  /** A seat is claimed once this has come. */
  seated: Promise<void> = Promise.resolve();
  /** What the backend says of everybody. */
  record: () => Promise<Attributes> = async () => ({ revision: 0, attributes: {} });
  /** The keys of the project. */
  keys: ProjectKeys | undefined;
  /** The public address of the service. */
  site: string | null = null;
  /** What rang the bell of the project. */
  readonly rung: Bell[] = [];
  /** Since when a box is up. */
  upSince: number | undefined;
  /** Players whose seats were claimed and not released. */
  readonly seats = new Set<PlayerId>();
  actor: LobbyActor;
  #now = T0;
  #timers: Timer[] = [];
  #uuids = 0;
  readonly #lines = new Set<RelayLine>();

  readonly #gameLimitMs: number | undefined;

  readonly #journal: JournalSettings | undefined;

  constructor(patch: Partial<LobbyConfig> = {}, gameLimitMs?: number, journal?: JournalSettings) {
    this.#journal = journal;
    this.#gameLimitMs = gameLimitMs;
    this.config = { ...defaultConfig('arena'), id: 'c-1', revision: 1, ...patch };
    this.actor = new LobbyActor(this.#ports(), this.#gameLimitMs, this.#journal);
  }

  get now(): number {
    return this.#now;
  }

  /** Evicts the object with its timers and streams. Its saved rows stay. */
  restart(): void {
    this.#timers = [];
    this.heard.forEach((each) => {
      each.aborted = true;
    });
    this.#lines.clear();
    this.actor = new LobbyActor(this.#ports(), this.#gameLimitMs, this.#journal);
  }

  /** The object goes to sleep with nothing under way, and wakes: its lines stay open. */
  sleep(): void {
    this.actor = new LobbyActor(this.#ports(), this.#gameLimitMs, this.#journal);
  }

  /** The number of pending timers. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Lets time pass: timers and alarms run at their times, and the work that they cause settles. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      const at = Math.min(next?.at ?? Infinity, this.alarmAt ?? Infinity);
      if (at > end) {
        break;
      }
      this.#now = Math.max(this.#now, at);
      if (next?.at === at) {
        this.#timers = this.#timers.filter((timer) => timer !== next);
        next.run();
      } else {
        this.alarmAt = null;
        await this.actor.alarm();
      }
    }
    this.#now = end;
    await settled();
  }

  async found(player: string, patch: Partial<CreateInput> = {}): Promise<void> {
    const reply = await this.actor.create({
      ...plainLobby({ id: this.id, project: 'alone', player: player as PlayerId }),
      name: 'Den',
      ...patch,
    });
    if (!reply.ok) {
      throw new Error(`not founded: ${reply.refusal.code}`);
    }
  }

  join(player: string): ReturnType<LobbyActor['join']> {
    const where = { project: 'alone', config: 'arena', state: null };
    return this.actor.join({ ...where, player: player as PlayerId });
  }

  /** Opens the player's stream; what it is sent from then on. */
  async listen(
    player: string,
    lastRevision: number | null = null,
    how: StreamOpening = {},
  ): Promise<Heard> {
    const before = this.heard.length;
    await this.actor.events(player as PlayerId, lastRevision, how);
    const heard = this.heard[before];
    if (heard === undefined) {
      throw new Error('no stream was opened');
    }
    return heard;
  }

  #ports(): ActorPorts {
    return {
      name: [this.id],
      store: this.#store(),
      peers: this.#peers(),
      now: () => this.#now,
      ...(this.upSince === undefined ? {} : { upSince: this.upSince }),
      uuid: () => {
        this.#uuids += 1;
        return `uuid-${this.#uuids}`;
      },
      instanceId: () => {
        this.#uuids += 1;
        return `uuid-${this.#uuids}` as InstanceId;
      },
      token: (id) => `token of ${id}`,
      random: () => 0.5,
      background: (work) => {
        work.catch(() => {
          // Like the platform: logs the error, and nobody awaits it.
        });
      },
      later: (ms, run) => {
        const timer = { at: this.#now + ms, run };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      behindMs: () => 0,
      lines: {
        open: (player, changes) => this.#line(player, changes),
        all: () => [...this.#lines],
        watch: () => ({ listen: () => {}, hangUp: async () => {} }),
        watchers: () => [],
      },
      document: async () => ({
        revision: 1,
        configs: { arena: this.config },
        builds: {},
        ...(this.keys === undefined ? {} : { keys: this.keys }),
      }),
      invitePage: ({ config, code }) => this.site && `${this.site}/join/${config}/${code}`,
      abort: (reason) => {
        throw new Error(`aborted: ${reason}`);
      },
      log: () => {},
    };
  }

  #store(): Store {
    const { saved } = this;
    return {
      get: <T>(key: string) => saved.get(key) as T | undefined,
      put: (key, value) => {
        saved.set(key, structuredClone(value));
      },
      delete: (key) => {
        saved.delete(key);
      },
      list: <T>(prefix: string) =>
        [...saved].filter(([key]) => key.startsWith(prefix)) as (readonly [string, T])[],
      atomically: (run) => run(),
      clear: () => {
        saved.clear();
        this.alarmAt = null;
      },
      setAlarm: (at) => {
        this.alarmAt = at;
      },
    };
  }

  #peers(): Peers {
    const seat = {
      claim: async (_: LobbyId, { player }: Membership) => {
        await this.seated;
        this.seats.add(player);
        return { heldBy: null };
      },
      elsewhere: async () => false,
      release: async ({ player }: Membership) => void this.seats.delete(player),
    };
    const directory = {
      allocate: async () => ({ ok: true, value: 'MEOW-7K2QXD' }),
      put: async (row: DirectoryRow) => {
        this.rows.push(structuredClone(row));
        if (this.losesRows) {
          throw new Error('the answer of the Directory is lost');
        }
      },
      remove: () => (this.isDirectorySilent ? new Promise<void>(() => {}) : Promise.resolve()),
    };
    const queue = {
      enter: async () => {
        this.entered += 1;
        return this.stats;
      },
      leave: async () => {},
      stats: async () => {
        this.statsAsked += 1;
        return this.stats;
      },
    };
    const match = { outcome: async () => 'aborted' };
    const project = { ring: async (bell: Bell) => void this.rung.push(bell) };
    const server = {
      launch: (order: LaunchOrder) => this.launch(order),
      stop: async () => {},
    };
    const peers = {
      project: () => project,
      players: () => ({ read: () => this.record() }),
      server: () => server,
      match: () => match,
      seat: () => seat,
      directory: () => directory,
      queue: () => queue,
    };
    return peers as unknown as Peers;
  }

  #line(player: string, changes: boolean): ReturnType<Lines['open']> {
    const heard: Heard = { texts: [], answers: [], aborted: false, closed: false };
    this.heard.push(heard);
    const line = {
      player,
      changes,
      say: ({ event, data, id }: Message) => {
        if (event === ANSWERED) {
          heard.answers.push(id);
        } else {
          heard.texts.push({ at: this.#now, text: sseParts(event, data, id).join('') });
        }
      },
      end: (why: Farewell) => {
        heard.texts.push({ at: this.#now, text: `bye ${why}` });
        heard.closed = true;
        this.#lines.delete(line);
      },
    };
    this.#lines.add(line);
    return { line, far: { listen: () => {}, hangUp: async () => {} } };
  }

  /** The player's relay hangs up. */
  hangUp(player: string): void {
    for (const line of this.#lines) {
      if (line.player === player) {
        this.#lines.delete(line);
        void this.actor.lineClosed(player as PlayerId);
      }
    }
  }
}

/** Runs everything that can run without time passing. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    await Promise.resolve();
  }
}

/** The instants, in ms since `from`, at which events of that name were sent. */
export function timesOf(heard: Heard, event: string, from: number): readonly number[] {
  return heard.texts
    .filter(({ text }) => text.includes(`event: ${event}\n`))
    .map(({ at }) => at - from);
}

/** The names of all events sent, in order. */
export function eventsOf(heard: Heard): readonly string[] {
  return heard.texts.flatMap(({ text }) =>
    [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name),
  );
}
