// The service with a count of how often each object was made, at `/made`: an object that slept is
// made anew when it wakes. Objects and Worker share an isolate here, so the count is in memory.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT } from '../../scripts/bundle.ts';

const OBJECTS = ['Lobby', 'Seat', 'Directory', 'Queue', 'Match', 'Server', 'Project'];

function source(): string {
  const classes = OBJECTS.map((kind) => `export class ${kind}Object extends counted('${kind}') {}`);
  return `
import * as all from ${JSON.stringify(join(PROJECT, 'src/worker.ts'))};
const made = {};
const counted = (kind) => class extends all[kind + 'Object'] {
  constructor(ctx, env) {
    super(ctx, env);
    const name = kind + ' ' + ctx.id.name;
    made[name] = (made[name] ?? 0) + 1;
  }
};
${classes.join('\n')}
export default {
  fetch(request, env, context) {
    const isOurs = new URL(request.url).pathname === '/made';
    return isOurs ? Response.json(made) : all.default.fetch(request, env, context);
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
