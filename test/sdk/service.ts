// The service that the SDK's clients play on, and players for it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Player } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { SdkClient, type SdkOptions } from './client.ts';

export interface Ground {
  readonly running: Running;
  readonly url: string;
  readonly operator: Player;
  /** A client whose session has begun, on a config that the test may save first. */
  client(config: string, player: string, options?: Partial<SdkOptions>): Promise<SdkClient>;
  saveConfig(name: string, body: object): Promise<void>;
  stop(): Promise<void>;
}

/** A service with a simulated fleet: its servers run at once. */
export async function startGround(): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-sdk-'));
  const running = await startAll({ port: 0, dataDir, env: { FLEET: 'simulated' } });
  const { url, serverKey } = running;
  const operator = new Player(url, 'operator', serverKey);
  const clients: SdkClient[] = [];
  return {
    running,
    url,
    operator,
    client: async (config, player, options = {}) => {
      const client = new SdkClient({ url, config, player, ...options });
      clients.push(client);
      client.begin();
      if (options.webgl !== true) {
        await eventually(`${player} is connected`, () => client.streamed.includes('connected'));
        await eventually(`${player} has read its lobby`, () => client.isIdle);
      }
      return client;
    },
    saveConfig: async (name, body) => {
      await operator.ok('PUT', `/lobby-configs/${encodeURIComponent(name)}`, body);
    },
    stop: async () => {
      clients.forEach((client) => client.end());
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Until the client shows its lobby in that status, and handles nothing more. */
export async function shows(client: SdkClient, status: string): Promise<void> {
  const fits = (): boolean => client.isIdle && client.lobby?.status === status;
  await eventually(`${client.player} sees ${status}`, fits);
}

/** Lengths of frames, from a text such as `120-350`. */
export function framesOf(text: string): () => number {
  const [least = 0, most = least] = text.split('-').map(Number);
  return () => least + Math.random() * (most - least);
}

/** Runs it on the service of the flags, or on one of its own. */
export async function onService(
  flags: {
    readonly url?: string | undefined;
    readonly 'server-key': string;
    readonly objects: boolean;
  },
  work: (service: { readonly url: string; readonly serverKey: string }) => Promise<void>,
): Promise<void> {
  const { url, 'server-key': serverKey, objects } = flags;
  if (url !== undefined) {
    await work({ url, serverKey });
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-crossings-'));
  const placement = objects ? 'objects' : 'box';
  const running = await startAll({ port: 0, dataDir, env: { FLEET: 'simulated' }, placement });
  try {
    await work(running);
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
