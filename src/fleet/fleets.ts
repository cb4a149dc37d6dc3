// The fleets of a deployment by name, and which of them to try for a server.

import type { Fleet } from './port';
import { fleetsFor, type Route, type Wanted } from './router';

export interface Fleets {
  readonly names: readonly string[];
  /** Names of the fleets that may launch the server, best first. */
  candidates(wanted: Wanted): readonly string[];
  /** Null: there is no such fleet, or no longer. */
  named(name: string): Fleet | null;
  /** Call when the fleet did not answer. It comes last for a while. */
  silent(name: string): void;
}

/** The surroundings of a Server object. */
export interface ServerSurroundings {
  readonly fleets: Fleets;
  /** Where fleets and game servers reach this service. */
  readonly publicUrl: string;
  /** How many servers of one project may be live at once. Absent: any number. */
  readonly share?: number | undefined;
}

/** The name of the fleet of a deployment with only one. */
export const ONLY = 'fleet';
/** How long a fleet that did not answer comes last. */
const REST_MS = 30_000;

/** A deployment with one fleet, which takes every region and project. */
export function onlyFleet(fleet: Fleet): Fleets {
  const route: Route = { name: ONLY, group: null, regions: [], projects: [] };
  return fleetsAmong([{ route, fleet }], () => 0);
}

/** Several fleets, in the order in which they are tried. */
export function fleetsAmong(
  fleets: readonly { readonly route: Route; readonly fleet: Fleet }[],
  now: () => number,
): Fleets {
  const routes = fleets.map(({ route }) => route);
  const byName = new Map(fleets.map(({ route, fleet }) => [route.name, fleet]));
  const silentUntil = new Map<string, number>();
  return {
    names: routes.map(({ name }) => name),
    candidates: (wanted) => {
      const resting = [...silentUntil].filter(([, until]) => until > now());
      return fleetsFor(routes, wanted, new Set(resting.map(([name]) => name)));
    },
    named: (name) => byName.get(name) ?? null,
    silent: (name) => {
      silentUntil.set(name, now() + REST_MS);
    },
  };
}
