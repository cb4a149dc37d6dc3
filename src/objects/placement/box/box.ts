// One object that holds all actors of a box. Their rows are in one database, the writes of one stretch of work are
// one commit, and actors call each other within the process. The actors do not notice.

import { DurableObject } from 'cloudflare:workers';
import type { Later } from '../../../common/later';
import { logEvent } from '../../../common/log';
import type { InstanceId } from '../../../common/ids';
import { disk } from '../../kit/disk';
import type { Store } from '../../kit/ports';
import { lag } from '../../kit/lag';
import { Timers } from '../../kit/timers';
import { projectDocument } from '../../caches/project';
import { peersThrough, type Kind } from '../../peers';
import { makeActor } from '../actors';
import type { Place } from '../at';
import type { Env } from '../env';
import { chance, storeOf } from '../platform';
import { signerOf } from '../signer';
import { stubs } from '../stubs';
import { alarmTable } from './alarm-rows';
import { copied } from './copied';
import { Gate } from './gate';
import type { Ground } from './ground';
import { Mailbox } from './mailbox';
import { OwnAlarm } from './own-alarm';
import { Residents } from './residents';
import { Room } from './room';
import { Slices } from './slices';
import { Together } from './together';
import { explainer } from './unreadable';

/** How often a database that could only be opened for reading is reopened. */
const OPEN_ANEW_MS = 5_000;
/** A health check reads this many rows, which takes a few milliseconds. */
const ROWS_READ = 200;
/** Alarms write, so while the disk is full they are postponed by this much. */
const NO_ROOM_MS = 1_000;

interface GroundOptions {
  readonly slices: Slices;
  readonly later: Later;
  /** Settles when all writes so far are durable. */
  readonly saved: () => Promise<void>;
  /** Sets the object's alarm. */
  readonly wake: (at: number) => void;
}

function groundOf(ctx: DurableObjectState, env: Env, options: GroundOptions): Ground {
  const { slices, later, saved, wake } = options;
  const signer = signerOf(env);
  const gate = new Gate(saved);
  const openedAt = Date.now();
  const refused = (): void => {
    if (Math.abs(Date.now() - openedAt) >= OPEN_ANEW_MS) {
      ctx.abort('the storage takes no writes');
    }
  };
  return {
    rows: storeOf(ctx.storage, { refused, explain: explainer(ctx.storage.sql, () => Date.now()) }),
    alarms: alarmTable(ctx.storage, wake, refused),
    make: (kind, host) => makeActor(kind, host, env),
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    instanceId: () => signer.id('server') as InstanceId,
    token: (id) => signer.token(id),
    random: chance,
    later: (ms, run) => (ms > 0 ? later(ms, run) : slices.add(run)),
    log: logEvent,
    // Nothing evicts a box, so `waitUntil` would only cost time.
    background: () => {},
    post: (hungUp) => new Mailbox(hungUp),
    gate: (send, fail) => gate.pass(send, fail),
    document: (peers, project) => projectDocument(peers, project, Date.now()),
    copy: copied,
  };
}

/** Each call reads the next rows. After the last row it starts over. */
function rowReader(rows: Pick<Store, 'list'>): () => void {
  let last = '';
  return () => {
    const read = [...rows.list('', { after: last, limit: ROWS_READ })];
    last = read.length < ROWS_READ ? '' : (read.at(-1)?.[0] ?? '');
  };
}

/** A subclass says how requests are served, because that is no matter of placement. */
export abstract class Box extends DurableObject<Env> {
  readonly #slices: Slices;
  readonly #residents: Residents;
  readonly #place: Place;
  readonly #room: Room;
  readonly #alarm: OwnAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { later } = new Timers(
      () => Date.now(),
      (run, ms) => setTimeout(run, ms),
    );
    const clock = { now: () => Date.now(), later };
    this.#slices = new Slices(clock);
    this.#alarm = new OwnAlarm(clock, this.#slices, () => this.#ring());
    const saved = (): Promise<void> => ctx.storage.sync();
    this.#room = new Room(ctx.storage);
    const wake = (at: number): void => this.#alarm.set(at);
    const options = { slices: this.#slices, later, saved, wake };
    const ground = groundOf(ctx, env, options);
    const residents = new Residents(ground);
    this.#residents = residents;
    const together = new Together(saved);
    this.#place = {
      env,
      peers: peersThrough(stubs((...asked) => residents.run(...asked))),
      background: (work) => ctx.waitUntil(work),
      later,
      saved,
      readRows: rowReader(ground.rows),
      together: () => together.begin(),
    };
  }

  protected abstract serve(request: Request, place: Place): Promise<Response>;

  override fetch(request: Request): Promise<Response> {
    lag.note(Date.now, setTimeout);
    return this.#slices.ahead(() => this.serve(request, this.#place));
  }

  /** Calls an actor by its name, without a request. For tests and for reaching an actor directly. */
  call(kind: Kind, name: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#residents.run(kind, name, method, args);
  }

  /** How many actors are in memory. */
  async residents(): Promise<number> {
    return this.#residents.size;
  }

  /** Evicts an idle actor from memory before its time. */
  async letGo(kind: Kind, name: string): Promise<void> {
    this.#residents.letGo(kind, name);
  }

  /** Call after the disk was measured and `disk` has the reading. */
  lookedAtDisk(): Promise<void> {
    return this.#room.look();
  }

  #ring(): void {
    if (disk.level === 'spent') {
      this.#alarm.set(Date.now() + NO_ROOM_MS);
    } else {
      this.#residents.alarm();
    }
  }

  /** Rings as the timer of the object's alarm does. For tests. */
  override async alarm(): Promise<void> {
    this.#ring();
  }
}
