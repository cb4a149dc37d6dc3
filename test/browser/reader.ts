// Somebody who follows a page: in a clone, where only what the page says is defined, and not as root. A command
// that serves keeps its terminal, and the page goes on in another one in the clone.

import { execFile, spawnSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../agent/ports.ts';
import { blocksOf, missingFrom, type Block } from './page.ts';
import { Terminal, type Surroundings } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const FETCHED = '+refs/heads/*:refs/remotes/origin/*';
/** `npm ci` as it stands takes the network and its time; elsewhere a clone has what is installed here. */
const INSTALLS = process.env['CI'] === 'true';

type Changes = readonly (readonly [from: string, to: string])[];

export interface Visit {
  readonly page: string;
  /** A folder of programs that come before those of this machine. */
  readonly bin?: string;
  /** Text of the page that is another one here. */
  readonly changes?: Changes;
  /** What the reader has in the clone already. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the page takes for granted: Markdown, whose blocks come before its own. */
  readonly before?: string;
  /** The first visit builds for the others, and is the one that installs. */
  readonly isFirst?: boolean;
  /** Done after the last block, while the servers of the page run. */
  readonly atEnd?: (place: Place) => Promise<void>;
}

export interface Place {
  /** The clone. */
  readonly home: string;
  /** Where the terminal stands. */
  readonly folder: string;
  /** Where the reader's own page is served. */
  readonly site: string;
}

export interface Followed {
  readonly blocks: readonly Block[];
  /** How long each block took that was run. */
  readonly seconds: readonly number[];
  /** The block that did something else than the page says, and what; nothing is run after it. */
  readonly fault: string | null;
}

/**
 * A clone of what is committed or tracked here, and clones of that with what has been built there. In an archive that
 * somebody downloaded nothing is tracked, so the clone is of all that is there.
 */
export class Clones {
  readonly folder: string;
  readonly #user = userForPages();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Clones> {
    const clones = new Clones(await mkdtemp(join(tmpdir(), 'muster-pages-')));
    await chmod(clones.folder, 0o755);
    const first = clones.#first;
    if (existsSync(join(ROOT, '.git'))) {
      const tree = (await run('git', ['stash', 'create'], ROOT)).trim();
      await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, first], clones.folder);
      await run('git', ['fetch', '--quiet', 'origin', tree || 'HEAD'], first);
      await run('git', ['checkout', '--quiet', '-B', 'main', 'FETCH_HEAD'], first);
    } else {
      await cp(ROOT, first, { recursive: true, filter: isCopied });
      await run('git', ['init', '--quiet', '--initial-branch=main'], first);
      await run('git', ['add', '--all'], first);
      await commit(first, 'What was downloaded');
      await run('git', ['clean', '-dxq', '--force'], first);
    }
    if (!INSTALLS) {
      await symlink(join(ROOT, 'node_modules'), join(first, 'node_modules'));
    }
    await clones.#publish();
    return clones;
  }

  async end(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Does what the page says, in a folder of its own. */
  async follow(visit: Visit): Promise<Followed> {
    const { page, isFirst = false, changes = [], bin, files = {}, before = '', atEnd } = visit;
    const own = await mkdtemp(join(this.folder, 'reader-'));
    const home = isFirst ? this.#first : await this.#copy(own);
    await mkdir(join(own, 'tmp'));
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(home, name), text);
    }
    const uid = isFirst ? undefined : this.#user;
    if (uid !== undefined) {
      await run('chown', ['-Rh', `${uid}:${uid}`, own], own);
    }
    const [port, site] = [await freePort(), await freePort()];
    const env = environment(own, bin, isFirst && INSTALLS);
    const hand = new Hand(own, { cwd: home, env: { ...env, PORT: String(port) }, uid }, [
      ...changes,
      ...(isFirst && INSTALLS ? [] : [['npm ci', 'true'] as const]),
      ['127.0.0.1:8787', `127.0.0.1:${port}`],
      ['https://muster.example', `http://127.0.0.1:${port}`],
      ['127.0.0.1:8000', `127.0.0.1:${site}`],
      ['http.server 8000', `http.server ${site}`],
      // Where players connect: with an address of another machine, game servers would listen on all.
      ['203.0.113.7', '127.0.0.1'],
    ]);
    const blocks = blocksOf(await readFile(join(home, page), 'utf8'));
    const seconds: number[] = [];
    try {
      for (const block of blocksOf(before)) {
        await hand.does(block);
      }
      for (const block of blocks.filter(({ kind }) => kind !== 'not run')) {
        const begun = performance.now();
        const fault = await hand.does(block);
        if (block.kind !== 'file') {
          seconds.push((performance.now() - begun) / 1_000);
        }
        if (fault !== null) {
          return { blocks, seconds, fault };
        }
      }
      await atEnd?.({ home, folder: hand.folder, site: `http://127.0.0.1:${site}` });
      return { blocks, seconds, fault: null };
    } finally {
      await hand.end();
    }
  }

  /** Lets `git pull` bring a commit more, which has to be built. */
  async #publish(): Promise<void> {
    const upstream = join(this.folder, 'upstream');
    const next = join(this.folder, 'next');
    await run('git', ['clone', '--quiet', '--bare', this.#first, upstream], this.folder);
    await run('git', ['clone', '--quiet', upstream, next], this.folder);
    await appendFile(join(next, 'docs/costs.md'), '\n');
    await commit(next, 'A newer version');
    await run('git', ['push', '--quiet'], next);
    await run('git', ['config', 'remote.origin.url', upstream], this.#first);
    await run('git', ['config', 'remote.origin.fetch', FETCHED], this.#first);
    await run('git', ['config', 'branch.main.remote', 'origin'], this.#first);
    await run('git', ['config', 'branch.main.merge', 'refs/heads/main'], this.#first);
    if (this.#user !== undefined) {
      await run('chown', ['-R', `${this.#user}:${this.#user}`, upstream], this.folder);
    }
  }

  get #first(): string {
    return join(this.folder, 'first');
  }

  /** With what has been built, which is newer than its sources. */
  async #copy(own: string): Promise<string> {
    const home = join(own, 'muster');
    await cp(this.#first, home, { recursive: true, filter: isCopied });
    await symlink(join(this.#first, 'node_modules'), join(home, 'node_modules'));
    const now = new Date();
    // A page that is followed alone builds for itself.
    await utimes(join(home, 'dist/worker.js'), now, now).catch(() => undefined);
    return home;
  }
}

/** Saves and types what the page has, block by block. */
class Hand {
  folder: string;
  readonly #own: string;
  readonly #where: Surroundings;
  readonly #changes: Changes;
  readonly #terminals: Terminal[] = [];
  #terminal: Terminal | null = null;
  #server: Terminal | null = null;

  constructor(own: string, where: Surroundings, changes: Changes) {
    this.folder = where.cwd;
    this.#own = own;
    this.#where = where;
    this.#changes = changes;
  }

  /** Null, or what came instead of what the page says. */
  async does(block: Block): Promise<string | null> {
    if (block.isAfterStop) {
      await this.#server?.close();
    }
    const text = this.#changes.reduce((all, [from, to]) => all.replaceAll(from, to), block.text);
    if (block.kind === 'file') {
      await writeFile(join(this.folder, block.note), text);
      return null;
    }
    const script = join(this.#own, 'block');
    await writeFile(script, text);
    this.#terminal ??= this.#open(block.shell);
    try {
      const { output, folder } = await this.#terminal.run(script, block.serves);
      if (folder === null) {
        [this.#server, this.#terminal] = [this.#terminal, null];
      } else {
        this.folder = folder;
      }
      const missing = missingFrom(output, block.shown).join('\n');
      return missing === '' ? null : `${block.text}\nshould print\n${missing}\nbut not\n${output}`;
    } catch (error) {
      return `${block.text}\n${String(error)}`;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#terminals.map((each) => each.close()));
  }

  #open(shell: 'sh' | 'bash'): Terminal {
    const terminal = new Terminal(shell, this.#where);
    this.#terminals.push(terminal);
    this.folder = this.#where.cwd;
    return terminal;
  }
}

const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', '.muster', 'keys.txt']);

function isCopied(path: string): boolean {
  return !NOT_COPIED.has(basename(path));
}

/** Commits what is tracked, as somebody whose machine knows no name of theirs. */
async function commit(folder: string, title: string): Promise<void> {
  const author = ['-c', 'user.name=upstream', '-c', 'user.email=upstream@muster.example'];
  await run('git', [...author, 'commit', '--quiet', '--all', '--message', title], folder);
}

/** Nobody where we are root, if nobody may run our Node. */
function userForPages(): number | undefined {
  const asNobody = { uid: NOBODY, gid: NOBODY };
  const isRoot = process.getuid?.() === 0;
  return isRoot && spawnSync(process.execPath, ['-v'], asNobody).status === 0 ? NOBODY : undefined;
}

/** What a machine gives to everybody: none of our own variables, and not the Node of our commands. */
function environment(own: string, bin: string | undefined, installs: boolean): NodeJS.ProcessEnv {
  const usual = (process.env['PATH'] ?? '').split(delimiter);
  const folders = [bin, ...usual.filter((each) => !each.includes('node_modules'))];
  return {
    PATH: folders.filter((each) => each !== undefined).join(delimiter),
    HOME: own,
    TMPDIR: join(own, 'tmp'),
    PYTHONUNBUFFERED: '1',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    // The cache of npm is ours: another user may not write there.
    ...(installs
      ? { npm_config_prefer_offline: 'true', npm_config_cache: join(homedir(), '.npm') }
      : { npm_config_offline: 'true' }),
  };
}

async function run(command: string, words: readonly string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(command, [...words], { cwd })).stdout;
}
