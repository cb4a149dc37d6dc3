// Plays real dedicated servers, as far as they are installed here: each file of examples/servers is a build. docs/real-servers.md
// says what was found. `npm run servers -- teeworlds bzflag` plays these, and `--mixed 200` many of all kinds at once.

import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, number } from './flags.ts';
import { playMixed } from './servers/mixed.ts';
import { lastWords, playServer, serverFiles } from './servers/play.ts';
import { startAll } from './start.ts';

const { flags, words } = commandLine({
  command: 'npm run servers --',
  about: 'Plays real dedicated servers that are installed on this machine (docs/real-servers.md).',
  flags: {
    mixed: number(0, 'so many launches of all kinds at once, instead of one after the other'),
  },
  words: {
    name: 'NAME',
    says: 'of files in examples/servers; all of them by default',
    least: 0,
    most: 99,
  },
});
const all = await serverFiles();
const names = words.length > 0 ? words : [...all.keys()];
const dataDir = await mkdtemp(join(tmpdir(), 'muster-servers-'));
await chmod(dataDir, 0o755);
// Some refuse to run as root.
const isRoot = process.getuid?.() === 0;
const agentEnv = {
  AGENT_PORTS: '23000-23999',
  ...(isRoot && { AGENT_USER: 'nobody', AGENT_RUN: join(dataDir, 'run') }),
};
const running = await startAll({ port: 0, dataDir: join(dataDir, 'data'), agentEnv });
const installed = names.flatMap((name) => {
  const build = all.get(name);
  if (build === undefined) {
    throw new Error(`there is no examples/servers/${name}.json`);
  }
  const isHere = existsSync(build.launch.command);
  if (!isHere) {
    console.log(`${name}: ${build.launch.command} is not installed`);
  }
  return isHere ? [[name, build] as const] : [];
});
let failed = 0;
try {
  if (flags.mixed > 0) {
    failed = await playMixed(running, installed, flags.mixed);
  } else {
    for (const [name, build] of installed) {
      const seen = await playServer(running, name, build).catch(async (error: unknown) => {
        failed += 1;
        const why = await lastWords(running, name);
        return `FAILED: ${error instanceof Error ? error.message : String(error)}\n${why}`;
      });
      console.log(`${name}: ${seen}`);
    }
  }
} finally {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = failed === 0 ? 0 : 1;
