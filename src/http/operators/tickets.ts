// GET /queues/{config}/{mode}/tickets: who waits in a mode whose matcher is the game's own (record 0107).

import * as z from 'zod';
import type { TicketChanges, WaitingTicket } from '../../../packages/js/src/journal-types';
import { iso } from '../../common/clock';
import type { JsonObject } from '../../common/json';
import { text } from '../../common/shape';
import { modeOf } from '../../lobby/config';
import type { Ticket } from '../../match/ticket/ticket';
import { configOf } from '../../objects/caches/project';
import { polling } from '../gate/rates';
import type { QueryCall } from '../wire/call';
import { documentOf, json, refuseWith, retrying } from '../wire/answer';
import { queryNumber } from '../wire/fields';
import { MAX_WAIT_SECONDS } from './servers';

const MAX_AFTER_LENGTH = 64;

export const TicketsParams = z.object({
  after: text(MAX_AFTER_LENGTH).default(''),
  wait: queryNumber(0, MAX_WAIT_SECONDS, 0),
});

export async function tickets(call: QueryCall<typeof TicketsParams>): Promise<Response> {
  const { peers, project, config, params, query } = call;
  const name = params['mode'] ?? '';
  const mode = modeOf(configOf(await documentOf(call), config), name);
  if (mode === null) {
    return refuseWith('MODE_NOT_FOUND', `Config ${config} has no mode ${name}`);
  }
  if (mode.matcher !== 'external') {
    return refuseWith(
      'INVALID_STATE',
      'The mode matches by its rules: save it with matcher: "external"',
    );
  }
  const queue = () => peers.queue(project, config, name);
  const read = (waitMs: number) => retrying(() => queue().changed(query.after, waitMs));
  const { tickets: found, isWhole: whole, ...page } = await polling(call, query.wait, read);
  return json<TicketChanges>({ ...page, tickets: found.map(shown), whole });
}

function shown({ id, lobbyId, startedAt, members, state, ...its }: Ticket): WaitingTicket {
  const { region, acceptableRegions: regions } = its;
  const since = iso(startedAt);
  return { id, lobbyId, since, players: members, state: state as JsonObject, region, regions };
}
