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

/** Milliseconds from a crash until the service runs again. */
const RESTART_MS: readonly [number, number] = [20, 3_000];
/** An actor never needs more alarms than this within a second. */
const MOST_ALARMS = 100;

export class SimBox implements Machine {
  readonly #around: Surroundings;
  readonly #nodes = new Map<string, BoxNode>();
  readonly #disk: BoxDisk;
  /** The number of alarms of each actor since a time, to detect spinning. */
  readonly #spins = new Map<Node, { since: number; alarms: number }>();
  #life: BoxLife | null = null;
  #offset: number;
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

  crash(why: string): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    const { journal, loop, random } = this.#around;
    journal.count('crashes');
    journal.ended('box', why);
    journal.say(() => `*** the box crashes ${why}`);
    this.#life = null;
    life.die();
    this.#wakeAt = null;
    this.#schedule();
    // The starter asks for its health, which creates the object.
    loop.after(random.between(...RESTART_MS), () => this.#wake());
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
      return;
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
