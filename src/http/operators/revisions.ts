// Earlier revisions of a config or a build, and restoring one.

import type { BuildRevision, ConfigRevision } from '../../../client/src/admin-types';
import { iso } from '../../common/clock';
import type { RefusalCode } from '../../lobby/refusals';
import type { Revision } from '../../objects/project/revisions';
import { retrying } from '../ask';
import { save } from './builds';
import type { KeyedCall } from '../call';
import { json } from '../problem';
import { refuseWith } from '../refused';
import { freshDocument, ifRevisionOf, saveConfig } from './configs';

const NO_REVISION = 'There is no such revision';

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
  return items.length === 0 ? refuseWith(none, 'Nothing was saved by this name') : json({ items });
}

export async function history(call: KeyedCall): Promise<Response> {
  return listed(await configsOf(call), (config) => ({ config }), 'CONFIG_NOT_FOUND');
}

export async function buildHistory(call: KeyedCall): Promise<Response> {
  return listed(await buildsOf(call), (build) => ({ build }), 'BUILD_NOT_FOUND');
}

function chosen<T>(found: readonly Revision<T>[], { params }: KeyedCall): T | null {
  return found.find(({ revision }) => String(revision) === params['revision'])?.value ?? null;
}

/** Saves an earlier revision as a new one, so the history keeps all revisions. */
export async function restore(call: KeyedCall): Promise<Response> {
  const ifRevision = ifRevisionOf(call.request);
  const config = chosen(await configsOf(call), call) ?? refuseWith('CONFIG_NOT_FOUND', NO_REVISION);
  const { id: _, revision: __, ...fields } = config;
  const document = await freshDocument(call);
  return saveConfig(call, call.params['name'] ?? '', fields, { document, ifRevision });
}

/** The same for a build, which gets a new version. */
export async function restoreBuild(call: KeyedCall): Promise<Response> {
  const build = chosen(await buildsOf(call), call);
  return save(call, build ?? refuseWith('BUILD_NOT_FOUND', NO_REVISION));
}
