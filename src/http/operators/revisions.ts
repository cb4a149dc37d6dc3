// Earlier revisions of a config, and restoring one.

import { iso } from '../../common/clock';
import { parseConfig } from '../../lobby/config-schema';
import { retrying } from '../ask';
import { invalid } from '../body';
import type { KeyedCall } from '../call';
import { json, problem } from '../problem';
import { configSaved, freshDocument, ifRevisionOf } from './configs';
import { operatorOf } from './key';
import type { RevisionView } from './told';

export async function history(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const name = params['name'] ?? '';
  const found = await retrying(() => peers.project(project).configHistory(name));
  const items = found.map(({ revision, savedAt, by, config }): RevisionView => {
    const key = by === null ? null : by.slice(by.indexOf(':') + 1);
    return { revision, savedAt: iso(savedAt), key, config };
  });
  return items.length === 0
    ? problem({ code: 'CONFIG_NOT_FOUND', detail: 'No config with this name was saved' })
    : json({ items });
}

/** Saves an earlier revision as a new one, so the history keeps all revisions. */
export async function restore(call: KeyedCall): Promise<Response> {
  const ifRevision = ifRevisionOf(call.request);
  if (!ifRevision.ok) {
    return problem(ifRevision.refusal);
  }
  const { peers, project, params } = call;
  const name = params['name'] ?? '';
  const found = await retrying(() => peers.project(project).configHistory(name));
  const config = found.find(({ revision }) => String(revision) === params['revision'])?.config;
  if (config === undefined || config === null) {
    return problem({ code: 'CONFIG_NOT_FOUND', detail: 'There is no such revision' });
  }
  const { id: _, revision: __, ...fields } = config;
  const document = await freshDocument(call);
  const parsed = parseConfig(name, fields, document.configs[name]);
  if (!parsed.ok) {
    return problem(invalid(parsed.refusal).refusal);
  }
  const by = await operatorOf(call);
  const reply = await peers.project(project).saveConfigs([parsed.value], ifRevision.value, {}, by);
  return configSaved(call, reply, name, fields);
}
