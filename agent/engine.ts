// The program that runs containers: Podman or Docker, whichever is there and works. It is called as a program and
// never through a shell or a socket, so the agent needs no rights beyond those of its own user.

import { execFile } from 'node:child_process';

import { ofEngines } from './confine.ts';
import { programAt } from './command.ts';
import { HERE, lackingContainers } from './platform.ts';
import type { System } from './platform.ts';
import type { AgentSettings } from './settings.ts';
import { BadSpec } from './spec.ts';

const PROGRAMS = ['podman', 'docker'];
/** How long a program may take to answer. A daemon that is being started takes seconds. */
const ANSWER_MS = 30_000;
/** How long a program that does not work is not tried again. */
const REST_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_LINE = 300;

interface EngineAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  /** The last line that it printed as an error. */
  readonly complaint: string;
}

export interface Engine {
  /** The path of the program. Throws BadSpec, with what to do, if there is none that works. */
  program(): Promise<string>;
  /** Calls the program. Throws BadSpec as `program` does. */
  call(...args: readonly string[]): Promise<EngineAnswer>;
}

export function createEngine(
  { containers }: Pick<AgentSettings, 'containers'>,
  system: System = HERE,
): Engine {
  let found: Promise<string> | null = null;

  function program(): Promise<string> {
    found ??= working(containers, system).catch((error: unknown) => {
      setTimeout(() => (found = null), REST_MS).unref();
      throw error;
    });
    return found;
  }

  return { program, call: async (...args) => ask(await program(), args) };
}

/** The first program that answers. `named`: the only one to try, as AGENT_CONTAINERS says. */
async function working(named: string | null, system: System): Promise<string> {
  if (named === '0') {
    throw new BadSpec('AGENT_CONTAINERS=0 lets this agent run no containers');
  }
  const lacking = lackingContainers(system);
  if (lacking !== null) {
    throw new BadSpec(lacking);
  }
  const broken: string[] = [];
  for (const name of named === null ? PROGRAMS : [named]) {
    const path = await programAt(name, process.env['PATH'] ?? '').catch((error: BadSpec) => {
      if (named !== null) {
        throw new BadSpec(`AGENT_CONTAINERS: ${error.message}`);
      }
      return null;
    });
    const { ok, complaint } = path === null ? NOT_THERE : await ask(path, ['ps', '--quiet']);
    if (path !== null && ok) {
      return path;
    }
    if (path !== null) {
      broken.push(`${path} is there but does not work: ${complaint}`);
    }
  }
  throw new BadSpec(
    broken.length > 0
      ? broken.join('; ')
      : 'no program for containers on this machine: install podman or docker, or set AGENT_CONTAINERS to its path',
  );
}

const NOT_THERE: EngineAnswer = { ok: false, stdout: '', complaint: '' };

function ask(path: string, args: readonly string[]): Promise<EngineAnswer> {
  const options = {
    env: ofEngines({ proxies: false }),
    timeout: ANSWER_MS,
    maxBuffer: MAX_ANSWER_BYTES,
  };
  return new Promise((resolve) => {
    execFile(path, args, options, (error, stdout, stderr) => {
      const said = lastLine(stderr);
      const complaint = said === '' && error !== null ? error.message : said;
      resolve({ ok: error === null, stdout, complaint: lastLine(complaint) });
    });
  });
}

/** The last line that has something in it, without what every error begins with. */
export function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^error:\s*/i, '').slice(0, MAX_LINE);
}
