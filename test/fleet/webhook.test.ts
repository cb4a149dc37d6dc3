// The `http` fleet: its signature, and the whole of it with the example receiver.

import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { memoryOf } from '../support/memory.ts';
import { gameServersOf } from '../support/processes.ts';
import { startFakeService, type FakeService } from './harness.ts';
import { RECEIVER_SECRET, startReceiver, type Receiver } from './receiver.ts';
import { launchSpec } from './specs.ts';
import { httpFleet, signature } from '../../src/fleet/rest.ts';

let receiver: Receiver;
let service: FakeService;

beforeAll(async () => {
  service = await startFakeService();
  receiver = await startReceiver({ CAPACITY: '3' });
});
afterAll(async () => {
  await receiver.end();
  await service.close();
});

function reporting(): ReturnType<typeof launchSpec> {
  const spec = launchSpec();
  return { ...spec, reportUrl: `${service.url}/v3/servers/${spec.instanceId}/status` };
}

describe('the signature', () => {
  it('is the HMAC-SHA256 of timestamp, nonce, method, path and body', async () => {
    const signed = { timestamp: 1_800_000_000, nonce: 'n', method: 'POST', path: '/servers' };
    const body = '{"name":"münchen"}';
    const hmac = createHmac('sha256', 'secret').update(`1800000000\nn\nPOST\n/servers\n${body}`);
    expect(await signature('secret', { ...signed, method: 'POST', body })).toBe(
      `v1=${hmac.digest('hex')}`,
    );
  });

  it.each(['timestamp', 'nonce', 'method', 'path', 'body'])('covers the %s', async (field) => {
    const whole = { timestamp: 1, nonce: 'n', method: 'GET', path: '/a', body: '' } as const;
    const other = { ...whole, [field]: field === 'timestamp' ? 2 : 'DELETE' };
    expect(await signature('s', other)).not.toBe(await signature('s', whole));
  });
});

describe('the example receiver', () => {
  const fleet = () => httpFleet({ url: `${receiver.url}/`, secret: RECEIVER_SECRET });

  it('starts one process, reports it, and stops it', async () => {
    const spec = reporting();
    const launched = await fleet().launch(spec);
    expect(launched).toMatchObject({ ok: true, ports: [{ host: '127.0.0.1', protocol: 'udp' }] });
    expect(await fleet().launch(spec)).toEqual(launched);
    expect(await gameServersOf(spec.instanceId)).toHaveLength(1);
    const { authorization, report } = await service.reportOf(spec.instanceId, 'running');
    expect(authorization).toBe(`Bearer ${spec.token}`);
    expect(report.network_ports).toEqual(launched.ok && launched.ports);
    expect(await fleet().inspect(spec.instanceId)).toMatchObject({ state: 'running' });
    await fleet().stop(spec.instanceId);
    await service.reportOf(spec.instanceId, 'stopped');
    expect(await gameServersOf(spec.instanceId)).toEqual([]);
    expect(await fleet().launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
  });

  it('says when it is full', async () => {
    const specs = [1, 2, 3, 4].map(() => reporting());
    const launches = [];
    for (const spec of specs) {
      launches.push(await fleet().launch(spec));
    }
    expect(launches.map((each) => (each.ok ? 'ok' : each.reason))).toEqual([
      'ok',
      'ok',
      'ok',
      'no_capacity',
    ]);
    for (const { instanceId } of specs) {
      await fleet().stop(instanceId);
    }
  });

  it('refuses a caller without the secret', async () => {
    const stranger = httpFleet({ url: receiver.url, secret: 'x'.repeat(32) });
    const spec = reporting();
    expect(await stranger.launch(spec)).toMatchObject({ ok: false, reason: 'refused' });
    await expect(stranger.inspect(spec.instanceId)).rejects.toThrow('signature');
    await expect(stranger.stop(spec.instanceId)).rejects.toThrow('signature');
  });

  /** A call as somebody who listens in would have it. */
  async function captured(timestamp: number): Promise<() => Promise<number>> {
    const call = { method: 'GET', path: '/servers/nobody', body: '' } as const;
    const nonce = crypto.randomUUID();
    const headers = {
      'muster-timestamp': String(timestamp),
      'muster-nonce': nonce,
      'muster-signature': await signature(RECEIVER_SECRET, { ...call, timestamp, nonce }),
    };
    return async () => (await fetch(receiver.url + call.path, { headers })).status;
  }

  it('takes a call once, and only at its time', async () => {
    const now = Math.floor(Date.now() / 1000);
    const play = await captured(now);
    expect([await play(), await play()]).toEqual([404, 401]);
    for (const timestamp of [now - 310, now + 310, Number.NaN]) {
      expect(await (await captured(timestamp))()).toBe(401);
    }
    expect(await (await captured(now - 280))()).toBe(404);
  });

  /** A stranger's call with the beginning of a body, which is never finished. */
  async function beginning(bytes: number, length = bytes + 1): Promise<Socket> {
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1').resume();
    socket.on('error', () => undefined);
    socket.write(`POST /servers HTTP/1.1\r\nHost: fleet\r\nContent-Length: ${length}\r\n\r\n`);
    await new Promise((resolve) => {
      socket.once('close', resolve);
      socket.write(Buffer.alloc(bytes, 'x'), resolve);
    });
    return socket;
  }

  const isAlive = async (): Promise<boolean> =>
    (await (await captured(Math.floor(Date.now() / 1000)))()) === 404;

  it('outlives callers that break off', async () => {
    (await beginning(10)).destroy();
    expect([await isAlive(), await isAlive()]).toEqual([true, true]);
  });

  it('outlives signed bodies and paths that say nothing', async () => {
    const signed = { path: '/servers', body: 'no JSON', timestamp: Math.floor(Date.now() / 1000) };
    for (const path of ['/servers', '/servers/%E0%A4%A']) {
      const call = { ...signed, path, method: 'POST', nonce: crypto.randomUUID() } as const;
      const { status } = await fetch(receiver.url + path, {
        method: 'POST',
        body: call.body,
        headers: {
          'muster-timestamp': String(call.timestamp),
          'muster-nonce': call.nonce,
          'muster-signature': await signature(RECEIVER_SECRET, call),
        },
      });
      expect(status).toBe(400);
    }
    expect(await isAlive()).toBe(true);
  });

  it('holds a bounded part of what strangers send', async () => {
    const MB = 1024 * 1024;
    const before = await memoryOf(receiver.pid);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => beginning(12 * MB)));
    const long = await beginning(1, 10_000 * MB);
    // Whatever arrives after the bound is refused with the connection.
    await eventually('the others are refused', () => sockets.filter((s) => s.closed).length > 30);
    expect((await memoryOf(receiver.pid)) - before).toBeLessThan(250 * MB);
    [...sockets, long].forEach((socket) => socket.destroy());
    await eventually('there is room again', isAlive);
  });
});
