// The volumes of images: folders that an image expects to outlive its container.

import { join } from 'node:path';

import type { BuildLaunch } from '../src/fleet/port.ts';
import { makeKept } from './keep.ts';
import { log } from './log.ts';

/** Where a container finds the folder that outlives it. */
export const KEPT = '/keep';

/** What whoever saves the build should know: its world would be gone after each game. Null: nothing. */
export function vanishing({ keep, image }: BuildLaunch, volumes: readonly string[]): string | null {
  return volumes.length === 0 || keep !== undefined
    ? null
    : `launch.keep: the image ${image} writes to ${volumes.join(' and ')}. Without keep, that is gone when the server ends, a world too`;
}

const said = new Set<string>();

/** Logs it at the first launch: an image that was not here at the save could not be warned of. */
export function warnOnce(warning: string | null): void {
  if (warning !== null && !said.has(warning)) {
    said.add(warning);
    log('agent', 'warn', 'volume', warning);
  }
}

/**
 * Where the container may write besides `/tmp`. The engine would put the image's volumes on the disk of the machine, without a
 * limit. They are in its memory instead, half of which they may take, or in the folder that it keeps.
 */
export async function writable(
  memory: number,
  volumes: readonly string[],
  kept: string | undefined,
): Promise<readonly string[]> {
  if (kept === undefined) {
    const size = Math.max(1, Math.floor(memory / 2));
    return volumes.map((each) => `--tmpfs=${each}:rw,exec,nosuid,nodev,size=${size}m`);
  }
  const nameOf = (volume: string): string => volume.slice(1).replaceAll('/', '-');
  const folders = volumes.map((each) => [join(kept, nameOf(each).replace(/^\./, '_')), each]);
  for (const [folder = ''] of folders) {
    await makeKept(folder, { user: null }, true);
  }
  return [[kept, KEPT], ...folders].map(([folder, inside]) => `--volume=${folder}:${inside}:rw,z`);
}
