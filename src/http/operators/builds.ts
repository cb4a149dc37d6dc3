// Builds, which lobbies and matches launch by name (decision 34).

import { buildInput, parseBuild } from '../../fleet/build';
import { surroundingsOf } from '../../fleet/surroundings';
import { problemsOf } from '../../fleet/launch-problems';
import { must } from '../../common/result';
import { unknownFields, warning } from '../../common/shape';
import { rememberProject } from '../../objects/caches/project';
import type { AnyCall, BodyCall, KeyedCall } from '../call';
import { freshDocument } from './configs';
import { operatorOf } from './key';
import { nameOf } from '../paths';
import { json } from '../problem';
import { granted, valid } from '../refused';
import type { AnyObject } from '../schemas';

export async function list(call: KeyedCall): Promise<Response> {
  const { builds } = await freshDocument(call);
  return json({ builds: Object.values(builds) });
}

export function put(call: BodyCall<typeof AnyObject>): Promise<Response> {
  return save(call, call.body);
}

/** Saves the build of the path. `body`: as it was sent, or an earlier revision. */
export async function save(call: AnyCall, body: object): Promise<Response> {
  const { peers, project, params } = call;
  const draft = valid(parseBuild(params['name'] ?? '', body));
  const by = await operatorOf(call);
  const reply = granted(await peers.project(project).saveBuild(draft, by));
  rememberProject(project, reply, Date.now());
  const saved = must(reply.builds[draft.name], 'the build that was saved');
  const { fleets } = surroundingsOf(call.env);
  const problems = await problemsOf(fleets, project, saved);
  const warnings = [
    ...unknownFields(buildInput, body),
    ...problems.map((message) => warning(['launch'], message)),
  ];
  return json({ ...saved, warnings });
}

/** After this, matches that resolve to the build fail (spec: Versioning 3). */
export async function remove(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const name = nameOf('name', params['name'] ?? '');
  const by = await operatorOf(call);
  const reply = granted(await peers.project(project).removeBuild(name, by));
  rememberProject(project, reply, Date.now());
  return json({ status: 'build_deleted', name });
}
