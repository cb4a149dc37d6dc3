// Runs game servers as containers. The client of Podman or Docker stays in the foreground under a keeper, as a process
// would: its output is the server's, and its exit code too. Always: what the container may do is limited, only the build's
// ports are published, and the container is gone when its server has ended. Two things see to that: its client and the agent
// remove it, and each container bears the id of the agent's folder, so that a look once a minute finds what was left.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CONTAINER_CPUS, CONTAINER_MEMORY } from '../src/fleet/defaults.ts';
import type { LaunchBuild, LaunchSpec, Port } from '../src/fleet/port.ts';
import { fillerFor, toldTo } from './command.ts';
import type { ServerCommand, ServerPlace } from './command.ts';
import { checkVariables, ofEngines, oneLine } from './confine.ts';
import { createEngine } from './engine.ts';
import type { ServerFolder } from './folder.ts';
import { createImages } from './images.ts';
import type { Kept } from './keeper.ts';
import { logError } from './log.ts';
import { openSockets } from './ports.ts';
import type { Sockets } from './ports.ts';
import type { AgentSettings } from './settings.ts';
import { BadSpec } from './spec.ts';
import { KEPT, vanishing, warnOnce, writable } from './volumes.ts';

/** Where the container finds the files of its server. It cannot write there. */
const INSIDE = '/muster';
/** A container has an address of its own, which nobody knows before it starts. */
const ANY = '0.0.0.0';
const LABEL = 'muster.agent';
const PIDS = 1024;
const SWEEP_MS = 60_000;
/** How often the process of a container is asked for until it has one. */
const ASK_MS = 200;
/** How long, and how often, it is tried again to remove a container. */
const REMOVE_MS = 3_000;
const REMOVE_PAUSE_MS = 500;
/** From a signal to the container to the end of its client. */
const CLIENT_MS = 5_000;

/**
 * Ends the container if nobody else does: the client passes on TERM, but leaves behind a container that does not obey.
 * `wait` ends early at a signal, so it is asked until the client is gone.
 */
const SCRIPT = `
program=$1
name=$2
grace=$3
shift 3
kill_later() {
  (
    sleep "$grace"
    exec "$program" kill --signal=KILL "$name"
  ) >/dev/null 2>&1 &
}
trap kill_later TERM
# Nothing that this shell says belongs into the output of the game.
exec 5>&2 2>/dev/null
"$program" "$@" 2>&5 5>&- &
client=$!
wait "$client"
code=$?
while kill -0 "$client" 2>/dev/null; do
  wait "$client"
  code=$?
done
exit "$code"
`;

export interface Containers {
  /**
   * Resolves with what whoever saves the build should know, or null. Throws BadSpec if its container could not run here, and
   * NotYet while its image is being fetched.
   */
  check(build: LaunchBuild, patienceMs: number): Promise<string | null>;
  /** Fills in the placeholders of a build, as the container sees them. */
  filler(spec: LaunchSpec, ports: readonly Port[]): (text: string) => string;
  /** The command that runs the container. */
  command(
    spec: LaunchSpec,
    place: ServerPlace & { readonly folder: ServerFolder },
  ): Promise<ServerCommand>;
  /** The same server, whose last resort is the end of its container. */
  kept(instanceId: string, client: Kept): Kept;
  sockets(instanceId: string): Sockets;
  remove(instanceId: string): Promise<void>;
  /** Removes what earlier agents left, now and then. `isOurs`: whether a server still runs. */
  sweep(isOurs: (instanceId: string) => boolean): void;
}

/** How long a container that was told to stop may take, with its client. */
export function containerGraceMs({ graceMs }: Pick<AgentSettings, 'graceMs'>): number {
  return graceMs + CLIENT_MS;
}

/** What a server in a container is told, and listens on: the numbers of the build, and not those of the machine. */
export function innerPorts(ports: readonly Port[]): readonly Port[] {
  return ports.map((port) => ({ ...port, external_port: port.internal_port }));
}

