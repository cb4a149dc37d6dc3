// A ladder forgets which matches it has rated, an hour after each has answered.

import { expect, it } from 'vitest';
import type { MatchId, PlayerId } from '../../../../src/common/ids';
import { RatingsActor } from '../../../../src/objects/ratings/actor';
import { fakePorts } from '../../../fleet/ports.ts';

const MATCHES = 450;
const HOUR_MS = 60 * 60_000;

it.each([1, 250])('forgets all others although %d matches never answer', async (silent) => {
  const numberOf = (id: string) => Number(id.slice(1));
  const fake = fakePorts({
    name: 'p',
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      players: () => ({ rated: async () => {} }) as never,
      match: (id: MatchId) =>
        ({
          rated: async () => {
            if (numberOf(id) < silent) {
              throw new Error('it cannot be read');
            }
          },
        }) as never,
    },
  });
  const ladder = new RatingsActor({ ...fake.ports, name: ['p', 'mmr'] });
  const marks = () => [...fake.saved.keys()].filter((key) => key.startsWith('rated:'));
  for (let at = 0; at < MATCHES; at += 1) {
    const teams = ['ann', 'ben'].map((id, place) => {
      return { rank: place + 1, players: [{ id: id as PlayerId, abandoned: false }] };
    });
    await ladder.rate({ matchId: `m${at}` as MatchId, at, teams });
  }
  await fake.pass(1_000);
  expect(marks()).toHaveLength(MATCHES);
  await fake.pass(HOUR_MS);
  for (let alarm = 0; alarm < 5; alarm += 1) {
    await fake.pass(1_000);
    await ladder.alarm();
  }
  const left = marks().map((key) => key.split(':')[2]);
  expect(left).toEqual(Array.from({ length: silent }, (_, at) => `m${at}`));
});
