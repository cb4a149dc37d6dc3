// The service with a count of how often each object was made, at `/made`: an object that slept is
// made anew when it wakes; and at `/woken` when something came to each: a call, an alarm, the end of
// a line. Objects and Worker share an isolate here, so the counts are in memory.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT } from '../../scripts/bundle.ts';

const OBJECTS = [
  'Lobby',
  'Seat',
  'Directory',
  'Queue',
  'Match',
  'Server',
  'Project',
  'Players',
  'Ratings',
];

function source(): string {
  const classes = OBJECTS.map((kind) => `export class ${kind}Object extends counted('${kind}') {}`);
  return `
import * as all from ${JSON.stringify(join(PROJECT, 'src/worker.ts'))};
const made = {};
const woken = {};
const counted = (kind) => {
  const Base = all[kind + 'Object'];
  class Counted extends Base {
    constructor(ctx, env) {
      super(ctx, env);
      const name = kind + ' ' + ctx.id.name;
      made[name] = (made[name] ?? 0) + 1;
    }
  }
  // The class of a kind, and the one below it that has the methods.
  for (const of of [Base.prototype, Object.getPrototypeOf(Base.prototype)]) {
    for (const method of Object.getOwnPropertyNames(of).filter((name) => name !== 'constructor')) {
      Counted.prototype[method] = function value(...args) {
        (woken[kind + ' ' + this.ctx.id.name] ??= []).push([Date.now(), method]);
        return Base.prototype[method].apply(this, args);
      };
    }
  }
  return Counted;
};
${classes.join('\n')}
export default {
  fetch(request, env, context) {
    const ours = { '/made': made, '/woken': woken }[new URL(request.url).pathname];
    return ours ? Response.json(ours) : all.default.fetch(request, env, context);
  },
};
`;
}

/** Makes the bundle in that folder; answers its path. */
export async function countedWorker(folder: string): Promise<string> {
  const entry = join(folder, 'counted.js');
  const outfile = join(folder, 'worker.js');
  await writeFile(entry, source());
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers', 'node:*'],
    absWorkingDir: PROJECT,
    logLevel: 'error',
  });
  return outfile;
}
