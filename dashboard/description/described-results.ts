// What the API description says of the endpoints that take results, and of the seats in a match.

import type { DescribedBy } from './described';
import { HISTORY } from './described-history';
import { LOBBY, LOBBY_ID } from './examples';

const teams = [
  { team: 0, score: 13, players: [{ id: 'ann', score: 21 }] },
  { team: 1, score: 7 },
];
const samples = {
  scores: { summary: 'By scores', value: { teams } },
  ranks: {
    summary: 'By ranks, with what the game keeps',
    value: {
      teams: [
        { team: 0, rank: 1 },
        { team: 1, rank: 2 },
      ],
      data: { map: 'dunes' },
    },
  },
};
const { answers } = HISTORY['GET /matches/:id'] ?? {};
const fields = typeof answers === 'object' ? answers : {};
/** What the endpoints refuse that steer a match. */
const STEERED = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'SERVER_NOT_FOUND',
  'PLAYER_NOT_FOUND',
  'NOT_FOUND',
  'INVALID_STATE',
] as const;
const ROSTER = {
  match: '0b2c6d34-8a5e-4f0e-9a53-3c1f5b7d9e20',
  revision: 5,
  open: [{ team: 0, places: 2 }],
  players: [
    {
      id: 'ann',
      lobby: LOBBY_ID,
      team: 0,
      role: null,
      state: { skill: 1200 },
      status: 'here',
      revision: 1,
    },
    {
      id: 'bob',
      lobby: LOBBY_ID,
      team: 0,
      role: null,
      state: null,
      status: 'away',
      until: '2026-11-21T09:02:00.000Z',
      revision: 5,
    },
  ],
};
const text =
  'Each team of the match is named once, all with a `rank` (1 is the best) or all with a `score` (the highest is the best). A match has one result: the same again changes nothing, and another is refused. It is taken from when the server runs, for as long as the match is remembered.';

const NOT_MOVED = [
  'CONFIG_NOT_FOUND',
  'INVALID_STATE',
  'LOBBY_NOT_MOVED',
  'CLOSED',
  'CODES_EXHAUSTED',
] as const;

