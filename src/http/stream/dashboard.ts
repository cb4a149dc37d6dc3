// GET /admin/events: the stream of a page of the dashboard. It sends a `snapshot` at once, and whenever the page changes.
// Objects report their changes, so none is asked while nothing changes. Only waits are read again, every ten seconds.

import { logEvent } from '../../common/log';
import { message } from '../../common/line';
import { disk, type DiskLevel } from '../../objects/kit/disk';
import type { FarEnd } from '../../objects/kit/ports';
import type { Watchable } from '../../objects/kit/listeners';
import { type Ask, READ, type Source, type View } from '../operators/views';
import { whenSeen } from '../isolate/seen-configs';
import { pause } from '../../common/later';
import { retrying } from '../wire/answer';
import type { KeyedCall } from '../wire/call';
import { overloads } from '../wire/overloads';
import { Client } from './client';
import { EventStream } from './event-stream';
import { grantIn } from '../identity/secrets';

const ROUND_MS = 1_000;
/** Time for each question of a round, so that rounds with many questions are further apart. */
const QUESTION_MS = 25;
const AFTER_FAILURE_MS = 5_000;
/** A request may make at most a thousand calls to objects. The page reconnects with a new request. */
const MAX_QUESTIONS = 900;
/** How long a round waits for the line of an object. */
const LINE_LIMIT_MS = 3_000;

/**
 * An object that the page shows: a line, on which it reports changes, and its answers since the last change. While it
 * has not changed, it is not asked again, so objects can sleep while a page shows them (record 0020).
 */
class Looked {
  readonly answers = new Map<string, unknown>();
  /** Rises when the answers become outdated. */
  version = 0;
  /** Whether the answers become outdated by themselves: they show how long somebody waits, or there is no line. */
  ages = true;
  /** Settles once there is a line, or there will be none. */
  readonly settled: Promise<unknown>;
  #line: FarEnd | null = null;
  #isLate = false;
  /** The line broke, and must be opened again. */
  isBroken = false;
  #isOver = false;
  readonly #changed: () => void;

  constructor(source: Source<Watchable>, changed: () => void) {
    this.#changed = changed;
    const limit = pause(LINE_LIMIT_MS).then(() => {
      this.#isLate = true;
    });
    this.settled = Promise.race([this.#open(source), limit]);
  }

  async #open(source: Source<Watchable>): Promise<void> {
    try {
      const reply = await source.at().changes();
      if (!reply.ok) {
        return;
      }
      this.#line = reply.value;
      this.ages = false;
      const broken = (): void => {
        this.isBroken = true;
        this.#old();
      };
      this.#line.listen(() => this.#old(), broken);
      if (this.#isOver) {
        this.hangUp();
      } else if (this.#isLate) {
        this.#old();
      }
    } catch {
      // An object that cannot be reached shows when it is asked.
    }
  }

  get hasLine(): boolean {
    return this.#line !== null && !this.isBroken;
  }

  forget(): void {
    this.version += 1;
    this.answers.clear();
  }

  #old(): void {
    this.forget();
    this.#changed();
  }

  hangUp(): void {
    this.#isOver = true;
    void this.#line?.hangUp();
  }
}

class Sources {
  /** How many calls were made, including those for lines. */
  questions = 0;
  readonly #changed: () => void;
  readonly #looked = new Map<string, Looked>();
  readonly #used = new Set<string>();

  /** `changed` is called when a source has changed or may have changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  readonly ask: Ask = async (source, what, question, ages = () => false) => {
    type Answer = Awaited<ReturnType<typeof question>>;
    this.#used.add(source.key);
    let looked = this.#looked.get(source.key);
    if (looked?.isBroken !== false) {
      this.questions += 1;
      looked = new Looked(source, this.#changed);
      this.#looked.set(source.key, looked);
    }
    await looked.settled;
    if (looked.answers.has(what)) {
      return looked.answers.get(what) as Answer;
    }
    const { version } = looked;
    this.questions += 1;
    const answer = await retrying(() => question(source.at()));
    if (looked.version === version) {
      looked.answers.set(what, answer);
      looked.ages = ages(answer) || !looked.hasLine;
    }
    return answer;
  };

  /** Call after a round. Hangs up on objects that the round did not ask. */
  tidy(): void {
    for (const [key, looked] of this.#looked) {
      if (!this.#used.has(key)) {
        looked.hangUp();
        this.#looked.delete(key);
      }
    }
    this.#used.clear();
  }

