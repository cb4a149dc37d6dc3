// GET /admin/events: what one page of the dashboard shows, as a stream: a `snapshot` at once, and
// another whenever it has changed. The objects that the page looks at say when they change
// (`sources.ts`), so that nobody is asked anything while all is quiet. Only what shows how long
// somebody has waited is read again, each ten seconds.

import { logEvent } from '../../log';
import { message } from '../../line';
import { disk, type DiskLevel } from '../../objects/kit/disk';
import { read, type View } from '../operators/views';
import { whenSeen } from '../operators/seen-configs';
import { pause } from '../ask';
import type { KeyedCall } from '../call';
import { Client } from './client';
import { EventStream } from './event-stream';
import { Sources } from './sources';

const ROUND_MS = 1_000;
/** Rounds with many questions are further apart: each question has this share of time. */
const QUESTION_MS = 25;
const AFTER_FAILURE_MS = 5_000;
/** A request may ask other objects a thousand times; the page comes back with a new one. */
const MAX_QUESTIONS = 900;

class Feed {
  readonly #call: KeyedCall<undefined, View>;
  readonly #client: Client;
  readonly #sources = new Sources(() => this.#look());
  /** Something has changed since the last round began. */
  #isToLook = false;
  #wake: () => void = () => {};
  #sent = '';
  #diskLevel: DiskLevel | undefined;

  constructor(call: KeyedCall<undefined, View>, client: Client) {
    this.#call = call;
    this.#client = client;
    client.whenGone(() => this.#look());
    client.whenStale(() => {
      this.#sent = '';
      this.#look();
    });
    client.onBeat(() => {
      client.comment();
      if (this.#sources.age() || disk.notice?.level !== this.#diskLevel) {
        this.#look();
      }
    });
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

  /** False: the project could not be read now. */
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
