// What the clients of a run saw, in the words of the public API, for the judge (docs/internals/judge.md). Nothing is
// written unless it is asked for. The clock is the loop's: no object sees it.

import type { Heard } from '../../src/common/line';
import type { Command } from '../../src/lobby/command';
import { REFUSALS, type Reply } from '../../src/lobby/refusals';

/** A call as the API has it. `who`: null for the server key. */
export interface Asking {
  readonly who: string | null;
  readonly does: string;
  readonly body?: unknown;
}

export interface Answering {
  readonly status: number;
  readonly body: unknown;
}

export class History {
  /** All matches that anybody heard of. */
  readonly matches = new Set<string>();
  readonly #lines: string[] = [];
  readonly #now: () => number;
  #calls = 0;
  #streams = 0;

  constructor(of: string, now: () => number) {
    this.#now = now;
    this.#lines.push(JSON.stringify({ history: 1, of }));
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  note(line: object): void {
    const text = JSON.stringify({ at: this.#now(), ...line });
    for (const [, id = ''] of text.matchAll(/"matchId":"([^"]+)"/g)) {
      this.matches.add(id);
    }
    this.#lines.push(text);
  }

  async ask<T>(asking: Asking, ask: () => Promise<T>, answer: (value: T) => Answering): Promise<T> {
    this.#calls += 1;
    const call = this.#calls;
    this.note({ call, ...asking });
    try {
      const value = await ask();
      this.note({ call, ...answer(value) });
      return value;
    } catch (error) {
      this.note({ call, gone: true });
      throw error;
    }
  }

  /** A call that is made, and whose answer nobody hears. */
  unheard(asking: Asking): void {
    this.#calls += 1;
    this.note({ call: this.#calls, ...asking });
  }

  /** Whoever heard something on a new stream of that player. */
  stream(who: string, config: string): (heard: Heard) => void {
    this.#streams += 1;
    const stream = this.#streams;
    this.note({ stream, who, does: `GET /v3/lobbies/${config}/me/events` });
    return (heard) => {
      if (typeof heard === 'string') {
        this.note({ stream, gone: true });
        return;
      }
      const data: unknown = JSON.parse(heard.data);
      this.note({ stream, event: heard.event, data });
    };
  }
}

/** The same question, written down if there is a history. */
export function asked<T>(
  history: History | null,
  asking: Asking,
  { ask, answer }: { ask: () => Promise<T>; answer: (value: T) => Answering },
): Promise<T> {
  return history === null ? ask() : history.ask(asking, ask, answer);
}

/** Null: there is nothing, as of a player in no lobby. */
export function answerOf<T>(
  reply: Reply<T> | null,
  shown: (value: T) => unknown = (value) => value,
): Answering {
  if (reply === null) {
    return { status: 404, body: { code: 'LOBBY_NOT_FOUND' } };
  }
  return reply.ok
    ? { status: 200, body: shown(reply.value) }
    : { status: REFUSALS[reply.refusal.code].status, body: { code: reply.refusal.code } };
}

const ROUTES: Readonly<Record<Command['type'], string>> = {
  patch_state: 'PATCH /me',
  leave: 'DELETE /me',
  settings: 'PATCH /me/settings',
  kick: 'DELETE /me/players/',
  start: 'POST /me/start',
  end_match: 'POST /me/end-match',
  enter: 'POST /me/matchmaking',
  cancel: 'DELETE /me/matchmaking',
  confirm: 'POST /me/confirm-match',
  decline: 'DELETE /me/confirm-match',
  heartbeat: 'POST /me/heartbeat',
  host: 'POST /me/host',
  move: 'POST /me/move',
  rematch: 'POST /me/rematch',
  no_rematch: 'DELETE /me/rematch',
};

function searchOf({ mode, others }: Extract<Command, { type: 'enter' }>): object {
  return others === undefined ? { mode } : { modes: [mode, ...others] };
}

/** The request that a command stands for. */
export function askingOf(config: string, command: Command): Asking {
  const [method = '', path = ''] = ROUTES[command.type].split(' ');
  const target = command.type === 'kick' ? command.target : '';
  const does = `${method} /v3/lobbies/${config}${path}${target}`;
  const who = command.player;
  switch (command.type) {
    case 'patch_state':
      return { who, does, body: { state: command.state } };
    case 'settings':
      return { who, does, body: command.patch };
    case 'enter':
      return { who, does, body: searchOf(command) };
    case 'move':
      return { who, does, body: { config: command.to } };
    default:
      return { who, does };
  }
}
