// The example for Unity, which nothing here can run: its calls, headers, events and fields are those of the API.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../../dashboard/description/event-list';
import { openApi } from '../../../dashboard/description/openapi';
import type { MusterJson } from '../../../packages/js/src/game-server-types.ts';
import { ROUTES } from '../../../src/http/serve/routes';
import { CreateBody, JoinBody } from '../../../src/http/players/lobbies';
import { EnterBody, StateBody } from '../../../src/http/players/me';
import { SeatBody } from '../../../src/http/operators/seats';

const AT = fileURLToPath(new URL('../../../examples/unity/', import.meta.url).href);
const UNITY = readdirSync(AT)
  .filter((name) => name.endsWith('.cs'))
  .map((name) => readFileSync(`${AT}${name}`, 'utf8'))
  .join('\n');
const SERVED = ROUTES.map(({ method, path }) => `${method} ${path}`);

/** `METHOD path` below the config, from a pattern with a group for each. */
function calls(source: string, pattern: RegExp): readonly string[] {
  const found = [...source.matchAll(pattern)];
  return found.map(([, method, path]) => `${method} /lobbies/:config${path}`);
}

const { schemas } = openApi().components;

/** Names of the properties of a schema; none when there is no such schema. */
function fieldsOf(name: string): readonly string[] {
  const schema: unknown = Reflect.get(schemas, name);
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return Object.keys(properties);
}

/** Public fields of a class in Wire.cs. */
function declared(name: string): readonly string[] {
  const [, body = ''] = new RegExp(`class ${name}\\n    \\{(.*?)\\n    \\}`, 's').exec(UNITY) ?? [];
  return [...body.matchAll(/^        public \S+ (\w+);$/gm)].map(([, field = '']) => field);
}

describe('the example for Unity', () => {
  it('calls what is served', () => {
    const called = new Set(calls(UNITY, /(?:Send|Request)\("([A-Z]+)", "(\/?[^"]*)"/g));
    expect(called.size).toBeGreaterThanOrEqual(11);
    expect([...called].filter((each) => !SERVED.includes(each))).toEqual([]);
    expect(UNITY).toContain('"/me/events"');
    expect(UNITY).toContain('"/v3/lobbies/"');
  });

  it('sends the headers, and knows the events', () => {
    for (const header of ['api-key', 'x-player-id', 'Last-Event-ID', 'text/event-stream']) {
      expect(UNITY, header).toContain(header);
    }
    // Player ids of any script arrive as they are (decision 48).
    expect(UNITY).toMatch(/"utf-8''" \+ Uri\.EscapeDataString\(playerId\)/);
    const taken = UNITY.slice(UNITY.indexOf('void Take('));
    const known = [...taken.matchAll(/case "([a-z_]+)":/g)].map(([, name = '']) => name);
    // It does not ask for changes.
    const left = new Set(['ping', 'lobby_changed']);
    const told = Object.keys(EVENTS).filter((name) => !left.has(name));
    expect(known.toSorted()).toEqual(told.toSorted());
  });
});

describe('the game server for Unity', () => {
  it('reads what it is told, and asks with its token for seats and of results', () => {
    for (const field of ['custom_data', 'report_url', 'result_url', 'token'] as const) {
      expect(UNITY, field).toContain(field satisfies keyof MusterJson);
    }
    for (const variable of ['MUSTER_CONFIG', 'MUSTER_PORT']) {
      expect(UNITY, variable).toContain(`"${variable}"`);
    }
    expect(UNITY).toContain('Bearer ');
    expect(UNITY).toContain('"seats"');
    expect(SERVED).toContain('POST /servers/:id/seats');
  });
});

describe('the fields that Unity reads and writes', () => {
  it.each([
    ['Lobby', 'Lobby'],
    ['Member', 'Player'],
    ['Port', 'Port'],
    ['Server', 'Server'],
    ['Seat', 'Seat'],
    ['QueueStats', 'QueueStats'],
    ['Matchmaking', 'Matchmaking'],
    ['Ended', 'MatchmakingEnded'],
    ['Problem', 'ErrorBody'],
  ])('%s are fields of %s', (name, schema) => {
    expect(declared(name).length).toBeGreaterThan(0);
    expect(declared(name).filter((field) => !fieldsOf(schema).includes(field))).toEqual([]);
  });

  it.each([
    ['CreateBody', CreateBody],
    ['JoinBody', JoinBody],
    ['StateBody', StateBody],
    ['ModeBody', EnterBody],
    ['SeatBody', SeatBody],
  ])('%s is what the service reads', (name, body) => {
    const values = {
      name: 'den',
      maxPlayers: 2,
      state: { mmr: 7 },
      code: 'MEOW-7K2QXD',
      mode: 'duel',
      ticket: 'eyJh',
    };
    const sent = Object.entries(values).filter(([field]) => declared(name).includes(field));
    expect(sent).toHaveLength(declared(name).length);
    // A field the service does not know would be dropped.
    const read = JSON.stringify(body.parse(Object.fromEntries(sent)));
    const lost = sent.filter(([, value]) => !read.includes(JSON.stringify(value)));
    expect(lost).toEqual([]);
  });
});
