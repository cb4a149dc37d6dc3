// The answers by which a backend says who its players are, as schemas.

import * as z from 'zod';
import type * as identity from '../../packages/js/src/identity-types';
import { exactly, freeForm } from './exactly';

export function identitySchemas() {
  const PlayerToken = exactly<identity.LoggedIn>()(
    z.object({
      token: z.string().describe('A JWT that the game sends as `authorization: Bearer`.'),
      player: z.string(),
      expiresAt: z.iso.datetime(),
      accessToken: z
        .string()
        .exactOptional()
        .describe('Of a login with Discord: for `authenticate`.'),
    }),
  );
  const TokenSecret = exactly<identity.TokenSecret>()(
    z.object({
      id: z.string().describe('The `kid` of tokens that the service signs with it.'),
      secret: z.string().describe('The HS256 key, as UTF-8 text.'),
      createdAt: z.iso.datetime(),
    }),
  );
  const kind = z
    .enum(['client', 'server', 'viewer'])
    .describe('`viewer`: it reads what the server key reads, except secrets, and changes nothing.');
  const KeyPage = exactly<identity.KeyPage>()(
    z.object({
      keys: z.array(
        z.object({
          id: z.string().describe('It grants nothing. Histories name a key without a name by it.'),
          kind,
          name: z.string().nullable(),
          createdAt: z.iso
            .datetime()
            .nullable()
            .describe('Null: it is in `API_KEYS`, and cannot be revoked here.'),
          isYours: z.boolean().describe('This request was sent with it.'),
        }),
      ),
    }),
  );
  const ViewerKey = exactly<identity.ViewerKey>()(
    z.object({
      id: z.string(),
      kind: z.literal('viewer'),
      name: z.string(),
      createdAt: z.iso.datetime(),
      key: z.string().describe('Only this answer shows it.'),
    }),
  );
  const SecretDeleted = z.object({ status: z.literal('secret_deleted'), id: z.string() });
  const SeatKeys = exactly<identity.SeatKeys>()(
    z
      .object({
        keys: z.array(
          z.object({
            kty: z.literal('OKP'),
            crv: z.literal('Ed25519'),
            x: z.string(),
            kid: z.string(),
            alg: z.literal('EdDSA'),
            use: z.literal('sig'),
          }),
        ),
      })
      .describe(
        'A JWK set: the current key, the next one, and older ones whose tickets are still valid.',
      ),
  );
  const revision = z.int().describe('The revision of the record; the same as `ETag`.');
  const PlayerAttributes = exactly<identity.PlayerAttributes>()(
    z.object({ player: z.string(), revision, attributes: freeForm() }),
  );
  const ChangedAttributes = z.object({
    players: z.array(z.object({ player: z.string(), revision })),
  });
  const Ban = exactly<identity.Ban>()(
    z.object({
      playerId: z.string(),
      config: z.string().nullable().describe('Null: in all configs.'),
      until: z.string().nullable().describe('Null: until it is lifted.'),
      reason: z.string().nullable().describe('What the player is told.'),
      createdAt: z.iso.datetime(),
      by: z.string(),
    }),
  );
  const BanPage = exactly<identity.BanPage>()(
    z.object({
      bans: z.array(Ban),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
      has_more: z.boolean(),
    }),
  );
  const Unbanned = z.object({ status: z.literal('unbanned'), playerId: z.string() });
  const LoginSet = z.object({ status: z.literal('login_set'), provider: z.string() });
  const LoginDeleted = z.object({ status: z.literal('login_deleted'), provider: z.string() });
  const Seat = exactly<identity.Seat>()(
    z.object({
      player: z.string(),
      match: z
        .string()
        .nullable()
        .describe('Null after a direct start; of a spectator then the id of the server.'),
      lobby: z.string(),
      team: z
        .int()
        .nullable()
        .describe(
          'Index in the teams. Null after a direct start, and without a place in the match.',
        ),
      team_name: z.string().nullable(),
      role: z.string().nullable(),
      late: z.boolean().describe('The player joined the lobby during the game.'),
      spectator: z.literal(true).exactOptional().describe('The holder watches the lobby.'),
    }),
  );
  return {
    PlayerAttributes,
    ChangedAttributes,
    Ban,
    BanPage,
    Unbanned,
    PlayerToken,
    TokenSecret,
    SecretDeleted,
    KeyPage,
    ViewerKey,
    KeyRevoked: z.object({ status: z.literal('key_revoked'), id: z.string() }),
    Seat,
    SeatKeys,
    LoginSet,
    LoginDeleted,
    HooksSet: z.object({ status: z.literal('hooks_set'), url: z.string() }),
    HooksDeleted: z.object({ status: z.literal('hooks_deleted') }),
  };
}

export function trustedShape() {
  return z.array(z.string()).describe('State keys that only your backend can write.');
}

export function closedShape() {
  return z
    .object({ message: z.string(), until: z.string().nullable().describe('Null: until opened.') })
    .describe('New lobbies, starts and searches get a 503 `CLOSED`.');
}

/** What a project's settings say of its players. */
export function playerSettingsShape() {
  return {
    playerAuth: z
      .enum(['trust', 'token'])
      .describe('Whether Muster trusts `x-player-id`, or takes the player from a token.'),
    publicPlayerIds: z
      .boolean()
      .describe('Whether client keys see player ids in lobbies that they browse.'),
    playerTokens: z
      .object({
        issuer: z.string().nullable().describe('`iss` of every token.'),
        audience: z.string().nullable().describe('`aud` of every token.'),
        jwksUrl: z.string().nullable().describe('Public keys of your identity provider.'),
      })
      .describe('What player tokens must contain, and who else may sign them.'),
    trusted: trustedShape().exactOptional(),
    closed: z.union([closedShape(), z.literal(false)]).exactOptional(),
    tokenSecrets: z
      .array(z.object({ id: z.string(), createdAt: z.iso.datetime() }))
      .describe('The secrets, newest first, without their values.'),
    logins: z
      .array(z.object({ provider: z.string(), savedAt: z.iso.datetime() }))
      .describe('The providers with which players can log in.'),
    hooks: z
      .object({
        url: z.string().describe('Of a chat only the beginning.'),
        savedAt: z.iso.datetime(),
        format: z.enum(['discord', 'slack']).exactOptional(),
      })
      .nullable(),
  };
}
