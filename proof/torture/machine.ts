// What the machine shows of a torture: that the agent begins to start a server, and whatever is left at the end.

import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { processesNaming } from '../../test/support/processes.ts';
import type { World } from './world.ts';

/** The agent makes the folder of a server in two steps. */
const FOLDER_MS = 2;

async function filled(folder: string): Promise<void> {
  while ((await readdir(folder).catch(() => null))?.length === 0) {
    await sleep(FOLDER_MS);
  }
}

/**
 * Says `launch` as the agent has made the folder of a server, before it starts that server. Where servers run in containers,
 * only for those.
 */
export async function watchLaunches(
  fleetDir: string,
  { asked, images, tally }: World,
): Promise<FSWatcher> {
  const folder = join(fleetDir, 'servers');
  await mkdir(folder, { recursive: true });
  const seen = new Set<string>();
  const began = async (name: string): Promise<void> => {
    seen.add(name);
    if (images !== null) {
      await filled(join(folder, name));
    }
    const isContainer = images?.has(name) === true;
    tally.containers += isContainer ? 1 : 0;
    if (images === null || isContainer) {
      asked.emit('launch');
    }
  };
  return watch(folder, (_, name) => {
    // A folder is also seen when it is removed.
    void (name !== null && !seen.has(name) && began(name));
  });
}

/** What runs, and which containers there are. */
export async function leftOn(dataDir: string, { images, url }: World): Promise<readonly string[]> {
  const marks = [dataDir, `MUSTER_REPORT_URL=${url}/`, ...(images === null ? [] : [images.mark])];
  const processes = await Promise.all(marks.map(processesNaming));
  const containers = [...((await images?.containers()) ?? [])];
  return [
    ...new Set(processes.flat()),
    ...containers.map(([instance, state]) => `container of ${instance}, ${state}`),
  ];
}
