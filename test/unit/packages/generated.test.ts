// The types and calls of the packages for other languages: what is committed is what the description gives today.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../../dashboard/description/event-list';
import { openApi } from '../../../dashboard/description/openapi';
import type { OpenApi } from '../../../dashboard/description/document';
import { filesOf } from '../../../packages/generate/files.ts';
import { forGames, modelOf } from '../../../packages/generate/model.ts';

const PACKAGES = join(import.meta.dirname, '../../../packages');
const described = JSON.parse(JSON.stringify(openApi())) as OpenApi;
const model = modelOf(described);

/** Lines of code of a file of the generator, without comments. */
function linesOf(file: string): number {
  const text = readFileSync(join(PACKAGES, 'generate', file), 'utf8');
  return text.split('\n').filter((line) => !/^\s*(\/\/|\/\*\*|\*|$)/.test(line)).length;
}

describe('what is generated', () => {
  it.each(Object.entries(filesOf(described)))('is committed as packages/%s', (path, text) => {
    const committed = readFileSync(join(PACKAGES, path), 'utf8');
    expect(committed === text, 'run `npm run generate`').toBe(true);
  });

  it('changes with the description', () => {
    const [path, item] = Object.entries(described.paths)[0] ?? ['', {}];
    const more = { ...described, paths: { ...described.paths, [`${path}/more`]: item } };
    const [before, after] = [filesOf(described), filesOf(more)];
    expect(Object.keys(after).filter((file) => after[file] === before[file])).toEqual([]);
  });

  it('has a function for each endpoint, and every code, event and type', () => {
    expect(model.endpoints.length).toBe(
      Object.values(described.paths).flatMap((item) =>
        Object.keys(item).filter((key) => key !== 'servers'),
      ).length,
    );
    const { ErrorBody } = described.components.schemas;
    const codes = JSON.stringify(ErrorBody);
    expect(
      model.errors.filter(({ code, status }) => status < 400 || !codes.includes(code)),
    ).toEqual([]);
    expect(model.errors.length).toBeGreaterThan(40);
    expect(model.events.map(({ name }) => name).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  it('takes any value where the service takes more than one kind: quick join by numbers too', () => {
    const body = model.structs.find(({ name }) => name === 'QuickJoinBody');
    const where = body?.fields.find(({ name }) => name === 'where');
    expect(where?.shape).toEqual({ kind: 'map', of: { kind: 'any' } });
  });

  it('leaves out of games what only operators may call', () => {
    const games = forGames(model);
    const ids = games.endpoints.map(({ id }) => id);
    expect(ids).toContain('createLobby');
    expect(ids).toContain('readSeat');
    expect(ids).not.toContain('saveBuild');
    const names = new Set(games.structs.map(({ name }) => name));
    expect(names.has('Lobby')).toBe(true);
    expect(names.has('ProjectSettings')).toBe(false);
  });

  it('stays small: 350 lines for all languages, and 150 for each', () => {
    const files = readdirSync(join(PACKAGES, 'generate')).filter((name) => name.endsWith('.ts'));
    const shared = ['files.ts', 'main.ts', 'merge.ts', 'model.ts', 'words.ts'];
    expect(shared.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(350);
    const large = files.filter((file) => !shared.includes(file) && linesOf(file) > 150);
    expect(large).toEqual([]);
  });
});
