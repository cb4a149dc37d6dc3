// Runs a package's conformance program through the steps of steps.json, and compares.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { act, type Scene, wasSeen } from './acts.ts';
import { CONFIG, Stage } from './stage.ts';
import steps from './steps.json' with { type: 'json' };

interface Step {
  readonly line: string;
  readonly then?: readonly string[];
  readonly seen?: readonly string[];
}

export const SCENARIOS: Readonly<Record<string, readonly Step[]>> = steps;

/** A package's program: `COMMAND… URL KEY CONFIG PLAYER SCENARIO EXTRA`. */
export interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly program: string;
  readonly scenario: string;
  readonly passed: number;
  readonly ms: number;
  /** The step that failed, and what came instead. Null: all passed. */
  readonly failed: { readonly step: string; readonly got: string } | null;
}

const KEY = 'client_dev_key';
/** Three times what the longest step takes on a busy machine. */
const PATIENCE_MS = 80_000;

/** Programs in scenarios that take part at once, besides those that follow: more would make a small machine late. */
const AT_ONCE = 6;

/** Runs all scenarios of all programs. Each outcome stands for one program in one scenario. */
export async function conform(
  programs: readonly Program[],
  scenarios: readonly string[] = Object.keys(SCENARIOS),
): Promise<readonly Outcome[]> {
  const stage = await Stage.open();
  try {
    const pairs = scenarios.flatMap((scenario) =>
      programs.map((each) => [each, scenario] as const),
    );
    const following = pairs.filter(([, scenario]) => scenario === 'follow');
    const others = pairs.filter(([, scenario]) => scenario !== 'follow').values();
    const outcomes: Outcome[] = [];
    const turns = async (): Promise<void> => {
      for (const [program, scenario] of others) {
        outcomes.push(await play(stage, program, scenario));
      }
    };
    const going = Promise.all(Array.from({ length: AT_ONCE }, turns));
    stage.expect(following.length, going);
    const followed = following.map(([program, scenario]) => play(stage, program, scenario));
    outcomes.push(...(await Promise.all(followed)));
    await going;
    return outcomes;
  } finally {
    await stage.close();
  }
}

async function play(stage: Stage, program: Program, scenario: string): Promise<Outcome> {
  const begun = performance.now();
  const player = `${program.name}-${scenario}`;
  const friend = stage.friend(`friend-of-${player}`);
  const line = stage.line(player);
  const config = scenario === 'rematch' ? await stage.ownConfig(player) : CONFIG;
  const scene: Scene = { stage, player, config, friend, line, before: { opened: 0, brought: 0 } };
  const done = new Set<string>();
  let passed = 0;
  let failed: Outcome['failed'] = null;
  let child: ChildProcess | null = null;
  try {
    child = await start(program, scenario, scene);
    const lines = linesOf(child);
    for (const step of SCENARIOS[scenario] ?? []) {
      const got = await lines();
      const missing = step.seen?.find((each) => !wasSeen(scene, each));
      if (masked(got) !== step.line || missing !== undefined) {
        const isLine = masked(got) === step.line;
        failed = { step: step.line, got: isLine ? `not seen: ${missing}` : got };
        break;
      }
      passed += 1;
      scene.before = { opened: line.opened.length, brought: line.brought.length };
      for (const each of step.then ?? []) {
        await act(scene, each);
        done.add(each);
      }
    }
    const rest = failed === null ? await lines() : END;
    failed = rest === END ? failed : { step: 'its end', got: rest };
  } catch (error) {
    failed = { step: 'its start', got: String(error) };
  } finally {
    if (scenario === 'follow' && !done.has('restart')) {
      stage.leave();
    }
    await end(child);
  }
  return { program: program.name, scenario, passed, ms: performance.now() - begun, failed };
}

const END = '(the program ended)';

/** The next line that the program prints; END once it has ended well, and otherwise what it said last. */
function linesOf(child: ChildProcess): () => Promise<string> {
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const exited = new Promise<string>((resolve) => {
    child.once('close', (code) =>
      resolve(code === 0 ? END : `exit ${code}: ${said.join('').slice(-600)}`),
    );
    child.once('error', (error) => resolve(String(error)));
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[
    Symbol.asyncIterator
  ]();
  return async () => {
    const late = AbortSignal.timeout(PATIENCE_MS);
    const silence = new Promise<string>((resolve) => {
      late.addEventListener('abort', () => resolve(`nothing: ${said.join('').slice(-600)}`));
    });
    const next = lines.next().then(({ value, done }) => (done === true ? exited : value));
    return Promise.race([next, silence]);
  };
}

function masked(line: string): string {
  return line.replace(/[\w.-]+:\d+$/, 'HOST:PORT');
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** What the scenario needs before its program starts. */
async function start(program: Program, scenario: string, scene: Scene): Promise<ChildProcess> {
  const { stage, player, config, friend, line } = scene;
  let extra = '';
  let env: Record<string, string> = {};
  if (['follow', 'token', 'poll', 'lost', 'watch'].includes(scenario)) {
    const lobby = await friend.ok('POST', `/lobbies/${CONFIG}`, { name: 'Den', isPrivate: true });
    extra = lobby.code;
    // The friend stays present.
    const stream = await friend.events(CONFIG);
    stream.ended.catch(() => undefined);
  }
  if (scenario === 'poll') {
    line.isMute = true;
  }
  if (scenario === 'calls') {
    line.instead.set(`POST /lobbies/${CONFIG}/quick-join`, {
      status: 401,
      code: 'PLAYER_TOKEN_EXPIRED',
    });
    line.instead.set(`POST /lobbies/${CONFIG}/me/heartbeat`, {
      status: 503,
      code: 'OVERLOADED',
      retryAfter: 1,
    });
    line.instead.set(`DELETE /lobbies/${CONFIG}/me/confirm-match`, 'html');
  }
  if (scenario === 'rematch') {
    await friend.ok('POST', `/lobbies/${config}`, { name: 'Den' });
    await friend.ok('POST', `/lobbies/${config}/me/matchmaking`, { mode: 'duel' });
  }
  if (scenario === 'server') {
    const served = await stage.servedMatch(player, `${player}-other`);
    extra = served.ticket;
    env = { MUSTER_CONFIG: served.config, MUSTER_HOST: '127.0.0.1', MUSTER_PORT: '7777' };
  }
  const [tool = '', ...words] = program.command;
  return spawn(tool, [...words, stage.front.url, KEY, config, player, scenario, extra], {
    cwd: program.folder,
    env: { ...process.env, ...program.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
