// Gameye: a session for each server, by its Session API (the documents are in record 0071). Never tried on the real
// service. A launch is idempotent because the caller chooses the id of the session: a second one with the same id is
// answered with 409, also after the session has ended, and then the session says whether it runs.

import * as z from 'zod';
import type { Fleet, Inspection, Launched } from './port';
import { asker, cloudOrder, cloudPort, failureOf, hasEnded, unreachable } from './provider';
import type { ProviderOptions } from './provider';

export interface GameyeFleetOptions extends ProviderOptions {
  /** Gameye's location for each region. */
  readonly locations: Readonly<Record<string, string>>;
}

/** 402: the quota is used up. 420: no room in the location, or too many sessions within a short time. */
const FULL = [402, 420];

/** A session that drains is played to its end. */
const STATES = {
  created: 'launching',
  restarting: 'launching',
  running: 'running',
  draining: 'running',
  shuttingdown: 'stopped',
  exited: 'stopped',
  dead: 'stopped',
  /** The machine of the session does not answer Gameye: nobody knows whether the game goes on. */
  server_unreachable: null,
} as const;

const Started = z.object({
  host: z.string(),
  ports: z.array(z.object({ type: z.string(), container: z.int(), host: z.int() })),
});

const Session = z.object({
  status: z.enum(Object.keys(STATES) as (keyof typeof STATES)[]),
  host: z.string(),
  /** `{"7777/udp": 49160}` */
  port: z.record(z.string(), z.int()),
});

/** decision 37; record 0071. */
export function gameyeFleet({ locations, ...options }: GameyeFleetOptions): Fleet {
  const ask = asker(options, 'Bearer');
  const session = (id: string): string => `/session/${encodeURIComponent(id)}`;

  async function inspect(id: string): Promise<Inspection> {
    const answer = await ask(`GET ${session(id)}`);
    if (answer.status === 404 && answer.isOwn) {
      return { state: 'unknown', ports: [] };
    }
    const read = Session.safeParse(answer.body).data;
    const state = read ? STATES[read.status] : null;
    if (answer.status !== 200 || read === undefined || state === null) {
      throw new Error(`Gameye did not report on ${id}: ${read?.status ?? answer.said}`);
    }
    const ports = Object.entries(read.port).map(([name, outside]) => {
      const [inside, protocol = ''] = name.split('/');
      return cloudPort(read.host, [Number(inside), outside], protocol);
    });
    return { state, ports };
  }

  /** What became of an id that Gameye has seen already. */
  async function again(id: string): Promise<Launched> {
    const { state, ports } = await inspect(id);
    if (state === 'unknown') {
      throw new Error(`Gameye has seen ${id}, and does not know it`);
    }
    return state === 'stopped' ? hasEnded('session') : { ok: true, ports };
  }

  return {
    async launch(spec): Promise<Launched> {
      const order = cloudOrder(spec, locations);
      if (!order.ok) {
        return order.refusal;
      }
      const { place: location, application: image, version, args, env } = order.value;
      const { instanceId: id, serverId, project, ttlSeconds } = spec;
      const ttl = ttlSeconds === null ? {} : { ttl: `${Math.ceil(ttlSeconds / 60)}m` };
      const labels = { muster: serverId, project };
      const body = { id, location, image, version, args, env, labels, restart: false, ...ttl };
      try {
        const answer = await ask('POST /session', body);
        if (answer.status === 409 && answer.isOwn) {
          return await again(id);
        }
        if (answer.status !== 200 && answer.status !== 201) {
          const detail = `Gameye did not start a session: ${answer.said}`;
          return { ok: false, reason: failureOf(answer, FULL), detail };
        }
        const { host, ports } = Started.parse(answer.body);
        const read = ports.map((port) => cloudPort(host, [port.container, port.host], port.type));
        return { ok: true, ports: read };
      } catch (error) {
        return unreachable(error instanceof z.ZodError ? 'Gameye answered without ports' : error);
      }
    },

    inspect,

    async stop(id): Promise<void> {
      const answer = await ask(`DELETE ${session(id)}`);
      // 404: there is none. 409: it has ended.
      const isGone = answer.isOwn && [404, 409].includes(answer.status);
      if (answer.status !== 204 && answer.status !== 200 && !isGone) {
        throw new Error(`Gameye did not stop ${id}: ${answer.said}`);
      }
    },
  };
}
