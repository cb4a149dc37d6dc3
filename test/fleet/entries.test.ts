import { describe, expect, it } from 'vitest';

import { parseFleets } from '../../src/fleet/entries';

const box = { name: 'box', kind: 'local', url: 'http://127.0.0.1:8790', secretEnv: 'BOX_SECRET' };
const kubernetes = { name: 'k8s', kind: 'agones', url: 'https://10.0.0.1', tokenEnv: 'K8S_TOKEN' };

describe('FLEETS', () => {
  it('is a list of fleets, with every default filled in', () => {
    const echo = { http: 'https://eu.example/echo' };
    const parsed = parseFleets(
      JSON.stringify([box, { ...kubernetes, regions: ['eu-west'], echo }]),
    );
    const route = { group: null, regions: [], projects: [], echo: null };
    expect(parsed).toEqual({
      ok: true,
      value: [
        { ...box, ...route },
        {
          ...kubernetes,
          ...route,
          regions: ['eu-west'],
          echo: { ...echo, udp: null },
          namespace: 'default',
          fleetName: null,
          via: null,
        },
      ],
    });
  });

  it('has clouds, whose regions are those that they have a location for', () => {
    const cloud = { name: 'g', kind: 'gameye', tokenEnv: 'G_TOKEN' };
    const parsed = parseFleets(
      JSON.stringify([
        { ...cloud, locations: { 'eu-west': 'frankfurt', 'us-east': 'dallas' }, regions: ['ap'] },
        { ...cloud, name: 'e', kind: 'edgegap', locations: { 'eu-west': [50.1, 8.7] } },
      ]),
    );
    expect(parsed).toMatchObject({
      ok: true,
      value: [
        { regions: ['eu-west', 'us-east'], url: 'https://api.production-gameye.gameye.net' },
        { regions: ['eu-west'], url: 'https://api.edgegap.com' },
      ],
    });
  });

  it.each([
    ['no json', ': is not JSON'],
    ['{}', ': must be a list'],
    ['[7]', '[0]: must be an object'],
    [
      [{ ...box, kind: 'docker' }],
      '[0].kind: must be one of local, http, agones, gameye, edgegap, simulated',
    ],
    [[{ ...box, url: 'ftp://box' }], '[0].url: must be an http or https address'],
    [[{ ...box, secretEnv: 'a b' }], '[0].secretEnv: must name a variable'],
    [[{ ...box, secretEnv: undefined }], '[0].secretEnv: is missing: it must be a string'],
    [[{ ...box, regions: 'eu' }], '[0].regions: must be a list'],
    [
      [{ ...box, name: 'a/b' }],
      '[0].name: a name has 1 to 64 letters, digits, spaces, or any of _ - .',
    ],
    [[box, box], '[1].name: is listed twice'],
    [[{ ...box, echo: { http: 'eu' } }], '[0].echo.http: must be an http or https address'],
    [[{ ...box, echo: { udp: 'eu' } }], '[0].echo.udp: must be a host and a port: eu.example:7900'],
    [[{ ...box, echo: 'eu:1' }], '[0].echo: must be an object'],
    [
      [{ ...kubernetes, namespace: 'A' }],
      '[0].namespace: must be a Kubernetes name: a-z, 0-9 and -',
    ],
    [
      [{ name: 'g', kind: 'gameye', tokenEnv: 'T', locations: {} }],
      '[0].locations: must have a location for at least one region',
    ],
    [
      [{ name: 'g', kind: 'gameye', tokenEnv: 'T', locations: { 'EU west': 'frankfurt' } }],
      '[0].locations.EU west: must be 1 to 32 lower-case letters, digits and hyphens, and not begin with a hyphen',
    ],
    [
      [{ name: 'e', kind: 'edgegap', tokenEnv: 'T', locations: { 'eu-west': 'frankfurt' } }],
      '[0].locations.eu-west: must be a latitude and a longitude: [50.1, 8.7]',
    ],
    [[{ name: 's', kind: 'simulated', regions: 1 }], '[0].regions: must be a list'],
  ])('that reads %j is wrong: %s', (list, problem) => {
    const parsed = parseFleets(typeof list === 'string' ? list : JSON.stringify(list));
    const told = parsed.ok ? [] : parsed.refusal.map(({ path, message }) => `${path}: ${message}`);
    expect(told).toEqual([problem]);
  });
});
