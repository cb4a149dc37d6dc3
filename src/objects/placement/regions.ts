// Known names of regions, and their places on the platform's map. Projects choose the names: an unknown one works too,
// and its objects are created near the first caller. A hint only matters when an object is created.

const NAMES: Readonly<Record<DurableObjectLocationHint, string>> = {
  enam: 'us-east us-central us-south ca-east ca-central mx-central us na',
  wnam: 'us-west ca-west',
  sam: 'sa-east sa-west sa',
  weur: 'eu-west eu-central eu-north eu-south eu',
  eeur: 'eu-east',
  apac: 'asia-south ap-south asia ap',
  'apac-ne': 'asia-east asia-northeast ap-east ap-northeast',
  'apac-se': 'asia-southeast ap-southeast',
  oc: 'oceania au-east au',
  me: 'me-central me-south me-west me',
  afr: 'af-south af-north af',
};

const HINTS = new Map(
  Object.entries(NAMES).flatMap(([hint, names]) =>
    names.split(' ').map((name) => [name, hint as DurableObjectLocationHint] as const),
  ),
);

/** The known names. */
export const REGIONS: readonly string[] = [...HINTS.keys()];

/** Where to create a region's objects, or null. Case and a number at the end do not matter: `EU-West-2` is `eu-west`. */
export function hintFor(region: string): DurableObjectLocationHint | null {
  return HINTS.get(region.toLowerCase().replace(/-?\d+[a-z]?$/, '')) ?? null;
}
