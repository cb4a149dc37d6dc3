// Bodies of PATCH, create and join that try to write trusted keys (decision 46), with both keys and with player tokens of
// every kind. Whatever is sent, each player shows of these keys what its record and the claim of its own token say.

import { Player } from '../../scripts/player.ts';
import type { Random } from '../torture/random.ts';
import { type Auth, claimOf, PLAYERS, recordOf, Target } from './trusted-target.ts';
import { hostile, pick, spoilt } from './values.ts';
import { LIMIT_MS, randomOf, volley } from './volley.ts';
import { send, type Answer } from './wire.ts';

export interface Attacked {
  /** Each with the number that reproduces it. */
  readonly faults: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** States of players in answers that were compared. */
  readonly compared: number;
  readonly ms: number;
}

/** The config trusts `mmr`, and each project `tier`. Nothing is saved under the second name. */
const TRUSTED: Readonly<Record<string, readonly string[]>> = {
  ranked: ['mmr', 'tier'],
  unsaved: ['tier'],
};
const KEYS = ['mmr', 'mmr', 'tier', 'tier', 'MMR', 'mmr ', 'state.mmr', 'ready', '__proto__'];
const ACTS = ['patch', 'patch', 'patch', 'patch', 'patch', 'create', 'join'] as const;
const MOST_FAULTS = 20;

interface Lobby {
  readonly id: string;
  readonly code: string;
  readonly players: readonly {
    readonly id: string;
    readonly state: Readonly<Record<string, unknown>> | null;
  }[];
}

/** What a player shows of a trusted key, as JSON. */
function expected(auth: Auth, player: string, key: string): string | undefined {
  const said = { ...recordOf(player), ...(auth === 'token' ? claimOf(player) : {}) };
  return JSON.stringify(said[key as keyof typeof said]);
}

function valueOf(random: Random): unknown {
  return pick<() => unknown>(random, [
    () => 99_999,
    () => null,
    () => 'forged',
    () => ({ mmr: 99_999 }),
    () => hostile(random),
  ])();
}

/** A state as JSON text, in which keys may come twice or escaped. */
function stateText(random: Random): string {
  const fields = Array.from({ length: random.whole(0, 3) }, () => {
    const key = JSON.stringify(pick(random, random.chance(0.5) ? ['ready', 'map', 'x'] : KEYS));
    const escaped = random.chance(0.15) ? key.replace('m', '\\u006d').replace('t', '\\u0074') : key;
    return `${escaped}:${JSON.stringify(valueOf(random)) ?? 'null'}`;
  });
  const text = `{${fields.join(',')}}`;
  return random.chance(0.03) ? (JSON.stringify(hostile(random)) ?? 'null') : text;
}

interface Shot {
  readonly label: string;
  readonly bytes: Buffer;
  readonly auth: Auth;
  readonly config: string;
  readonly body: string;
}