  /** Forgets answers that become outdated by themselves. Returns whether there were any. */
  age(): boolean {
    let any = false;
    for (const [key, looked] of this.#looked) {
      if (looked.ages) {
        any = true;
        looked.forget();
        if (!looked.hasLine) {
          looked.hangUp();
          this.#looked.delete(key);
        }
      }
    }
    return any;
  }

  hangUp(): void {
    this.#looked.forEach((looked) => looked.hangUp());
    this.#looked.clear();
  }
}

class Feed {
  readonly #call: KeyedCall<undefined, View>;
  readonly #client: Client;
  readonly #sources = new Sources(() => this.#look());
  #isToLook = false;
  #wake: () => void = () => {};
  #sent = '';
  #diskLevel: DiskLevel | undefined;
  #overload = '';

  constructor(call: KeyedCall<undefined, View>, client: Client) {
    this.#call = call;
    this.#client = client;
    client.onGone = () => this.#look();
    client.onStale = () => {
      this.#sent = '';
      this.#look();
    };
    client.onBeat = () => {
      client.comment();
      this.#call.background(this.#leaveIfRevoked());
      const overload = JSON.stringify(overloads.shown(Date.now()));
      const isNews = overload !== this.#overload || disk.notice?.level !== this.#diskLevel;
      this.#overload = overload;
      if (this.#sources.age() || isNews) {
        this.#look();
      }
    };
  }

  /** Its key may have been revoked since. The page comes back, and reads that it is. */
  async #leaveIfRevoked(): Promise<void> {
    const { request, keyKind } = this.#call;
    if (keyKind === 'viewer') {
      const granted = grantIn(this.#call, request.headers.get('api-key'));
      if (!(await granted.catch(() => ({ ok: true }))).ok) {
        await this.#client.end('over');
        this.#look();
      }
    }
  }

  #look(): void {
    this.#isToLook = true;
    this.#wake();
  }

  async run(): Promise<void> {
    const { project } = this.#call;
    const unseen = whenSeen((where) => where === project && this.#look());
    let most = 0;
    while (!this.#client.gone && this.#sources.questions + most <= MAX_QUESTIONS) {
      const before = this.#sources.questions;
      this.#isToLook = false;
      const wait = (await this.#round()) ? ROUND_MS : AFTER_FAILURE_MS;
      const asked = this.#sources.questions - before;
      most = Math.max(most, asked);
      await pause(Math.max(wait, asked * QUESTION_MS));
      if (!this.#isToLook) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    unseen();
    this.#sources.hangUp();
    await this.#client.end('over');
  }

  /** Reads and sends the page. False: the project could not be read. */
  async #round(): Promise<boolean> {
    const { env, peers, project, query, keyKind } = this.#call;
    try {
      const reader = { env, peers, project, keyKind, ask: this.#sources.ask };
      const data = await READ[query.view](reader, query);
      this.#sources.tidy();
      const { notice } = disk;
      this.#diskLevel = notice?.level;
      const text = JSON.stringify([data, notice]);
      if (text !== this.#sent) {
        this.#sent = text;
        this.#client.say(message('snapshot', { at: Date.now(), data, disk: notice }));
      }
      return true;
    } catch (error) {
      logEvent('dashboard_unread', { project, error: String(error) });
      this.#sent = '';
      this.#client.say(message('unavailable', { at: Date.now() }));
      this.#isToLook = true;
      return false;
    }
  }
}

export function adminEvents(call: KeyedCall<undefined, View>): Promise<Response> {
  const stream = new EventStream();
  const client = new Client(stream, call.later);
  call.background(new Feed(call, client).run());
  return Promise.resolve(stream.response);
}
