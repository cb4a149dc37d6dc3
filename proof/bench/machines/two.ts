// Two instances of Muster and a bucket, a simulated one or a real one, on fixed ports, so that an instance that was killed comes back where it was.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../../agent/ports.ts';
import { clusterOf } from '../../../scripts/cluster.ts';
import { startService } from '../../../scripts/service.ts';
import type { Service } from '../../../scripts/service.ts';
import { startBucket } from '../../torture/s3.ts';

export const ENV = { FLEET: 'simulated', LIMITS: 'off', CLIENT_ADDRESS_HEADER: 'x-real-ip' };
const LOOK_MS = 50;
const ANSWER_MS = 2_000;

interface Instance {
  readonly folder: string;
  readonly port: number;
  /** Where it listens for the other. */
  readonly address: string;
  service: Service;
}

export interface TwoOptions {
  readonly folder: string;
  /** CLUSTER and AWS_* of a real bucket. Null: a simulated one. */
  readonly real: Readonly<Record<string, string | undefined>> | null;
  /** How long the bucket takes to answer, ms. */
  readonly delayMs: number;
  readonly worker: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Two {
  readonly urls: readonly string[];
  readonly ports: readonly number[];
  /** The one that owns the lobbies. Waits until there is one, for a minute at most. */
  owner(): Promise<Instance>;
  other(than: Instance): Instance;
  /** Starts an instance that is gone, with that bundle. */
  startAgain(instance: Instance, worker?: string): Promise<void>;
  end(): Promise<void>;
}

export async function startTwo(options: TwoOptions): Promise<Two> {
  const { folder, real, delayMs, worker, env } = options;
  const simulated = real === null ? await startBucket() : null;
  if (simulated !== null) {
    simulated.bucket.delayMs = delayMs;
  }
  const start = async (at: Omit<Instance, 'service'>, bundle: string): Promise<Service> => {
    const cluster = clusterOf({
      CLUSTER: 's3://bench/machines',
      CLUSTER_KEY: 'a key of at least thirty-two bytes',
      ...(real ?? simulated?.access),
      CLUSTER_ADDRESS: at.address,
    });
    const { folder: dataDir, port } = at;
    return startService({ port, dataDir, env, worker: bundle, ...(cluster && { cluster }) });
  };
  const instances: Instance[] = [];
  for (const name of ['a', 'b']) {
    const at = {
      folder: join(folder, name),
      port: await freePort(),
      address: `127.0.0.1:${await freePort()}`,
    };
    instances.push({ ...at, service: await start(at, worker) });
  }
  return {
    urls: instances.map(({ service }) => service.url),
    ports: instances.map(({ port }) => port),
    owner: async () => {
      const until = performance.now() + 60_000;
      for (;;) {
        for (const each of instances) {
          if (await owns(each.service.url)) {
            return each;
          }
        }
        if (performance.now() > until) {
          throw new Error('nobody owns the lobbies');
        }
        await sleep(LOOK_MS);
      }
    },
    other: (than) => {
      const other = instances.find((each) => each !== than);
      if (other === undefined) {
        throw new Error('there is one instance alone');
      }
      return other;
    },
    startAgain: async (instance, bundle = worker) => {
      instance.service = await start(instance, bundle);
    },
    end: async () => {
      await Promise.all(instances.map(({ service }) => service.kill()));
      await simulated?.close();
    },
  };
}

async function owns(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${url}/ready`, { signal }).catch(() => null);
  const said = (await answer?.json().catch(() => null)) as { readonly isOwner?: boolean } | null;
  return answer?.ok === true && said?.isOwner === true;
}
