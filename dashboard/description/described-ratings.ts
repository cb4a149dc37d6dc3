// What the API description says of ladders.

import type { DescribedBy } from './described';

/** A line of an export and an import. */
const ANN = '{"player":"ann","mu":31.27,"sigma":2.4,"games":41}\n';

export const RATINGS: DescribedBy = {
  'GET /ratings': {
    id: 'getRatings',
    tag: 'Players',
    summary: 'Read the ladder of a rated mode, the best first',
    text: 'A client key sees ids if the project has `publicPlayerIds`.',
    answer: 'Ladder',
    answers: {
      season: 3,
      total: 1,
      limit: 50,
      offset: 0,
      has_more: false,
      players: [{ place: 1, player: 'ann', rating: 1955, uncertainty: 115, games: 41 }],
    },
    errors: ['NOT_FOUND'],
  },
  'GET /ratings/export': {
    id: 'exportRatings',
    tag: 'Players',
    summary: 'Read the players of a ladder as they are kept',
    answer: 'Ok',
    answers: ANN,
    plain: { type: 'application/x-ndjson', description: 'A line for each player' },
    errors: ['NOT_FOUND'],
  },
  'POST /ratings/import': {
    id: 'importRatings',
    tag: 'Players',
    summary: 'Set players of a ladder',
    text: 'Lines as the export has them, up to 64 KiB. All are set or none. The same again changes nothing.',
    answer: 'ImportedRatings',
    answers: { changed: 1 },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    samples: { usual: { summary: 'One player', value: ANN } },
  },
  'POST /ratings/seasons': {
    id: 'endRatingSeason',
    tag: 'Players',
    summary: 'End a season of a ladder',
    text: 'Keeps its ladder, and brings players back to the start by `factor`. The same again changes nothing.',
    answer: 'RatingSeason',
    answers: { season: 4, isEnding: true },
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    samples: {
      usual: {
        summary: 'Half way back',
        value: { config: 'arena', mode: 'duel', season: 3, factor: 0.5 },
      },
    },
  },
};
