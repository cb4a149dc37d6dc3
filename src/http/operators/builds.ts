// Builds, which lobbies and matches launch by name (decision 34), and the earlier revisions of builds and configs.

import * as z from 'zod';
import type {
  BuildPage,
  BuildRevision,
  ConfigRevision,
} from '../../../packages/js/src/admin-types';
import { type Build, buildInput, parseBuild, withoutEnv } from '../../fleet/build';
import { problemsOf } from '../../fleet/fleets';
import { surroundingsOf } from '../../fleet/surroundings';
import { own } from '../../common/named';
import { iso } from '../../common/clock';
import { must } from '../../common/result';
import { unknownFields, type Warning, warning } from '../../common/shape';
import type { RefusalCode } from '../../lobby/refusals';
import { rememberProject } from '../../objects/caches/project';
import type { Revision } from '../../objects/contracts/project';
import type { AnyCall, BodyCall, KeyedCall, QueryCall } from '../wire/call';
import { checkedName } from '../wire/paths';
import { granted, json, refuseWith, retrying, valid } from '../wire/answer';
import { withSeatKeys } from '../identity/secrets';
import { operatorOf } from '../identity/audit';
import { freshDocument, ifRevisionOf, saveConfig } from './configs';
import { DEFAULT_BUILD, MAX_BUILDS } from '../../common/limits';
import { anyText, pageParams, queryNumber, writtenFlag, type AnyObject } from '../wire/fields';

/** Builds, all of them by default. `name`: only the build of that name. */
export const BuildsParams = z.object({
  name: anyText,
  limit: queryNumber(1, MAX_BUILDS, MAX_BUILDS).describe('How many at most; all unless given.'),
  offset: pageParams.offset,
});

export async function list(call: QueryCall<typeof BuildsParams>): Promise<Response> {
  const { name, limit, offset } = call.query;
  const all = Object.values((await freshDocument(call)).builds);
  const found = all.filter((build) => name === null || build.name === name);
  const builds = found.slice(offset, offset + limit);
  const [total, has_more] = [found.length, offset + limit < found.length];
  return json<BuildPage>({ builds, total, limit, offset, has_more });
}

export const BuildParams = z.object({
  check: writtenFlag.describe(
    'Also ask the fleets whether they could launch it now. Not for a viewer key.',
  ),
});

/** A build has no id but its name. */
export async function read(call: QueryCall<typeof BuildParams>): Promise<Response> {
  const name = checkedName('name', call.params['name'] ?? '');
  const { builds } = await freshDocument(call);
  const missing = `There is no build named ${name}`;
  const build = own(builds, name) ?? refuseWith('BUILD_NOT_FOUND', missing);
  // A fleet that checks a build fetches its image. A viewer only reads.
  const checks = call.query.check && call.keyKind !== 'viewer';
  return json(checks ? { ...build, warnings: await launchWarnings(call, build) } : build);
}

async function launchWarnings({ env, project }: AnyCall, build: Build): Promise<Warning[]> {
  const problems = await problemsOf(surroundingsOf(env).fleets, project, build);
  return problems.map((message) => warning(['launch'], message));
}

export function put(call: BodyCall<typeof AnyObject>): Promise<Response> {
  return save(call, call.body);
}

/** Saves the build of the path. `body`: as it was sent, or an earlier revision. */
async function save(call: AnyCall, body: object): Promise<Response> {
  const { peers, project, params } = call;
  const draft = valid(parseBuild(params['name'] ?? '', body));
  const by = await operatorOf(call);
  if (draft.launch.warm !== undefined) {
    // Its servers start before anybody searches, which makes the keys otherwise.
    await withSeatKeys(call);
  }
  const reply = granted(await peers.project(project).saveBuild(draft, by));
  rememberProject(project, reply, Date.now());
  const saved = must(reply.builds[draft.name], 'the build that was saved');
  const warnings = [...unknownFields(buildInput, body), ...(await launchWarnings(call, saved))];
  return json({ ...saved, warnings });
}

/** After this, matches that resolve to the build fail (spec: Versioning 3). */
export async function remove(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const name = checkedName('name', params['name'] ?? '');
  const by = await operatorOf(call);
  const reply = granted(await peers.project(project).removeBuild(name, by));
  rememberProject(project, reply, Date.now());
  return json({ status: 'build_deleted', name });
}

function configsOf({ peers, project, params }: KeyedCall) {
  return retrying(() => peers.project(project).configHistory(params['name'] ?? ''));
}

function buildsOf({ peers, project, params }: KeyedCall) {
  return retrying(() => peers.project(project).buildHistory(params['name'] ?? ''));
}

function listed<T>(
  found: readonly Revision<T>[],
  shown: (value: T | null) => Pick<ConfigRevision, 'config'> | Pick<BuildRevision, 'build'>,
  none: RefusalCode,
): Response {
  const items = found.map(({ revision, savedAt, by, value }) => {
    const key = by === null ? null : by.slice(by.indexOf(':') + 1);
    return { revision, savedAt: iso(savedAt), key, ...shown(value) };
  });
  return items.length === 0
    ? refuseWith(none, 'Nothing was saved under this name')
    : json({ items });
}

export async function configHistory(call: KeyedCall): Promise<Response> {
  return listed(await configsOf(call), (config) => ({ config }), 'CONFIG_NOT_FOUND');
}

export async function buildHistory(call: KeyedCall): Promise<Response> {
  const shown = (build: Build): Build => (call.keyKind === 'viewer' ? withoutEnv(build) : build);
  const found = await buildsOf(call);
  if (found.length === 0 && call.params['name'] === DEFAULT_BUILD) {
    return json({ items: [] });
  }
  return listed(found, (build) => ({ build: build && shown(build) }), 'BUILD_NOT_FOUND');
}

function chosen<T>(found: readonly Revision<T>[], { params }: KeyedCall, none: RefusalCode): T {
  const its = found.find(({ revision }) => String(revision) === params['revision']);
  return its?.value ?? refuseWith(none, 'There is no such revision');
}

/** Saves an earlier revision as a new one, so the history keeps all revisions. */
export async function restoreConfig(call: KeyedCall): Promise<Response> {
  const ifRevision = ifRevisionOf(call.request);
  const config = chosen(await configsOf(call), call, 'CONFIG_NOT_FOUND');
  const { id: _, revision: __, ...fields } = config;
  const document = await freshDocument(call);
  return saveConfig(call, call.params['name'] ?? '', fields, { document, ifRevision });
}

/** The same for a build, which gets a new version. */
export async function restoreBuild(call: KeyedCall): Promise<Response> {
  return save(call, chosen(await buildsOf(call), call, 'BUILD_NOT_FOUND'));
}
