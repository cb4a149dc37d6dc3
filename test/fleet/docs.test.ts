// docs/fleets.md says what is so: its examples are what game servers are told, and the tests that the
// fault table in docs/internals/fleet-faults.md names are there.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { REGIONS } from '../../src/objects/placement/regions';
import { TOLD } from './told.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = await readFile(`${root}/docs/fleets.md`, 'utf8');
const faults = await readFile(`${root}/docs/internals/fleet-faults.md`, 'utf8');

/** JSON blocks by the comment before them. */
function examples(): Readonly<Record<string, unknown>> {
  const blocks = text.matchAll(/<!-- muster\.json: ([^>]+?) -->\s+```json\n([\s\S]*?)```/g);
  return Object.fromEntries(
    [...blocks].map(([, kind = '', json = '']) => [kind, JSON.parse(json)]),
  );
}

describe('docs/fleets.md', () => {
  it('has an example of muster.json for each kind, as it is written', () => {
    const said = examples();
    expect(Object.keys(said).toSorted()).toEqual(Object.keys(TOLD).toSorted());
    for (const [kind, told] of Object.entries(TOLD)) {
      // The rules of the mode are told whole, and shown shortened.
      const shown = said[kind] as { custom_data?: { match_configuration?: unknown } };
      const custom = { ...(told as { custom_data: object }).custom_data };
      if ('match_configuration' in custom) {
        expect(custom.match_configuration).toMatchObject(
          shown.custom_data?.match_configuration as object,
        );
        custom.match_configuration = shown.custom_data?.match_configuration;
      }
      expect(shown).toEqual({ ...told, custom_data: custom });
    }
  });

  it('names tests that are there', async () => {
    const named = [...faults.matchAll(/\(test: `([^`]+)`, "([^"]+)"\)/g)];
    expect(named.length).toBeGreaterThan(10);
    for (const [, file = '', title = ''] of named) {
      const source = await readFile(`${root}/${file}`, 'utf8');
      expect(source, `${file} has no test "${title}"`).toContain(title);
    }
  });

  it('names every variable of the agent and of the service\u2019s fleets', async () => {
    const settings = await readFile(`${root}/agent/settings.ts`, 'utf8');
    const variables = [...settings.matchAll(/'(AGENT_[A-Z_]+)'/g)].map(([, name]) => name ?? '');
    expect(variables.length).toBeGreaterThan(10);
    expect(variables.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every variable of the sample server', async () => {
    const source = await readFile(`${root}/agent/game-server.ts`, 'utf8');
    const variables = [...source.matchAll(/env\['(MUSTER_[A-Z_]+)'\]/g)].map(([, name]) => name);
    expect(variables.length).toBeGreaterThan(4);
    expect(variables.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every region that has a place', () => {
    const told = text.slice(text.indexOf('## Regions'));
    expect(REGIONS.filter((region) => !told.includes(`\`${region}\``))).toEqual([]);
  });
});
