// The addon of packages/godot passes the steps that all packages pass, in Godot itself; and a line that is broken fails one.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conform, type Program } from '../../packages/conformance/run.ts';
import { needs, pathOf } from '../support/tools.ts';
import { godotProject } from './godot.ts';

const HAS_GODOT = needs('godot');
let folder: string;

async function program(name: string, broken?: readonly [string, string]): Promise<Program> {
  const project = await godotProject(join(folder, name));
  if (broken !== undefined) {
    const path = join(project, 'addons/muster/muster_follower.gd');
    const source = await readFile(path, 'utf8');
    expect(source).toContain(broken[0]);
    await writeFile(path, source.replace(...broken));
  }
  const args = [
    '--headless',
    '--no-header',
    '--path',
    project,
    'res://test/conformance.tscn',
    '--',
  ];
  return { name, command: [pathOf('godot'), ...args], folder: project };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-godot-conformance-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.runIf(HAS_GODOT)('the addon for Godot', () => {
  it('passes every step', async () => {
    const outcomes = await conform([await program('godot')]);
    expect(outcomes.filter(({ failed }) => failed !== null)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(7);
  }, 400_000);

  it('fails a step if it forgets where its stream was', async () => {
    const forgets = await program('forgets', [
      '_last_id = "" if told == null else id',
      '_last_id = ""',
    ]);
    const [outcome] = await conform([forgets], ['follow']);
    expect(outcome?.failed).toMatchObject({ got: 'not seen: resumed' });
  });
});
