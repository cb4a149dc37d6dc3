// Which fleets the service launches on, as its surroundings say: one by FLEET, or several by
// FLEETS. Choosing among them is fleet/router.ts; here each gets its adapter and its secrets.

import { agonesFleet, type AgonesFleetOptions } from './agones';
import { parseFleets, type FleetEntry } from './entries';
import { httpFleet } from './webhook';
import { localFleet } from './local';
import type { Fleet } from './port';
import { simulatedFleet, type SimulatedFleet } from './simulated';
import { quotasOf, type QuotaSettings } from '../quotas';
import { assertNever, must } from '../result';
import { fleetsAmong, ONLY, onlyFleet, type Fleets, type ServerSurroundings } from './fleets';
import { logEvent } from '../log';

/** The part of the deployment's settings that says which fleets there are. */
export interface FleetSettings {
  /** The one fleet there is: `local`, `http` or `simulated`; not heeded where FLEETS is given. */
  readonly FLEET?: string;
  readonly FLEET_URL?: string;
  readonly FLEET_SECRET?: string;
  /** Several fleets: a JSON list (entries.ts); the secrets are in variables it names. */
  readonly FLEETS?: string;
  /** Where fleets and game servers reach this service. */
  readonly PUBLIC_URL?: string;
}

export function surroundingsOf(env: FleetSettings & QuotaSettings): ServerSurroundings {
  const share = quotasOf(env).held.servers.project;
  return { fleets: fleetsOf(env), publicUrl: env.PUBLIC_URL ?? '', share };
}

/** One an isolate and setting: fleets remember who is silent, simulated ones what they run. */
const known = new Map<string, Fleets>();

function fleetsOf(env: FleetSettings): Fleets {
  const setting = JSON.stringify([env.FLEETS, env.FLEET, env.FLEET_URL, env.FLEET_SECRET]);
  const found = known.get(setting) ?? made(env);
  known.set(setting, found);
  return found;
}

function made(env: FleetSettings): Fleets {
  return env.FLEETS === undefined ? onlyFleet(soleFleet(env)) : listed(env, env.FLEETS);
}

const simulatedFleets = new Map<string, SimulatedFleet>();

/**
 * The simulated fleet of that name in this isolate, which tests command. Its memory is lost with
 * the isolate: what it does not know it takes for running.
 */
export function simulatedFleetNamed(
  name: string,
  options: { readonly capacity?: number; readonly startMs?: number } = {},
): SimulatedFleet {
  const fleet =
    simulatedFleets.get(name) ??
    simulatedFleet({ ...options, now: () => Date.now(), unknownIs: 'running' });
  simulatedFleets.set(name, fleet);
  return fleet;
}

/** FLEET and its settings: the way of a service with one fleet. */
function soleFleet(env: FleetSettings): Fleet {
  if (env.FLEET === 'local') {
    return localFleet({
      url: must(env.FLEET_URL, 'FLEET_URL, where the agent listens'),
      secret: must(env.FLEET_SECRET, 'FLEET_SECRET, which the agent knows too'),
    });
  }
  if (env.FLEET === 'http') {
    return httpFleet({
      url: must(env.FLEET_URL, 'FLEET_URL, where the receiver listens'),
      secret: must(env.FLEET_SECRET, 'FLEET_SECRET, which the receiver knows too'),
    });
  }
  return env.FLEET === 'simulated' ? simulatedFleetNamed(ONLY) : refusing('No fleet is configured');
}

function listed(env: FleetSettings, json: string): Fleets {
  const entries = parseFleets(json);
  if (!entries.ok) {
    const wrong = entries.refusal.map(({ path, message }) => `FLEETS${path}: ${message}`);
    logEvent('fleets_invalid', { detail: wrong.join('; ') });
    return onlyFleet(refusing('The fleets of this service are not set up right'));
  }
  return fleetsAmong(
    entries.value.map((entry) => ({ route: entry, fleet: adapted(entry, env) })),
    () => Date.now(),
  );
}

/** A fleet without its secret refuses and says which variable is missing, in the log as well. */
function adapted(entry: FleetEntry, env: FleetSettings): Fleet {
  try {
    return adapter(entry, env);
  } catch (error) {
    logEvent('fleet_invalid', { fleet: entry.name, detail: String(error) });
    return refusing(`The fleet ${entry.name} is not set up right`);
  }
}

function adapter(entry: FleetEntry, env: FleetSettings): Fleet {
  const given = env as unknown as Readonly<Record<string, unknown>>;
  const secretOf = (variable: string): string => {
    const secret = given[variable];
    return must(typeof secret === 'string' && secret !== '' ? secret : null, variable);
  };
  switch (entry.kind) {
    case 'local':
      return localFleet({ url: entry.url, secret: secretOf(entry.secretEnv) });
    case 'http':
      return httpFleet({ url: entry.url, secret: secretOf(entry.secretEnv) });
    case 'agones': {
      const { url, namespace, fleetName, via } = entry;
      const fetcher = via === null ? undefined : must(given[via], via);
      const token = secretOf(entry.tokenEnv);
      const reached = fetcher as AgonesFleetOptions['fetcher'];
      return agonesFleet({ url, token, namespace, fleetName, fetcher: reached });
    }
    case 'simulated': {
      const { name, capacity, startMs } = entry;
      return simulatedFleetNamed(name, {
        ...(capacity === null ? {} : { capacity }),
        ...(startMs === null ? {} : { startMs }),
      });
    }
    default:
      return assertNever(entry);
  }
}

/** A service without a fleet still has lobbies; every launch is refused and says why. */
function refusing(detail: string): Fleet {
  const silence = (): Promise<never> => Promise.reject(new Error(detail));
  return {
    launch: async () => ({ ok: false, reason: 'refused', detail }),
    inspect: silence,
    stop: silence,
  };
}
