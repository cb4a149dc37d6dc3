// What answers strangers by UDP. Anybody can forge a sender, so one packet must not set two of them on each other, and none
// may be made to send much.

import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { answerEchoes } from '../../agent/echo.ts';
import { freePort } from '../../agent/ports.ts';
import { ration } from '../../agent/ration.ts';
import { eventually } from '../support/eventually.ts';

const QUICKSTART = new URL('../../docs/quickstarts/server-program.md', import.meta.url);
const SAMPLE = fileURLToPath(new URL('../../agent/game-server.ts', import.meta.url));

let folder: string;
let mine: Socket;
let heard: Buffer[] = [];
const ports = { echo: 0, sample: 0, quickstart: 0 };
const children: (() => void)[] = [];

async function started(script: string): Promise<number> {
  const port = await freePort();
  const config = join(folder, 'muster.json');
  await writeFile(config, '{"custom_data":{}}');
  const told = { MUSTER_PORT: String(port), MUSTER_HOST: '127.0.0.1', MUSTER_CONFIG: config };
  const child = spawn(process.execPath, ['--no-warnings', script], {
    env: { ...process.env, ...told },
    stdio: 'ignore',
  });
  children.push(() => void child.kill('SIGKILL'));
  return port;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-strangers-'));
  ports.echo = await freePort();
  answerEchoes('127.0.0.1', ports.echo);
  const [, script = ''] = /```js\n([^]*?)```/.exec(await readFile(QUICKSTART, 'utf8')) ?? [];
  await writeFile(join(folder, 'server.mjs'), script);
  ports.quickstart = await started(join(folder, 'server.mjs'));
  ports.sample = await started(SAMPLE);
  mine = createSocket('udp4').bind(0, '127.0.0.1');
  mine.on('message', (message) => heard.push(message));
  await once(mine, 'listening');
  for (const of of Object.keys(ports) as (keyof typeof ports)[]) {
    await eventually(
      `${of} answers`,
      async () => (await answersTo(of, [QUESTIONS[of]])).length > 0,
    );
  }
});
afterAll(async () => {
  mine.close();
  children.forEach((end) => end());
  await rm(folder, { recursive: true });
});

const QUESTIONS = { echo: '?at 1', sample: '{"type":"ping","at":1}', quickstart: '?at 1' };

/** What comes back within a moment. */
async function answersTo(
  of: keyof typeof ports,
  packets: readonly (string | Buffer)[],
): Promise<readonly Buffer[]> {
  heard = [];
  packets.forEach((packet) => mine.send(packet, ports[of], '127.0.0.1'));
  await sleep(300);
  return heard;
}

describe.each(['echo', 'sample', 'quickstart'] as const)('the %s', (of) => {
  it('answers a question with as little, and no answer', async () => {
    const question = QUESTIONS[of];
    const answers = await answersTo(of, [question]);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.length).toBeLessThanOrEqual(question.length);
    expect(String(answers[0])).not.toBe(question);
    expect(await answersTo(of, answers)).toEqual([]);
  });

  it('answers no answer of another, and nothing that is no question', async () => {
    const others = (Object.keys(ports) as (keyof typeof ports)[]).filter((each) => each !== of);
    for (const other of others) {
      const answers = await answersTo(other, [QUESTIONS[other]]);
      const second = await answersTo(of, answers);
      expect(await answersTo(other, second)).toEqual([]);
    }
    const none = of === 'quickstart' ? ['hello', ''] : [Buffer.from([0x80, 1]), ''];
    expect(await answersTo(of, none)).toEqual([]);
  });
});

it('a ration of a thousand a second is that, in each second', () => {
  vi.useFakeTimers();
  const mayAnswer = ration(1_000);
  const counts = [0, 400, 1_000, 5_000].map((afterMs) => {
    vi.advanceTimersByTime(afterMs);
    return Array.from({ length: 1_500 }, mayAnswer).filter(Boolean).length;
  });
  vi.useRealTimers();
  expect(counts).toEqual([1_000, 0, 1_000, 1_000]);
});