export function createContainers(settings: AgentSettings): Containers {
  const engine = createEngine(settings);
  const images = createImages(engine, settings);
  const idPath = join(settings.dataDir, 'containers');

  /** The id of the folder. The file says that there may be containers, so an agent without any looks for none. */
  function folderId(): string {
    const known = existsSync(idPath) ? readFileSync(idPath, 'utf8') : '';
    if (known !== '') {
      return known;
    }
    const made = randomBytes(8).toString('hex');
    writeFileSync(idPath, made, { mode: 0o600 });
    return made;
  }

  /** Podman may just be removing it, and may be busy with it for a while. If it stays after all, the next look finds it. */
  async function remove(instanceId: string): Promise<void> {
    for (const until = performance.now() + REMOVE_MS; ; await sleep(REMOVE_PAUSE_MS)) {
      const { ok, complaint } = await engine.call('rm', '--force', '--volumes', nameOf(instanceId));
      if (ok || /no such container/i.test(complaint)) {
        return;
      }
      if (performance.now() > until) {
        logError('a container may be left', complaint);
        return;
      }
    }
  }

  return {
    check: async (build, patienceMs) => {
      const image = build.launch.image ?? '';
      checkAllowed(build, settings);
      await engine.program();
      const volumes = await images.ready(image, patienceMs);
      return vanishing(build.launch, volumes);
    },

    filler: fillerInside,

    command: async (spec, { ports, folder, kept }) => {
      const { launch } = spec.build;
      const name = nameOf(spec.instanceId);
      const fill = fillerInside(spec, ports);
      const named = spec.build.ports.length > 0;
      const variables = Object.entries(launch.env ?? {}).map(([key, value]) => [key, fill(value)]);
      const told = {
        ...Object.fromEntries(variables),
        ...toldTo(spec, ANY, placeInside(spec, ports)),
      };
      await folder.writeEnv(
        Object.entries<string>(told).map(([key, value]) => `${key}=${oneLine(value)}`),
      );
      const volumes = await images.ready(launch.image ?? '', 0);
      warnOnce(vanishing(launch, volumes));
      const run = [
        'run',
        '--rm',
        `--name=${name}`,
        `--label=${LABEL}=${folderId()}`,
        `--label=muster.server=${spec.serverId}`,
        ...limitsOf(launch),
        ...(settings.user === null ? [] : [`--user=${settings.user.uid}:${settings.user.gid}`]),
        `--env-file=${folder.envPath}`,
        `--volume=${dirname(folder.configPath)}:${INSIDE}:ro,z`,
        ...(await writable(launch.memory ?? CONTAINER_MEMORY, volumes, kept)),
        ...ports.flatMap((port) => published(port, named, settings.bindHost)),
        '--',
        launch.image ?? '',
        ...(launch.args ?? []).map(fill),
      ];
      const grace = String(Math.max(1, Math.ceil(settings.graceMs / 1000)));
      const program = await engine.program();
      const command = ['/bin/sh', '-c', SCRIPT, 'muster-container', program, name, grace, ...run];
      return { command, env: ofEngines({ proxies: false }) };
    },

    kept: (instanceId, client) => ({
      ...client,
      exited: client.exited.then(async (code) => {
        await remove(instanceId).catch((error: unknown) => logError('no container removed', error));
        return code;
      }),
      signal: (signal) => {
        if (signal === 'SIGTERM') {
          client.signal(signal);
          return;
        }
        void engine
          .call('kill', '--signal=KILL', nameOf(instanceId))
          .catch(() => null)
          .then(() => sleep(CLIENT_MS))
          .then(() => client.signal(signal));
      },
    }),

    sockets: (instanceId) => {
      let pid: Promise<string> | null = null;
      const ask = async (): Promise<string> => {
        const format = '--format={{.State.Pid}} {{.Id}}';
        const { stdout } = await engine.call('container', 'inspect', format, nameOf(instanceId));
        if (!/^[1-9]/.test(stdout)) {
          setTimeout(() => (pid = null), ASK_MS).unref();
        }
        return stdout;
      };
      return {
        open: async () => {
          pid ??= ask();
          const [number = '0', id = ''] = (await pid).trim().split(' ');
          return id === '' || number === '0'
            ? []
            : (await isOn(number, id))
              ? openSockets(number)
              : null;
        },
        ownIn: async (sockets) => sockets,
        who: 'the container',
        numberOf: ({ internal_port: port }) => port,
      };
    },

    remove,

    sweep: (isOurs) => {
      const look = async (): Promise<void> => {
        if (!existsSync(idPath)) {
          return;
        }
        const filter = `--filter=label=${LABEL}=${folderId()}`;
        const { stdout } = await engine.call('ps', '--all', filter, '--format={{.Names}}');
        const ids = stdout.split('\n').flatMap((name) => /^muster-(.+)$/.exec(name)?.[1] ?? []);
        await Promise.all(ids.filter((id) => !isOurs(id)).map(remove));
      };
      const again = (): void => {
        void look().catch((error: unknown) => logError('could not look for containers', error));
        setTimeout(again, SWEEP_MS).unref();
      };
      // What an earlier agent was about to end has its time.
      setTimeout(again, containerGraceMs(settings)).unref();
    },
  };
}

