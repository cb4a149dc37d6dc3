// A build: a named version of the game server that lobbies and matches run on (decision 34). A match that resolves
// to a build that is not ready fails (spec: Rule semantics 9).

import * as z from 'zod';
import type { Build, PortConfig } from '../../packages/js/src/admin-types';
import {
  flag,
  type Issue,
  listOf,
  nameProblem,
  oneOf,
  parseWith,
  mapOf,
  object,
  text,
  unrepeated,
  wholeNumber,
} from '../common/shape';
import { DEFAULT_BUILD, IMAGE, REGION, REGION_FORM } from '../common/limits';
import { present } from '../common/named';
import { DEFAULT_STATUS } from './defaults';
import { KEEP, pathProblem } from './kept-files';
import { DEFAULT_PORT_NAMES, portVariable } from './ports';
import { type Result, refuse } from '../common/result';

export type { Build };

/** A build as it is saved. The project adds the other fields. */
export type BuildDraft = Omit<Build, 'version' | 'failing' | 'failingSince' | 'failure'>;

const MAX_LABEL_LENGTH = 64;
const MAX_LAUNCH_TEXT = 1024;
const MAX_ARGS = 64;
const MAX_READY_LINE = 256;
const MAX_ENV = 64;
const MAX_FILES = 32;
const KEEP_FORM = 'must be 1 to 32 letters, digits, _ and -, and begin with a letter or digit';
const MAX_BUILD_PORTS = 10;
const LAST_PORT = 65_535;
/** How far a port may be from the first. */
const MAX_OFFSET = 100;
const MAX_BUILD_FLEETS = 10;
/** The spellings of the status. */
const STATUSES = { ready: 'ready', not_ready: 'not_ready', 'not ready': 'not_ready' } as const;

/** MB. The least that Docker takes is 6. */
const MEMORY = [6, 1_048_576] as const;
const MAX_CPUS = 256;
/** Nobody waits longer for a game. */
const MAX_CAPACITY_SECONDS = 3_600;
/** Servers that a build keeps warm, in a region, and regions. */
const MAX_WARM = 50;
const MAX_WARM_REGIONS = 20;

const launchText = text(MAX_LAUNCH_TEXT);
const imageName = launchText.refine(
  (name) => IMAGE.test(name),
  'must be a container image name, such as registry.example.com/game:1.0',
);
const plainText = z
  .string('must be a string')
  .max(MAX_LAUNCH_TEXT, `must be at most ${MAX_LAUNCH_TEXT} characters long`);

const READY_FORM = 'must be port, report or {"line": "a text that the server prints"}';
const readyLine = text(MAX_READY_LINE).refine((line) => !/[\r\n]/.test(line), 'must be one line');

export const environment = mapOf(plainText, MAX_ENV, (name) =>
  /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) && name !== '__proto__'
    ? null
    : 'the name of an environment variable has letters, digits and _, and does not start with a digit',
);

const PORT_FORM = 'must start with a letter, and have only letters, digits, _ and -';
const port: z.ZodType<PortConfig> = object({
  name: z.string('must be a string').regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, PORT_FORM),
  internal_port: wholeNumber(1, LAST_PORT).exactOptional(),
  protocol: oneOf(['udp', 'tcp']).default('udp'),
  tls: oneOf(['proxy']).exactOptional(),
  offset: wholeNumber(0, MAX_OFFSET).exactOptional(),
  fixed: wholeNumber(1, LAST_PORT).exactOptional(),
}).refine(({ tls, protocol }) => tls === undefined || protocol === 'tcp', {
  path: ['tls'],
  error: 'needs a port of protocol tcp',
});

/** Named ports. Each also becomes an environment variable, so the names must differ as variables too. */
export const portList = listOf(port, MAX_BUILD_PORTS).check(
  unrepeated('name', ({ name }) => portVariable(name)),
  ({ value, issues }) => {
    for (const { path, message } of misnumbered(value)) {
      issues.push({ code: 'custom', input: value, path, message });
    }
  },
);

/** Issues for ports that no machine can give together, because two are one, or because there is no such number. */
function misnumbered(ports: readonly PortConfig[]): LaunchIssue[] {
  const first = ports[0]?.fixed;
  const taken = new Set<string>();
  return ports.flatMap(({ offset, fixed, protocol }, index) => {
    const issue = (key: 'offset' | 'fixed', message: string) => [{ path: [index, key], message }];
    if (offset !== undefined && (index === 0 || fixed !== undefined)) {
      const why = 'on the first port: it is the distance from that one';
      return issue('offset', `must not be ${index === 0 ? why : 'there with fixed'}`);
    }
    const distance = index === 0 ? 0 : offset;
    const number = fixed ?? (distance === undefined ? undefined : (first ?? 0) + distance);
    if ((number ?? 0) > LAST_PORT) {
      return issue('offset', `makes a number over ${LAST_PORT}`);
    }
    const isSure = fixed !== undefined || first !== undefined;
    const place = number === undefined ? `${index}th` : `${isSure ? '' : '+'}${number}`;
    const known = taken.has(`${place}/${protocol}`);
    taken.add(`${place}/${protocol}`);
    const key = fixed === undefined ? 'offset' : 'fixed';
    return known ? issue(key, 'has the same number and protocol as another port') : [];
  });
}

