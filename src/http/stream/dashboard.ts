// GET /admin/events: what one page of the dashboard shows, as a stream: a `snapshot` at once, and
// another whenever it has changed. The Worker looks once a second, so the browser never polls and
// nothing is sent while all is quiet; an object is asked only while somebody watches.

import { message } from '../../line';
import { type Ask, read, type Reader, type View } from '../operators/views';
import { pause, retrying } from '../ask';
import type { KeyedCall } from '../call';
import { Client } from './client';
import { EventStream } from './event-stream';

const ROUND_MS = 1_000;
/** Rounds with many questions are further apart: each question has this share of time. */
const QUESTION_MS = 25;
const AFTER_FAILURE_MS = 5_000;
/** A request may ask other objects a thousand times; the page comes back with a new one. */
const MAX_QUESTIONS = 900;

class Feed {
  readonly #reader: Reader;
  readonly #view: View;
  readonly #client: Client;
  #questions = 0;
  #sent = '';

  constructor(call: KeyedCall<undefined, View>, client: Client) {
    const ask: Ask = (question) => {
      this.#questions += 1;
      return retrying(question);
    };
    this.#reader = { env: call.env, peers: call.peers, project: call.project, ask };
    this.#view = call.query;
    this.#client = client;
  }

  async run(): Promise<void> {
    let most = 0;
    while (!this.#client.gone && this.#questions + most <= MAX_QUESTIONS) {
      const before = this.#questions;
      const wait = (await this.#round()) ? ROUND_MS : AFTER_FAILURE_MS;
      const asked = this.#questions - before;
      most = Math.max(most, asked);
      await pause(Math.max(wait, asked * QUESTION_MS));
    }
    await this.#client.end('over');
  }

  /** False: the project could not be read now. */
  async #round(): Promise<boolean> {
    try {
      const data = await read(this.#reader, this.#view);
      const text = JSON.stringify(data);
      if (text !== this.#sent) {
        this.#sent = text;
        this.#client.say(message('snapshot', { at: Date.now(), data }));
      }
      return true;
    } catch (error) {
      console.log(JSON.stringify({ event: 'dashboard_unread', error: String(error) }));
      this.#sent = '';
      this.#client.say(message('unavailable', { at: Date.now() }));
      return false;
    }
  }
}

export function adminEvents(call: KeyedCall<undefined, View>): Promise<Response> {
  const stream = new EventStream();
  const client = new Client(stream);
  client.onBeat(() => client.comment());
  call.background(new Feed(call, client).run());
  return Promise.resolve(stream.response);
}
