// Known names of regions, and their places on the platform's map. A region is a name that the project chooses,
// and is matched as text. An unknown name works too: its objects are created near the first caller. A hint only
// matters when an object is created.

const HINTS: ReadonlyMap<string, DurableObjectLocationHint> = new Map([
  ['us-east', 'enam'],
  ['us-central', 'enam'],
  ['us-south', 'enam'],
  ['us-west', 'wnam'],
  ['ca-east', 'enam'],
  ['ca-central', 'enam'],
  ['ca-west', 'wnam'],
  ['mx-central', 'enam'],
  ['sa-east', 'sam'],
  ['sa-west', 'sam'],
  ['eu-west', 'weur'],
  ['eu-central', 'weur'],
  ['eu-north', 'weur'],
  ['eu-south', 'weur'],
  ['eu-east', 'eeur'],
  ['asia-east', 'apac-ne'],
  ['asia-northeast', 'apac-ne'],
  ['asia-southeast', 'apac-se'],
  ['asia-south', 'apac'],
  ['ap-east', 'apac-ne'],
  ['ap-northeast', 'apac-ne'],
  ['ap-southeast', 'apac-se'],
  ['ap-south', 'apac'],
  ['oceania', 'oc'],
  ['au-east', 'oc'],
  ['me-central', 'me'],
  ['me-south', 'me'],
  ['me-west', 'me'],
  ['af-south', 'afr'],
  ['af-north', 'afr'],
  // Short forms.
  ['us', 'enam'],
  ['na', 'enam'],
  ['eu', 'weur'],
  ['sa', 'sam'],
  ['asia', 'apac'],
  ['ap', 'apac'],
  ['au', 'oc'],
  ['me', 'me'],
  ['af', 'afr'],
]);

/** The known names, in the order of the documentation. */
export const REGIONS: readonly string[] = [...HINTS.keys()];

/**
 * Where to create the objects of that region. Null for an unknown name. Case and a number at the end do not
 * matter: `EU-West-2` is the place of `eu-west`.
 */
export function hintFor(region: string): DurableObjectLocationHint | null {
  return HINTS.get(region.toLowerCase().replace(/-?\d+[a-z]?$/, '')) ?? null;
}