export const buildInput = object({
  // These come back when somebody edits an answer and sends it.
  name: z.unknown().optional(),
  failing: z.unknown().optional(),
  failingSince: z.unknown().optional(),
  failure: z.unknown().optional(),
  warnings: z.unknown().optional(),
  label: text(MAX_LABEL_LENGTH).nullish(),
  /** A number comes from an answer and is ignored. A text is what people call the version: the label. */
  version: z.union([z.int(), text(MAX_LABEL_LENGTH)], 'must be a number or a string').nullish(),
  status: oneOf(Object.keys(STATUSES) as (keyof typeof STATUSES)[]).nullish(),
  launch: object({
    command: launchText.nullish(),
    args: listOf(plainText, MAX_ARGS).nullish(),
    image: imageName.nullish(),
    memory: wholeNumber(...MEMORY).nullish(),
    cpus: z
      .number('must be a number')
      .min(0.01, 'must be at least 0.01')
      .max(MAX_CPUS, `must be at most ${MAX_CPUS}`)
      .nullish(),
    fleet: launchText.nullish(),
    host: oneOf(['players']).nullish(),
    fleets: listOf(launchText, MAX_BUILD_FLEETS)
      .refine((all) => all.length > 0, 'must name at least one fleet')
      .nullish(),
    fleetName: launchText.nullish(),
    capacitySeconds: wholeNumber(0, MAX_CAPACITY_SECONDS).nullish(),
    warm: mapOf(wholeNumber(0, MAX_WARM), MAX_WARM_REGIONS, (name) =>
      REGION.test(name) ? null : REGION_FORM,
    ).nullish(),
    env: environment.nullish(),
    files: mapOf(z.string('must be a string'), MAX_FILES, pathProblem).nullish(),
    keep: z.string('must be a string').regex(KEEP, KEEP_FORM).nullish(),
    ownFolder: flag().nullish(),
    roster: flag().nullish(),
    ready: z.union([oneOf(['port', 'report']), object({ line: readyLine })], READY_FORM).nullish(),
  }).nullish(),
  ports: portList.nullish(),
});

/** The build that exists from the start, until somebody saves another one with its name. */
export function defaultBuild(): Build {
  return {
    name: DEFAULT_BUILD,
    version: 1,
    label: null,
    status: DEFAULT_STATUS,
    launch: {},
    ports: [],
  };
}

/** The build as viewer keys see it: with the names of its environment variables and files, but not what is in them. */
export function withoutEnv(build: Build): Build {
  const { env, files } = build.launch;
  const hidden = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.keys(all).map((name) => [name, 'hidden']));
  const launch = { ...(env && { env: hidden(env) }), ...(files && { files: hidden(files) }) };
  return { ...build, launch: { ...build.launch, ...launch } };
}

/** The build that the body describes, or its issues. It is ready unless the body says otherwise. */
export function parseBuild(name: string, body: unknown): Result<BuildDraft, readonly Issue[]> {
  const message = nameProblem(name);
  if (message !== null) {
    return refuse([{ path: 'name', message }]);
  }
  const schema = buildInput.transform((input, context): BuildDraft => {
    const { launch: launchInput, ports: listed } = input;
    const [launch, ports] = [launchInput ?? {}, listed ?? []];
    const isOther = (input.name ?? name) !== name;
    const renamed = isOther ? [{ path: ['name'], message: `must be ${name}, as in the path` }] : [];
    for (const issue of [...renamed, ...misplaced(launch), ...unnamedPorts(launch, ports)]) {
      context.addIssue({ code: 'custom', ...issue });
    }
    return {
      name,
      label: input.label ?? (typeof input.version === 'string' ? input.version : null),
      status: STATUSES[input.status ?? DEFAULT_STATUS],
      // Fleets distinguish a missing key from an empty one.
      launch: present(launch),
      ports,
    };
  });
  return parseWith(schema, body);
}

type LaunchInput = NonNullable<z.infer<typeof buildInput>['launch']>;

interface LaunchIssue {
  readonly path: PropertyKey[];
  readonly message: string;
}

function misplaced({ host, ...launch }: LaunchInput): LaunchIssue[] {
  const { image, command, ownFolder, memory, cpus, fleet, fleets } = launch;
  const none = (fields: object, message: string): LaunchIssue[] =>
    Object.keys(present(fields)).map((key) => ({ path: ['launch', key], message }));
  if (typeof host === 'string') {
    const hosted =
      'must not be there with a host: a player hosts the game, and nothing is launched';
    return none(launch, hosted);
  }
  const isEither = 'must not be there with an image: a build starts a program or a container';
  const ofImage =
    typeof image === 'string'
      ? none({ command, ownFolder: ownFolder || null }, isEither)
      : none({ memory, cpus }, 'needs an image: only containers have limits');
  return [...ofImage, ...none({ fleets: fleet && fleets }, 'must not be there with a fleet')];
}

/** Issues for placeholders such as `{port:voice}` that name a port which the build does not have. */
function unnamedPorts(
  { args, env, files }: LaunchInput,
  ports: readonly PortConfig[],
): LaunchIssue[] {
  const named = ports.length > 0 ? ports.map(({ name }) => name) : DEFAULT_PORT_NAMES;
  const places = [
    ...(args ?? []).map((said, at) => ({ path: ['launch', 'args', at], said })),
    ...Object.entries(env ?? {}).map(([key, said]) => ({ path: ['launch', 'env', key], said })),
    ...Object.entries(files ?? {}).map(([key, said]) => ({ path: ['launch', 'files', key], said })),
  ];
  return places.flatMap(({ path, said }) => {
    const used = said.matchAll(/\{port:([A-Za-z0-9_-]+)\}/g).map(([, name = '']) => name);
    const unknown = used.filter((name) => !named.includes(name));
    const message = 'uses a port that the build does not have';
    return Array.from(unknown, (name) => ({ path, message: `${message}: ${name}` }));
  });
}

/** Splits startup arguments at spaces, as a shell does: single or double quotes keep words together. */
export function argumentsIn(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"']+|["'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
