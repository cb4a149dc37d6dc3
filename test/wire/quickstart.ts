// A page of docs/quickstarts as somebody follows it: its commands and its files, in order, as they
// stand there.

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PAGES = fileURLToPath(new URL('../../docs/quickstarts/', import.meta.url));
/** What every page asks of the reader's machine. */
const SERVICE = 'http://127.0.0.1:8787';
const RUN_MS = 60_000;

export interface Step {
  /** The file to save the block as; null: a command to run. */
  readonly file: string | null;
  readonly text: string;
}

export async function textOf(page: string): Promise<string> {
  return readFile(join(PAGES, `${page}.md`), 'utf8');
}

/** Blocks of the shell, and those whose comment names a file. */
export async function stepsOf(page: string): Promise<readonly Step[]> {
  const text = await textOf(page);
  const blocks = text.matchAll(/(?:<!-- file: (\S+) -->\n\n)?^```(\w+)\n(.*?)^```$/gms);
  return [...blocks]
    .filter(([, file, language]) => file !== undefined || language === 'sh')
    .map(([, file = null, , block = '']) => ({ file, text: block }));
}

/** The block that the page has saved as that file. */
export async function fileOf(page: string, name: string): Promise<string> {
  const found = (await stepsOf(page)).find(({ file }) => file === name);
  if (found === undefined) {
    throw new Error(`${page} has no file ${name}`);
  }
  return found.text;
}

export interface Place {
  readonly folder: string;
  /** The service that stands for the reader's. */
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Does the steps one after another in that folder; answers what they printed, and the folder they
 * end in. Rejects when any command fails.
 */
export async function follow(
  steps: readonly Step[],
  { folder, url, env = {} }: Place,
): Promise<{ readonly stdout: string; readonly folder: string }> {
  const save = ({ file, text }: Step): string =>
    `cat > ${file} <<'END-OF-FILE'\n${text}END-OF-FILE`;
  const lines = steps.map((step) => (step.file === null ? step.text : save(step)));
  const script = [...lines, 'printf "\\nENDED IN %s" "$PWD"'].join('\n').replaceAll(SERVICE, url);
  const surroundings = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false' };
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: { ...surroundings, ...env },
    timeout: RUN_MS,
  });
  const [printed = '', end = ''] = stdout.split('\nENDED IN ');
  return { stdout: printed, folder: end };
}

/** A program of that name that does what the script says: for tools that cannot be had in tests. */
export async function standIn(folder: string, name: string, script: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), `#!/usr/bin/env bash\nset -euo pipefail\n${script}`);
  await chmod(join(bin, name), 0o755);
  return `${bin}:${process.env['PATH'] ?? ''}`;
}
