// Which fleets may launch a server, best first. Pure: the choice is saved with the instance before
// the fleet is called, so that whoever asks later asks the same fleet.

/** A fleet as far as choosing goes. */
export interface Route {
  /** Unique among the fleets of a deployment. */
  readonly name: string;
  /** Further name it goes by together with others, for builds that run on several. */
  readonly group: string | null;
  /** Regions it serves; empty: any. */
  readonly regions: readonly string[];
  /** Projects that may use it; empty: all. */
  readonly projects: readonly string[];
}

export interface Wanted {
  readonly project: string;
  /** Null: any. */
  readonly region: string | null;
  /** `build.launch.fleet`: the name or group the build insists on, or null. */
  readonly fleet: string | null;
}

/**
 * Names of the fleets to try, in this order: those that name the region, then those that serve
 * any, each in the order of the list. A build that names a fleet or group runs nowhere else.
 * Fleets in `resting` did not answer of late and come last: before a launch has been sent
 * anywhere, going elsewhere is safe.
 */
export function fleetsFor(
  routes: readonly Route[],
  { project, region, fleet }: Wanted,
  resting: ReadonlySet<string> = new Set(),
): readonly string[] {
  const allowed = routes.filter(
    ({ name, group, projects }) =>
      (projects.length === 0 || projects.includes(project)) &&
      (fleet === null || fleet === name || fleet === group),
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