function placeInside({ build }: LaunchSpec, ports: readonly Port[]): ServerPlace {
  const kept = build.launch.keep === undefined ? undefined : KEPT;
  return { ports: innerPorts(ports), folder: { configPath: `${INSIDE}/muster.json` }, kept };
}

function fillerInside(spec: LaunchSpec, ports: readonly Port[]): (text: string) => string {
  return fillerFor(spec, { bindHost: ANY }, placeInside(spec, ports));
}

function nameOf(instanceId: string): string {
  return `muster-${instanceId}`;
}

/** Throws BadSpec for a build that this agent's settings do not allow. */
function checkAllowed(
  { name, launch }: LaunchBuild,
  { commands, images, variables, bindHost, dataDir }: AgentSettings,
): void {
  const { image = '', env = {} } = launch;
  if (commands !== null) {
    checkVariables(Object.keys(env), variables);
  }
  if (images === null ? commands !== null : !images.some((each) => isOf(image, each))) {
    throw new BadSpec(`build ${name}: AGENT_IMAGES does not allow the image ${image}`);
  }
  const broken = Object.keys(env).find((key) => /[\r\n]/.test(env[key] ?? ''));
  if (broken !== undefined) {
    throw new BadSpec(`build ${name}: a variable of a container has one line, unlike ${broken}`);
  }
  if (isIP(bindHost) === 0) {
    throw new BadSpec(`AGENT_BIND_HOST must be an IP address for containers, not "${bindHost}"`);
  }
  if (dataDir.includes(':')) {
    throw new BadSpec(`AGENT_DATA must have no colon in its path for containers: ${dataDir}`);
  }
}

/** Whether the image is the one named, with any tag, or in the folder named: `registry.example.com/games/`. */
function isOf(image: string, named: string): boolean {
  const next = image.charAt(named.length);
  return image.startsWith(named) && (named.endsWith('/') || ['', ':', '@'].includes(next));
}

function limitsOf({
  memory = CONTAINER_MEMORY,
  cpus = CONTAINER_CPUS,
}: LaunchBuild['launch']): readonly string[] {
  return [
    '--pull=never',
    // The output is ours already, and a second copy would have no limit.
    '--log-driver=none',
    '--stop-timeout=0',
    '--read-only',
    '--tmpfs=/tmp:rw,nosuid,nodev,size=64m',
    '--security-opt=no-new-privileges',
    '--cap-drop=all',
    `--memory=${memory}m`,
    `--memory-swap=${memory}m`,
    `--cpus=${Math.min(cpus, availableParallelism())}`,
    `--pids-limit=${PIDS}`,
  ];
}

/** A build that names no ports may open its one number for either protocol. */
function published(
  { external_port: port, internal_port: inner, protocol }: Port,
  named: boolean,
  bindHost: string,
): readonly string[] {
  const host = isIP(bindHost) === 6 ? `[${bindHost}]` : bindHost;
  const protocols = named ? [protocol] : ['udp', 'tcp'];
  return protocols.map((each) => `--publish=${host}:${port}:${inner}/${each}`);
}

/** Whether the process is that of the container. A container in a virtual machine has a process that is none of ours. */
async function isOn(pid: string, id: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cgroup`, 'latin1').catch(() => '')).includes(id);
}
