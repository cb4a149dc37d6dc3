// The fields of a lobby config that are not about matchmaking.

import { DEFAULT_BUILD, DEFAULT_MAX_PLAYERS, MAX_INVITE_SUFFIX } from '../../src/common/limits';
import {
  DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
  DEFAULT_HOST_LEAVES,
  DEFAULT_LOBBY_TIMEOUT_SECONDS,
  DEFAULT_QUEUE_PRESENCE_SECONDS,
  DEFAULT_SERVER_SIZE,
  DEFAULT_SPECTATOR_DELAY_SECONDS,
  DEFAULT_SPECTATORS,
  HOST_GRACE_SECONDS,
} from '../../src/lobby/defaults';
import { choice, flag, json, list, number, onOff, own, text, type Parts } from './row';

export const CONFIG_FIELDS = {
  Lobbies: {
    enabled: flag('Enabled', {
      default: true,
      help: 'While a config is disabled, defaults apply and nobody can queue',
    }),
    timeout: number('Idle timeout, seconds', {
      default: DEFAULT_LOBBY_TIMEOUT_SECONDS,
      help: 'A waiting lobby is deleted after this long without activity',
    }),
    maxPlayers: number('Places of a lobby', {
      default: DEFAULT_MAX_PLAYERS,
      help: 'Default and maximum number of places',
    }),
    minPlayers: number('Players to start a game', {
      otherwise: 'no minimum',
      help: 'The host cannot start a game with fewer. Queues do not count by it',
    }),
    hostLeaveBehavior: choice('When the host leaves', {
      default: DEFAULT_HOST_LEAVES,
      options: [
        ['promote', 'promote another player'],
        ['delete', 'delete the lobby'],
      ],
    }),
    spectators: onOff('Others may watch a lobby, in places of their own', {
      otherwise: 'nobody may watch',
      begins: {},
    }),
    'spectators.max': number('Spectators of a lobby', {
      default: DEFAULT_SPECTATORS,
      help: 'At most 200, besides the players',
    }),
    'spectators.delaySeconds': number('Spectators hear later, seconds', {
      default: DEFAULT_SPECTATOR_DELAY_SECONDS,
      help: 'What Muster tells them, and not what the game server shows them',
    }),
    lobbyBell: flag('Call the webhook when a public lobby has room', {
      help: 'At most once in five minutes',
    }),
    heartbeat: flag('Players must send heartbeats', {
      help: 'An open event stream counts as one',
    }),
    heartbeatTimeout: number('Heartbeat timeout, seconds', {
      default: DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
      help: 'Players who stay silent for longer are removed',
    }),
    queuePresenceSeconds: number('Presence in a queue, seconds', {
      default: DEFAULT_QUEUE_PRESENCE_SECONDS,
      help: 'Then a lobby whose players have all disconnected leaves the queue; 0: never',
    }),
  },
  Closed: {
    closed: onOff('Nobody can create a lobby, start a game or search; what is under way goes on', {
      otherwise: 'open',
      begins: { message: 'Closed for an update' },
    }),
    'closed.message': text('Message for players', { required: true }),
    'closed.until': text('Open again at', {
      otherwise: 'until you save the config open',
      sample: '2026-11-24T10:00:00Z',
      help: 'Empty: until you save this config open',
    }),
  },
  'Invite codes': {
    inviteCodeConfig: onOff('Use a custom format instead of codes like MEOW-7K2QXD', {
      otherwise: 'word, dash, digits',
      begins: { type: 'alphanumeric', length: 6 },
    }),
    'inviteCodeConfig.type': choice('Characters', {
      options: [
        ['alphanumeric', 'letters and digits'],
        ['numeric', 'digits'],
        ['alphabetic', 'letters'],
      ],
      required: true,
    }),
    'inviteCodeConfig.length': number('Length', {
      required: true,
      help: `1 to ${MAX_INVITE_SUFFIX}, without the prefix`,
    }),
    'inviteCodeConfig.prefix': text('Prefix'),
  },
  'Invite links': {
    invite: onOff('Each lobby has a link, whose page opens the game', {
      begins: { url: 'mygame://join/{code}' },
    }),
    'invite.url': text('Opens the installed game', {
      sample: 'mygame://join/{code}',
      help: '{code}, {config} and {project} are filled in',
    }),
    'invite.web': text('Opens the game in a browser', {
      sample: 'https://play.example.com/?code={code}',
    }),
  },
  'Finding a lobby': {
    browseBy: list('Settings by which players find a lobby', {
      help: 'Comma-separated, such as map, difficulty',
    }),
  },
  'Trusted fields': {
    trusted: list('State fields that players cannot write', {
      help: 'Comma-separated, such as mmr: set with PUT /players/{id}/attributes',
    }),
  },
  'Game servers': {
    serverSettings: own('What games of these lobbies are launched with'),
    'serverSettings.serverSize': text('Server size', { default: DEFAULT_SERVER_SIZE }),
    'serverSettings.gameBuild': choice('Build', {
      otherwise: `\`${DEFAULT_BUILD}\``,
      help: 'A mode can select another by version',
    }),
    'serverSettings.hosting': choice('Games are hosted by', {
      otherwise: 'as the build says',
      options: [
        ['', 'a game server'],
        ['players', 'one of its players'],
      ],
      help: 'A build can also set this to players',
    }),
    'serverSettings.hostGraceSeconds': number('Next host after, seconds', {
      default: HOST_GRACE_SECONDS,
      help: 'Where players host: when the host has had no stream for this long',
    }),
    'serverSettings.results': choice('The result of a hosted game is reported by', {
      otherwise: 'the host',
      options: [
        ['', 'the host'],
        ['majority', 'most of the players, all the same'],
      ],
    }),
    'serverSettings.hostSteers': flag(
      'A hosting player may open and free places, and remove players',
    ),
    'serverSettings.matchOnStart': flag('A game that a host starts is a match', {
      help: 'With a result, a roster and webhooks, but no mode. Left out, it is one where the two settings above need it',
    }),
  },
  'Custom properties': {
    customProperties: json('JSON object', {
      sample: '{}',
      otherwise: '`{}`',
      help: 'Passed on to players in every lobby; the service itself ignores them',
    }),
  },
} satisfies Parts;
