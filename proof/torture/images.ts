// Game servers in containers, for a torture that has a Podman: their image and their build, what Podman says that there is,
// and three blows from outside.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { runsContainers, startPodman } from '../../test/fleet/podman.ts';
import { gameFiles } from '../../test/fleet/registry.ts';
import { processesNaming } from '../../test/support/processes.ts';

/** The build of the servers in containers. */
export const BOXED = 'boxed';
const IMAGE = 'games/torture:1';

/** Its process is killed, its client is, or somebody removes it by hand. */
export const BLOWS = ['process', 'client', 'rm'] as const;
type Blow = (typeof BLOWS)[number];

export interface Images {
  /** For the agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly build: object;
  /** A text that the clients of Podman, and what they leave in the background, have in their environment. */
  readonly mark: string;
  /** By the server in it: whatever Podman knows, in any state. */
  containers(): Promise<ReadonlyMap<string, string>>;
  has(instance: string): boolean;
  /** The pid that is to be killed for such a blow, if it takes one and there is one. */
  strike(instance: string, pid: number, blow: Blow): Promise<number | null>;
  end(): Promise<void>;
}

/** `fleetDir`: the folder of the agent. Null, and a line that says so, where no containers can be run. */
export async function startImages(
  fleetDir: string,
  tell: (line: string) => void,
): Promise<Images | null> {
  if (!runsContainers()) {
    tell('torture: containers need podman and runc, and root on Linux; there are processes only');
    return null;
  }
  const podman = await startPodman();
  podman.registry.offer(IMAGE, gameFiles());
  const program = podman.env['AGENT_CONTAINERS'] ?? 'podman';
  const ask = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { env: { ...process.env, ...podman.env } })).stdout;
  const idPath = join(fleetDir, 'containers');
  return {
    env: podman.env,
    build: {
      launch: {
        image: `${podman.registry.host}/${IMAGE}`,
        args: ['/bin/node', '/game/game-server.ts'],
        memory: 128,
      },
    },
    mark: dirname(podman.env['CONTAINERS_CONF'] ?? ''),
    containers: async () => {
      if (!existsSync(idPath)) {
        return new Map();
      }
      const label = `--filter=label=muster.agent=${await readFile(idPath, 'utf8')}`;
      const lines = await ask('ps', '--all', label, '--format={{.Names}} {{.State}}');
      return new Map(
        [...lines.matchAll(/^muster-(\S+) (.+)$/gm)].map(([, name = '', state = '']) => [
          name,
          state,
        ]),
      );
    },
    has: (instance) => existsSync(join(fleetDir, 'servers', instance, 'told')),
    strike: async (instance, pid, blow) => {
      if (blow === 'rm') {
        // It may have ended meanwhile.
        await ask('rm', '--force', '--time=0', `muster-${instance}`).catch(() => null);
        return null;
      }
      if (blow === 'process') {
        return pid;
      }
      const named = await processesNaming(`--name=muster-${instance}`);
      const client = named.find((each) => each.includes(`: ${program} run `));
      return client === undefined ? null : Number.parseInt(client, 10);
    },
    end: () => podman.end(existsSync(idPath) ? [fleetDir] : []),
  };
}
