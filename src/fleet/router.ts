// Chooses the fleets that may launch a server, best first. Pure. The choice is saved with the instance before the
// fleet is called, so later calls go to the same fleet.

/** The properties of a fleet that matter for choosing. */
export interface Route {
  /** Unique among the fleets of a deployment. */
  readonly name: string;
  /** A name that several fleets share, for builds that run on any of them. */
  readonly group: string | null;
  /** Regions that the fleet serves. Empty: any. */
  readonly regions: readonly string[];
  /** Projects that may use the fleet. Empty: all. */
  readonly projects: readonly string[];
}

export interface Wanted {
  readonly project: string;
  /** Null: any. */
  readonly region: string | null;
  /** `build.launch.fleet`: the name or group that the build requires, or null. */
  readonly fleet: string | null;
}

/**
 * Names of the fleets to try, in order: first the fleets that list the region, then those that serve any region,
 * each in the order of the list. A build that names a fleet or group runs nowhere else. Fleets in `resting` did not
 * answer lately and come last. That is safe as long as the launch has not been sent to any fleet.
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
