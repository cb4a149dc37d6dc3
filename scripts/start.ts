// `npm start`: the service and the agent of its local fleet, as one program to stop.
// State stays in the data folder. `startAll` is the same for the demo and for tests.
//   PORT (8787), HOST (127.0.0.1), MUSTER_DATA (.muster), and for the service
//   ALLOWED_HOSTS, API_KEYS, CORS_ORIGINS, GAME_LIMIT_SECONDS, OPERATOR_ORIGINS, OTLP_*, PUBLIC_URL;
//   for the agent all of agent/settings.ts.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { freePort } from '../agent/ports.ts';
import { bundle, PROJECT } from './bundle.ts';
import { devKeys, networkKeys } from './dev-keys.ts';
import { setAside } from './database.ts';
import { commandLine, given } from './flags.ts';
import { keyProblem } from './keys.ts';
import { checkAgentSettings, startAgent } from './local-agent.ts';
import { keptSecret } from './kept-secret.ts';
import { addressesOf, isLoopback } from './network.ts';
import { startPart } from './part.ts';
import type { Part } from './part.ts';
import { readyBlock, type Reached } from './ready-block.ts';
import { noteFresh, seed } from './seed.ts';
import { startService } from './service.ts';
import type { Placement } from './service.ts';
import { clockSetBack, noAnswer } from './watches.ts';
import { endWhenTold, passedOn, portOf, SERVICE_SETTINGS } from './until-told.ts';

export interface StartOptions {
  /** 0: a free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly host?: string;
  /** Further text bindings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * For developers. On a loopback address the development keys are accepted, on any other address keys that are
   * kept in the data folder; and the sample server runs for builds that name no program. True unless told
   * otherwise.
   */
  readonly isDev?: boolean;
  /** Further settings of the agent. */
  readonly agentEnv?: Readonly<Record<string, string>>;
  readonly output?: 'inherit' | 'file';
  /** Whether the service and the agent are restarted after a crash. */
  readonly restarts?: boolean;
  /** Folder with wrangler.toml. */
  readonly root?: string;
  /** The bundle. Absent: it is made. */
  readonly worker?: string;
  /** `box` unless told otherwise. */
  readonly placement?: Placement;
  /** Starts the service in another way. */
  readonly launch?: typeof startService;
}

export interface Running extends Reached {
  /** Bearer secret of the agent. */
  readonly agentSecret: string;
  readonly service: Part;
  readonly agent: Part;
  /** Stops the agent first, so that the service learns how its servers ended. */
  stop(): Promise<void>;
}

/** Starts everything. Resolves when requests are accepted. If it throws, it leaves nothing running. */
export async function startAll(options: StartOptions): Promise<Running> {
  const { root = PROJECT, output = 'file', restarts = false, host = '127.0.0.1' } = options;
  const { placement = 'box', launch = startService } = options;
  const dataDir = resolve(options.dataDir);
  const worker = options.worker ?? (await bundle({ root }));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const secret = options.env?.['FLEET_SECRET'] ?? (await keptSecret(join(dataDir, 'fleet-secret')));
  const port = options.port === 0 ? await freePort() : options.port;
  const agentPort = await freePort();
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  const agentUrl = `http://127.0.0.1:${agentPort}`;
  const { isDev = true } = options;
  const keys = await keysOf(options, dataDir);
  const env = {
    FLEET: 'local',
    FLEET_URL: agentUrl,
    PUBLIC_URL: url,
    ...options.env,
    ...keys.env,
    FLEET_SECRET: secret,
  };
  const service = await startPart({
    name: 'service',
    restarts,
    ails: clockSetBack(),
    launch: () =>
      launch({
        port,
        host,
        dataDir,
        env,
        devKeys: keys.isDevelopment,
        root,
        worker,
        output,
        placement,
      }),
  });
  try {
    const agent = await startPart({
      name: 'agent',
      restarts,
      ails: noAnswer(agentUrl),
      launch: () =>
        startAgent({
          port: agentPort,
          secret,
          dataDir: join(dataDir, 'fleet'),
          env: { ...(isDev ? agentDefaults(host) : {}), ...options.agentEnv },
          output,
        }),
    });
    return {
      url,
      agentUrl,
      agentSecret: secret,
      serverKey: keys.serverKey,
      clientKey: keys.clientKey,
      service,
      agent,
      stop: async () => {
        await agent.stop();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

interface Keys {
  readonly isDevelopment: boolean;
  readonly clientKey: string;
  readonly serverKey: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The keys that the service accepts in addition to those of API_KEYS. */
async function keysOf(
  { host = '127.0.0.1', isDev = true, env }: StartOptions,
  dataDir: string,
): Promise<Keys> {
  if (!isDev || (env?.['API_KEYS'] ?? '') !== '') {
    return { isDevelopment: false, clientKey: '', serverKey: '', env: {} };
  }
  return isLoopback(host)
    ? {
        isDevelopment: true,
        clientKey: 'client_dev_key',
        serverKey: (await devKeys(dataDir)).serverKey,
        env: {},
      }
    : { isDevelopment: false, ...(await networkKeys(dataDir)) };
}

/** Defaults for developers: the sample server, and this machine's address for players on other machines. */
function agentDefaults(host: string): Readonly<Record<string, string>> {
  const address = process.env['AGENT_GAME_HOST'] ?? addressesOf(host)[0];
  return { AGENT_SAMPLE: '1', ...(address === undefined ? {} : { AGENT_GAME_HOST: address }) };
}

/** Throws for a fleet in the environment. It would be ignored, because the started agent is the only fleet. */
function checkFleet(env: Readonly<Record<string, string | undefined>>): void {
  const [name] =
    Object.entries(env).find(
      ([each, value = '']) =>
        /^FLEETS?(_|$)/.test(each) && value !== '' && `${each}=${value}` !== 'FLEET=local',
    ) ?? [];
  if (name !== undefined) {
    throw new Error(`${name} is for \`npm run serve\`; \`npm start\` has an agent of its own`);
  }
}

/**
 * Starts what the command line and the variables say, and prints where it is. `made`: the packed package has its bundle, and another
 * name for the command.
 */
export async function startHere(
  made: Pick<StartOptions, 'root' | 'worker'> = {},
  command = 'npm run start --',
): Promise<void> {
  const { flags } = commandLine({
    command,
    about:
      'Starts the service and an agent on this machine. Settings are variables: docs/settings.md.',
    flags: { new: given('begin again with an empty database; the one that is there is set aside') },
  });
  checkFleet(process.env);
  checkAgentSettings(process.env);
  const begun = performance.now();
  const host = process.env['HOST'] ?? '127.0.0.1';
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  if (flags.new) {
    await setAside(dataDir);
  }
  const env = passedOn(SERVICE_SETTINGS);
  const wrongKeys = (env['API_KEYS'] ?? '') === '' ? null : keyProblem(env['API_KEYS'] ?? '');
  if (wrongKeys !== null) {
    throw new Error(wrongKeys);
  }
  const port = portOf(process.env);
  await noteFresh(dataDir);
  console.log('muster: starting (the first start builds the service and takes a few seconds)');
  const running = await endWhenTold(() =>
    startAll({ port, host, dataDir, env, output: 'inherit', restarts: true, ...made }),
  );
  const isSeeded = await seed(dataDir, running).catch(() => false);
  const ms = Math.round(performance.now() - begun);
  console.log(readyBlock(running, { dataDir, ms, addresses: addressesOf(host), isSeeded }));
}

if (import.meta.main) {
  await startHere().catch((error: unknown) => {
    console.error(`muster: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
