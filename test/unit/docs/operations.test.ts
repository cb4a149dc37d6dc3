// docs/monitoring.md names every line the service may log, docs/settings.md every setting of its surroundings.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const source = readdirSync(join(ROOT, 'src'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  .join('\n');

/** `a_b` in backticks in the first cell of a row. */
function listedIn(page: string): readonly (string | undefined)[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
}

describe('docs/monitoring.md', () => {
  it('tells what each line of the log means', () => {
    const lines = source
      .split('\n')
      .filter((line) => /\blog(?:Event)?\(|const event = /.test(line));
    const logged = lines.flatMap((line) =>
      [...line.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map(([, event]) => event),
    );
    expect(logged).toContain('request_failed');
    expect(logged).toContain('launch_failed');
    expect(logged.length).toBeGreaterThan(10);
    const listed = listedIn('monitoring.md');
    expect(logged.filter((event) => !listed.includes(event))).toEqual([]);
  });
});

describe('docs/settings.md', () => {
  it('tells each setting', () => {
    const settings = [/interface Env .*?\{(.*?)\n\}/s, /interface FleetSettings \{(.*?)\n\}/s];
    const named = settings
      .map((pattern) => pattern.exec(source)?.[1] ?? '')
      .flatMap((fields) => [...fields.matchAll(/readonly ([A-Z_]+)\?: string/g)])
      .map(([, name]) => name);
    expect(named.length).toBeGreaterThan(6);
    // Only the program that starts the service sets these.
    const own = ['DEV_KEY_SHA256', 'STARTER_KEY'];
    const told = named.filter((name) => !own.includes(name ?? ''));
    const listed = listedIn('settings.md');
    expect(told.filter((name) => !listed.includes(name))).toEqual([]);
  });
});
