// The rooms of a folder stand on each other: a file imports from its own room and from those before it. The order is in the
// design (docs/internals/design.md: Layout).

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');

const ROOMS = {
  http: 'wire isolate identity gate login players operators stream pages serve',
  match: 'ticket expression rules teams waiting journal explain',
  objects:
    'kit contracts caches lobby|seat|directory|queue|match|server|project|players|ratings placement',
};

it.each(Object.entries(ROOMS))(
  'in src/%s each room imports only those before it',
  (folder, order) => {
    const rooms = order.split(' ').map((each) => each.split('|'));
    const files = readdirSync(join(SRC, folder), { recursive: true }).map(String);
    const floorOf = (file: string): number =>
      rooms.findIndex((names) => names.includes(file.split('/')[0] ?? ''));
    const arrows = files
      .filter((file) => file.endsWith('.ts') && file.includes('/'))
      .flatMap((file) => {
        const text = readFileSync(join(SRC, folder, file), 'utf8');
        const paths = text.matchAll(/from '(\.[^']+)'/g);
        return Array.from(paths, ([, path = '']) => {
          return { file, to: relative(join(SRC, folder), join(SRC, folder, file, '..', path)) };
        });
      });
    // Each room of the folder is in the order.
    expect(
      files.filter((file) => file.endsWith('.ts') && file.includes('/') && floorOf(file) < 0),
    ).toEqual([]);
    expect(arrows.length).toBeGreaterThan(100);
    expect(arrows.filter(({ file, to }) => floorOf(to) > floorOf(file))).toEqual([]);
    // Actors of different kinds know each other's contracts alone.
    const areApart = ({ file, to }: (typeof arrows)[number]): boolean =>
      floorOf(to) === floorOf(file) && to.split('/')[0] !== file.split('/')[0];
    expect(arrows.filter(areApart)).toEqual([]);
  },
);
