// The login providers: what a project has to say about itself at each, and how a player's credential is checked
// there (docs/logins.md has the source of each). A provider that is slow, wrong or down never logs anybody in.

import * as z from 'zod';
import { sha256Hex } from '../../common/signed';
import { closed, flag, oneOf, text, wholeNumber } from '../../common/shape';
import { refusal, type Reply } from '../../lobby/refusals';
import { ok } from '../../common/result';
import { outsideUrl as address, type ProviderKey } from '../identity/jwks';
import { askOutside, NoAnswer, type Fetch, type OutsideInit } from '../identity/outside';
import { verified, type Keyring } from '../identity/player';

export interface Means {
  readonly project: string;
  readonly fetch: Fetch;
  /** The public keys at a URL. Throws NoKeys. */
  readonly keys: (url: string, kid: string | null) => Promise<readonly ProviderKey[]>;
  /** Epoch ms. */
  readonly now: number;
}

export interface Identified {
  readonly subject: string;
  /** Logs in only once: the credential in its one form. Absent: it may log in again until it expires. */
  readonly once?: string;
  /** What the provider gave for the credential, which the game needs itself. */
  readonly accessToken?: string;
}

export interface LoginProvider {
  /** The settings, which hold secrets: nobody reads them back. */
  readonly settings: z.ZodType;
  /** Refuses LOGIN_REFUSED, BANNED, and UNAVAILABLE without keys. Throws what the network throws, and NoAnswer. */
  identify(token: string, settings: unknown, means: Means): Promise<Reply<Identified>>;
}

function checkedBy<S>(
  settings: z.ZodType<S>,
  identify: (token: string, settings: S, means: Means) => Promise<Reply<Identified>>,
): LoginProvider {
  return { settings, identify: (token, saved, means) => identify(token, saved as S, means) };
}

const word = text(256);
const secret = text(1024);

function refused(why: string): Reply<never> {
  return refusal('LOGIN_REFUSED', why);
}

/** Reads an answer in its documented form. Throws NoAnswer if it has another. */
function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    throw new NoAnswer('an answer of another form than documented');
  }
  return parsed.data;
}

/** The body of a 200. Null: the provider refuses the credential. Throws NoAnswer for any other status. */
async function bodyOf(means: Means, url: string, init: OutsideInit): Promise<unknown> {
  const { status, body } = await askOutside(means.fetch, url, init);
  if (status === 200) {
    return body;
  }
  if (status === 400 || status === 401) {
    return null;
  }
  throw new NoAnswer(`status ${status}`);
}

async function byToken(
  token: string,
  keyring: Partial<Keyring> & Pick<Keyring, 'rules'>,
  means: Means,
): Promise<Reply<Identified>> {
  const url = keyring.rules.jwksUrl ?? '';
  const provider = (kid: string | null) => means.keys(url, kid);
  const found = await verified(token, { secrets: [], provider, ...keyring }, means.now);
  if (found.ok) {
    return ok({ subject: found.value.player });
  }
  const { code } = found.refusal;
  const why = code === 'PLAYER_TOKEN_EXPIRED' ? 'The token has expired' : 'The token is not valid';
  return code === 'UNAVAILABLE' ? found : refused(why);
}

const EPIC = 'https://api.epicgames.dev';
const EPIC_TOKENS = {
  connect: { issuer: [`${EPIC}/auth/v1/oauth`], keys: `${EPIC}/auth/v1/oauth/jwks` },
  account: {
    issuer: [`${EPIC}/epic/oauth/v1`, `${EPIC}/epic/oauth/v2`],
    keys: `${EPIC}/epic/oauth/v2/.well-known/jwks.json`,
  },
};
const UNITY = 'https://player-auth.services.api.unity.com';
const FIREBASE_KEYS =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

const SteamTicket = z.object({
  result: z.literal('OK'),
  steamid: z.string().regex(/^\d{1,20}$/),
  vacbanned: z.boolean(),
  publisherbanned: z.boolean(),
});
const SteamError = z.object({ error: z.object({ errorcode: z.number() }) });
const SteamAnswer = z.object({
  response: z.union([z.object({ params: SteamTicket }), SteamError]),
});

const PlayFabTitle = z.object({ data: z.object({ EntityToken: text(4096) }) });
const PlayFabPlayer = z.object({ data: z.object({ Entity: z.object({ Id: word, Type: word }) }) });
const DiscordToken = z.object({ access_token: text(4096) });
const DiscordUser = z.object({ id: z.string().regex(/^\d{1,20}$/) });

const MIN_DEVICE_SECRET = 32;

function posted(body: unknown, headers: Record<string, string>): OutsideInit {
  const all = { 'content-type': 'application/json', ...headers };
  return { method: 'POST', headers: all, body: JSON.stringify(body) };
}

