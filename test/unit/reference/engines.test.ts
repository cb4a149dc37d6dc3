// The example for Godot, which nothing here can run: its calls, headers, events and fields are those of the API.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../../dashboard/description/event-list';
import type { MusterJson } from '../../../packages/js/src/game-server-types.ts';
import { ROUTES } from '../../../src/http/serve/routes';

function sourceOf(folder: string): string {
  const at = fileURLToPath(new URL(`../../../examples/${folder}/`, import.meta.url).href);
  const files = readdirSync(at).filter((name) => name.endsWith('.gd'));
  return files.map((name) => readFileSync(`${at}${name}`, 'utf8')).join('\n');
}

const GODOT = sourceOf('godot');
const SERVED = ROUTES.map(({ method, path }) => `${method} ${path}`);

/** `METHOD path` below the config, from a pattern with a group for each. */
function calls(source: string, pattern: RegExp): readonly string[] {
  const found = [...source.matchAll(pattern)];
  return found.map(([, method, path]) => `${method} /lobbies/:config${path}`);
}

describe('the example for Godot', () => {
  const [source, call, event] = [GODOT, /METHOD_([A-Z]+), "(\/?[^"]*)"/g, /^\t\t"([a-z_]+)":$/gm];
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
    expect(source).toContain(`"utf-8''" + player_id.uri_encode()`);
    const taken = source.slice(source.indexOf('func _take('));
    const known = [...taken.matchAll(event)].map(([, name = '']) => name);
    // It does not ask for changes.
    const left = new Set(['ping', 'lobby_changed']);
    const told = Object.keys(EVENTS).filter((name) => !left.has(name));
    expect(known.toSorted()).toEqual(told.toSorted());
  });
});

describe('the game server for Godot', () => {
  it('reads what it is told, and asks with its token for seats and of results', () => {
    for (const field of ['custom_data', 'report_url', 'result_url', 'token'] as const) {
      expect(GODOT, field).toContain(field satisfies keyof MusterJson);
    }
    for (const variable of ['MUSTER_CONFIG', 'MUSTER_PORT']) {
      expect(GODOT, variable).toContain(`"${variable}"`);
    }
    expect(GODOT).toContain('Bearer ');
    expect(GODOT).toContain('"seats"');
    expect(SERVED).toContain('POST /servers/:id/seats');
  });
});
