// A build: a version of the game server that lobbies and matches run on, by name (decision 34).
// Matches that resolve to one that is not ready fail (spec: Rule semantics 9).

import * as z from 'zod';
import type { BuildLaunch } from '../fleet/port';
import { type Issue, listOf, nameProblem, oneOf, parseWith, recordOf, text } from '../match/shape';
import { DEFAULT_BUILD } from '../match/version';
import { type Result, refuse } from '../result';

export interface Build {
  readonly name: string;
  /** What the game itself calls it; only shown. */
  readonly version: string;
  readonly status: 'ready' | 'not_ready';
  /** What fleets need to start it. */
  readonly launch: BuildLaunch;
}

const MAX_VERSION_LENGTH = 64;
const MAX_LAUNCH_TEXT = 1024;
const MAX_ARGS = 64;
const MAX_ENV = 64;
/** The status as people write it. */
const STATUSES = { ready: 'ready', not_ready: 'not_ready', 'not ready': 'not_ready' } as const;

const launchText = text(MAX_LAUNCH_TEXT);
const plainText = z
  .string('must be a text')
  .max(MAX_LAUNCH_TEXT, `must be at most ${MAX_LAUNCH_TEXT} characters long`);

const environment = recordOf({
  value: plainText,
  max: MAX_ENV,
  key: (name) =>
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) && name !== '__proto__'
      ? null
      : 'an environment name has letters, digits and _, and starts with no digit',
});

/** The fields of a build as they may come. */
export const buildInput = z.object(
  {
    name: z.unknown().optional(),
    version: text(MAX_VERSION_LENGTH).nullish(),
    status: oneOf(Object.keys(STATUSES) as (keyof typeof STATUSES)[]).nullish(),
    launch: z
      .object(
        {
          command: launchText.nullish(),
          args: listOf(plainText, MAX_ARGS).nullish(),
          image: launchText.nullish(),
          fleet: launchText.nullish(),
          fleetName: launchText.nullish(),
          env: environment.nullish(),
        },
        'must be an object',
      )
      .nullish(),
  },
  'must be an object',
);

/** The build there is from the start, until another is saved under its name. */
export function defaultBuild(): Build {
  return { name: DEFAULT_BUILD, version: '1', status: 'ready', launch: {} };
}

/** The build of that name as the body says it, ready unless it says otherwise; or what is wrong. */
export function parseBuild(name: string, body: unknown): Result<Build, readonly Issue[]> {
  const message = nameProblem(name);
  if (message !== null) {
    return refuse([{ path: 'name', message }]);
  }
  const schema = buildInput.transform((input, context): Build => {
    if ((input.name ?? name) !== name) {
      context.addIssue({
        code: 'custom',
        path: ['name'],
        message: `must be ${name}, as asked for`,
      });
    }
    return {
      name,
      version: input.version ?? '1',
      status: STATUSES[input.status ?? 'ready'],
      launch: launchOf(input.launch ?? {}),
    };
  });
  return parseWith(schema, body);
}

/** Only what was said: a fleet tells a missing key from an empty one. */
function launchOf(input: NonNullable<z.infer<typeof buildInput>['launch']>): BuildLaunch {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