/** Only tests set an address that is not the provider's own. */
const BY_NAME: Readonly<Record<string, LoginProvider>> = {
  steam: checkedBy(
    closed({
      publisherKey: secret,
      appId: wholeNumber(1, 2 ** 32 - 1),
      identity: word.nullable().default(null),
      allowVacBanned: flag().default(false),
      url: address.default('https://partner.steam-api.com'),
    }),
    async (ticket, { publisherKey, appId, identity, allowVacBanned, url }, means) => {
      if (!/^[\da-f]+$/i.test(ticket)) {
        return refused('The ticket must be in hexadecimal digits');
      }
      const asked = { key: publisherKey, appid: String(appId), ticket };
      const query = new URLSearchParams(identity === null ? asked : { ...asked, identity });
      const path = `/ISteamUserAuth/AuthenticateUserTicket/v1/?${query.toString()}`;
      const body = await bodyOf(means, new URL(path, url).href, {});
      const answer = body === null ? null : read(SteamAnswer, body).response;
      if (answer === null || 'error' in answer) {
        return refused('Steam does not accept the ticket');
      }
      const { steamid, vacbanned, publisherbanned } = answer.params;
      return publisherbanned || (vacbanned && !allowVacBanned)
        ? refusal('BANNED', `Steam says that the player is banned`)
        : ok({ subject: steamid, once: ticket.toLowerCase() });
    },
  ),

  epic: checkedBy(
    closed({
      clientId: word,
      interface: oneOf(['connect', 'account']).default('connect'),
      jwksUrl: address.optional(),
    }),
    (token, { clientId, interface: kind, jwksUrl }, means) => {
      const { issuer, keys } = EPIC_TOKENS[kind];
      const rules = { issuer, audience: clientId, jwksUrl: jwksUrl ?? keys };
      return byToken(token, { rules }, means);
    },
  ),

  unity: checkedBy(
    closed({ projectId: word, jwksUrl: address.default(`${UNITY}/.well-known/jwks.json`) }),
    (token, { projectId, jwksUrl }, means) =>
      byToken(token, { rules: { issuer: UNITY, audience: `upid:${projectId}`, jwksUrl } }, means),
  ),

  firebase: checkedBy(
    closed({ projectId: word, jwksUrl: address.default(FIREBASE_KEYS) }),
    (token, { projectId, jwksUrl }, means) => {
      const issuer = `https://securetoken.google.com/${projectId}`;
      return byToken(token, { rules: { issuer, audience: projectId, jwksUrl } }, means);
    },
  ),

  /** Each Supabase project has an address of its own. */
  supabase: checkedBy(closed({ url: address }), (token, { url }, means) => {
    const issuer = `${url.replace(/\/+$/, '')}/auth/v1`;
    const jwksUrl = `${issuer}/.well-known/jwks.json`;
    return byToken(token, { rules: { issuer, audience: 'authenticated', jwksUrl } }, means);
  }),

  nakama: checkedBy(closed({ encryptionKey: secret }), (token, { encryptionKey }, means) => {
    const rules = { issuer: null, audience: null, jwksUrl: null };
    const secrets = [{ id: 'nakama', secret: encryptionKey, createdAt: 0 }];
    return byToken(token, { rules, secrets, subject: 'uid' }, means);
  }),

  playfab: checkedBy(
    closed({
      titleId: z.string('must be a string').regex(/^[\dA-F]{1,16}$/i, 'must be the id of a title'),
      secretKey: secret,
      url: address.optional(),
    }),
    async (token, { titleId, secretKey, url }, means) => {
      const base = url ?? `https://${titleId.toLowerCase()}.playfabapi.com`;
      const ask = (path: string, init: OutsideInit) =>
        bodyOf(means, new URL(`/Authentication/${path}`, base).href, init);
      const title = await ask('GetEntityToken', posted({}, { 'x-secretkey': secretKey }));
      if (title === null) {
        throw new NoAnswer('the secret key of the title is refused');
      }
      const { EntityToken } = read(PlayFabTitle, title).data;
      const asTitle = { 'x-entitytoken': EntityToken };
      const answer = await ask('ValidateEntityToken', posted({ EntityToken: token }, asTitle));
      const entity = answer === null ? null : read(PlayFabPlayer, answer).data.Entity;
      return entity?.Type === 'title_player_account'
        ? ok({ subject: entity.Id })
        : refused('PlayFab does not accept this as a player token');
    },
  ),

  discord: checkedBy(
    closed({ clientId: word, clientSecret: secret, url: address.default('https://discord.com') }),
    async (code, { clientId, clientSecret, url }, means) => {
      const client = { client_id: clientId, client_secret: clientSecret };
      const body = new URLSearchParams({ ...client, grant_type: 'authorization_code', code });
      const to = (path: string) => new URL(path, url).href;
      const answer = await bodyOf(means, to('/api/oauth2/token'), { method: 'POST', body });
      if (answer === null) {
        return refused('Discord does not accept the code');
      }
      const accessToken = read(DiscordToken, answer).access_token;
      const headers = { authorization: `Bearer ${accessToken}` };
      const user = await bodyOf(means, to('/api/users/@me'), { headers });
      return ok({ subject: read(DiscordUser, user).id, accessToken });
    },
  ),

  /** A secret that the game made on the device and keeps there. The id does not tell the secret. */
  anonymous: checkedBy(closed({}), async (device, _, { project }) =>
    device.length < MIN_DEVICE_SECRET
      ? refused(`The device secret must have at least ${MIN_DEVICE_SECRET} characters`)
      : ok({ subject: sha256Hex(`${project}\n${device}`).slice(0, 32) }),
  ),
};

export const PROVIDERS = new Map(Object.entries(BY_NAME));
