// What players are told for the connections between them.

import * as z from 'zod';
import type * as types from '../../packages/js/src/types';
import { count, exactly } from './exactly';

export function peerSchemas() {
  const Signal = z.object({
    from: z.string().describe('The player who sent it.'),
    term: z.int().exactOptional().describe('Of the host, in a match that a player hosts.'),
    data: z.unknown().describe('What the sender sent, up to 4 KiB of JSON.'),
  });
  const Signalled = exactly<types.Signalled>()(
    z.object({
      players: count().describe('How many players it was for.'),
      streaming: count().describe('How many of them had an open stream, and so were told.'),
    }),
  );
  const IceServers = exactly<types.IceServers>()(
    z.object({
      iceServers: z
        .array(
          z.object({
            urls: z.array(z.string()),
            username: z.string().exactOptional(),
            credential: z.string().exactOptional(),
          }),
        )
        .describe('What an RTCPeerConnection takes. Empty if the service has none.'),
      ttl: count().describe('Seconds until the first of the credentials ends.'),
    }),
  );
  const path = z.string().describe('A JSON pointer (RFC 6901) into the lobby.');
  const LobbyChange = z.object({
    revision: z.int().describe('What the lobby is now.'),
    from: z.int().describe('The revision that the operations are to be applied to.'),
    ops: z
      .array(
        z.union([
          z.object({ op: z.enum(['add', 'replace']), path, value: z.unknown() }),
          z.object({ op: z.literal('remove'), path }),
        ]),
      )
      .describe('Operations of RFC 6902, in order.'),
  });
  return { Signal, Signalled, IceServers, LobbyChange };
}
