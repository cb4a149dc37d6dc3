// The folders that outlive servers, such as that of a world (`launch.keep`): one for each name of a build. Always: one server
// at a time has it, until its process is gone, also while it ends after its agent was killed.

import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { LaunchSpec } from '../src/fleet/port.ts';
import { give } from './confine.ts';
import { claimName } from './ports.ts';
import type { PortClaims } from './ports.ts';
import type { AgentSettings } from './settings.ts';
import { NotYet } from './spec.ts';

/** Where the build's kept folder is. Undefined: it keeps none. A user of servers cannot reach the folder of the agent. */
export function keptFolder(
  { dataDir, user }: Pick<AgentSettings, 'dataDir' | 'user'>,
  { project, build }: Pick<LaunchSpec, 'project' | 'build'>,
): string | undefined {
  const { keep, image } = build.launch;
  const steps = [project, build.name, keep ?? ''].map((each) =>
    encodeURIComponent(each).replace(/^\./, '%2E'),
  );
  const base = user === null || image !== undefined ? dataDir : user.runDir;
  return keep === undefined ? undefined : join(base, 'keep', ...steps);
}

/** Makes the folder for the servers' user, or for whatever user of its image a container runs as. */
export async function makeKept(
  folder: string,
  { user }: Pick<AgentSettings, 'user'>,
  isContainer: boolean,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o711 });
  await mkdir(folder, { recursive: true });
  // Nobody outside comes so far: the folder of the agent is closed.
  await chmod(folder, isContainer ? 0o777 : 0o700);
  if (user !== null && !isContainer) {
    await give([folder], user);
  }
}

/** Claims the folder. Null: another server has it. */
export function claimKept(folder: string): Promise<(() => void) | null> {
  return claimName(`keep-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`);
}

/** The claim on ports together with that on the folder. Throws NotYet if another server has the folder. */
export async function withKept<T extends PortClaims | null>(
  folder: string | undefined,
  take: () => Promise<T>,
): Promise<T> {
  if (folder === undefined) {
    return take();
  }
  const leave = await claimKept(folder);
  if (leave === null) {
    throw new NotYet('another server of the build has the folder that it keeps (launch.keep)');
  }
  const claim = await take().catch((error: unknown) => {
    leave();
    throw error;
  });
  if (claim === null) {
    leave();
    return claim;
  }
  const release = (): void => {
    claim.release();
    leave();
  };
  return { ...claim, release };
}
