// Builds, which lobbies and matches launch by name (decision 34).

import type * as z from 'zod';
import { buildInput, parseBuild } from '../../fleet/build';
import { surroundingsOf } from '../../fleet/surroundings';
import { problemsOf } from '../../fleet/launch-problems';
import { must } from '../../common/result';
import { unknownFields, warning } from '../../common/shape';
import { rememberProject } from '../../objects/caches/project';
import { invalid } from '../body';
import type { KeyedCall } from '../call';
import { freshDocument } from './configs';
import { operatorOf } from './key';
import { nameOf } from '../paths';
import { json, problem } from '../problem';
import type { AnyObject } from '../schemas';

export async function list(call: KeyedCall): Promise<Response> {
  const { builds } = await freshDocument(call);
  return json({ builds: Object.values(builds) });
}

export function put(call: KeyedCall<z.infer<typeof AnyObject>>): Promise<Response> {
  return save(call, call.body);
}

/** Saves the build of the path. `body`: as it was sent, or an earlier revision. */
export async function save(call: KeyedCall<unknown>, body: object): Promise<Response> {
  const { peers, project, params } = call;
  const parsed = parseBuild(params['name'] ?? '', body);
  if (!parsed.ok) {
    return problem(invalid(parsed.refusal).refusal);
  }
  const by = await operatorOf(call);
  const reply = await peers.project(project).saveBuild(parsed.value, by);
  if (!reply.ok) {
    return problem(reply.refusal);
  }
  rememberProject(project, reply.value, Date.now());
  const saved = must(reply.value.builds[parsed.value.name], 'the build that was saved');
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
  if (!name.ok) {
    return problem(name.refusal);
  }
  const by = await operatorOf(call);
  const reply = await peers.project(project).removeBuild(name.value, by);
  if (!reply.ok) {
    return problem(reply.refusal);
  }
  rememberProject(project, reply.value, Date.now());
  return json({ status: 'build_deleted', name: name.value });
}
