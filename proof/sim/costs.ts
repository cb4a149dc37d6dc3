// What requests and whole matches cost: calls between objects, commits and rows written, counted on
// the real objects in a still world. docs/costs.md holds what this counts.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Command } from '../../src/lobby/command';
import type { LobbyView } from '../../src/lobby/view';
import type { Mode } from '../../src/match/rules/mode';
import type { Op } from './disk';
import { Life } from './life';
import type { Caller, Placement, Saved } from './parts';
import { CONFIG, plainConfig, plainLobby } from './scenario';
import { stillWorld } from './still';
import { lobbyOn } from './truth';
import type { World } from './world';

/** The counts over a stretch of time. */
export interface Cost {
  /** Calls from the Worker to objects. */
  readonly asked: number;
  /** Calls from one object to another. */
  readonly calls: number;
  /**
   * Transactions that wrote a row. Everything that one event does in an object is one transaction.
   */
  readonly commits: number;
  /** Transactions that only set an alarm. */
  readonly alarms: number;
  /** Rows put or deleted, without alarms. */
  readonly rows: number;
  /** The calls by object and method, the most frequent first. */
  readonly by: ReadonlyMap<string, number>;
  /** On a box: the calls between actors, and the transactions. */
  readonly inBox: readonly number[];
}

/** From launch to the game server's report. */
const START_MS = 200;
/** Longer than delayed work: rows of lists, retries, the first inspections of a server. */
const SETTLED_MS = 10_000;
/** Longer than tombstones last. */
const AWAKE_MS = 120_000;
/** A queue that woke no later knows that a ticket is new. */
const KNOWN_MS = 6_000;

/** Isolates cache it for some seconds, so its cost does not grow with the requests. */
const CACHED = 'project.document';

/** Names of clients whose isolates are all there are. */
const ISOLATES = ['a', 'ab', 'abc'];

export class Bill {
  readonly world: World;
  #asked = 0;
  #modes: readonly string[] = [];
  readonly #calls = new Map<string, number>();
  /** Rows by object and event. */
  readonly #written = new Map<string, number>();
  /** What is being played, by which `ledger` tells calls and writes apart. */
  step = '';
  /** Every call, row and alarm that was set, by step: how many. */
  readonly ledger = new Map<string, number>();

  constructor(placement: Placement = 'objects') {
    const world = stillWorld(START_MS, placement);
    this.world = world;
    world.watcher = {
      committed: () => {},
      launching: () => {},
      sent: (from, to, method) => this.#sent(from, to, method),
      wrote: ({ kind, label }, ops) => {
        const event = `${world.loop.steps} ${label}`;
        const rows = ops.filter((op) => op.kind !== 'alarm').length;
        this.#written.set(event, (this.#written.get(event) ?? 0) + rows);
        ops.forEach((op) => this.#note(`${kind} ${nameOf(op)}`));
      },
    };
  }

  #sent(from: Caller, to: Saved, method: string): void {
    const name = `${to.kind}.${method}`;
    if (to.kind === 'fleet' || name === CACHED) {
      return;
    }
    if (from instanceof Life) {
      this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
      this.#note(name);
    } else {
      this.#asked += 1;
    }
  }

