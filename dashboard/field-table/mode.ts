// The fields of a matchmaking mode.

import { CONFIRMATION_OFF, MODE_DEFAULTS } from '../../src/match/rules/defaults';
import { choice, flag, json, list, number, onOff, own, text, within, type Parts } from './row';

export const MODE_FIELDS = {
  Teams: {
    teamComposition: onOff('Teams with named roles (asymmetric)', {
      begins: { attackers: { any: 1 }, defenders: { any: 1 } },
      // One of the two says the sizes; the other follows from it.
      clears: [
        'teams',
        'playersPerTeam',
        'minPlayersPerTeam',
        'minTeams',
        'steps',
        'sameSize',
        'maxPartySize',
      ],
    }),
    teams: number('Teams', { default: MODE_DEFAULTS.teams, unless: 'teamComposition' }),
    playersPerTeam: number('Players per team', {
      default: MODE_DEFAULTS.playersPerTeam,
      unless: 'teamComposition',
    }),
    minPlayersPerTeam: number('Minimum players per team', {
      otherwise: 'a full team',
      help: 'Less than a full team allows partial matches',
    }),
    minTeams: number('Minimum teams', {
      otherwise: 'all teams',
      help: 'For modes with many teams',
    }),
    maxPartySize: number('Largest party', {
      otherwise: 'a full team',
      help: 'Larger lobbies cannot queue',
    }),
    steps: json('Minimums that fall with the wait', {
      sample: '[{"afterSeconds": 15, "minPlayersPerTeam": 3}, {"afterSeconds": 30, "bots": true}]',
      help: 'A list of steps: after so many seconds, a smaller match is enough, and last, bots fill the teams',
    }),
    sameSize: flag('Teams of a match have equally many players', {
      help: 'For matches that start with less than full teams',
    }),
  },
  Rules: {
    rules: own('Rules', { help: 'All must pass' }),
  },
  'Waiting and starting': {
    timeout: number('Longest wait, seconds', {
      default: MODE_DEFAULTS.timeout,
      help: 'Then the search ends. Until then, what a difference rule allows grows to twice its value',
    }),
    targetWait: number('Target wait, seconds', {
      help: 'Needs a difference rule. Common players then wait about this long too, for a closer opponent',
    }),
    rematch: choice('Rematches, in one against one', {
      otherwise: 'at once',
      options: [
        ['', 'at once'],
        ['avoid', 'with the last three opponents when both have waited'],
      ],
    }),
    matcher: choice('Who plays whom is said by', {
      otherwise: 'the rules',
      options: [
        ['', 'the rules'],
        ['external', 'your backend'],
      ],
    }),
    bellSeconds: number('Bell, seconds', {
      help: 'The webhook is called when a party has waited this long, at most once in five minutes',
    }),
    reconnectSeconds: number('Time to come back, seconds', {
      help: "How long a player's place is kept when they drop out of a running game",
    }),
    matchConfirmation: own('Whether lobbies accept their matches'),
    'matchConfirmation.enabled': flag('Every lobby must accept the match', {
      help: 'Not for very large matches: a single lobby can turn down the match for everyone',
    }),
    'matchConfirmation.showsAccepted': flag('Lobbies see how many players have accepted'),
    'matchConfirmation.each': choice('In a party, accepted by', {
      otherwise: '`party`',
      options: [
        ['party', 'one player for all'],
        ['player', 'each player'],
      ],
    }),
    'matchConfirmation.timeoutSeconds': number('Time to accept, seconds', {
      default: CONFIRMATION_OFF.timeoutSeconds,
      help: 'If matches must be accepted',
    }),
    onDecline: choice('When somebody declines, those who accepted', {
      default: MODE_DEFAULTS.onDecline,
      options: [
        ['return', 'go back to waiting'],
        ['requeue', 'keep searching, and keep the time they have waited'],
        ['refill', 'stay, while others take the open places'],
      ],
    }),
    refillSeconds: number('Look for others, seconds', {
      default: MODE_DEFAULTS.refillSeconds,
      help: 'If others may take the open places. After that, players who accepted keep searching',
    }),
    declineCooldown: number('No search after a match was turned down, seconds', {
      help: 'For the player who declined. Twice as long each time within an hour, up to eight times',
    }),
    allowBackfill: flag('Fill open places in games in progress'),
    lateJoin: flag('Players may join lobbies during their games', {
      default: MODE_DEFAULTS.lateJoin,
      help: 'They have no team: the game server sees them as late in their seat tickets',
    }),
    explainsWait: flag('Players see why they still wait', {
      default: MODE_DEFAULTS.explainsWait,
      help: 'Which rule holds them back, and how many others wait',
    }),
    excludedFromQueue: list('Roles that do not play', {
      help: 'Comma-separated, such as spectator: they come along without taking a place',
    }),
    useVersionFromState: text('State field that selects the build', {
      help: 'Needs an equals rule on the same field',
    }),
  },
  Ratings: {
    rating: onOff('Rate players by results', {
      begins: { field: 'mmr', system: 'openskill' },
    }),
    'rating.field': text('Field of the ladder', {
      required: true,
      sample: 'mmr',
      help: 'Modes that name the same field share a ladder. Only the ladder can write it',
    }),
    'rating.system': within('Model', { required: true }),
    'rating.decay': json('Decay of who is away', {
      sample: '{"afterDays": 30, "sigma": 50}',
      help: 'Each time a player was not rated for so many days, the uncertainty grows by a step of so many points',
    }),
  },
} satisfies Parts;
