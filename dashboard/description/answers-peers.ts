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
  return { Signal, Signalled, IceServers };
}