  #note(what: string): void {
    const line = `${this.step} | ${what}`;
    this.ledger.set(line, (this.ledger.get(line) ?? 0) + 1);
  }

  /** The cost of everything that `act` causes, until the world is quiet. */
  async count(act: () => Promise<unknown>): Promise<Cost> {
    await this.#warm();
    this.#asked = 0;
    this.#calls.clear();
    this.#written.clear();
    const before = this.#inBox();
    await this.play(act);
    const inBox = this.#inBox().map((count, at) => count - (before[at] ?? 0));
    const by = new Map([...this.#calls].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)));
    const rows = [...this.#written.values()];
    return {
      asked: this.#asked,
      calls: sum([...by.values()]),
      commits: rows.filter((each) => each > 0).length,
      alarms: rows.filter((each) => each === 0).length,
      rows: sum(rows),
      by,
      inBox,
    };
  }

  #inBox(): readonly number[] {
    const { counts } = this.world.journal;
    return ['calls in the box', 'transactions'].map((what) => counts.get(what) ?? 0);
  }

  /** Every isolate has the project's document, as on a service that is in use. */
  async #warm(): Promise<void> {
    const { loop, project } = this.world;
    const asking = Promise.all(
      ISOLATES.map((name) => {
        const client = this.world.client(name);
        return this.world.document(client, project, this.world.epoch + loop.now);
      }),
    );
    const asked = this.#askQueues();
    await loop.run(loop.now + KNOWN_MS, () => false);
    await Promise.all([asking, asked]);
  }

  /** A box lets queues go that nobody asks for a while. */
  #askQueues(): Promise<unknown> {
    const queue = (mode: string): Promise<unknown> =>
      this.peers('admin').queue(this.world.project, CONFIG, mode).stats();
    return Promise.all(this.#modes.map(queue));
  }

  /** Plays it in virtual time, and until all has settled. */
  async play(act: () => Promise<unknown>): Promise<void> {
    const { loop } = this.world;
    let isOver = false;
    const acting = act().finally(() => {
      isOver = true;
    });
    acting.catch(() => {});
    await loop.run(loop.now + 600_000, () => isOver);
    await acting;
    await loop.run(loop.now + SETTLED_MS, () => false);
  }

  /** The config is saved and its objects have been up for a while: those that woke just now ask
   * about what they cannot remember. */
  async open(
    modes: Readonly<Record<string, Mode>>,
    patch: Partial<ReturnType<typeof plainConfig>> = {},
  ): Promise<void> {
    const { loop, project } = this.world;
    this.#modes = Object.keys(modes);
    await this.play(async () => {
      await this.peers('admin')
        .project(project)
        .saveConfigs([{ ...plainConfig(modes), ...patch }], null);
      await this.peers('admin').directory(project, CONFIG).census();
      await this.#askQueues();
      await loop.sleep(AWAKE_MS);
    });
  }

  peers(player: string) {
    return this.world.peersOf(this.world.client(player));
  }

  async create(host: string, forceFresh = false): Promise<LobbyId> {
    const { world } = this;
    const id = world.uuid() as LobbyId;
    const player = host as PlayerId;
    const input = { ...plainLobby({ project: world.project, id, player }), forceFresh };
    expectOk(await this.peers(host).lobby(id).create(input));
    return id;
  }

  async join(id: LobbyId, guest: string): Promise<void> {
    const { project } = this.world;
    const player = guest as PlayerId;
    expectOk(
      await this.peers(guest).lobby(id).join({ project, config: CONFIG, player, state: null }),
    );
  }

  async command(id: LobbyId, command: Command): Promise<void> {
    expectOk(await this.peers(command.player).lobby(id).execute(command));
  }

  queue(id: LobbyId, player: string, mode: string): Promise<void> {
    return this.command(id, { type: 'enter', player: player as PlayerId, mode });
  }

  /** The saved state of the lobby. */
  statusOf(id: LobbyId): LobbyView['status'] | null {
    return lobbyOn(this.world.node('lobby', id).disk)?.status ?? null;
  }

  /** Waits until all of them are so. */
  async until(ids: readonly LobbyId[], status: LobbyView['status']): Promise<void> {
    const { loop } = this.world;
    for (const end = loop.now + 60_000; !ids.every((id) => this.statusOf(id) === status);) {
      if (loop.now > end) {
        throw new Error(`a lobby never was ${status}`);
      }
      await loop.sleep(0.25);
    }
  }
}

/** The kind of row that was written, without what is its own in the key. */
function nameOf(op: Op): string {
  switch (op.kind) {
    case 'put':
    case 'delete':
      return `${op.kind} ${op.key.split(/[:\d]/)[0]}`;
    case 'alarm':
      return op.at === null ? 'alarm removed' : 'alarm';
    default:
      return op.kind;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function expectOk(reply: { readonly ok: boolean }): void {
  if (!reply.ok) {
    throw new Error(`refused: ${JSON.stringify(reply)}`);
  }
}
