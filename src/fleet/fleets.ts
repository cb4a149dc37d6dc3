// The fleets of a deployment, and which to try for a server. The choice is saved first, so later calls go to the same
// fleet.

import type { RegionEcho } from '../../packages/js/src/types';
import type { Build } from './build';
import type { Fleet, LaunchBuild } from './port';

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
  /** `build.launch.fleet` or `fleets`: the names or groups that the build requires, first choice first. Null: any. */
  readonly fleet: string | readonly string[] | null;
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
  /** The fleets that come last, until when (epoch ms). A service with one fleet has no others to ask first. */
  resting(): ReadonlyMap<string, number>;
}

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
  const resting = (): ReadonlyMap<string, number> =>
    new Map([...silentUntil].filter(([, until]) => until > now() && routes.length > 1));
  return {
    names: routes.map(({ name }) => name),
    candidates: (wanted) => fleetsFor(routes, wanted, new Set(resting().keys())),
    resting,
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
 * Names of the fleets to try, in order: first the fleets that list the region, then those that serve any region, each
 * in the order of the list. A build that names fleets or groups runs nowhere else, and its order counts first. Fleets
 * in `resting` did not answer lately and come last. That is safe as long as the launch has not been sent to any fleet.
 */
export function fleetsFor(
  routes: readonly FleetRoute[],
  { project, region, fleet }: Wanted,
  resting: ReadonlySet<string> = new Set(),
): readonly string[] {
  const names = [fleet ?? []].flat();
  const choice = ({ name, group }: FleetRoute): number =>
    names.findIndex((each) => each === name || each === group);
  const rests = ({ name }: FleetRoute): number => Number(resting.has(name));
  const isAnywhere = ({ regions }: FleetRoute): number => Number(regions.length === 0);
  return routes
    .filter((each) => serves(each, project) && (fleet === null || choice(each) >= 0))
    .filter((each) => region === null || isAnywhere(each) || each.regions.includes(region))
    .toSorted(
      (a, b) => rests(a) - rests(b) || choice(a) - choice(b) || isAnywhere(a) - isAnywhere(b),
    )
    .map(({ name }) => name);
}

/** Why fleets could not launch the build, one text for each. A fleet that cannot tell or is silent gives no warning. */
export async function problemsOf(fleets: Fleets, project: string, build: Build) {
  if (build.launch.host === 'players') {
    return [];
  }
  const { fleet = null, fleets: inOrder = fleet } = build.launch;
  const names = fleets.candidates({ project, region: null, fleet: inOrder });
  if (names.length === 0) {
    return [`There is no fleet ${[inOrder ?? 'for this project'].flat().join(' or ')}`];
  }
  const { name, version, label, launch, ports } = build;
  const warm = Object.keys(launch.warm ?? {}).flatMap((region) => {
    const there = fleets.candidates({ project, region, fleet: inOrder });
    const isVain = there.every((each) => fleets.named(each)?.keepsReady);
    return isVain ? `launch.warm: No fleet in the region ${region} takes warm servers` : [];
  });
  const vain = agentOnly(build).join(', ');
  const unlike = names.flatMap((each) =>
    vain === '' || fleets.named(each)?.tells
      ? []
      : `${vain}: no effect on the fleet ${each}, which is no local agent`,
  );
  const problems = names.map(async (each) => {
    const asked = fleets.named(each)?.check?.({ name, version, label, launch, ports });
    const problem = (await asked?.catch(() => null)) ?? null;
    return problem === null || each === ONLY ? problem : `${each}: ${problem}`;
  });
  const found = (await Promise.all(problems)).filter((problem) => problem !== null);
  return [...found, ...warm, ...unlike];
}

/** The fields of the build that only local agents obey, and receivers of your own that do as they like. */
function agentOnly({ launch, ports }: LaunchBuild): readonly string[] {
  const { files, keep, ready = 'port' } = launch;
  const fields: Readonly<Record<string, boolean>> = {
    'launch.files': files !== undefined,
    'launch.keep': keep !== undefined,
    'launch.ready': ready !== 'port',
    'ports[].offset': ports.some(({ offset }) => offset !== undefined),
    'ports[].fixed': ports.some(({ fixed }) => fixed !== undefined),
  };
  return Object.keys(fields).filter((name) => fields[name]);
}
