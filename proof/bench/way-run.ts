// The way of a 1v1 through the code: which files and functions of `src` a box runs from the first player's request to
// queue until both players have seen `in_game`. Each function of the bundle is made to note that it ran, and the bundle
// runs under workerd, whose inspector reads the notes. A function counts once, and each closure within it that was called
// counts too. Timers and streams run meanwhile, so only what all of several pairs ran counts.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseAst } from 'vitest/node';

import { freePort } from '../../agent/ports.ts';
import { bundle } from '../../scripts/bundle.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { measurePair } from './latency/pair.ts';
import { saveBenchConfig } from './latency/trial.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
}

/** All functions of a program. */
function* functionsIn(node: unknown): Generator<Node & { readonly body: Node }> {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  const { type = '', body } = node as Partial<Node>;
  if (/Function/.test(type) && body !== undefined) {
    yield node as Node & { readonly body: Node };
  }
  for (const child of Object.values(node)) {
    yield* functionsIn(child);
  }
}

interface Place {
  readonly offset: number;
  readonly isArrow: boolean;
}

/** The code, with a note at the beginning of each function: its index among the `places`. */
function noting(code: string): { readonly code: string; readonly places: readonly Place[] } {
  const places: Place[] = [];
  const inserts: (readonly [at: number, text: string])[] = [];
  for (const { type, body } of functionsIn(parseAst(code))) {
    const { start, end } = body;
    const note = `globalThis.ran[${places.length}]=1`;
    places.push({ offset: start, isArrow: type === 'ArrowFunctionExpression' });
    if (body.type === 'BlockStatement') {
      inserts.push([start + 1, `${note};`]);
    } else {
      inserts.push([start, `(${note},`], [end, ')']);
    }
  }
  const parts: string[] = [];
  let from = 0;
  for (const [at, text] of inserts.toSorted((a, b) => a[0] - b[0])) {
    parts.push(code.slice(from, at), text);
    from = at;
  }
  return { code: `globalThis.ran=[];${parts.join('')}${code.slice(from)}`, places };
}

interface Heard {
  readonly id?: number;
  readonly params?: { readonly context?: { readonly id: number } };
  readonly result?: { readonly result: { readonly value: string } };
}

const TAKEN = `(() => {
  const done = JSON.stringify(Object.keys(globalThis.ran));
  globalThis.ran.length = 0;
  return done;
})()`;

/** Asks the inspector of the one isolate for what ran since it was asked last. */
async function notes(port: number): Promise<() => Promise<ReadonlySet<number>>> {
  const found = await fetch(`http://127.0.0.1:${port}/json`);
  const [target] = (await found.json()) as { readonly webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  const heard = <T>(pick: (heard: Heard) => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const hear = ({ data }: MessageEvent): void => {
        const picked = pick(JSON.parse(String(data)) as Heard);
        if (picked !== undefined) {
          socket.removeEventListener('message', hear);
          resolve(picked);
        }
      };
      socket.addEventListener('message', hear);
    });
  const say = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ id, method, params }));
  await new Promise((opened) => socket.addEventListener('open', opened));
  const context = heard(({ params }) => params?.context?.id);
  say(0, 'Runtime.enable', {});
  const params = { expression: TAKEN, contextId: await context };
  let last = 0;
  return async () => {
    last += 1;
    const id = last;
    const answer = heard((each) => (each.id === id ? each.result?.result.value : undefined));
    say(id, 'Runtime.evaluate', params);
    return new Set((JSON.parse(await answer) as string[]).map(Number));
  };
}

async function runPairs(code: string, pairs: number): Promise<ReadonlySet<number>> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-way-'));
  const worker = join(folder, 'worker.js');
  await writeFile(worker, code);
  const inspector = await freePort();
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  const dataDir = join(folder, 'data');
  const service = await startService({ port: 0, dataDir, devKeys: true, env, worker, inspector });
  try {
    const ran = await notes(inspector);
    await saveBenchConfig(service);
    const target = new Target(service.url, 'client_dev_key');
    await measurePair(target, 'warm');
    const ways: ReadonlySet<number>[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      await measurePair(target, `pair${pair}`, {
        begins: ran,
        ends: async () => ways.push(await ran()),
      });
    }
    return ways.reduce((all, way) => all.intersection(way));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Ran {
  /** Where the body of the function begins. */
  readonly line: number;
  readonly isArrow: boolean;
}

/** The functions of `src` that each of so many pairs ran from enter to in_game, by their files. */
export async function wayOfPairs(pairs: number): Promise<ReadonlyMap<string, readonly Ran[]>> {
  const worker = await bundle();
  const code = await readFile(worker, 'utf8');
  const noted = noting(code);
  const run = await runPairs(noted.code, pairs);
  const map = new SourceMap(
    JSON.parse(await readFile(`${worker}.map`, 'utf8')) as SourceMapPayload,
  );
  const lines = [0];
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) {
    lines.push(at + 1);
  }
  const files = new Map<string, Ran[]>();
  for (const index of run) {
    const { offset, isArrow } = noted.places[index] ?? { offset: 0, isArrow: false };
    const line = lines.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (lines[line] ?? 0));
    if ('originalSource' in entry) {
      // The bundle was made in a folder below this one.
      const file = entry.originalSource.replace(/^(\.\.\/)+/, '');
      files.set(file, [...(files.get(file) ?? []), { line: entry.originalLine + 1, isArrow }]);
    }
  }
  return new Map(
    [...files].filter(([file]) => file.startsWith('src/')).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
