// Reports of an agent whose service is on several machines: what one address does not take, another does.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { GameRoster } from '../../packages/js/src/journal-types.ts';
import { Rounds } from '../../agent/reports.ts';
import { freePort } from '../../agent/ports.ts';
import { keepRoster } from '../../agent/roster.ts';
import { readSettings } from '../../agent/settings.ts';
import { startRig } from './harness.ts';

const SECRET = 'a-secret-for-tests-only';

/** Returns the address of a web server that answers as told. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const nothingHere: RequestListener = (_, response) => response.writeHead(404).end();

describe('the service at several addresses', () => {
  it('is asked at the next one after a failure, on the same path', () => {
    const path = '/v3/servers/s-1/status';
    const service = new Rounds(`https://a.test/muster${path}`, [
      'https://b.test',
      'https://c.test',
    ]);
    const asked = [0, 1, 2, 3].map(() => {
      const { url } = service;
      service.failed();
      return url;
    });
    expect(asked).toEqual([
      `https://a.test/muster${path}`,
      `https://b.test${path}`,
      `https://c.test${path}`,
      `https://a.test/muster${path}`,
    ]);
  });

  it('is a setting', () => {
    const urlsOf = (text?: string): readonly string[] =>
      readSettings({ AGENT_SECRET: SECRET, AGENT_SERVICE_URLS: text }).serviceUrls;
    expect(urlsOf()).toEqual([]);
    expect(urlsOf('https://a.test/, http://b.test')).toEqual(['https://a.test', 'http://b.test']);
    expect(() => urlsOf('a.test')).toThrow('must list http or https addresses, not "a.test"');
  });

  it('takes the report that the address of the launch did not take, and a wrong address has no say', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const wrong = await answering(nothingHere);
    const rig = await startRig();
    const { url } = rig.service;
    await rig.agent.stop();
    const again = await rig.startAgain({ AGENT_SERVICE_URLS: `${wrong},${url}` });
    try {
      const spec = again.spec();
      const reportUrl = `${gone}/v3/servers/${spec.instanceId}/status`;
      expect(await again.fleet.launch({ ...spec, reportUrl })).toMatchObject({ ok: true });
      await again.service.reportOf(spec.instanceId, 'running');
      await again.fleet.stop(spec.instanceId);
      await again.service.reportOf(spec.instanceId, 'stopped');
    } finally {
      await again.end();
    }
  });

  it('tells the roster until one that has told it before knows no such server', async () => {
    const roster: GameRoster = { match: 'm', revision: 1, open: [], players: [] };
    const url = await answering((request, response) => {
      if (request.url?.includes('after=0')) {
        response.end(JSON.stringify(roster));
      } else {
        nothingHere(request, response);
      }
    });
    const path = '/v3/servers/s-1/status';
    const gone = `http://127.0.0.1:${await freePort()}`;
    const written: GameRoster[] = [];
    await keepRoster({
      service: new Rounds(`${gone}${path}`, [await answering(nothingHere), url]),
      token: 'token',
      signal: AbortSignal.timeout(10_000),
      write: async (each) => void written.push(each),
    });
    expect(written).toEqual([roster]);
  });
});