function shotOf(random: Random, target: Target): Shot {
  const auth = pick(random, ['trust', 'token'] as const);
  const player = pick(random, PLAYERS);
  const config = pick(random, ['ranked', 'ranked', 'unsaved']);
  const act = pick(random, ACTS);
  const states = Array.from(
    { length: random.chance(0.1) ? 2 : 1 },
    () => `"state":${stateText(random)}`,
  );
  const code = JSON.stringify(target.codes.length === 0 ? '' : pick(random, target.codes));
  const fields = {
    patch: states,
    create: ['"name":"Den"', '"forceFresh":true', '"maxPlayers":8', ...states],
    join: [`"code":${code}`, ...states],
  }[act];
  const text = `{${fields.join(',')}}`;
  const body = random.chance(0.05) ? spoilt(random, text) : text;
  const version = random.chance(0.1) ? '/api/v3' : '/v3';
  const path = { patch: '/me', create: '', join: '/join' }[act];
  const token = auth === 'token' ? target.tokenFor(random, player) : null;
  const lines = [
    `${act === 'patch' ? 'PATCH' : 'POST'} ${version}/lobbies/${config}${path} HTTP/1.1`,
    `Host: 127.0.0.1:${target.service.port}`,
    `api-key: ${random.chance(0.7) ? 'client' : 'server'} of ${auth}`,
    ...(auth === 'trust' || random.chance(0.3) ? [`x-player-id: ${player}`] : []),
    ...(token === null ? [] : [`x-player-token: ${token}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return {
    label: `${lines[0]} as ${player} of ${auth}: ${body.slice(0, 200)}`,
    bytes,
    auth,
    config,
    body,
  };
}

/** Leaves for good now and then, so that players create and join anew. */
function leaving({ auth, config }: Shot, random: Random, target: Target): Buffer {
  const player = pick(random, PLAYERS);
  const token = target.tokens.get(`token ${player}`) ?? '';
  return Buffer.from(
    `DELETE /v3/lobbies/${config}/me HTTP/1.1\r\nHost: 127.0.0.1:${target.service.port}\r\n` +
      `api-key: client of ${auth}\r\nx-player-id: ${player}\r\nx-player-token: ${token}\r\n\r\n`,
  );
}

/** The trusted key that the body holds in its state, as the service reads it. */
function heldIn(body: string, config: string): string | undefined {
  try {
    const { state } = JSON.parse(body) as { readonly state?: object };
    return TRUSTED[config]?.find((key) => Object.hasOwn(state ?? {}, key));
  } catch {
    return undefined;
  }
}

/** The body of an answer, whole or in chunks. */
function textOf({ head, body }: Answer): string {
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  const parts: string[] = isChunked ? [] : [body];
  for (let rest = isChunked ? body : ''; rest !== '';) {
    const end = rest.indexOf('\r\n');
    const length = Number.parseInt(rest.slice(0, end), 16) || 0;
    parts.push(rest.slice(end + 2, end + 2 + length));
    rest = length === 0 ? '' : rest.slice(end + 4 + length);
  }
  return Buffer.from(parts.join(''), 'latin1').toString('utf8');
}

class Judge {
  compared = 0;

  /** What is wrong with the answer, or null. */
  wrongIn({ auth, config, body }: Shot, answer: Answer): string | null {
    const { status, body: text } = answer;
    if (status >= 500 || status === 0) {
      return /"code":"OVERLOADED"/.test(text) ? null : `${status} ${text.slice(0, 200)}`;
    }
    if (status >= 300) {
      return null;
    }
    const held = heldIn(body, config);
    if (held !== undefined) {
      return `${status} to a body with ${held}`;
    }
    return this.wrongOf(auth, config, JSON.parse(textOf(answer)) as Lobby);
  }

  wrongOf(auth: Auth, config: string, { players }: Lobby): string | null {
    for (const { id, state } of players) {
      this.compared += 1;
      for (const key of TRUSTED[config] ?? []) {
        const [shown, said] = [JSON.stringify(state?.[key]), expected(auth, id, key)];
        if (shown !== said) {
          return `${id} shows ${key} ${shown}, the backend says ${said}`;
        }
      }
    }
    return null;
  }
}

/** Sends so many bodies, and at the end reads every lobby and record once more. */
export async function attack(
  bodies: number,
  seed: number,
  tell: (line: string) => void = () => {},
): Promise<Attacked> {
  const begun = performance.now();
  const target = await Target.made();
  const judge = new Judge();
  const faults: string[] = [];
  const statuses: Record<string, number> = {};
  const shoot = async (index: number): Promise<void> => {
    const random = randomOf(seed, index);
    const shot = shotOf(random, target);
    const port = target.service.port;
    const answer = await send({ port, bytes: shot.bytes, isHead: false, limitMs: LIMIT_MS });
    const code = /"code":"([A-Z_]+)"/.exec(answer.body)?.[1];
    const how = answer.status < 300 ? String(answer.status) : `${answer.status} ${code}`;
    statuses[how] = (statuses[how] ?? 0) + 1;
    const wrong = judge.wrongIn(shot, answer);
    if (wrong !== null) {
      faults.push(`${index}: ${wrong}: ${shot.label}`);
    }
    const made = answer.status === 201 ? /"code":"([^"]+)"/.exec(answer.body)?.[1] : undefined;
    if (made !== undefined) {
      target.codes.unshift(made);
      target.codes.splice(8);
    }
    if (random.chance(0.03)) {
      const bytes = leaving(shot, random, target);
      await send({ port, bytes, isHead: false, limitMs: LIMIT_MS });
    }
    if (index % 20_000 === 0 && index > 0) {
      tell(`${index}: ${JSON.stringify(statuses)}, ${faults.length} faults`);
    }
  };
  try {
    await volley({ count: bodies }, () => faults.length >= MOST_FAULTS, shoot);
    faults.push(...(await aftermath(target, judge)));
  } finally {
    await target.end();
  }
  return { faults, statuses, compared: judge.compared, ms: performance.now() - begun };
}

async function aftermath({ service }: Target, judge: Judge): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const auth of ['trust', 'token'] as const) {
    const operator = new Player(service.url, 'operator', `server of ${auth}`);
    for (const config of Object.keys(TRUSTED)) {
      const path = `/lobbies/${config}`;
      const { lobbies } = await operator.ok<{ lobbies: readonly Lobby[] }>(
        'GET',
        `${path}?limit=100`,
      );
      for (const { id } of lobbies) {
        const lobby = await operator.ok<Lobby>('GET', `${path}/${id}`);
        wrong.push(...[judge.wrongOf(auth, config, lobby)].filter((each) => each !== null));
      }
    }
    for (const player of PLAYERS) {
      interface Kept {
        readonly attributes: object;
      }
      const { attributes } = await operator.ok<Kept>('GET', `/players/${player}/attributes`);
      if (JSON.stringify(attributes) !== JSON.stringify(recordOf(player))) {
        wrong.push(`the record of ${player} is ${JSON.stringify(attributes)}`);
      }
    }
  }
  return wrong;
}
