// What the API description says of the journal: what happened to matches, lobbies, players, configs.

import type { DescribedBy } from './described';
import * as sample from './examples';

const nothing = { by: null, lobbyId: null, playerId: null, reason: null, detail: null };
const MATCH_ID = sample.LOBBY_ID.replace(/^.{8}/, '5a1c0f3e');

const FAILED = {
  id: MATCH_ID,
  config: 'arena',
  mode: 'duel',
  outcome: 'failed',
  reason: 'launch_failed',
  formedAt: '2026-11-21T09:01:05.000Z',
  endedAt: '2026-11-21T09:01:06.000Z',
  players: 2,
  short: false,
};

export const HISTORY: DescribedBy = {
  'GET /matches': {
    id: 'listMatches',
    tag: 'Journal',
    summary: 'List the last matches',
    text: 'Newest first. `failed` are those that came to no game; the last thousand of each queue are known. Of the other outcomes only the last hundred matches are looked at.',
    answer: 'Matches',
    answers: { items: [FAILED] },
    samples: {
      all: { summary: 'Of all queues' },
      failed: { summary: 'Those that failed', query: { outcome: 'failed', limit: 10 } },
      mode: { summary: 'Of one queue', query: { config: 'arena', mode: 'duel' } },
    },
  },
  'GET /matches/:id': {
    id: 'getMatch',
    tag: 'Journal',
    summary: 'Read a match: who, why, and what became of it',
    text: 'For a day after its end.',
    answer: 'Match',
    answers: {
      id: MATCH_ID,
      config: 'arena',
      mode: 'duel',
      outcome: 'failed',
      reason: 'launch_failed',
      detail: 'The server ended before it ran: exit code 127',
      formedAt: '2026-11-21T09:01:05.000Z',
      runningAt: null,
      endedAt: '2026-11-21T09:01:06.000Z',
      teams: [
        {
          name: null,
          lobbies: [
            {
              lobbyId: sample.LOBBY_ID,
              waitedSeconds: 4.2,
              players: [{ id: 'ann', role: null }],
            },
          ],
        },
      ],
      rules: [{ rule: 'skill within 100', values: [1510, 1450] }],
      server: {
        id: sample.INSTANCE_ID,
        status: 'stopped',
        exitCode: 127,
        signal: null,
        detail: 'The server ended before it ran: exit code 127',
      },
      history: [
        {
          ...nothing,
          at: '2026-11-21T09:01:06.000Z',
          kind: 'failed',
          matchId: null,
          reason: 'launch_failed',
          detail: 'The server ended before it ran: exit code 127',
        },
      ],
    },
    errors: ['NOT_FOUND'],
  },
  'GET /lobbies/:config/:id/history': {
    id: 'getLobbyHistory',
    tag: 'Journal',
    summary: 'Read what happened to a lobby',
    text: 'Oldest first, the last 64 or a few more; also for a day after the lobby.',
    answer: 'History',
    answers: {
      items: [
        {
          ...nothing,
          at: '2026-11-21T09:00:00.000Z',
          kind: 'kicked',
          by: 'player:ann',
          playerId: 'bob',
          matchId: null,
        },
      ],
    },
    errors: ['LOBBY_NOT_FOUND'],
  },
  'GET /players/:id': {
    id: 'getPlayer',
    tag: 'Journal',
    summary: 'Read where a player is, and its last matches',
    text: 'Gathered when it is asked for, over the configs that are saved or were used of late. A player nobody has seen is in no place and no match.',
    answer: 'PlayerSeen',
    answers: {
      id: 'ann',
      places: [
        { config: 'arena', lobbyId: sample.LOBBY_ID, lobbyStatus: 'in_queue', streaming: true },
      ],
      matches: [FAILED],
    },
  },
  'GET /lobby-configs/:name/history': {
    id: 'getLobbyConfigHistory',
    tag: 'Configs',
    summary: 'Read what a lobby config was before',
    text: 'The last 50 revisions, newest first, also of a config that was deleted.',
    answer: 'ConfigHistory',
    answers: {
      items: [
        {
          revision: 1,
          savedAt: '2026-11-21T09:00:00.000Z',
          key: '9f2c01ab',
          config: sample.CONFIG,
        },
      ],
    },
    errors: ['CONFIG_NOT_FOUND'],
  },
  'POST /lobby-configs/:name/history/:revision/restore': {
    id: 'restoreLobbyConfig',
    tag: 'Configs',
    summary: 'Save a lobby config as it was in a revision',
    text: 'As a new revision: the history goes on.',
    answer: 'LobbyConfig',
    answers: sample.CONFIG,
    errors: ['CONFIG_NOT_FOUND', 'PRECONDITION_FAILED'],
    revision: 'checks',
  },
};
