// Two instances of Muster that share a simulated bucket, behind a proxy that sends nobody to one that is not ready: a service
// that torture strikes in other ways than a box. The address of the proxy is that of the service.

import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { appendFile, copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../agent/ports.ts';
import { clusterOf } from '../../scripts/cluster.ts';
import { devKeys } from '../../scripts/dev-keys.ts';
import { startService } from '../../scripts/service.ts';
import type { Service, ServiceOptions } from '../../scripts/service.ts';
import type { Random } from './random.ts';
import { startBucket } from './s3.ts';
import type { BucketServer } from './s3.ts';

/** How often each comes. Nobody should notice those that stop. */
const BLOWS = {
  'the owner is killed': 4,
  'the other is killed': 1,
  'both are killed': 1,
  'the owner is stopped': 3,
  'the other is stopped': 1,
  'the bucket is gone': 1,
  'the bucket is gone for a moment': 1,
} as const;
export type Blow = keyof typeof BLOWS;

/** A lease of workerd, in milliseconds, unless it is divided. */
const LEASE_MS = 20_000;
/** Of an owner that stops, and of a busy machine. */
const GRACE_MS = 8_000;
const LOOK_MS = 100;
/** Until both instances must be ready, whatever happens to them meanwhile. */
const PATIENCE_MS = 180_000;
const ANSWER_MS = 2_000;
/** A killed instance that starts on an empty disk, as a new machine would. */
const EMPTY_CHANCE = 0.25;

/** What an instance says of itself. One that does not answer is neither. */
export async function standingOf(url: string) {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${url}/ready`, { signal }).catch(() => null);
  const said = (await answer?.json().catch(() => null)) as { readonly isOwner?: boolean } | null;
  const isReady = answer?.ok === true;
  return { isReady, isOwner: isReady && said?.isOwner === true };
}

interface Instance {
  readonly folder: string;
  /** Where it listens for the other. */
  readonly address: string;
  service: Service | null;
  starting: Promise<void> | null;
  isReady: boolean;
  isOwner: boolean;
}

export class TwoInstances {
  readonly struck = new Map<Blow, number>();
  /** How often an instance ended by itself, such as when its lease was over. */
  endedAlone = 0;
  readonly #random: Random;
  readonly #divisor: number;
  readonly #instances: Instance[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #over = new AbortController();
  #bucket: BucketServer | null = null;
  #proxy: Server | null = null;
  #options: ServiceOptions | null = null;
  #isStriking = false;
  #next: Blow = 'the owner is killed';

  /** `divisor`: by how much the lease is divided. */
  constructor(random: Random, divisor: number) {
    this.#random = random;
    this.#divisor = divisor;
  }

  /** How long a call may wait for another owner, in milliseconds. */
  get lateMs(): number {
    return (1.5 * LEASE_MS) / this.#divisor + GRACE_MS;
  }

  /** Chooses the next blow, which `kill` of the service deals. */
  next(): { readonly blow: Blow; readonly isGentle: boolean } {
    const all = Object.entries(BLOWS).flatMap(([blow, times]) => Array(times).fill(blow) as Blow[]);
    this.#next = this.#random.pick(all) ?? this.#next;
    return { blow: this.#next, isGentle: this.#next.endsWith('stopped') };
  }

  /** Like `startService`. Called again after a blow, it starts what is gone. */
  async launch(options: ServiceOptions): Promise<Service> {
    const { serverKey } = await devKeys(options.dataDir);
    this.#bucket ??= await startBucket();
    while (this.#instances.length < 2) {
      const folder = join(options.dataDir, `instance-${this.#instances.length}`);
      const address = `127.0.0.1:${await freePort()}`;
      const nothing = { service: null, starting: null, isReady: false, isOwner: false };
      this.#instances.push({ folder, address, ...nothing });
    }
    this.#proxy ??= await this.#listen(options.port);
    this.#options = options;
    await this.#untilReady();
    let over = (): void => {};
    const exited = new Promise<null>((resolve) => (over = () => resolve(null)));
    return {
      url: `http://127.0.0.1:${options.port}`,
      port: options.port,
      serverKey,
      starterKey: this.#instances[0]?.service?.starterKey ?? '',
      pid: this.#instances[0]?.service?.pid ?? 0,
      exited,
      kill: async () => {
        this.#isStriking = true;
        await this.#strike();
        this.#isStriking = false;
        over();
      },
      stop: () => this.#end(options.dataDir).finally(over),
    };
  }

  /** As its starter does, it starts an instance again that ends by itself or does not come up. Throws if none of that helps. */
  async #untilReady(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    let failure: unknown = null;
    while (!this.#instances.every(({ isReady }) => isReady)) {
      const failed = (error: unknown): void => void (failure = error);
      await Promise.all(this.#instances.map((each) => this.#start(each).catch(failed)));
      if (performance.now() > until) {
        throw new Error('an instance never came up', { cause: failure });
      }
      await sleep(LOOK_MS);
    }
  }

  #start(instance: Instance): Promise<void> {
    instance.starting ??= this.#begin(instance).finally(() => (instance.starting = null));
    return instance.starting;
  }

  async #begin(instance: Instance): Promise<void> {
    const { folder, address } = instance;
    const options = this.#options;
    if (instance.service !== null || options === null) {
      return;
    }
    if (this.#random.chance(EMPTY_CHANCE)) {
      await rm(join(folder, 'storage'), { recursive: true, force: true });
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(join(options.dataDir, 'server-key'), join(folder, 'server-key'));
    const cluster = clusterOf({
      CLUSTER: 's3://torture/muster',
      CLUSTER_ADDRESS: address,
      CLUSTER_KEY: 'a key of the torture, of thirty-two bytes',
      ...this.#bucket?.access,
    });
    if (cluster === null) {
      throw new Error('no cluster');
    }
    const service = await startService({
      ...options,
      port: 0,
      dataDir: folder,
      cluster: { ...cluster, divisor: this.#divisor },
    });
    instance.service = service;
    void service.exited.then(() => {
      instance.service = null;
      instance.isReady = false;
      if (!this.#isStriking && !this.#over.signal.aborted) {
        // As its starter does: its lease may be over because the machine is busy.
        this.endedAlone += 1;
        void this.#start(instance).catch(() => undefined);
      }
    });
    void this.#look(instance, service);
  }

  /** Whether it is ready, all the time. */
  async #look(instance: Instance, service: Service): Promise<void> {
    while (instance.service === service && !this.#over.signal.aborted) {
      const standing = await standingOf(service.url);
      if (instance.service === service) {
        Object.assign(instance, standing);
      }
      await sleep(LOOK_MS);
    }
  }

  /** Each connection goes to an instance that is ready, or to one that runs. */
  async #listen(port: number): Promise<Server> {
    const server = createServer((from) => {
      const running = this.#instances.filter(({ service }) => service !== null);
      const ready = running.filter(({ isReady }) => isReady);
      const { service } = this.#random.pick(ready.length > 0 ? ready : running) ?? {};
      this.#keep(from);
      if (!service) {
        from.destroy();
        return;
      }
      const to = this.#keep(connect(service.port, '127.0.0.1'));
      from.pipe(to).pipe(from);
      from.once('close', () => to.destroy());
      to.once('close', () => from.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return server;
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Its other end is closed then, which is all that there is to do.
    return socket.on('error', () => socket.destroy());
  }

  async #strike(): Promise<void> {
    const blow = this.#next;
    this.struck.set(blow, (this.struck.get(blow) ?? 0) + 1);
    const running = this.#instances.filter(({ service }) => service !== null);
    const owner = running.find(({ isOwner }) => isOwner);
    const other = running.find((each) => each !== owner);
    const services = running.flatMap(({ service }) => service ?? []);
    const lease = LEASE_MS / this.#divisor;
    switch (blow) {
      case 'the owner is killed':
        await owner?.service?.kill();
        break;
      case 'the other is killed':
        await other?.service?.kill();
        break;
      case 'both are killed':
        await Promise.all(services.map((service) => service.kill()));
        break;
      case 'the owner is stopped':
        await owner?.service?.stop();
        break;
      case 'the other is stopped':
        await other?.service?.stop();
        break;
      case 'the bucket is gone':
        await this.#without(
          Promise.race([Promise.all(services.map(({ exited }) => exited)), sleep(3 * LEASE_MS)]),
        );
        break;
      case 'the bucket is gone for a moment':
        await this.#without(sleep(lease / 8));
        break;
    }
    await sleep(this.#random.between(0, lease));
  }

  async #without(until: Promise<unknown>): Promise<void> {
    const bucket = this.#bucket?.bucket;
    if (bucket !== undefined) {
      bucket.fault = 'gone';
      await until;
      bucket.fault = 'none';
    }
  }

  /** Ends everything. The logs of both instances are one then. */
  async #end(dataDir: string): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#instances.flatMap(({ service }) => service?.stop() ?? []));
    this.#proxy?.close();
    this.#sockets.forEach((socket) => socket.destroy());
    await this.#bucket?.close();
    for (const { folder } of this.#instances) {
      const log = await readFile(join(folder, 'service.log'), 'utf8').catch(() => '');
      await appendFile(join(dataDir, 'service.log'), log);
    }
  }
}
