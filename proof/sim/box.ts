// A box over all its incarnations: one disk, one clock, one alarm, and all actors in one failure
// domain. A crash ends all of them at once, and all lose the same last commits.

import type { Kind as ActorKind } from '../../src/objects/contracts/peers';
import { objectName } from '../../src/common/ids';
import { actorKey } from '../../src/objects/placement/box/incarnation';
import { ALARM, BoxDisk } from './box-disk';
import { BoxLife } from './box-life';
import { clone } from './clone';
import { Disk, type Rows } from './disk';
import { shortly } from './journal';
import type { Timer } from './loop';
import type { Move } from './moves';
import {
  Broken,
  isExplained,
  type Call,
  type CrashPoint,
  type Kind,
  type Machine,
  type Node,
  type Surroundings,
} from './parts';

/** Milliseconds from a crash until the service runs again on its machine. */
const RESTART_MS: readonly [number, number] = [20, 3_000];
/** How long callers wait after a 503 when nothing fails any more. */
const PAUSE_MS = 1_000;
/** An actor never needs more alarms than this within a second. */
const MOST_ALARMS = 100;

export class SimBox implements Machine {
  readonly #around: Surroundings;
  readonly #nodes = new Map<string, BoxNode>();
  readonly #disk: BoxDisk;
  /** The number of alarms of each actor since a time, to detect spinning. */
  readonly #spins = new Map<Node, { since: number; alarms: number }>();
  #life: BoxLife | null = null;
  /** Ends an owner that is cut off from the bucket, which it soon is by itself. */
  #ending: (() => void) | null = null;
  /** Another machine serves from then on, of the loop's time. */
  #servedFrom = 0;
  #offset: number;
  #upSince = 0;
  /** The time of the platform's alarm, by the box's clock. */
  #wakeAt: number | null = null;
  #timer: Timer | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#offset = around.jumped + around.weather.skew();
    this.#disk = new BoxDisk({
      disk: (actor) => this.#nodeOf(actor).disk,
      changed: (actor) => around.committed(this.#nodeOf(actor)),
      wakes: (at) => {
        this.#wakeAt = at;
        this.#schedule();
      },
    });
  }

  node(kind: Kind, ...name: readonly string[]): BoxNode {
    const actor = actorKey(kind as ActorKind, objectName(...name));
    const known = this.#nodes.get(actor);
    if (known !== undefined) {
      return known;
    }
    const node = new BoxNode(this, kind, name);
    this.#nodes.set(actor, node);
    return node;
  }

  #nodeOf(actor: string): BoxNode {
    const at = actor.indexOf('|');
    const name = actor.slice(at + 1).split('/');
    return this.#nodes.get(actor) ?? this.node(actor.slice(0, at) as Kind, ...name);
  }

  now(): number {
    const { epoch, loop } = this.#around;
    return Math.floor(epoch + loop.now + this.#offset);
  }

  jump(ms: number): void {
    this.#offset += ms;
    this.#schedule();
  }

  get life(): BoxLife | null {
    return this.#life;
  }

  /** Since when its last owner serves, by its clock. */
  get upSince(): number {
    return this.#upSince;
  }

  #wake(): BoxLife {
    if (this.#life === null) {
      const life: BoxLife = new BoxLife({
        disk: this.#disk,
        around: this.#around,
        now: () => this.now(),
        crash: (why) => {
          if (this.#life === life) {
            this.crash(why);
          }
        },
        rang: (node) => this.#checkSpin(node),
        nodeOf: (kind, name) => this.node(kind, ...name),
      });
      this.#life = life;
      this.#upSince = this.now();
    }
    return this.#life;
  }

  #crashes(point: CrashPoint): boolean {
    return this.#around.crashes('box', point);
  }

  deliver(node: BoxNode, call: Call, isEcho: boolean): void {
    const { id, method, from } = call;
    this.#around.journal.say(() => {
      const again = isEcho ? ' again' : '';
      return `${from.label} -> ${node.label}.${method}(${call.args.map(shortly).join(', ')})${again} #${id}`;
    });
    if (this.#crashes('request')) {
      this.crash('before a request');
    }
    if (this.#isAway) {
      call.failed(new Broken('503: nobody serves'), this.#around.moves?.pause() ?? PAUSE_MS);
      return;
    }
    const life = this.#wake();
    if (!isEcho) {
      life.inbound.add(call);
    }
    const args = isEcho ? clone(call.args) : call.args;
    life.ask(node, method, args).then(
      (value) => {
        if (!life.gone && !isEcho) {
          const copy = clone(value);
          life.gate(() => {
            life.inbound.delete(call);
            call.answered(copy);
          });
        }
      },
      (error: unknown) => {
        if (!life.gone && !isEcho) {
          life.inbound.delete(call);
          call.failed(isExplained(error) ? new Broken(String(error)) : error, 0);
        }
      },
    );
  }

  get #isAway(): boolean {
    return this.#around.loop.now < this.#servedFrom;
  }

  crash(why: string): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    if (this.#ending !== null) {
      this.#ending();
      return;
    }
    const { loop, random, journal, moves } = this.#around;
    const move = moves?.next() ?? null;
    if (move === null || moves === null) {
      this.#end(life, why, () => random.between(...RESTART_MS));
      return;
    }
    journal.count(`happened: the owner is ${move}`);
    journal.say(() => `*** the owner is ${move} ${why}`);
    const ends = (): void => {
      if (this.#life === life) {
        this.#ending = null;
        this.#moves(life, move, moves.away(move));
      }
    };
    const left = moves.cutOff();
    if (move === 'held up') {
      life.stall(left);
    } else if (move === 'cut off') {
      // Its lease is over before anything would be durable again.
      life.stall(left + 1);
      this.#ending = ends;
      loop.after(left, ends);
    } else {
      if (move === 'handed over') {
        life.finish();
      }
      ends();
    }
  }

  /** Another machine, with a clock of its own, serves after so many milliseconds. */
  #moves(life: BoxLife, move: Move, awayMs: number): void {
    const { loop, jumped, weather } = this.#around;
    this.#servedFrom = loop.now + awayMs;
    this.#end(life, `as it is ${move}`, () => awayMs);
    this.#offset = jumped + weather.skew();
  }

  /** It runs again after so many milliseconds, here or elsewhere. */
  #end(life: BoxLife, why: string, awayMs: () => number): void {
    const { journal, loop } = this.#around;
    journal.count('crashes');
    journal.ended('box', why);
    journal.say(() => `*** the box crashes ${why}`);
    this.#life = null;
    life.die();
    this.#wakeAt = null;
    this.#schedule();
    // The starter asks for its health, which creates the object.
    loop.after(awayMs(), () => this.#isAway || this.#wake());
    for (const call of life.inbound) {
      call.failed(new Broken('the box crashed'), 1);
    }
  }

  restore(actor: string, rows: Rows, alarm: number | null): void {
    const saved = rows.map(([key, value]) => [`${actor}>${key}`, value] as const);
    const rings = alarm === null ? [] : [[ALARM + actor, alarm] as const];
    this.#disk.apply([...saved, ...rings].map(([key, value]) => ({ kind: 'put', key, value })));
    this.#around.loop.at(0, () => this.#wake());
  }

  #schedule(): void {
    if (this.#timer !== null) {
      this.#timer.cancelled = true;
      this.#timer = null;
    }
    if (this.#wakeAt !== null && this.#life !== null) {
      const { loop, weather, epoch } = this.#around;
      const at = this.#wakeAt - epoch - this.#offset;
      this.#timer = loop.at(Math.max(at, loop.now) + weather.alarm(), () => this.#fire());
    }
  }

  #fire(): void {
    const { journal, weather, loop } = this.#around;
    this.#timer = null;
    if (this.#crashes('alarm')) {
      this.crash('before its alarm');
      if (this.#life === null) {
        return;
      }
    }
    journal.say(() => 'the alarm of the box');
    this.#wake().ring();
    if (weather.chance('duplicate')) {
      // Alarms are delivered at least once, so sometimes twice.
      loop.after(1, () => this.#life?.ring());
    }
  }

  /**
   * An alarm that finds nothing to do and rearms for now would cost a write and a call each time.
   */
  #checkSpin(node: Node): void {
    const { loop, journal } = this.#around;
    const spin = this.#spins.get(node) ?? { since: loop.now, alarms: 0 };
    this.#spins.set(node, spin);
    spin.alarms += 1;
    if (loop.now > spin.since + 1_000) {
      spin.since = loop.now;
      spin.alarms = 1;
    }
    journal.check(
      spin.alarms !== MOST_ALARMS,
      () => `${node.label} spins: ${MOST_ALARMS} alarms within a second`,
    );
  }

  evict(node: BoxNode): void {
    const { journal } = this.#around;
    journal.count('evictions');
    journal.ended(node.kind, 'idle', node.label);
    journal.say(() => `*** ${node.label} is evicted`);
    this.#life?.letGo(node);
  }
}

