// One object over all its incarnations: its disk, its clock, its alarm, and who calls it.

import { clone } from './clone';
import { Disk, type Rows } from './disk';
import { shortly } from './journal';
import { Life } from './life';
import { SimLine, socketLines, type SimSocket, type SimSockets } from './stream';
import type { Timer } from './loop';
import {
  Broken,
  type Actor,
  type Call,
  type CrashPoint,
  type Kind,
  type Machine,
  type Method,
  type Node,
  type Surroundings,
} from './parts';

/**
 * Like the platform: retries an alarm whose handler throws this often, after 2 s and then twice as
 * long each time.
 */
const ALARM_TRIES = 6;
const ALARM_RETRY_MS = 2_000;
/** More alarms of one object within a second than any work of it can need. */
const MOST_ALARMS = 100;

interface Running {
  readonly life: Life;
  /** A second alarm does not start while one runs. */
  again: boolean;
}

export class ObjectNode implements Node, Machine {
  readonly kind: Kind;
  readonly name: readonly string[];
  readonly label: string;
  readonly disk = new Disk();
  readonly #around: Surroundings;
  #life: Life | null = null;
  #actor: Actor | null = null;
  /** How far the clock of its machine is ahead. */
  #offset: number;
  #timer: Timer | null = null;
  #running: Running | null = null;
  #failures = 0;
  /** The number of alarms since a time, to detect spinning. */
  #spinSince = 0;
  #spins = 0;
  /** Lines outlive an incarnation that only sleeps. */
  readonly #sockets: SimSockets = { open: new Set(), ending: new Set() };

  constructor(kind: Kind, name: readonly string[], around: Surroundings) {
    this.kind = kind;
    this.name = name;
    // A project's own name tells nothing in a trace.
    this.label = `${kind}:${kind === 'lobby' || name.length === 1 ? name[0] : name.slice(1).join('/')}`;
    this.#around = around;
    this.#offset = around.jumped + around.weather.skew();
  }

  get machine(): Machine {
    return this;
  }

  get isAwake(): boolean {
    return this.#life !== null;
  }

  get isAlarming(): boolean {
    return this.#running !== null;
  }

  /** It may be evicted. The platform does so to no object that is called, writes or has set a timer. */
  get isIdle(): boolean {
    const life = this.#life;
    const isAtRest = life !== null && !life.isWaiting && life.inbound.size === 0;
    return isAtRest && life.session.pending.length === 0;
  }

  /** The time on this machine's clock, epoch ms. */
  now(): number {
    return Math.floor(this.#around.epoch + this.#around.loop.now + this.#offset);
  }

  jump(ms: number): void {
    this.#offset += ms;
    this.#schedule();
  }

  #wake(): Actor | null {
    if (this.#life === null || this.#actor === null) {
      const life = new Life({
        kind: this.kind,
        name: this.name,
        label: this.label,
        disk: this.disk,
        around: this.#around,
        now: () => this.now(),
        behindMs: () => this.#around.behindMs(this.kind),
        crash: (why) => {
          if (this.#life === life) {
            this.crash(why);
          }
        },
        crashes: (point) => this.#crashes(point),
        committed: () => this.#committed(),
        wrote: (ops) => this.#around.wrote(this, ops),
        linesOf: (of) =>
          socketLines(this.#sockets, of, (player, changes) => this.#connect(player, changes)),
      });
      this.#life = life;
      this.#actor = this.#born(life);
    }
    return this.#actor;
  }

  /** Null if it did not survive its start. */
  #born(life: Life): Actor | null {
    try {
      return this.#around.makeActor(this.kind, life, life);
    } catch (error) {
      life.unexpected('its start', error);
      this.crash('at its start');
      return null;
    }
  }

