// What the API description says of the endpoints by which a backend says who its players are.

import * as z from 'zod';
import type { DescribedBy } from './described';
import { SEAT_KEYS, TOKEN_SECRET } from './examples';

export const FOR_BACKENDS: DescribedBy = {
  'POST /players/:id/token': {
    id: 'mintPlayerToken',
    tag: 'Players',
    summary: 'Make a token for a player',
    text: 'For projects with `playerAuth: "token"`. Your backend asks for it once it knows who the player is, and hands it to the game.',
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
    summary: 'Make a secret that signs player tokens, or bring one',
    text: 'It is shown in this answer alone. The newest secret before it stays valid, older ones do not.',
    answer: 'TokenSecret',
    status: 201,
    answers: TOKEN_SECRET,
    samples: {
      made: { summary: 'A fresh one', value: {} },
      own: { summary: 'One you have', value: { secret: TOKEN_SECRET.secret } },
    },
  },
  'DELETE /projects/token-secrets/:id': {
    id: 'deleteTokenSecret',
    tag: 'Players',
    summary: 'Take a secret away',
    text: 'Tokens that it signed are refused within three seconds. Streams that are open go on until their token ends.',
    answer: 'SecretDeleted',
    answers: { status: 'secret_deleted', id: TOKEN_SECRET.id },
    errors: ['NOT_FOUND'],
  },
  'POST /projects/seat-keys': {
    id: 'rotateSeatKeys',
    tag: 'Players',
    summary: 'Change the key that signs seat tickets',
    text: 'The next key, which was published already, signs from now on; the one before it stays published until its tickets are over.',
    answer: 'SeatKeys',
    status: 201,
    answers: SEAT_KEYS,
  },
  'GET /.well-known/jwks.json': {
    id: 'getSeatKeys',
    tag: 'Players',
    summary: 'Read the public keys of seat tickets',
    answer: 'SeatKeys',
    answers: SEAT_KEYS,
    errors: ['NOT_FOUND'],
    query: () =>
      z.object({
        project: z
          .string()
          .optional()
          .describe('Whose keys; may be left out where the service has one project.'),
      }),
  },
};
