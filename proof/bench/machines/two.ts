// Two instances of Muster and a bucket, a simulated one or a real one, on fixed ports, so that an instance that was killed comes back where it was.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../../agent/ports.ts';
import { clusterOf } from '../../../scripts/cluster.ts';
import { startService } from '../../../scripts/service.ts';
import type { Service } from '../../../scripts/service.ts';
import { standingOf } from '../../torture/cluster.ts';

export const ENV = { FLEET: 'simulated', LIMITS: 'off', CLIENT_ADDRESS_HEADER: 'x-real-ip' };
const BUCKET = join(import.meta.dirname, '../../torture/s3.ts');
const LOOK_MS = 50;

interface Instance {
  readonly folder: string;
  readonly port: number;
  /** Where it listens for the other. */
  readonly address: string;
  service: Service;
  /** Its end was wanted. */
  isStruck: boolean;
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
  /** Ends an instance, which is not started again until `startAgain`. One that ends by itself is, as its starter does. */
  strike(instance: Instance, how: 'kill' | 'stop'): Promise<void>;
  /** Starts an instance that is gone, with that bundle. */
  startAgain(instance: Instance, worker?: string): Promise<void>;
  end(): Promise<void>;
}

export async function startTwo(options: TwoOptions): Promise<Two> {
  const { folder, real, delayMs, worker, env } = options;
  const simulated = real === null ? await startBucketApart(delayMs) : null;
  const start = async (
    at: Pick<Instance, 'folder' | 'port' | 'address'>,
    bundle: string,
  ): Promise<Service> => {
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
    instances.push({ ...at, service: await start(at, worker), isStruck: false });
  }
  const startAgain = async (instance: Instance, bundle = worker): Promise<void> => {
    instance.service = await start(instance, bundle);
    instance.isStruck = false;
    watch(instance);
  };
  const over = new AbortController();
  const restarts = new Set<Promise<void>>();
  const restarted = async (instance: Instance): Promise<void> => {
    while (instance.isStruck && !over.signal.aborted) {
      // Its lease may not be over yet.
      await startAgain(instance).catch(() => sleep(LOOK_MS));
    }
  };
  const watch = (instance: Instance): void => {
    void instance.service.exited.then(() => {
      if (!instance.isStruck) {
        console.log('an instance ended by itself, and is started again');
        instance.isStruck = true;
        restarts.add(restarted(instance));
      }
    });
  };
  instances.forEach(watch);
  return {
    urls: instances.map(({ service }) => service.url),
    ports: instances.map(({ port }) => port),
    owner: async () => {
      const until = performance.now() + 60_000;
      for (;;) {
        for (const each of instances) {
          if ((await standingOf(each.service.url)).isOwner) {
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
    strike: async (instance, how) => {
      instance.isStruck = true;
      await instance.service[how]();
    },
    startAgain,
    end: async () => {
      over.abort();
      await Promise.all(restarts);
      instances.forEach((each) => (each.isStruck = true));
      await Promise.all(instances.map(({ service }) => service.kill()));
      simulated?.close();
    },
  };
}

interface BucketApart {
  readonly access: Readonly<Record<string, string>>;
  close(): void;
}

/** In a process of its own, which players do not hold up. */
async function startBucketApart(delayMs: number): Promise<BucketApart> {
  const program = spawn(process.execPath, [BUCKET, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => program.kill());
  for await (const line of createInterface({ input: program.stdout })) {
    const access: BucketApart['access'] = JSON.parse(line.slice(line.indexOf('{')));
    await fetch(`${access['AWS_ENDPOINT_URL']}/__fault?delayMs=${delayMs}`);
    return { access, close: () => void program.kill() };
  }
  throw new Error('the bucket did not start');
}
