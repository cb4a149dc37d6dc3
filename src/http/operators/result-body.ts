// The body of a result (decision 47). Unknown fields are refused, because a result is reported once.

import * as z from 'zod';
import { MAX_MATCH_LOBBIES, MAX_PLAYERS, MAX_SETTINGS_BYTES } from '../../common/limits';
import { closed, flag, freeForm, listOf, wholeNumber } from '../../common/shape';
import { isPlayerId } from '../access';

const playerResult = closed({
  id: z.string('must be a string').refine(isPlayerId, 'must be a player id'),
  score: z.number('must be a number').optional(),
  abandoned: flag().optional(),
});

/** `team`: the index in the match's teams. */
export const ResultBody = closed({
  teams: listOf(
    closed({
      team: wholeNumber(0, MAX_MATCH_LOBBIES),
      rank: wholeNumber(1, MAX_MATCH_LOBBIES).optional(),
      score: z.number('must be a number').optional(),
      players: listOf(playerResult, MAX_PLAYERS).optional(),
    }),
    MAX_MATCH_LOBBIES,
  ),
  data: freeForm(MAX_SETTINGS_BYTES).nullish(),
});
