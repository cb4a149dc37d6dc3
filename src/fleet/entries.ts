// Reads `FLEETS`, a JSON list of a deployment's fleets from its environment. It is strict, like every document of
// an operator, and each issue says where it is. The list does not hold secrets, only the names of their variables.

import * as z from 'zod';
import { listOf, mapOf, named, or, parseWith, region, text, unrepeated } from '../common/shape';
import type { Issue } from '../common/shape';
import { REGION, REGION_FORM } from '../common/limits';
import { refuse, type Result } from '../common/result';

const MAX_FLEETS = 50;
const MAX_REGIONS = 100;
const MAX_TEXT = 1024;

const name = named(64);

const address = text(MAX_TEXT).refine((value) => {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}, 'must be an http or https address');

/** The name of a Kubernetes namespace or an Agones Fleet: a DNS label. */
const kubernetesName = z
  .string('must be a string')
  .max(63, 'must be at most 63 characters long')
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be a Kubernetes name: a-z, 0-9 and -');

/** A host and a port, as in `eu.example:7900` or `[2001:db8::1]:7900`. */
const hostAndPort = text(MAX_TEXT).refine(
  (value) => /^([^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(value),
  'must be a host and a port: eu.example:7900',
);
const echo = z.object({ http: or(address, null), udp: or(hostAndPort, null) }, 'must be an object');

const route = {
  name,
  group: or(name, null),
  regions: or(listOf(region(), MAX_REGIONS), []),
  projects: or(listOf(text(64), MAX_REGIONS), []),
  echo: or(echo, null),
};

const variable = z
  .string('must be a string')
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must name a variable');

const own = z.object({
  ...route,
  kind: z.enum(['local', 'http']),
  url: address,
  secretEnv: variable,
});
const agones = z.object({
  ...route,
  kind: z.literal('agones'),
  url: address,
  tokenEnv: variable,
  namespace: kubernetesName.default('default'),
  fleetName: kubernetesName.nullable().default(null),
  /** The name of a service binding that reaches the API, for a CA that the platform does not know. */
  via: variable.nullable().default(null),
});
/** A fleet of a cloud. It serves the regions that it has a location for, and no others. */
function cloud<const Kind extends string, Place>(of: Kind, api: string, place: z.ZodType<Place>) {
  const regionProblem = (key: string) => (REGION.test(key) ? null : REGION_FORM);
  const locations = mapOf(place, MAX_REGIONS, regionProblem).refine(
    (read) => Object.keys(read).length > 0,
    'must have a location for at least one region',
  );
  const [kind, url] = [z.literal(of), address.default(api)];
  return z
    .object({ ...route, kind, url, tokenEnv: variable, locations })
    .transform((read) => ({ ...read, regions: Object.keys(read.locations) }));
}

const coordinates = z.tuple(
  [z.number().min(-90).max(90), z.number().min(-180).max(180)],
  'must be a latitude and a longitude: [50.1, 8.7]',
);
const gameye = cloud('gameye', 'https://api.production-gameye.gameye.net', text(64));
const edgegap = cloud('edgegap', 'https://api.edgegap.com', coordinates);
const simulated = z.object({ ...route, kind: z.literal('simulated') });

/** The issues of an entry are about its own kind only. */
const entry = z.discriminatedUnion('kind', [own, agones, gameye, edgegap, simulated], {
  error: ({ code }) =>
    code === 'invalid_union'
      ? 'must be one of local, http, agones, gameye, edgegap, simulated'
      : 'must be an object',
});

export type FleetEntry = z.infer<typeof entry>;

const entries = listOf(entry, MAX_FLEETS).check(unrepeated('name', (each) => each.name));

/** The fleets in their order, or all issues of the list, with paths such as `[1].url`. */
export function parseFleets(json: string): Result<readonly FleetEntry[], readonly Issue[]> {
  try {
    return parseWith(entries, JSON.parse(json));
  } catch {
    return refuse([{ path: '', message: 'is not JSON' }]);
  }
}
