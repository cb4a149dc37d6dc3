// The keeper on Windows, where no shell ends a process group: a Node process between us and the program. We talk over Node's
// own channel, which closes with this process however it ends. The keeper then ends the program and all below it.
// A program there is not asked to end. What it started and left behind, when it ends by itself, stays.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

import { endTree } from './platform.ts';

const END = 'end';

export interface WindowsKeeper {
  readonly keeper: ChildProcess;
  /** Starts the program. Resolves with its pid, or with null if it did not start. */
  readonly start: () => Promise<number | null>;
  /** Ends the program, or the keeper if nothing was started. */
  readonly end: () => void;
}

/** A keeper that waits to start the command. */
export function windowsKeeper(
  command: readonly string[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string | undefined },
  output: 'pipe' | 'inherit' | 'ignore' | number,
): WindowsKeeper {
  const file = fileURLToPath(import.meta.url);
  const keeper = spawn(process.execPath, ['--no-warnings', file], {
    env,
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  // The channel may close while something is being sent.
  const send = (word: readonly string[] | typeof END): void => {
    if (keeper.connected) {
      keeper.send(word, () => undefined);
    }
  };
  return {
    keeper,
    start: () => {
      const told = new Promise<number | null>((resolve) => {
        keeper.once('message', (pid) => resolve(typeof pid === 'number' ? pid : null));
        keeper.once('exit', () => resolve(null));
      });
      send(command);
      return told;
    },
    end: () => send(END),
  };
}

function keep(): void {
  let program: ChildProcess | null = null;
  function end(): void {
    if (program?.pid === undefined) {
      process.exit(1);
    }
    endTree(program.pid);
  }
  process.on('disconnect', end);
  process.on('message', (word: readonly string[] | typeof END) => {
    if (word === END) {
      end();
      return;
    }
    const [path = '', ...args] = word;
    const started = spawn(path, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      windowsHide: true,
    });
    program = started;
    started.once('spawn', () => process.send?.(started.pid));
    started.once('error', (error) => {
      console.error(error.message);
      process.exit(127);
    });
    started.once('exit', (code, signal) =>
      process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

if (import.meta.main) {
  keep();
}
