// What an answer says of a game that a player hosts, besides what it says of every server.

import * as z from 'zod';

export const HOSTED = {
  host_player: z.string().nullable().exactOptional(),
  term: z.int().exactOptional(),
  host_token: z.string().exactOptional(),
};

export const HOST_REASON = z.string().exactOptional();
