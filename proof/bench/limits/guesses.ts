// An attacker guesses invite codes of private lobbies, each time under the name of a new player, with all that is
// public about their form: codes of digits are tried in order, other codes at random.

import { call, eachOf, type From } from './caller.ts';

export interface Guessed {
  readonly entered: number;
  /** Codes that were looked up and belong to no lobby. */
  readonly wrong: number;
  readonly refused: number;
  /** Answered with 503, since the machine had too much to do. */
  readonly busy: number;
  readonly ms: number;
}

export interface Guessing {
  readonly hosts: From;
  readonly eve: From;
  readonly config: string;
  readonly lobbies: number;
  readonly guesses: number;
}

export async function guessCodes(options: Guessing): Promise<Guessed> {
  const { hosts, eve, config, lobbies, guesses } = options;
  const codes: string[] = [];
  await eachOf(Array.from({ length: lobbies }).keys(), 16, async (index) => {
    const body = { name: 'Den', isPrivate: true, maxPlayers: 4 };
    const made = await call(hosts, `POST /lobbies/${config}`, `host-${config}-${index}`, body);
    codes.push((JSON.parse(made.text) as { readonly code: string }).code);
  });
  const statuses = new Map<number, number>();
  const begun = performance.now();
  let player = 0;
  await eachOf(guessesLike(codes, guesses), 100, async (code) => {
    player += 1;
    const name = `eve-${config}-${player}`;
    const { status } = await call(eve, `POST /lobbies/${config}/join`, name, { code });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const ms = Math.round(performance.now() - begun);
  const of = (status: number): number => statuses.get(status) ?? 0;
  return { entered: of(200), wrong: of(404), refused: of(429), busy: of(503), ms };
}

function* guessesLike(codes: readonly string[], count: number): Generator<string> {
  const parts = codes.map((code) => code.split('-'));
  const words = [...new Set(parts.map((each) => (each.length > 1 ? `${each[0]}-` : '')))];
  const suffixes = parts.map((each) => each.at(-1) ?? '');
  const shortest = Math.min(...suffixes.map(({ length }) => length));
  const characters = [...new Set(suffixes.join(''))];
  const areDigits = characters.every((each) => /\d/.test(each));
  for (let index = 0; index < count; index += 1) {
    const word = words[index % words.length] ?? '';
    const number = String(Math.floor(index / words.length)).padStart(shortest, '0');
    const drawn = Array.from({ length: shortest }, () => pick(characters)).join('');
    yield word + (areDigits ? number : drawn);
  }
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
