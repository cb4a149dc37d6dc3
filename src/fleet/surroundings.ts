// Sets up the fleets of the service, with their adapters and secrets: one from FLEET, or several from FLEETS.

import { agonesFleet, type AgonesFleetOptions } from './agones';
import { edgegapFleet } from './edgegap';
import { parseFleets, type FleetEntry } from './entries';
import { gameyeFleet } from './gameye';
import { httpFleet, localFleet } from './rest';
import type { Fleet } from './port';
import { simulatedFleet } from './simulated';
import { quotasOf, type QuotaSettings } from '../common/quotas';
import { assertNever, must } from '../common/result';
import { fleetsAmong, onlyFleet, type Fleets, type ServerSurroundings } from './fleets';
import { logEvent } from '../common/log';

export interface FleetSettings {
  /** The only fleet: `local`, `http` or `simulated`. Ignored if FLEETS is set. */
  readonly FLEET?: string;
  readonly FLEET_URL?: string;
  readonly FLEET_SECRET?: string;
  /** Several fleets, as a JSON list (entries.ts). The list names the variables that hold the secrets. */
  readonly FLEETS?: string;
  /** Where fleets and game servers reach this service. */
  readonly PUBLIC_URL?: string;
}

export function surroundingsOf(env: FleetSettings & QuotaSettings): ServerSurroundings {
  const share = quotasOf(env).held.servers.project;
  return { fleets: fleetsOf(env), publicUrl: env.PUBLIC_URL ?? '', share };
}

/** The isolate's fleets for each setting. They are kept because they remember which fleets are silent. */
const known = new Map<string, Fleets>();

function fleetsOf(env: FleetSettings): Fleets {
  const { FLEETS: list, FLEET, FLEET_URL, FLEET_SECRET } = env;
  const setting = JSON.stringify([list, FLEET, FLEET_URL, FLEET_SECRET]);
  const made = () => (list === undefined ? onlyFleet(soleFleet(env)) : listed(env, list));
  const found = known.get(setting) ?? made();
  known.set(setting, found);
  return found;
}

function soleFleet(env: FleetSettings): Fleet {
  const { FLEET: kind } = env;
  if (kind === 'local' || kind === 'http') {
    const url = must(env.FLEET_URL, 'FLEET_URL, where the agent or receiver listens');
    const secret = must(env.FLEET_SECRET, 'FLEET_SECRET, which the agent or receiver knows too');
    return kind === 'local' ? localFleet({ url, secret }) : httpFleet({ url, secret });
  }
  return env.FLEET === 'simulated' ? simulatedFleet : refusing('No fleet is configured');
}

function listed(env: FleetSettings, json: string): Fleets {
  const entries = parseFleets(json);
  if (!entries.ok) {
    const wrong = entries.refusal.map(({ path, message }) => `FLEETS${path}: ${message}`);
    logEvent('fleets_invalid', { detail: wrong.join('; ') });
    return onlyFleet(refusing('The fleets of this service are not set up correctly'));
  }
  const fleets = entries.value.map((entry) => ({ route: entry, fleet: adapted(entry, env) }));
  return fleetsAmong(fleets, () => Date.now());
}

/** The adapter of a fleet. If its secret is missing, it refuses launches, and the log names the variable. */
function adapted(entry: FleetEntry, env: FleetSettings): Fleet {
  try {
    return adapter(entry, env);
  } catch (error) {
    logEvent('fleet_invalid', { fleet: entry.name, detail: String(error) });
    return refusing(`The fleet ${entry.name} is not set up correctly`);
  }
}

function adapter(entry: FleetEntry, env: FleetSettings): Fleet {
  const variables = env as unknown as Readonly<Record<string, unknown>>;
  const secretOf = (variable: string): string => {
    const secret = variables[variable];
    return must(typeof secret === 'string' && secret !== '' ? secret : null, variable);
  };
  switch (entry.kind) {
    case 'local':
      return localFleet({ url: entry.url, secret: secretOf(entry.secretEnv) });
    case 'http':
      return httpFleet({ url: entry.url, secret: secretOf(entry.secretEnv) });
    case 'agones': {
      const fetcher = entry.via === null ? undefined : must(variables[entry.via], entry.via);
      const reached = fetcher as AgonesFleetOptions['fetcher'];
      return agonesFleet({ ...entry, token: secretOf(entry.tokenEnv), fetcher: reached });
    }
    case 'gameye':
      return gameyeFleet({ ...entry, token: secretOf(entry.tokenEnv) });
    case 'edgegap':
      return edgegapFleet({ ...entry, token: secretOf(entry.tokenEnv) });
    case 'simulated':
      return simulatedFleet;
    default:
      return assertNever(entry);
  }
}

/** A fleet that refuses every launch and says why. A service without a fleet still has lobbies. */
function refusing(detail: string): Fleet {
  const silence = (): Promise<never> => Promise.reject(new Error(detail));
  return {
    launch: async () => ({ ok: false, reason: 'refused', detail }),
    inspect: silence,
    stop: silence,
  };
}
