// GET /audit: what operators did in the project, newest first.

import * as z from 'zod';
import type { AuditPage } from '../../../client/src/journal-types';
import { iso } from '../../common/clock';
import { oneOf, timeOrNull } from '../../common/shape';
import { DEEDS } from '../../objects/project/audit';
import { retrying } from '../ask';
import type { QueryCall } from '../call';
import { json } from '../problem';
import { anyText, page } from '../schemas';

export const AuditParams = z.object({
  by: anyText,
  kind: oneOf(DEEDS).nullable().default(null),
  on: anyText,
  until: timeOrNull(),
  limit: page.limit,
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
  return json({ items, next } satisfies AuditPage);
}
