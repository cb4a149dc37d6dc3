// Game servers in four hands verify one table of tickets by `muster.json` alone: the sample server, and
// the examples in Node, Go and C#, each as the program that it is.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPlace, seatOf } from '../../agent/seats.ts';
import { seatOf as seatOfNode } from '../../packages/js/src/server.ts';
import { forged } from '../support/tokens.ts';
import { needs, pathOf } from '../support/tools.ts';
import { TOLD } from './told.ts';

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL('../../examples/seat-ticket', import.meta.url));
const INSTANCE = 'the-server';

interface Tried {
  readonly name: string;
  readonly ticket: string;
  /** What a program prints for it; null: that it is refused. */
  readonly seat: string | null;
}

let folder: string;
let musterJson: string;
let told: object;
const table: Tried[] = [];

interface Made {
  readonly kid?: string;
  readonly typ?: string;
  readonly claims?: object;
  readonly expiresIn?: number;
  readonly audience?: string;
}

function ticketOf(key: CryptoKey, made: Made = {}): Promise<string> {
  const { kid = 'now', typ = 'muster-seat+jwt', expiresIn = 600, audience = INSTANCE } = made;
  const claims = { project: 'dev', match: 'm', lobby: 'l', team: 1, team_name: null, role: 'tank' };
  return new SignJWT({ ...claims, ...made.claims })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid })
    .setIssuer('muster')
    .setSubject('zoë')
    .setAudience(audience)
    .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
    .sign(key);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-seats-'));
  const [now, next, foreign] = await Promise.all(
    Array.from({ length: 3 }, () => generateKeyPair('EdDSA', { extractable: true })),
  );
  if (now === undefined || next === undefined || foreign === undefined) {
    throw new Error('three were made');
  }
  const jwk = async (key: CryptoKey, kid: string): Promise<object> => {
    return { ...(await exportJWK(key)), kid, alg: 'EdDSA', use: 'sig' };
  };
  const keys = [await jwk(now.publicKey, 'now'), await jwk(next.publicKey, 'next')];
  told = { instance_id: INSTANCE, seat_keys: { keys } };
  musterJson = join(folder, 'muster.json');
  await writeFile(musterJson, JSON.stringify(told));
  const good = await ticketOf(now.privateKey);
  const other = await ticketOf(now.privateKey, { claims: { team: 0 } });
  const [head, , signature] = good.split('.');
  const claims = { sub: 'zoë', aud: INSTANCE, exp: 9_999_999_999, team: 1, role: 'tank' };
  const seat = 'zoë team 1 role tank';
  const none = { team: null, role: null };
  const direct = { ...none, match: null };
  table.push(
    { name: 'good', ticket: good, seat },
    {
      name: 'of the key after a rotation',
      ticket: await ticketOf(next.privateKey, { kid: 'next' }),
      seat,
    },
    {
      name: 'after a direct start',
      ticket: await ticketOf(now.privateKey, { claims: direct }),
      seat: 'zoë team null role null',
    },
    {
      name: 'of a player without a place in the match',
      ticket: await ticketOf(now.privateKey, { claims: none }),
      seat: null,
    },
    { name: 'of a foreign key', ticket: await ticketOf(foreign.privateKey), seat: null },
    {
      name: 'of an unknown kid',
      ticket: await ticketOf(now.privateKey, { kid: 'old' }),
      seat: null,
    },
    {
      name: 'of another server',
      ticket: await ticketOf(now.privateKey, { audience: 'x' }),
      seat: null,
    },
    { name: 'over', ticket: await ticketOf(now.privateKey, { expiresIn: -1 }), seat: null },
    { name: 'of another type', ticket: await ticketOf(now.privateKey, { typ: 'JWT' }), seat: null },
    {
      name: 'with other claims',
      ticket: [head, other.split('.')[1], signature].join('.'),
      seat: null,
    },
    {
      name: 'without a signature',
      ticket: forged({ alg: 'none', typ: 'muster-seat+jwt', kid: 'now' }, claims),
      seat: null,
    },
    {
      name: 'with a signature cut short',
      ticket: good.slice(0, -10),
      seat: null,
    },
    { name: 'no ticket at all', ticket: 'ann', seat: null },
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the program for each ticket; what it prints, or that it refuses. */
async function tried(command: string, args: readonly string[]): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const { name, ticket, seat } of table) {
    const { stdout } = await run(command, [...args, musterJson, ticket]).catch(
      (error: { stdout: string }) => error,
    );
    const said = stdout.trim();
    const isRight = seat === null ? said.startsWith('refused: ') : said === seat;
    if (!isRight) {
      wrong.push([name, said]);
    }
  }
  console.log(`${command.split('/').at(-1)}: ${table.length} tickets, ${wrong.length} wrong`);
  return wrong;
}

