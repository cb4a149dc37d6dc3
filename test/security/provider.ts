// An identity provider: the key that it shows, and a player's token that it signed.

import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export async function annAt(of: {
  readonly issuer: string;
  readonly audience: string;
}): Promise<{ readonly key: JWK; readonly token: string }> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setSubject('ann')
    .setIssuer(of.issuer)
    .setAudience(of.audience)
    .setExpirationTime('1h')
    .sign(pair.privateKey);
  return { key, token };
}
