// Viewer keys read what a server key reads, except secrets, and change nothing (record 0058). They name their project.

import { hexToBytes } from '@noble/hashes/utils.js';
import { base64url } from 'jose';
import { ok } from '../../common/result';
import type { Reply } from '../../lobby/refusals';
import type { Place } from '../../objects/placement/at';
import { digestOf, type Grant, grantOf, projectsOf } from '../wire/access';
import { documentOf } from '../wire/answer';
import { secretsOf } from './secrets';

const VIEWER_KEY = /^viewer_([A-Za-z0-9_-]{1,64})_[A-Za-z0-9_-]{32}$/;

export function newViewerKey(project: string): string {
  return `viewer_${project}_${base64url.encode(crypto.getRandomValues(new Uint8Array(24)))}`;
}

/** The grant of a key of API_KEYS, or of one that the project has made. Refuses UNAUTHORIZED. */
export async function grantIn(
  { env, peers }: Pick<Place, 'env' | 'peers'>,
  key: string | null,
): Promise<Reply<Grant>> {
  const [, project = ''] = VIEWER_KEY.exec(key ?? '') ?? [];
  const deployed = await grantOf(env, key);
  if (deployed.ok || key === null || !(await projectsOf(env)).includes(project)) {
    return deployed;
  }
  const asker = { peers, project };
  const { viewers = [] } = await secretsOf(asker, await documentOf(asker));
  const digest = await digestOf(key);
  const known = viewers.filter(({ sha256 }) =>
    crypto.subtle.timingSafeEqual(hexToBytes(sha256), digest),
  );
  return known.length === 0 ? deployed : ok({ project, kind: 'viewer' });
}
