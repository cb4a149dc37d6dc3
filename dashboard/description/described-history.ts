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
  region: 'us-east',
  build: 'default',
  waitedSeconds: 4.2,
  playedSeconds: null,
};

export const HISTORY: DescribedBy = {
  'GET /matches': {
    id: 'listMatches',
    tag: 'Journal',
    summary: 'List the latest matches',
    text: 'Newest first, as far back as the journal reaches. Filters may leave a page short or empty: go on while `next` is not null.',
    answer: 'Matches',
    answers: { items: [FAILED], next: null },
    samples: {
      all: { summary: 'Of all queues' },
      failed: { summary: 'Those that failed', query: { outcome: 'failed', limit: 10 } },
      mode: { summary: 'Of one queue', query: { config: 'arena', mode: 'duel' } },
      ref: { summary: 'One that your backend made', query: { ref: 'cup-final' } },
    },
  },
  'GET /matches/:id': {
    id: 'getMatch',
    tag: 'Journal',
    summary: 'Read a match: its players, why they met, and how it ended',
    text: 'Available for a day after its end.',
    answer: 'Match',
    answers: {
      id: MATCH_ID,
      config: 'arena',
      mode: 'duel',
      outcome: 'failed',
      reason: 'launch_failed',
      detail: 'The server ended before it ran: exit code 127',
      build: 'default',
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
      quality: { gap: 60, waits: { p50: 3.1, max: 4.2 } },
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
    text: 'Oldest first, at least the last 64. Available for a day after the lobby ends.',
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
    summary: 'Read everything that is kept about a player',
    text: 'Looks at known configs.',
    answer: 'PlayerSeen',
    answers: {
      id: 'ann',
      places: [
        { config: 'arena', lobbyId: sample.LOBBY_ID, lobbyStatus: 'in_queue', streaming: true },
      ],
      matches: [FAILED],
      attributes: { mmr: 1200 },
      bans: [],
    },
  },
  'GET /audit': {
    id: 'listAudit',
    tag: 'Journal',
    summary: 'List what operators did',
    text: 'Newest first: saves, kicks, bans, ends, stops, erased attributes and secrets, at least the last 10,000. Refused requests are not in it.',
    answer: 'AuditPage',
    answers: {
      items: [
        {
          at: '2026-11-21T09:00:00.000Z',
          kind: 'config_saved',
          by: 'operator:alice',
          on: 'arena',
          detail: 'matchmaking',
        },
      ],
      next: null,
    },
    samples: {
      all: { summary: 'Of everybody' },
      alice: { summary: 'Of one key', query: { by: 'operator:alice', limit: 10 } },
    },
  },
  'GET /lobby-configs/:name/history': {
    id: 'getLobbyConfigHistory',
    tag: 'Configs',
    summary: 'List earlier revisions of a lobby config',
    text: 'The last 50 revisions, newest first. Works for deleted configs too.',
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
    summary: 'Restore an earlier revision of a lobby config',
    text: 'Saves it as a new revision.',
    answer: 'LobbyConfigSaved',
    answers: { ...sample.CONFIG, warnings: [] },
    errors: ['CONFIG_NOT_FOUND', 'PRECONDITION_FAILED'],
    revision: 'checks',
  },
  'GET /builds/:name/history': {
    id: 'getBuildHistory',
    tag: 'Builds',
    summary: 'List earlier revisions of a build',
    text: 'The last 50 revisions, newest first. Works for deleted builds too. A build that was never saved has none.',
    answer: 'BuildHistory',
    answers: {
      items: [
        { revision: 2, savedAt: '2026-11-21T09:00:00.000Z', key: 'alice', build: sample.BUILD },
      ],
    },
    errors: ['BUILD_NOT_FOUND'],
  },
  'POST /builds/:name/history/:revision/restore': {
    id: 'restoreBuild',
    tag: 'Builds',
    summary: 'Restore an earlier revision of a build',
    text: 'Saves it as a new version. Games that run keep theirs.',
    answer: 'BuildSaved',
    answers: { ...sample.BUILD, warnings: [] },
    errors: ['BUILD_NOT_FOUND'],
  },
};
