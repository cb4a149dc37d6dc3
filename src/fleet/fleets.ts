// The fleets of a deployment by name, and which of them to try for a server. The choice is saved with the instance
// before the fleet is called, so later calls go to the same fleet.

import type { RegionEcho } from '../../client/src/types';
import type { Build } from './build';
import type { Fleet } from './port';

/** The properties of a fleet that matter for choosing. */
export interface FleetRoute {
  /** Unique among the fleets of a deployment. */
  readonly name: string;
  /** A name that several fleets share, for builds that run on any of them. */
  readonly group: string | null;
  /** Regions that the fleet serves. Empty: any. */
  readonly regions: readonly string[];
  /** Projects that may use the fleet. Empty: all. */
  readonly projects: readonly string[];
  /** Where players measure how far away it is. */
  readonly echo?: Omit<RegionEcho, 'region'> | null;
}

export interface Wanted {
  readonly project: string;
  /** Null: any. */
  readonly region: string | null;
  /** `build.launch.fleet`: the name or group that the build requires, or null. */
  readonly fleet: string | null;
}

export interface Fleets {
  readonly names: readonly string[];
  /** Names of the fleets that may launch the server, best first. */
  candidates(wanted: Wanted): readonly string[];
  /** Where to measure each region of the project's fleets: of each, the first fleet in the list that says so. */
  echoes(project: string): readonly RegionEcho[];
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
  const route: FleetRoute = { name: ONLY, group: null, regions: [], projects: [] };
  return fleetsAmong([{ route, fleet }], () => 0);
}

/** Several fleets, in the order in which they are tried. */
export function fleetsAmong(
  fleets: readonly { readonly route: FleetRoute; readonly fleet: Fleet }[],
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
    echoes: (project) => echoesOf(routes, project),
    named: (name) => byName.get(name) ?? null,
    silent: (name) => {
      silentUntil.set(name, now() + REST_MS);
    },
  };
}

function serves({ projects }: FleetRoute, project: string): boolean {
  return projects.length === 0 || projects.includes(project);
}

function echoesOf(routes: readonly FleetRoute[], project: string): readonly RegionEcho[] {
  const found = new Map<string, RegionEcho>();
  for (const { regions, echo } of routes.filter((each) => serves(each, project))) {
    for (const region of echo ? regions : []) {
      found.set(region, found.get(region) ?? { region, http: null, udp: null, ...echo });
    }
  }
  return [...found.values()];
}

/**
 * Names of the fleets to try, in order: first the fleets that list the region, then those that serve any region,
 * each in the order of the list. A build that names a fleet or group runs nowhere else. Fleets in `resting` did not
 * answer lately and come last. That is safe as long as the launch has not been sent to any fleet.
 */
export function fleetsFor(
  routes: readonly FleetRoute[],
  { project, region, fleet }: Wanted,
  resting: ReadonlySet<string> = new Set(),
): readonly string[] {
  const allowed = routes.filter(
    (each) =>
      serves(each, project) && (fleet === null || fleet === each.name || fleet === each.group),
  );
  const near = allowed.filter(({ regions }) =>
    region === null ? regions.length > 0 : regions.includes(region),
  );
  const anywhere = allowed.filter(({ regions }) => regions.length === 0);
  const names = [...near, ...anywhere].map(({ name }) => name);
  return [
    ...names.filter((name) => !resting.has(name)),
    ...names.filter((name) => resting.has(name)),
  ];
}

/**
 * Why the fleets that may launch the build could not, one text for each fleet. A fleet that cannot tell or does not
 * answer gives no warning.
 */
export async function problemsOf(
  fleets: Fleets,
  project: string,
  build: Build,
): Promise<readonly string[]> {
  if (build.launch.host === 'players') {
    return [];
  }
  const wanted = { project, region: null, fleet: build.launch.fleet ?? null };
  const names = fleets.candidates(wanted);
  if (names.length === 0) {
    return [`There is no fleet ${build.launch.fleet ?? 'for this project'}`];
  }
  const { name, version, label, launch, ports } = build;
  const problems = names.map(async (each) => {
    const asked = fleets.named(each)?.check?.({ name, version, label, launch, ports });
    const problem = (await asked?.catch(() => null)) ?? null;
    return problem === null || each === ONLY ? problem : `${each}: ${problem}`;
  });
  return (await Promise.all(problems)).filter((problem) => problem !== null);
}