  #lineClosed(player: string): void {
    const actor = this.#wake();
    const life = this.#life;
    const closed = actor?.['lineClosed'] as Method | undefined;
    closed?.call(actor, player).catch((error: unknown) => {
      life?.unexpected('hearing that a relay hung up', error);
    });
  }

  #connect(player: string | null, changes: boolean): SimSocket {
    const socket = {
      player,
      changes,
      far: new SimLine(this.#around.loop, () => {
        // Unless the line broke or its actor said farewell. That wakes the object.
        const wasOpen = this.#sockets.open.delete(socket);
        if (player === null) {
          return;
        }
        if (wasOpen && ![...this.#sockets.open].some((other) => other.player === player)) {
          this.#lineClosed(player);
        }
      }),
    };
    return socket;
  }

  #committed(): void {
    this.#schedule();
    this.#around.committed(this);
  }

  #crashes(point: CrashPoint): boolean {
    return this.kind !== 'fleet' && this.#around.crashes(this.kind, point);
  }

  deliver(call: Call, isEcho: boolean): void {
    const { journal } = this.#around;
    const { id, method, from } = call;
    journal.say(() => {
      const again = isEcho ? ' again' : '';
      return `${from.label} -> ${this.label}.${method}(${call.args.map(shortly).join(', ')})${again} #${id}`;
    });
    if (this.#crashes('request')) {
      this.crash('before a request');
    }
    const actor = this.#wake();
    const life = this.#life;
    if (life === null || actor === null) {
      call.failed(new Broken('the object crashed at its start'), 0);
      return;
    }
    if (!isEcho) {
      life.inbound.add(call);
    }
    const run = (actor[method] as Method).bind(actor);
    // The copy made for the request belongs to its first delivery.
    run(...(isEcho ? clone(call.args) : call.args)).then(
      (value) => this.#reply(life, call, { isEcho, value: clone(value) }),
      (error: unknown) => this.#threw(life, call, { isEcho, error }),
    );
  }

  #reply(life: Life, call: Call, { isEcho, value }: { isEcho: boolean; value: unknown }): void {
    if (life.gone) {
      return;
    }
    if (!isEcho) {
      life.gate(() => {
        life.inbound.delete(call);
        call.answered(value);
      });
    }
  }

  #threw(life: Life, call: Call, { isEcho, error }: { isEcho: boolean; error: unknown }): void {
    if (life.gone) {
      return;
    }
    life.unexpected(call.method, error);
    if (!isEcho) {
      life.inbound.delete(call);
      call.failed(error, 0);
    }
  }

  restore(rows: Rows, alarm: number | null): void {
    this.disk.rows = new Map(rows);
    this.disk.alarm = alarm;
    this.#schedule();
  }

  /** Ends the incarnation. Its pending callers get errors. */
  crash(why: string): void {
    const life = this.#life;
    if (life === null || this.kind === 'fleet') {
      return;
    }
    const { journal } = this.#around;
    journal.count(why === 'idle' ? 'evictions' : 'crashes');
    journal.ended(this.kind, why, this.label);
    journal.say(() => `*** ${this.label} ${why === 'idle' ? 'is evicted' : `crashes ${why}`}`);
    this.#life = null;
    this.#actor = null;
    life.die();
    if (why !== 'idle') {
      for (const sockets of [this.#sockets.open, this.#sockets.ending]) {
        sockets.forEach(({ far }) => far.break());
        sockets.clear();
      }
    }
    if (this.#running?.life === life) {
      this.#running = null;
      // At least once: a handler that did not end is run again, unless it set a new alarm.
      this.disk.alarm ??= this.now() + ALARM_RETRY_MS;
    }
    this.#committed();
    for (const call of life.inbound) {
      call.failed(new Broken('the object crashed'), 1);
    }
  }

  /** Keeps the platform's timer at the saved alarm. */
  #schedule(): void {
    if (this.#timer !== null) {
      this.#timer.cancelled = true;
      this.#timer = null;
    }
    if (this.disk.alarm !== null) {
      const { loop, weather, epoch } = this.#around;
      const at = this.disk.alarm - epoch - this.#offset;
      this.#timer = loop.at(Math.max(at, loop.now) + weather.alarm(), () => this.#fire());
    }
  }

  #fire(): void {
    this.#timer = null;
    if (this.#running !== null) {
      this.#running.again = true;
      return;
    }
    const { journal } = this.#around;
    journal.say(() => `${this.label} alarm`);
    journal.count('alarms');
    this.#checkSpin();
    if (this.#crashes('alarm')) {
      this.crash('before its alarm');
    }
    this.disk.alarm = null;
    const actor = this.#wake();
    const life = this.#life;
    if (life === null || actor === null) {
      this.disk.alarm ??= this.now() + ALARM_RETRY_MS;
      this.#schedule();
      return;
    }
    const running = { life, again: false };
    this.#running = running;
    const alarm = (actor['alarm'] as Method).bind(actor);
    alarm().then(
      () => life.gate(() => this.#alarmed(running)),
      (error: unknown) => life.gate(() => this.#alarmFailed(running, error)),
    );
  }

  /** An alarm that finds nothing to do and is set for at once costs a write and a call each time. */
  #checkSpin(): void {
    const { loop, journal } = this.#around;
    this.#spins += 1;
    if (loop.now > this.#spinSince + 1_000) {
      this.#spinSince = loop.now;
      this.#spins = 1;
    }
    journal.check(
      this.#spins !== MOST_ALARMS,
      () => `${this.label} spins: ${MOST_ALARMS} alarms within a second`,
    );
  }

  #alarmed(running: Running): void {
    if (this.#running === running) {
      this.#running = null;
      this.#failures = 0;
      if (this.#around.weather.chance('duplicate')) {
        // At least once: sometimes once more than asked for.
        this.disk.alarm ??= this.now() + 1;
        this.#schedule();
      } else if (running.again) {
        this.#schedule();
      }
    }
  }

  #alarmFailed(running: Running, error: unknown): void {
    if (this.#running !== running) {
      return;
    }
    const { journal } = this.#around;
    running.life.unexpected('alarm', error);
    journal.say(() => `${this.label} alarm failed: ${String(error)}`);
    this.#running = null;
    if (this.disk.alarm === null) {
      this.#failures += 1;
      if (this.#failures <= ALARM_TRIES) {
        this.disk.alarm = this.now() + ALARM_RETRY_MS * 2 ** (this.#failures - 1);
      } else {
        journal.count('alarms given up');
        this.#failures = 0;
      }
    }
    this.#schedule();
  }
}
