// The answers by which a backend says who its players are, as schemas.

import * as z from 'zod';

export function identitySchemas() {
  const PlayerToken = z.object({
    token: z.string().describe('A JWT: the game sends it as `authorization: Bearer`.'),
    player: z.string(),
    expiresAt: z.iso.datetime(),
  });
  const TokenSecret = z.object({
    id: z.string().describe('The `kid` of what the service mints with it.'),
    secret: z.string().describe('Its characters as UTF-8 are the key (HS256).'),
    createdAt: z.iso.datetime(),
  });
  const SecretDeleted = z.object({ status: z.literal('secret_deleted'), id: z.string() });
  const SeatKeys = z
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
    .describe('A JWK set: the key that signs, the next one, and those whose tickets may be about.');
  return { PlayerToken, TokenSecret, SecretDeleted, SeatKeys };
}

/** What a project's settings say of its players. */
export function playerSettingsShape() {
  return {
    playerAuth: z
      .enum(['trust', 'token'])
      .describe('Whether a player is whoever `x-player-id` says, or the subject of a token.'),
    publicPlayerIds: z
      .boolean()
      .describe('Whether client keys see ids of players in lobbies that they only look at.'),
    playerTokens: z
      .object({
        issuer: z.string().nullable().describe('`iss` of every token.'),
        audience: z.string().nullable().describe('`aud` of every token.'),
        jwksUrl: z.string().nullable().describe('Public keys of your identity provider.'),
      })
      .describe('What player tokens must say, and who else signs them.'),
    tokenSecrets: z
      .array(z.object({ id: z.string(), createdAt: z.iso.datetime() }))
      .describe('Secrets there are, newest first; what they are is never shown again.'),
  };
}
