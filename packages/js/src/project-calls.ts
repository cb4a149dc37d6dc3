// What a game asks of its project, whoever the player is.

import { type CallOptions, part, Service, type ServiceOptions } from './http.ts';
import type { Ladder, LadderQuery } from './rating-types.ts';
import { measured, type MeasureOptions } from './regions.ts';
import type { SeatKey } from './seat-check.ts';
import type { RegionEcho, Server } from './types.ts';

export class ProjectCalls {
  protected readonly service: Service;

  constructor(options: ServiceOptions) {
    this.service = new Service(options);
  }

  /** A page of the ladder of a rated mode, the best first. */
  getRatings(query: LadderQuery, options: CallOptions = {}): Promise<Ladder> {
    return this.service.call('GET', '/v3/ratings', { ...options, query: { ...query } });
  }

  /** The game's regions, and where to measure how far away they are. */
  async listRegions(options: CallOptions = {}): Promise<readonly RegionEcho[]> {
    type Regions = { readonly regions: readonly RegionEcho[] };
    return (await this.service.call<Regions>('GET', '/v3/regions', options)).regions;
  }

  /**
   * How far away each region is, in ms: what a mode with a `latency` rule reads. A region that does not answer is left out.
   *
   * @example
   * const ping = await muster.measureRegions();
   * await muster.updateMyState({ ping });
   */
  async measureRegions(options: MeasureOptions = {}): Promise<Record<string, number>> {
    return measured(await this.listRegions(options), this.service.fetch, options);
  }

  getServer(instanceId: string, options: CallOptions = {}): Promise<Server> {
    return this.service.call('GET', `/v3/servers/${part(instanceId)}`, options);
  }

  /** For `@muster/client/peers`: the keys that seat tickets are verified by. */
  async seatKeys(project: string): Promise<readonly SeatKey[]> {
    const path = '/.well-known/jwks.json';
    type Keys = { readonly keys: readonly SeatKey[] };
    return (await this.service.call<Keys>('GET', path, { query: { project } })).keys;
  }
}
