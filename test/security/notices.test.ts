// Whoever is handed a bundle is handed the licences of what is in it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle, PROJECT } from '../../scripts/bundle.ts';
import { packagesIn } from '../../scripts/notices.ts';

/** What the programs around the Worker import, from node_modules with its licences. */
const AROUND: ReadonlySet<string> = new Set(['smol-toml', 'workerd', 'workerd-cluster']);

describe('the notices', () => {
  it('name every package the deployed Worker holds, with its licence', async () => {
    const worker = await bundle();
    const { sources } = JSON.parse(await readFile(`${worker}.map`, 'utf8')) as {
      sources: string[];
    };
    const notices = await readFile(join(PROJECT, 'dist/site/notices.txt'), 'utf8');
    // The map of one package points beside itself, to a folder `src`.
    const held = packagesIn(sources).filter((name) => name !== 'src');
    expect(held).toEqual(expect.arrayContaining(['zod', '@marcbachmann/cel-js']));
    const { dependencies } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const inside = Object.keys(dependencies).filter((name) => !AROUND.has(name));
    for (const name of [...held, ...inside, 'preact']) {
      const folder = join(PROJECT, 'node_modules', name);
      const file = (await readdir(folder)).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
      const licence = (await readFile(join(folder, file ?? 'LICENSE'), 'utf8')).trim();
      expect(notices, name).toContain(`${name} `);
      expect(licence.length, name).toBeGreaterThan(100);
      expect(notices, name).toContain(licence);
    }
  });
});
