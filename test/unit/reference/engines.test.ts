// The examples for Unity and Godot, which nothing here can run: their calls, headers, events and
// fields are those of the API.

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

function sourceOf(folder: string): string {
  const at = fileURLToPath(new URL(`../../../examples/${folder}/`, import.meta.url).href);
  const files = readdirSync(at).filter((name) => /\.(?:cs|gd)$/.test(name));
  return files.map((name) => readFileSync(`${at}${name}`, 'utf8')).join('\n');
}

const UNITY = sourceOf('unity');
const GODOT = sourceOf('godot');
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

describe.each([
  ['Unity', UNITY, /(?:Send|Request)\("([A-Z]+)", "(\/?[^"]*)"/g, /case "([a-z_]+)":/g],
  ['Godot', GODOT, /METHOD_([A-Z]+), "(\/?[^"]*)"/g, /^\t\t"([a-z_]+)":$/gm],
])('the example for %s', (engine, source, call, event) => {
  it('calls what is served', () => {
    const called = new Set(calls(source, call));
    expect(called.size).toBeGreaterThanOrEqual(11);
    expect([...called].filter((each) => !SERVED.includes(each))).toEqual([]);
    expect(source).toContain('"/me/events"');
    expect(source).toContain('"/v3/lobbies/"');
  });

  it('sends the headers, and knows the events', () => {
    for (const header of ['api-key', 'x-player-id', 'Last-Event-ID', 'text/event-stream']) {
      expect(source, header).toContain(header);
    }
    // Player ids of any script arrive as they are (decision 48).
    expect(source).toMatch(
      /"utf-8''" \+ (?:Uri\.EscapeDataString\(playerId\)|player_id\.uri_encode\(\))/,
    );
    const taken = source.slice(source.indexOf(engine === 'Unity' ? 'void Take(' : 'func _take('));
    const known = [...taken.matchAll(event)].map(([, name = '']) => name);
    // Neither asks for changes, and both open a stream again within half a second of its end.
    const left = new Set(['ping', 'lobby_changed', 'moved']);
    const told = Object.keys(EVENTS).filter((name) => !left.has(name));
    expect(known.toSorted()).toEqual(told.toSorted());
  });
});

describe.each([
  ['Unity', UNITY],
  ['Godot', GODOT],
])('the game server for %s', (_, source) => {
  it('reads what it is told, and asks with its token for seats and of results', () => {
    for (const field of ['custom_data', 'report_url', 'result_url', 'token'] as const) {
      expect(source, field).toContain(field satisfies keyof MusterJson);
    }
    for (const variable of ['MUSTER_CONFIG', 'MUSTER_PORT']) {
      expect(source, variable).toContain(`"${variable}"`);
    }
    expect(source).toContain('Bearer ');
    expect(source).toContain('"seats"');
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
