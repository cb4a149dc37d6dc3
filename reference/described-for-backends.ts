// What the API description says of the endpoints by which a backend says who its players are.

import * as z from 'zod';
import type { DescribedBy } from './described';
import { SEAT_KEYS, TOKEN_SECRET } from './examples';

export const FOR_BACKENDS: DescribedBy = {
  'POST /players/:id/token': {
    id: 'mintPlayerToken',
    tag: 'Players',
    summary: 'Create a token for a player',
    text: 'For projects with `playerAuth: "token"`. Your backend calls this when it knows who the player is, and gives the token to the game.',
    answer: 'PlayerToken',
    answers: {
      token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl',
      player: 'ann',
      expiresAt: '2026-11-21T10:00:00.000Z',
    },
    samples: {
      usual: { summary: 'For an hour', value: { ttl: 3_600 } },
      short: { summary: 'For ten minutes', value: { ttl: 600 } },
    },
  },
  'POST /projects/token-secrets': {
    id: 'addTokenSecret',
    tag: 'Players',
    summary: 'Create a secret that signs player tokens, or add your own',
    text: 'Only this answer shows it. The newest secret before it stays valid; older ones become invalid.',
    answer: 'TokenSecret',
    status: 201,
    answers: TOKEN_SECRET,
    samples: {
      made: { summary: 'A new one', value: {} },
      own: { summary: 'Your own', value: { secret: TOKEN_SECRET.secret } },
    },
  },
  'DELETE /projects/token-secrets/:id': {
    id: 'deleteTokenSecret',
    tag: 'Players',
    summary: 'Delete a secret',
    text: 'Within three seconds, tokens that it signed are refused. Open streams continue until their token expires.',
    answer: 'SecretDeleted',
    answers: { status: 'secret_deleted', id: TOKEN_SECRET.id },
    errors: ['NOT_FOUND'],
  },
  'POST /projects/seat-keys': {
    id: 'rotateSeatKeys',
    tag: 'Players',
    summary: 'Rotate the key that signs seat tickets',
    text: 'The next key, which is already published, signs from now on. The old key stays published until its tickets expire.',
    answer: 'SeatKeys',
    status: 201,
    answers: SEAT_KEYS,
  },
  'GET /.well-known/jwks.json': {
    id: 'getSeatKeys',
    tag: 'Players',
    summary: 'Read the public keys of seat tickets',
    text: 'A project that does not exist has keys that sign nothing, so that nobody can find out which projects there are.',
    answer: 'SeatKeys',
    answers: SEAT_KEYS,
    errors: ['NOT_FOUND'],
    query: () =>
      z.object({
        project: z
          .string()
          .optional()
          .describe('The project whose keys to read. Optional if the service has one project.'),
      }),
  },
};
