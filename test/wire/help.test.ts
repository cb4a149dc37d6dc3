// Every command of package.json that is ours says what it does with `--help`, and answers a flag that it does not
// know in one line. Both before it does anything.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Commands that run somebody else's program, which has its own help. */
const FOREIGN = /^(?:\w+=\S+ \S+ \S+ \S+ && exec )?(wrangler|oxfmt|oxlint|tsc|knip|npm run) /;
/** Hands what it does not know to vitest. */
const HANDS_ON = ['test', 'test:all'];

const OURS = Object.entries(manifest.scripts)
  .filter(([, line]) => !FOREIGN.test(`${line} `))
  .map(([name]) => name);

/** Each is a process or two, and most are told apart only by their flags. One of each kind is asked. */
const STARTED = ['start', 'sim', 'configs', 'test'];

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As npm runs it, which itself takes longer than most commands. */
function run(name: string, ...words: readonly string[]): Promise<Ran> {
  const args = ['-c', `${manifest.scripts[name]} "$@"`, name, ...words];
  const env = { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env['PATH']}` };
  return new Promise((resolve) => {
    execFile('sh', args, { cwd: ROOT, env, timeout: 150_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

describe('a command', () => {
  it('is one of ours or of somebody else', () => {
    expect(OURS).toEqual(expect.arrayContaining(['start', 'serve', 'keys', 'sim', 'bench:match']));
  });

  it.each(OURS)('%s says what to do where Node cannot run it', (name) => {
    expect(manifest.scripts[name]).toMatch(/^(?:exec )?node -r \.\/scripts\/needs\.cjs /);
  });

  it.each(STARTED)('%s helps', async (name) => {
    const { code, stdout, stderr } = await run(name, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toContain(name.replace(/:all$/, ''));
    expect(lines.at(-1)).toMatch(/^ {2}--help/);
  });

  it.each(STARTED.filter((name) => !HANDS_ON.includes(name)))(
    '%s names a flag that it does not know',
    async (name) => {
      const { code, stdout, stderr } = await run(name, '--no-such-flag');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).toContain('--no-such-flag');
    },
  );
});
