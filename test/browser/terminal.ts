// A terminal in which blocks of a page are run one after the other, so that what one defines is there for the next.

import { spawn, type ChildProcess } from 'node:child_process';

const BLOCK_MS = 600_000;
const END_MS = 15_000;
const DONE = '\u0001';
/** Reads the names of files that hold a block each. */
const LOOP = `while read -r block; do . "$block" < /dev/null; printf '\\n${DONE}%s\\n' "$PWD"; done`;

export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Another user than ours, for root. */
  readonly uid: number | undefined;
}

export interface Ran {
  readonly output: string;
  /** The folder in which the terminal stands; null: a server runs in it. */
  readonly folder: string | null;
}

export class Terminal {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #isOpen = true;
  #output = '';

  constructor(shell: 'sh' | 'bash', { uid, ...where }: Surroundings) {
    const user = uid === undefined ? {} : { uid, gid: uid };
    this.#child = spawn(shell, ['-euc', LOOP], { ...where, ...user, detached: true });
    this.#closed = new Promise((resolve) => void this.#child.once('close', resolve)).then(() => {
      this.#isOpen = false;
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
  }

  /** What the script printed until it was done, or had printed what `serves` says. Throws it when that fails. */
  async run(script: string, serves: RegExp | null): Promise<Ran> {
    this.#output = '';
    this.#child.stdin?.write(`${script}\n`);
    const until = serves ?? new RegExp(`\n${DONE}(.*)\n`);
    const end = performance.now() + BLOCK_MS;
    while (this.#isOpen && !until.test(this.#output) && performance.now() < end) {
      await Promise.race([this.#closed, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    const found = until.exec(this.#output);
    if (found === null) {
      throw new Error(`${this.#isOpen ? 'not done in time' : 'failed'}: ${this.#output.trim()}`);
    }
    const [, folder = null] = found;
    return { output: this.#output.slice(0, found.index), folder };
  }

  /** Ctrl-C, for all that runs in it. */
  async close(): Promise<void> {
    this.#tell('SIGINT');
    this.#child.stdin?.end();
    const late = setTimeout(() => this.#tell('SIGKILL'), END_MS);
    await this.#closed;
    clearTimeout(late);
  }

  #tell(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#child.pid ?? 0), signal);
    } catch {
      // Nothing of it runs any more.
    }
  }
}
