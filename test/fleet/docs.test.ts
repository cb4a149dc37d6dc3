// The pages on fleets say what is so: their examples are what game servers are told, and the tests that the fault
// table in docs/internals/fleet-faults.md names are there.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { REGIONS } from '../../src/objects/placement/regions';
import { TOLD } from './told.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = (name: string): Promise<string> => readFile(`${root}/docs/${name}.md`, 'utf8');
const told = await page('game-servers');
const agent = await page('local-fleet');
const faults = await page('internals/fleet-faults');

/** JSON blocks by the comment before them. */
function examples(): Readonly<Record<string, unknown>> {
  const blocks = told.matchAll(/<!-- muster\.json: ([^>]+?) -->\s+```json\n([\s\S]*?)```/g);
  return Object.fromEntries(
    [...blocks].map(([, kind = '', json = '']) => [kind, JSON.parse(json)]),
  );
}

describe('the pages on fleets', () => {
  it('have an example of muster.json for each kind, as it is written', () => {
    const said = examples();
    expect(Object.keys(said).toSorted()).toEqual(Object.keys(TOLD).toSorted());
    for (const [kind, launch] of Object.entries(TOLD)) {
      // The rules of the mode are told whole, and shown shortened.
      const shown = said[kind] as { custom_data?: { match_configuration?: unknown } };
      const custom = { ...(launch as { custom_data: object }).custom_data };
      if ('match_configuration' in custom) {
        expect(custom.match_configuration).toMatchObject(
          shown.custom_data?.match_configuration as object,
        );
        custom.match_configuration = shown.custom_data?.match_configuration;
      }
      expect(shown).toEqual({ ...launch, custom_data: custom });
    }
  });

  it('name tests that are there', async () => {
    const named = [...faults.matchAll(/\(test: `([^`]+)`, "([^"]+)"\)/g)];
    expect(named.length).toBeGreaterThan(10);
    for (const [, file = '', title = ''] of named) {
      const source = await readFile(`${root}/${file}`, 'utf8');
      expect(source, `${file} has no test "${title}"`).toContain(title);
    }
  });

  it('name every variable of the agent and of the service\u2019s fleets', async () => {
    const settings = await readFile(`${root}/agent/settings.ts`, 'utf8');
    const variables = [...settings.matchAll(/'(AGENT_[A-Z_]+)'/g)].map(([, name]) => name ?? '');
    expect(variables.length).toBeGreaterThan(10);
    expect(variables.filter((name) => !agent.includes(`\`${name}\``))).toEqual([]);
  });

  it('name every variable of the sample server', async () => {
    const source = await readFile(`${root}/agent/game-server.ts`, 'utf8');
    const variables = [...source.matchAll(/env\['(MUSTER_[A-Z_]+)'\]/g)].map(([, name]) => name);
    expect(variables.length).toBeGreaterThan(4);
    expect(variables.filter((name) => !(agent + told).includes(`\`${name}\``))).toEqual([]);
  });

  it('name every region that has a place', async () => {
    const regions = (await page('fleets')).split('## Regions')[1] ?? '';
    expect(REGIONS.filter((region) => !regions.includes(`\`${region}\``))).toEqual([]);
  });
});