export const RESULTS: DescribedBy = {
  'POST /servers/:id/result': {
    id: 'reportServerResult',
    tag: 'Servers',
    summary: 'Report the result of the match (game server)',
    text: `Needs no key. The bearer token is the one that the instance got at launch. ${text}`,
    answer: 'Match',
    answers,
    errors: [
      'UNAUTHORIZED',
      'SERVER_NOT_FOUND',
      'NOT_FOUND',
      'INVALID_STATE',
      'RESULT_EXISTS',
      'NOT_HOST_ANY_MORE',
    ],
    samples: { scores: samples.scores },
  },
  'POST /lobbies/:config/me/matches/:id/result': {
    id: 'reportResult',
    tag: 'My lobby',
    summary: 'Report the result of a match hosted by a player',
    text: 'Where `serverSettings.results` is `majority`: what more than half of the players say is the result, until a minute after the match. Each has one vote, and the next replaces it.',
    answer: 'VotedResult',
    answers: { isTaken: false, players: 4, voted: 3, same: 2 },
    errors: ['NOT_FOUND', 'INVALID_STATE', 'RESULT_EXISTS'],
    samples: { ranks: samples.ranks },
  },
  'POST /lobbies/:config/me/matches/:id/links': {
    id: 'reportLink',
    tag: 'My lobby',
    summary: 'Say how two players are connected',
    text: "Operators read it on the match's page. The next report of the same two replaces it.",
    answer: 'Ok',
    answers: { status: 'ok' },
    errors: ['NOT_FOUND'],
    samples: {
      direct: { summary: 'Directly', value: { to: 'bob', isRelayed: false, ms: 38 } },
    },
  },
  'POST /servers/:id/seats': {
    id: 'readSeat',
    tag: 'Servers',
    summary: 'Read a seat ticket (game server)',
    text: 'For game servers that cannot verify Ed25519 themselves. Needs no key: the bearer token is that of the instance. Only tickets for this instance are read; any other, an old one and a forged one are a 403.',
    answer: 'Seat',
    answers: {
      player: 'ann',
      match: '0b2c6d34-8a5e-4f0e-9a53-3c1f5b7d9e20',
      lobby: LOBBY_ID,
      team: 0,
      team_name: null,
      role: null,
      late: false,
    },
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVER_NOT_FOUND', 'NOT_HOST_ANY_MORE'],
    samples: { ticket: { summary: 'As the player sent it', value: { ticket: 'eyJhbGciOi…' } } },
  },
  'POST /servers/:id/places': {
    id: 'setPlaces',
    tag: 'Servers',
    summary: 'Say which places in the match are open, and remove players',
    text: 'For the game server with the token that it got at launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated request harmless.',
    answer: 'GameRoster',
    answers: ROSTER,
    errors: STEERED,
    samples: {
      opens: { summary: 'Two places in one team', value: { open: 2, team: 0, after: 4 } },
      closes: { summary: 'No more players', value: { open: 0 } },
      kicks: { summary: 'Put a player out', value: { kick: 'bob' } },
    },
  },
  'GET /servers/:id/roster': {
    id: 'readRoster',
    tag: 'Servers',
    summary: 'Read the players and their places in the match',
    text: 'For the game server with the token that it got at launch, or a backend with the server key. Answers as soon as the roster has another revision than `after`, at most `wait` seconds later. From the first request on, the lobbies of the match report who leaves and comes back.',
    answer: 'GameRoster',
    answers: ROSTER,
    errors: STEERED,
  },
  'GET /queues/:config/:mode/tickets': {
    id: 'listTickets',
    tag: 'Journal',
    summary: 'Read who waits, for a matcher of your own',
    text: 'In a mode with `matcher: "external"`. Answers what came, changed or went since `after`, at most 100 tickets, as soon as there is any, at most `wait` seconds later.',
    answer: 'TicketChanges',
    answers: {
      tickets: [
        {
          id: '5f2c8a1e-0d3b-4b7e-9c55-0a8d5f1b7c21',
          lobbyId: '0b9d3f57-6c1a-4f7e-8a43-9d2e6b5c1f80',
          since: '2026-11-21T09:00:00.000Z',
          players: [{ id: 'ann', roles: [] }],
          state: { mmr: 1510 },
          region: 'eu-west',
          regions: ['eu-west'],
        },
      ],
      gone: [],
      next: '2b1d6a7c-93f0-4a55-8e6d-1f0c7b9e4d32.1',
      whole: true,
    },
    errors: ['MODE_NOT_FOUND', 'INVALID_STATE'],
  },
  'POST /lobbies/:config/me/move': {
    id: 'moveTo',
    tag: 'My lobby',
    summary: 'Go on in another config (host)',
    text: 'A lobby that waits keeps its id, code, players, states, settings and streams, and is of the other config from then on: it searches the modes of that one. Requests and streams under the config that it has left go on. All of its players and spectators move, or nobody: `LOBBY_NOT_MOVED` says why for each. It gets another code only if another lobby there has its own, and `maxPlayers` falls to what that config allows.',
    answer: 'Lobby',
    answers: LOBBY,
    errors: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'BANNED', ...NOT_MOVED],
    samples: { ranked: { summary: 'To ranked', value: { config: 'ranked' } } },
  },
  'POST /lobbies/:config/:id/move': {
    id: 'moveLobby',
    tag: 'Lobbies',
    summary: 'Move any lobby to another config',
    text: 'As its host does. May be sent again.',
    answer: 'Lobby',
    answers: LOBBY,
    errors: ['LOBBY_NOT_FOUND', ...NOT_MOVED],
    samples: { ranked: { summary: 'To ranked', value: { config: 'ranked' } } },
  },
  'POST /matches': {
    id: 'makeMatch',
    tag: 'Journal',
    summary: 'Make a match of lobbies and players that you choose',
    text: 'All of them are matched at once, or nobody is: `MATCH_NOT_MADE` names each that cannot be. Lobbies may wait or search. A player without a lobby gets one. The teams have the sizes of the mode, in its order. The same request again answers the same match, for a day after its end.',
    answer: 'Match',
    answers: { ...fields, made_by: 'key', ref: 'cup-final' },
    errors: ['MATCH_NOT_MADE', 'REF_EXISTS', 'MODE_NOT_FOUND', 'CLOSED'],
    samples: {
      players: {
        summary: 'Of players',
        value: {
          config: 'arena',
          mode: 'duel',
          teams: [{ players: ['ann'] }, { players: ['bob'] }],
          ref: 'cup-final',
        },
      },
    },
  },
  'POST /matches/:id/result': {
    id: 'reportMatchResult',
    tag: 'Journal',
    summary: 'Report the result of a match',
    text: 'As `reportServerResult` does.',
    answer: 'Match',
    answers,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'RESULT_EXISTS'],
    samples: { ranks: samples.ranks },
  },
};
