// The settings of a project that say who its players are.

import { choice, flag, list, own, text, type Parts } from './row';

export const SETTINGS_FIELDS = {
  Players: {
    playerAuth: choice('Player identity', {
      default: 'trust',
      options: [
        ['trust', 'trust the game (x-player-id)'],
        ['token', 'require a signed token'],
      ],
      help: 'With tokens, every player call without one is refused',
    }),
    publicPlayerIds: flag("People who browse lobbies see players' ids", { default: true }),
  },
  'Player tokens': {
    playerTokens: own('What a token must say'),
    'playerTokens.issuer': text('Issuer', { otherwise: 'any' }),
    'playerTokens.audience': text('Audience', { otherwise: 'any' }),
    'playerTokens.jwksUrl': text('Keys of your identity provider', {
      help: 'An https address of a JWK set. It needs an issuer or an audience',
    }),
  },
  'Trusted fields': {
    trusted: list('State fields that players cannot write, in all configs', {
      help: 'Comma-separated, such as mmr',
    }),
  },
} satisfies Parts;
