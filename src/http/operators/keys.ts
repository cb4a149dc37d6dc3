// The keys of the project: those of API_KEYS are only listed, and viewer keys are made and revoked here (record 0058).

import type { KeyPage, ViewerKey } from '../../../packages/js/src/identity-types';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { iso } from '../../common/clock';
import { closed } from '../../common/shape';
import { deployedKeys, digestOf, keyId } from '../wire/access';
import type { BodyCall, KeyedCall } from '../wire/call';
import { newViewerKey, ordered } from '../identity/secrets';
import { json, retrying } from '../wire/answer';

/** Who looks. */
export const KeyBody = closed({
  name: z
    .string('must be a string')
    .regex(/^[\w.@-]{1,64}$/, 'must have 1 to 64 letters, digits, ., @, _ or -'),
});

export async function list(call: KeyedCall): Promise<Response> {
  const { env, peers, project, request } = call;
  const [deployed, { viewers = [] }, digest] = await Promise.all([
    deployedKeys(env, project),
    retrying(() => peers.project(project).secrets()),
    digestOf(request.headers.get('api-key') ?? ''),
  ]);
  const made = viewers.map(({ id, name, createdAt }) => {
    return { id, kind: 'viewer', name, createdAt: iso(createdAt) } as const;
  });
  const all = [...deployed.map((key) => ({ ...key, createdAt: null })), ...made];
  return json<KeyPage>({ keys: all.map((key) => ({ ...key, isYours: key.id === keyId(digest) })) });
}

/** Only this answer shows the key. */
export async function make(call: BodyCall<typeof KeyBody>): Promise<Response> {
  const key = newViewerKey(call.project);
  const digest = await digestOf(key);
  const viewer = { id: keyId(digest), name: call.body.name, createdAt: Date.now() };
  await ordered(call, { act: 'add viewer', viewer: { ...viewer, sha256: bytesToHex(digest) } });
  const createdAt = iso(viewer.createdAt);
  return json<ViewerKey>({ ...viewer, kind: 'viewer', createdAt, key }, 201);
}

export async function revoke(call: KeyedCall): Promise<Response> {
  const id = call.params['id'] ?? '';
  await ordered(call, { act: 'remove viewer', id });
  return json({ status: 'key_revoked', id });
}
