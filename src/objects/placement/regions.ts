// The names of regions we know, and where on the platform's map they lie. A region is the
// project's own word, matched as text; one we do not know works as well, its objects then begin
// near whoever asks first. A hint counts only when an object is first asked for.

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

/** The names that have a place, in the order of the documentation. */
export const REGIONS: readonly string[] = [...HINTS.keys()];

/**
 * Where objects of that region should begin; null for a name we do not know. Case and a number at
 * the end say nothing of the place: `EU-West-2` lies where `eu-west` does.
 */
export function hintFor(region: string): DurableObjectLocationHint | null {
  return HINTS.get(region.toLowerCase().replace(/-?\d+[a-z]?$/, '')) ?? null;
}
