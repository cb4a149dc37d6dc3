// The state of a server, as tests of its rules need it.

import type { PlayerId } from '../../src/common/ids';
import type { Ending, Port } from '../../src/fleet/port';
import { intended, type Instance } from '../../src/objects/server/state';
import { matchOrder } from './match-order.ts';

export const NOW = 1_800_000_000_000;

export function instance(patch: Partial<Instance> = {}, order: object = {}): Instance {
  return { ...intended({ ...matchOrder, ...order }, 'token', NOW), ...patch };
}

export const RAN = { status: 'running', accepted: true, fleet: 'near', startedAt: NOW } as const;
export const HOSTING = {
  id: 'ann' as PlayerId,
  why: 'the longest there',
  lost: 'ben was gone',
  barred: ['ben' as PlayerId],
  votes: ['cid' as PlayerId],
  ran: false,
};
export const UNKNOWN: Ending = { exit_code: null, signal: null, output: null };

export function port(name: string, external = 30_001): Port {
  return {
    name,
    host: 'h',
    external_port: external,
    internal_port: 7777,
    protocol: 'udp',
    tls_enabled: false,
  };
}

export const PORTS = [port('a')];
