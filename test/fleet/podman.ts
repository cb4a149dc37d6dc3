// A real Podman for tests: its settings, which work for root on any Linux, and what it runs for an agent.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { needs, noteMissing, pathOf } from '../support/tools.ts';
import { startRegistry } from './registry.ts';
import type { Registry } from './registry.ts';

export interface Podman {
  readonly registry: Registry;
  /** For an agent that uses it. */
  readonly env: Readonly<Record<string, string>>;
  run(...args: readonly string[]): string;
  /** The names of the containers of an agent's folder. */
  containersOf(dataDir: string): readonly string[];
  /** Removes those, and the images of the registry. */
  end(dataDirs: readonly string[]): Promise<void>;
}

/** Whether containers can be run here. Call it where the tests are defined. */
export function runsContainers(): boolean {
  const isThere = needs('podman') && needs('runc');
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isRoot) {
    noteMissing('podman', 'run as root on Linux: the tests start containers as root');
  }
  return isThere && isRoot;
}

export async function startPodman(): Promise<Podman> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-podman-'));
  const registry = await startRegistry(folder);
  const settings = join(folder, 'containers.conf');
  const registries = join(folder, 'registries.conf');
  // Limits that a machine which is a container itself allows, too.
  writeFileSync(
    settings,
    `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`,
  );
  writeFileSync(registries, `[[registry]]\nlocation = "${registry.host}"\ninsecure = true\n`);
  const env = {
    AGENT_CONTAINERS: pathOf('podman'),
    CONTAINERS_CONF: settings,
    CONTAINERS_REGISTRIES_CONF: registries,
  };
  const run = (...args: readonly string[]): string =>
    execFileSync(pathOf('podman'), args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const containersOf = (dataDir: string): readonly string[] => {
    const label = `label=muster.agent=${readFileSync(join(dataDir, 'containers'), 'utf8')}`;
    return run('ps', '--all', `--filter=${label}`, '--format={{.Names}}')
      .split('\n')
      .filter(Boolean);
  };
  return {
    registry,
    env,
    run,
    containersOf,
    end: async (dataDirs) => {
      for (const name of dataDirs.flatMap(containersOf)) {
        run('rm', '--force', name);
      }
      const images = run('images', '--format={{.Repository}}:{{.Tag}}').split('\n');
      for (const image of images.filter((each) => each.startsWith(`${registry.host}/`))) {
        run('rmi', '--force', image);
      }
      await registry.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
