// GET /audit: what operators did in the project, newest first. And how others add to that list.

import * as z from 'zod';
import type { AuditPage } from '../../../packages/js/src/journal-types';
import { iso } from '../../common/clock';
import type { By } from '../../common/happening';
import { oneOf } from '../../common/shape';
import { timeOrNull } from '../../common/times';
import { type Deed, DEEDS } from '../../objects/contracts/audit';
import { keyName } from '../wire/access';
import { json, retrying } from '../wire/answer';
import type { AnyCall, QueryCall } from '../wire/call';
import { anyText, pageParams } from '../wire/fields';

/** The actor of a request with a server key, as histories and the audit list name it. */
export async function operatorOf({ env, request }: Pick<AnyCall, 'env' | 'request'>): Promise<By> {
  return `operator:${await keyName(env, request.headers.get('api-key') ?? '')}`;
}

/** Adds what the caller has done to the audit list. The project notes its own changes itself. */
export async function noteDeed(call: AnyCall, deed: Omit<Deed, 'by'>): Promise<void> {
  const by = await operatorOf(call);
  await retrying(() => call.peers.project(call.project).noteDeed({ ...deed, by }));
}

export const AuditParams = z.object({
  by: anyText,
  kind: oneOf(DEEDS).nullable().default(null),
  on: anyText,
  until: timeOrNull(),
  limit: pageParams.limit,
});

/** `next`: the `until` of the request for the next page. Null: there are no more. */
export async function audit(call: QueryCall<typeof AuditParams>): Promise<Response> {
  const { peers, project, query } = call;
  const { limit } = query;
  const until = query.until === null ? Infinity : Date.parse(query.until);
  const asked = { ...query, until, limit: limit + 1 };
  const found = await retrying(() => peers.project(project).deeds(asked));
  const items = found.slice(0, limit).map(({ at, detail = null, ...deed }) => {
    return { at: iso(at), ...deed, detail };
  });
  const next = found.length > limit ? (items.at(-1)?.at ?? null) : null;
  return json<AuditPage>({ items, next });
}