/** Where the result of a match goes; it is restarting when the first reports come. */
async function resultsTaken(report: (told: string) => Promise<string>): Promise<void> {
  const heard: (readonly [string | undefined, string])[] = [];
  const service = createServer((request, response) => {
    void textOf(request).then((body) => {
      heard.push([request.headers.authorization, body]);
      response.statusCode = heard.length < 3 ? 503 : 200;
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  try {
    const { port } = service.address() as AddressInfo;
    const file = join(folder, `results-${port}.json`);
    const match = TOLD['roles in unequal teams'] as object;
    const own = { ...told, result_url: `http://127.0.0.1:${port}/result`, token: 'the-token' };
    await writeFile(file, JSON.stringify({ ...match, ...own }));
    expect((await report(file)).trim()).toBe('reported for 2 teams of hunt');
    expect(heard).toHaveLength(3);
    for (const [authorization, body] of heard) {
      expect([authorization, JSON.parse(body)]).toEqual(['Bearer the-token', { teams: RESULT }]);
    }
  } finally {
    service.close();
  }
}

const RESULT = [
  { team: 0, score: 13 },
  { team: 1, score: 0 },
];

describe('a seat ticket', () => {
  it('is read by `seatOf` of the client', () => {
    vi.stubEnv('MUSTER_CONFIG', musterJson);
    for (const { name, ticket, seat } of table) {
      const found = seatOfNode(ticket);
      const shown = found && `${found.player} team ${found.team} role ${found.role}`;
      expect([name, shown]).toEqual([name, seat]);
    }
    expect(
      [undefined, 7, null, '', '..', 'x'.repeat(10_000)].map((bad) => seatOfNode(bad)),
    ).toEqual(Array.from({ length: 6 }, () => null));
    vi.unstubAllEnvs();
    expect(() => seatOfNode('x')).toThrow('MUSTER_CONFIG');
  });

  it('is read by the sample server', () => {
    for (const { name, ticket, seat } of table) {
      const found = seatOf(ticket, told, Date.now());
      const shown =
        found !== null && hasPlace(found)
          ? `${found.player} team ${found.team} role ${found.role}`
          : null;
      expect([name, shown]).toEqual([name, seat]);
    }
    expect(seatOf(undefined, told, 0)).toBeNull();
    expect(seatOf(table[0]?.ticket, {}, Date.now())).toBeNull();
  });

  it('is read by the example in Node', async () => {
    expect(await tried(process.execPath, [join(EXAMPLES, 'seat-ticket.mjs')])).toEqual([]);
  });

  it.runIf(needs('go'))('is read by the example in Go', async () => {
    const program = join(folder, 'seat-ticket-go');
    const env = { ...process.env, GO111MODULE: 'off' };
    await run(pathOf('go'), ['build', '-o', program, join(EXAMPLES, 'seat_ticket.go')], { env });
    expect(await tried(program, [])).toEqual([]);
    const words = ['--result', JSON.stringify(RESULT)];
    await resultsTaken(async (file) => (await run(program, [file, ...words])).stdout);
  });

  it.runIf(needs('mcs') && needs('mono'))('is read by the example in C#', async () => {
    const program = join(folder, 'SeatTicket.exe');
    const sources = ['SeatTicket.cs', 'Ed25519.cs'].map((name) => join(EXAMPLES, name));
    const libraries = ['-r:System.Numerics', '-r:System.Runtime.Serialization'];
    await run(pathOf('mcs'), [`-out:${program}`, ...libraries, ...sources]);
    expect(await tried(pathOf('mono'), [program])).toEqual([]);
    const words = ['--result', JSON.stringify(RESULT)];
    await resultsTaken(
      async (file) => (await run(pathOf('mono'), [program, file, ...words])).stdout,
    );
  });
});