/** An actor of a box, over all its incarnations. */
export class BoxNode implements Node {
  readonly kind: Kind;
  readonly name: readonly string[];
  readonly label: string;
  readonly disk = new Disk();
  readonly #box: SimBox;
  /** A row of an alarm stays until its handler has ended. */
  readonly isAlarming = false;

  constructor(box: SimBox, kind: Kind, name: readonly string[]) {
    this.#box = box;
    this.kind = kind;
    this.name = name;
    this.label = `${kind}:${kind === 'lobby' || name.length === 1 ? name[0] : name.slice(1).join('/')}`;
  }

  get machine(): Machine {
    return this.#box;
  }

  get isAwake(): boolean {
    return this.#box.life !== null && this.#box.life.stateOf(this) !== 'away';
  }

  get isIdle(): boolean {
    return this.#box.life?.stateOf(this) === 'idle';
  }

  now(): number {
    return this.#box.now();
  }

  restore(rows: Rows, alarm: number | null): void {
    this.#box.restore(actorKey(this.kind as ActorKind, objectName(...this.name)), rows, alarm);
  }

  deliver(call: Call, isEcho: boolean): void {
    this.#box.deliver(this, call, isEcho);
  }

  crash(why: string): void {
    if (why === 'idle') {
      this.#box.evict(this);
    } else {
      this.#box.crash(why);
    }
  }
}
