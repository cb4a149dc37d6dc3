// What the clients saw, as lines for the judge (docs/internals/judge.md), written while they see it.

import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

import type { Answer, Player, Seen } from '../../scripts/player.ts';

/** A call under way: tell its answer, or null if none came. */
export type Answered = (answer: Answer<unknown> | null) => void;

export class History {
  /** All matches that anybody heard of. */
  readonly matches = new Set<string>();
  readonly #file: ReturnType<typeof createWriteStream>;
  #calls = 0;
  #streams = 0;

  constructor(path: string, of: string) {
    this.#file = createWriteStream(path);
    this.#file.write(`${JSON.stringify({ history: 1, of })}\n`);
  }

  note(line: object, at = performance.now()): void {
    const text = JSON.stringify({ at, ...line });
    for (const [, id = ''] of text.matchAll(/"matchId":"([^"]+)"/g)) {
      this.matches.add(id);
    }
    this.#file.write(`${text}\n`);
  }

  /** `who`: null for the server key. */
  asks(who: string | null, does: string, body?: unknown): Answered {
    this.#calls += 1;
    const call = this.#calls;
    this.note({ call, who, does, body });
    return (answer) => this.note({ call, ...(answer ?? { gone: true }) });
  }

  /** Makes a call that nobody else judges. Null: no answer came. */
  async call(player: Player, does: string, body?: unknown): Promise<Answer<unknown> | null> {
    const [method = '', path = ''] = does.split(' ');
    const answered = this.asks(
      player.id === OPERATOR ? null : player.id,
      `${method} /v3${path}`,
      body,
    );
    const answer = await player.call<unknown>(method, path, body).catch(() => null);
    answered(answer);
    return answer;
  }

  /** Tell what a new stream of that player hears. */
  stream(who: string, config: string): (event: Seen) => void {
    this.#streams += 1;
    const stream = this.#streams;
    this.note({ stream, who, does: `GET /v3/lobbies/${config}/me/events` });
    return ({ event, data, at }) => {
      if (event !== 'ping') {
        this.note({ stream, event, data }, at);
      }
    };
  }

  async end(): Promise<void> {
    this.#file.end();
    await finished(this.#file);
  }
}

/** The name of the one who has the server key. */
export const OPERATOR = 'operator';
