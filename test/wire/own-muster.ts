// A Muster of a test's own, in a folder that is gone afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Player } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';

export interface OwnMuster {
  /** For the test's files; Muster keeps its own in `data` there. */
  readonly folder: string;
  readonly running: Running;
  readonly operator: Player;
  stop(): Promise<void>;
}

export async function ownMuster(
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<OwnMuster> {
  const folder = await mkdtemp(join(tmpdir(), `muster-${name}-`));
  const running = await startAll({ port: 0, dataDir: join(folder, 'data'), env });
  return {
    folder,
    running,
    operator: new Player(running.url, 'operator', running.serverKey),
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
