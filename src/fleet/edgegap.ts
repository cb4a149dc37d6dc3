// Edgegap: a deployment for each server, by its API (the documents are in record 0071). Never tried on the real service.
//
// Edgegap chooses the id of a deployment, so a launch is idempotent by a tag with the instance id: every launch first
// lists the deployments that have it. If a call that timed out arrives late and a second deployment gets the tag, the
// first stays and the others are stopped, at the next launch or inspection. Edgegap lists no deployments that have
// ended, so the caller makes sure that an ended instance is never launched again (objects/server).

import * as z from 'zod';
import { Lru } from '../common/lru';
import { NO_ENDING } from './block';
import type { Fleet, Inspection, Launched, LaunchSpec } from './port';
import { asker, cloudOrder, cloudPort, failureOf, hasEnded, unreachable } from './provider';
import type { ProviderOptions } from './provider';

export interface EdgegapFleetOptions extends ProviderOptions {
  /** Latitude and longitude for each region: Edgegap chooses the place next to them. */
  readonly locations: Readonly<Record<string, readonly [number, number]>>;
}

/** No machine for the deployment. */
const FULL = [422];
/** A page of deployments with one tag. There is one, or a few after calls that came late. */
const PAGE = 20;
/** Deployments that ran when they were last seen. They are not listed again: Edgegap allows 10 lists a second. */
const MAX_KNOWN = 5_000;

const Deployed = z.object({ request_id: z.string() });
const Tagged = Deployed.extend({ tags: z.array(z.string()).catch([]) });
const Listed = z.object({ data: z.array(Tagged) });
const MappedPort = z.object({
  internal: z.int(),
  external: z.int(),
  protocol: z.string(),
  tls_upgrade: z.boolean().catch(false),
});
const Status = z.object({
  current_status: z.string(),
  running: z.boolean(),
  error: z.boolean(),
  error_detail: z.string().nullish().catch(null),
  public_ip: z.string().catch(''),
  fqdn: z.string().catch(''),
  ports: z.record(z.string(), MappedPort).nullish(),
});

/** decision 37; record 0071. */
export function edgegapFleet({ locations, ...options }: EdgegapFleetOptions): Fleet {
  const ask = asker(options, 'token');
  const known = new Lru<string>(MAX_KNOWN);

  /** Tells that deployment to end. It is no error if it has ended. */
  async function remove(request: string): Promise<void> {
    const answer = await ask(`DELETE /v1/stop/${encodeURIComponent(request)}`);
    const isGone = answer.isOwn && [404, 410].includes(answer.status);
    if (answer.status !== 200 && answer.status !== 202 && !isGone) {
      throw new Error(`Edgegap did not stop ${request}: ${answer.said}`);
    }
  }

  /** The deployments with the instance's tag, oldest first. */
  async function find(id: string): Promise<readonly string[]> {
    const filters = [{ field: 'tags', operator: 'in', value: [tagOf(id)] }];
    const query = { filters, order_by: [{ field: 'created_at', order: 'asc' }] };
    const path = `/v1/deployments?limit=${PAGE}&query=${encodeURIComponent(JSON.stringify(query))}`;
    const answer = await ask(`GET ${path}`);
    const read = Listed.safeParse(answer.body).data;
    if (answer.status !== 200 || read === undefined) {
      throw new Error(`Edgegap did not list ${id}: ${answer.said}`);
    }
    // Others are stopped here, so the answer is not believed to have been filtered.
    const own = read.data.filter(({ tags }) => tags.includes(tagOf(id)));
    return own.map(({ request_id: request }) => request);
  }

  /** The oldest deployment of the instance. The others are stopped. */
  async function kept(id: string): Promise<string | undefined> {
    const [first, ...others] = await find(id);
    await Promise.all(others.map(remove));
    return first;
  }

  async function look(id: string, request: string): Promise<Inspection> {
    const answer = await ask(`GET /v1/status/${encodeURIComponent(request)}`);
    if (answer.status === 404 && answer.isOwn) {
      return { state: 'unknown', ports: [] };
    }
    const read = Status.safeParse(answer.body).data;
    if (answer.status !== 200 || read === undefined) {
      throw new Error(`Edgegap did not report on ${id}: ${answer.said}`);
    }
    const ports = Object.entries(read.ports ?? {}).map(([name, port]) => {
      const host = port.tls_upgrade ? read.fqdn : read.public_ip;
      const protocol = /udp/i.test(port.protocol) ? 'udp' : 'tcp';
      const plain = cloudPort(host, [port.internal, port.external], protocol);
      return { ...plain, name, tls_enabled: port.tls_upgrade };
    });
    if (read.error || /TERMINAT|ERROR/.test(read.current_status)) {
      const ending = { ...NO_ENDING, detail: read.error_detail ?? null };
      return { state: 'stopped', ports, ending };
    }
    if (read.running) {
      known.set(id, request);
    }
    return { state: read.running ? 'running' : 'launching', ports };
  }

  async function deploy(spec: LaunchSpec, body: object): Promise<Launched> {
    const earlier = await kept(spec.instanceId);
    if (earlier !== undefined) {
      const { state, ports } = await look(spec.instanceId, earlier);
      return state === 'running' || state === 'launching'
        ? { ok: true, ports }
        : hasEnded('deployment');
    }
    const answer = await ask('POST /v2/deployments', body);
    const request = Deployed.safeParse(answer.body).data?.request_id;
    if (answer.status === 202 && request !== undefined) {
      // Its ports are known when it runs.
      return { ok: true, ports: [] };
    }
    const reason = failureOf(answer, FULL);
    if (reason === 'no_capacity' && request !== undefined) {
      // It is in error and listed until it is stopped, so a later launch would take it for one that has ended. If it cannot
      // be stopped now, Edgegap does it after a while.
      await remove(request).catch(() => undefined);
    }
    return { ok: false, reason, detail: `Edgegap did not start a deployment: ${answer.said}` };
  }

  return {
    async launch(spec): Promise<Launched> {
      const order = cloudOrder(spec, locations);
      if (!order.ok) {
        return order.refusal;
      }
      const { place, application, version, env } = order.value;
      if (version === undefined) {
        const detail = `the image of build ${spec.build.name} has no tag, which is its version at Edgegap`;
        return { ok: false, reason: 'refused', detail };
      }
      const [latitude, longitude] = place;
      const body = {
        application,
        version,
        users: [{ user_type: 'geo_coordinates', user_data: { latitude, longitude } }],
        environment_variables: Object.entries(env).map(([key, value]) => {
          return { key, value, is_hidden: true };
        }),
        tags: ['muster', tagOf(spec.instanceId)],
      };
      return deploy(spec, body).catch(unreachable);
    },

    async inspect(id): Promise<Inspection> {
      const request = known.get(id) ?? (await kept(id));
      return request === undefined ? { state: 'unknown', ports: [] } : look(id, request);
    },

    async stop(id): Promise<void> {
      await Promise.all((await find(id)).map(remove));
    },
  };
}

function tagOf(id: string): string {
  return `muster-${id}`;
}
