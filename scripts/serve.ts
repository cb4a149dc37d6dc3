// `npm run serve`: the production bundle under plain workerd on a studio's own box. It is like a deployment with
// its storage on this disk: it only accepts real keys, and none that everybody knows.
//   PORT (8787), HOST (127.0.0.1), MUSTER_DATA (.muster)
//   API_KEYS      required: `npm run keys` mints a pair and prints the line
//   FLEET         `local` without FLEET_URL: an agent is started here too, and agent/settings.ts
//                 says what it reads; else passed on with all FLEET_*; absent: no servers
//   FLEETS        several fleets (docs/fleets.md); FLEET_CA: a PEM file of a CA to trust
//   CLUSTER, CLUSTER_*, AWS_*  several machines and a bucket (docs/several-machines.md)
//   ALLOWED_HOSTS, CORS_ORIGINS, GAME_LIMIT_SECONDS, ICE_*, ID_KEY, JOURNAL_HOURS, METRICS_KEY,
//   OPERATOR_ORIGINS, OTLP_*, PUBLIC_URL: passed on

import { resolve } from 'node:path';

import { isJson, log } from '../agent/log.ts';
import { clusterOf } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { setAside } from './database.ts';
import { commandLine, given } from './flags.ts';
import { keyProblem } from './keys.ts';
import { checkAgentSettings } from './local-agent.ts';
import { startPart } from './part.ts';
import { startService } from './service.ts';
import { startAll } from './start.ts';
import { clockSetBack } from './watches.ts';
import { endWhenTold, passedOn, portOf, SERVICE_SETTINGS } from './until-told.ts';

interface Serving {
  readonly url: string;
  readonly fleet: string;
  stop(): Promise<void>;
}

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cluster: Cluster | undefined;
  /** Aborts when we are told to end. */
  readonly told: AbortSignal;
}

const USAGE = `API_KEYS is not set, and this service takes no keys that everybody knows.
Mint a pair with \`npm run keys\`: it prints the keys once, and the value of API_KEYS, which holds
only their digests. Then: API_KEYS='[...]' npm run serve`;

async function serve(options: ServeOptions): Promise<Serving> {
  const { env } = options;
  const common = { ...options, isDev: false, output: 'inherit', restarts: true } as const;
  const here = env['FLEET'] === 'local' && env['FLEETS'] === undefined;
  if (here && env['FLEET_URL'] === undefined) {
    const all = await startAll(common);
    return { url: all.url, fleet: `local, agent ${all.agentUrl}`, stop: () => all.stop() };
  }
  const { port, host } = options;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${reachable}:${port}`;
  const service = await startPart({
    name: 'service',
    restarts: true,
    ails: clockSetBack(),
    launch: () => startService({ ...common, env: { PUBLIC_URL: url, ...env } }),
  });
  const none = 'none: every launch is refused (FLEET=local starts servers here)';
  const fleet = env['FLEETS'] === undefined ? (env['FLEET'] ?? none) : 'those of FLEETS';
  return { url, fleet, stop: () => service.stop() };
}

async function main(): Promise<void> {
  const { flags } = commandLine({
    command: 'npm run serve --',
    about: 'Serves your own players from this machine. Settings are variables: docs/settings.md.',
    flags: { new: given('begin again with an empty database; the one that is there is set aside') },
  });
  checkAgentSettings(process.env);
  const cluster = clusterOf(process.env) ?? undefined;
  if (flags.new && cluster !== undefined) {
    throw new Error(
      `--new begins on this disk, and the data is in ${cluster.bucket}. With CLUSTER, take another prefix`,
    );
  }
  const begun = performance.now();
  const fleetNames = Object.keys(process.env).filter((name) => /^FLEETS?(_|$)/.test(name));
  const env = passedOn([...SERVICE_SETTINGS, ...fleetNames]);
  const keys = env['API_KEYS'] ?? '';
  const problem = keys.trim() === '' ? USAGE : keyProblem(keys);
  if (problem !== null) {
    console.error(`serve: ${problem}`);
    process.exit(1);
  }
  const port = portOf(process.env);
  const host = process.env['HOST'] ?? '127.0.0.1';
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  if (flags.new) {
    await setAside(dataDir);
  }
  const { url, fleet } = await endWhenTold((told) =>
    serve({ port, host, dataDir, env, cluster, told }),
  );
  const serving = `serving after ${Math.round(performance.now() - begun)} ms`;
  if (isJson) {
    log('muster', 'info', 'serving', { message: serving, url, fleet, dataDir });
    return;
  }
  console.log(`
muster: ${serving}
  service   ${url}
  fleet     ${fleet}
  keys      those of API_KEYS
  data      ${cluster === undefined ? dataDir : `${cluster.bucket} (experimental), copied to ${dataDir}`}
  stop      Ctrl-C; the data stays
`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`serve: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
