// GET /admin/events: the stream of one page of the dashboard. It sends a `snapshot` at once, and another one
// whenever the page has changed. The objects that the page shows report their changes (`sources.ts`), so no object
// is asked while nothing changes. Only data that shows how long somebody has waited is read again, every ten
// seconds.

import { logEvent } from '../../common/log';
import { message } from '../../common/line';
import { disk, type DiskLevel } from '../../objects/kit/disk';
import { read, type View } from '../operators/views';
import { whenSeen } from '../operators/seen-configs';
import { pause } from '../../common/later';
import type { KeyedCall } from '../call';
import { overloads } from '../overloads';
import { Client } from './client';
import { EventStream } from './event-stream';
import { Sources } from './sources';

const ROUND_MS = 1_000;
/** Time for each question of a round, so that rounds with many questions are further apart. */
const QUESTION_MS = 25;
const AFTER_FAILURE_MS = 5_000;
/** A request may make at most a thousand calls to objects. The page reconnects with a new request. */
const MAX_QUESTIONS = 900;

class Feed {
  readonly #call: KeyedCall<undefined, View>;
  readonly #client: Client;
  readonly #sources = new Sources(() => this.#look());
  /** Whether something has changed since the last round began. */
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
      const overload = JSON.stringify(overloads.shown(Date.now()));
      const isNews = overload !== this.#overload || disk.notice?.level !== this.#diskLevel;
      this.#overload = overload;
      if (this.#sources.age() || isNews) {
        this.#look();
      }
    };
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
      await this.#changed();
    }
    unseen();
    this.#sources.hangUp();
    await this.#client.end('over');
  }

  async #changed(): Promise<void> {
    if (!this.#isToLook) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Reads and sends the page. False: the project could not be read. */
  async #round(): Promise<boolean> {
    const { env, peers, project, query } = this.#call;
    try {
      const data = await read({ env, peers, project, ask: this.#sources.ask }, query);
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
