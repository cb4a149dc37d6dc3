// Traces of matches over real sockets, at a collector that takes OTLP and nothing else: on a box, through SIGKILL of the service,
// and with an object each.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';
import { Collector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { API_KEYS } from '../security/tenant.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const LINK = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

let dataDir: string;
let port: number;
let service: Service;
let collector: Collector;
let players = 0;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-traces-'));
  port = await freePort();
  collector = new Collector();
});

afterEach(async () => {
  await service.stop();
  await collector.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(placement: Placement, sample: string): Promise<void> {
  const env = {
    API_KEYS,
    FLEET: 'simulated',
    LIMITS: 'off',
    OTLP_URL: `http://127.0.0.1:${port}`,
    OTLP_SAMPLE: sample,
    OTLP_HEADERS: 'x-token=a%20b',
  };
  service = await startService({ port: 0, dataDir, env, placement });
}

const operator = (): Player => new Player(service.url, 'operator', 'the server key');

async function modes(matchConfirmation: object): Promise<void> {
  const duel = { rules: [], matchConfirmation };
  await operator().ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { duel } } });
}

/** Two new players search, the first with a `traceparent`, and have a match. Returns both and its id. */
async function meet(traceparent?: string) {
  players += 2;
  const [ann, ben] = [players, players + 1].map(
    (number) => new Player(service.url, `p${number}`, 'the client key'),
  ) as [Player, Player];
  for (const who of [ann, ben]) {
    await who.ok('POST', '/lobbies/arena', { name: 'Den', forceFresh: true });
    const headers = traceparent !== undefined && who === ann ? { traceparent } : {};
    const answer = await fetch(`${service.url}/v3/lobbies/arena/me/matchmaking`, {
      method: 'POST',
      headers: { 'api-key': 'the client key', 'x-player-id': who.id, ...headers },
      body: '{"mode":"duel"}',
    });
    expect(answer.status).toBe(200);
  }
  let id = '';
  await eventually('they have a match', async () => {
    const seen = await ann.ok<{ readonly matchId?: string | null }>('GET', '/lobbies/arena/me');
    id = seen.matchId ?? '';
    return id !== '';
  });
  return { ann, ben, trace: id.replaceAll('-', '') };
}

const namesOf = (trace: string) => collector.traces.get(trace)?.map(({ name }) => name);

it.each(['box', 'objects'] as const)('a match is a trace (%s)', async (placement) => {
  await collector.open(port);
  await start(placement, '1');
  await modes({ enabled: true, timeoutSeconds: 30 });
  const { ann, ben, trace } = await meet(CALLER);
  await ann.ok('POST', '/lobbies/arena/me/confirm-match');
  await ben.ok('POST', '/lobbies/arena/me/confirm-match');
  await eventually('they play', async () => {
    const { server } = await ann.ok('GET', '/lobbies/arena/me');
    return server?.status === 'running';
  });
  await ann.ok('POST', '/lobbies/arena/me/end-match');
  await eventually('it is told', () => collector.traces.has(trace) || collector.wrong.length > 0);
  expect(collector.wrong).toEqual([]);
  const spans = collector.traces.get(trace) ?? [];
  const phases = ['match', 'proposal', 'confirm', 'launch', 'game'];
  expect(spans.map(({ name }) => name)).toEqual([...phases, 'search', 'hold', 'search', 'hold']);
  expect(spans.flatMap(({ links }) => links)).toEqual([LINK]);
  const [root] = spans;
  const inside = spans.filter((each) => each.parentSpanId === root?.spanId);
  expect(inside).toHaveLength(spans.length - 1);
  expect(
    inside.every((each) => BigInt(each.startTimeUnixNano) >= BigInt(root?.startTimeUnixNano ?? 0)),
  ).toBe(true);
  expect(
    inside.every((each) => BigInt(each.endTimeUnixNano) <= BigInt(root?.endTimeUnixNano ?? 0)),
  ).toBe(true);
});

it('whoever is traced is traced, outside of the sample too', async () => {
  await collector.open(port);
  await start('box', '0');
  await modes({ enabled: false });
  const others = await meet();
  await others.ann.ok('POST', '/lobbies/arena/me/end-match');
  const { ann, trace } = await meet(CALLER);
  await ann.ok('POST', '/lobbies/arena/me/end-match');
  await eventually('it is told', () => collector.traces.has(trace));
  expect(collector.traces.size).toBe(1);
  expect(collector.wrong).toEqual([]);
});

it('what ended before a SIGKILL is told after it, and what was told is told no other way', async () => {
  await start('box', '1');
  await modes({ enabled: false });
  const [first, second] = [await meet(), await meet()];
  await first.ann.ok('POST', '/lobbies/arena/me/end-match');
  await second.ann.ok('POST', '/lobbies/arena/me/end-match');
  await service.kill();
  await collector.open(port);
  await start('box', '1');
  await eventually('both are told', () => collector.traces.size === 2);
  expect([namesOf(first.trace), namesOf(second.trace)].flat()).toContain('match');
  const told = collector.traces;
  await service.kill();
  await start('box', '1');
  const third = await meet();
  await third.ann.ok('POST', '/lobbies/arena/me/end-match');
  await eventually('the third is told', () => collector.traces.has(third.trace));
  expect([collector.traces.get(first.trace), collector.traces.get(second.trace)]).toEqual([
    told.get(first.trace),
    told.get(second.trace),
  ]);
  expect(collector.wrong).toEqual([]);
});
