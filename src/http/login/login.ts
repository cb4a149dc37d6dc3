// Logins: a player exchanges what a platform gave for a Muster player token. A project's backend sets the
// providers, with their secrets, which nobody reads back (docs/logins.md).

import type { LoggedIn } from '../../../packages/js/src/identity-types';
import { sha256Hex } from '../../common/signed';
import { logEvent } from '../../common/log';
import type { JsonObject } from '../../common/json';
import { isPlayerId, type PlayerId } from '../../common/ids';
import { messageOf } from '../../common/result';
import { parseWith, closed, text } from '../../common/shape';
import { fetcherOf } from '../../objects/placement/env';
import { overloaded, refusal, type Reply } from '../../lobby/refusals';
import type { BodyCall, KeyedCall } from '../wire/call';
import { keysAt } from '../identity/jwks';
import { LIMIT_MS } from '../identity/outside';
import { minted, ordered, secretsOf, TOKEN_TTL_SECONDS } from '../identity/secrets';
import { documentOf, granted, json, Refused, refuseWith, valid } from '../wire/answer';
import { type Identified, type LoginProvider, PROVIDERS } from './providers';
import { MAX_PLAYER_TOKEN_LENGTH } from '../../common/limits';
import type { AnyObject } from '../wire/fields';

/** What the platform gave the player: a token, a ticket or a code. */
export const LoginBody = closed({ token: text(MAX_PLAYER_TOKEN_LENGTH) });

const MAX_WAITING = 192;
/** Two answers of a provider. A request whose client has left may never say that it has ended. */
const LONGEST_MS = 2 * LIMIT_MS;

/** Places for logins that wait, so that a slow provider fills neither the isolate nor the places of others. */
export class LoginPlaces {
  #waiting: readonly { project: string; provider: string; until: number }[] = [];

  /**
   * Takes a place at `now` (epoch ms), and returns the function that gives it back. Null: there is none. A project
   * may take as many places as are left for others, and a provider half as many: alone 64.
   */
  take(project: string, provider: string, now: number): (() => void) | null {
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    const ofProject = this.#waiting.filter((each) => each.project === project);
    const ofProvider = ofProject.filter((each) => each.provider === provider);
    const free = MAX_WAITING - this.#waiting.length;
    if (ofProject.length >= free || ofProvider.length * 2 >= free) {
      return null;
    }
    const place = { project, provider, until: now + LONGEST_MS };
    this.#waiting = [...this.#waiting, place];
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== place);
    };
  }
}

const places = new LoginPlaces();

function providerOf(name: string): LoginProvider {
  const unknown = `The providers are ${[...PROVIDERS.keys()].join(', ')}`;
  return PROVIDERS.get(name) ?? refuseWith('NOT_FOUND', unknown);
}

/** POST /login/{provider}: a player token for whoever the credential belongs to. */
export async function login(call: BodyCall<typeof LoginBody>): Promise<Response> {
  const name = call.params['provider'] ?? '';
  const provider = providerOf(name);
  const { peers, project } = call;
  const saved = (await secretsOf(call, await documentOf(call))).logins?.[name];
  if (saved === undefined) {
    const detail = `Players cannot log in with ${name}: PUT /projects/logins/${name} has not set it`;
    return refuseWith('NOT_FOUND', detail);
  }
  const giveBack = places.take(project, name, Date.now());
  if (giveBack === null) {
    throw new Refused(overloaded(Math.random()));
  }
  const found = await identified(provider, saved.settings, call);
  giveBack();
  const { subject, accessToken, once } = granted(found);
  const player = `${name}:${subject}` as PlayerId;
  if (!isPlayerId(player)) {
    return refuseWith('LOGIN_REFUSED', "The player's id is too long");
  }
  const spent = once === undefined ? null : sha256Hex(once);
  if (spent !== null && !(await peers.players(project, player).spend(player, spent))) {
    return refuseWith('LOGIN_REFUSED', 'This ticket was already used to log in');
  }
  const token = await minted(call, player, { ttl: TOKEN_TTL_SECONDS.usual });
  return json<LoggedIn>(accessToken === undefined ? token : { ...token, accessToken });
}

/** Whatever goes wrong outside is UNAVAILABLE, and its reason is only in the log. */
async function identified(
  provider: LoginProvider,
  settings: JsonObject,
  call: BodyCall<typeof LoginBody>,
): Promise<Reply<Identified>> {
  const { body, project, env, params } = call;
  const now = Date.now();
  const fetch = fetcherOf(env);
  const keys = (url: string, kid: string | null) => keysAt(url, kid, now, call);
  try {
    return await provider.identify(body.token, settings, { project, fetch, keys, now });
  } catch (error) {
    const provided = { project, provider: params['provider'] ?? '' };
    logEvent('login_failed', { ...provided, reason: messageOf(error) });
    return refusal('UNAVAILABLE', 'The login provider does not answer as it should; try again');
  }
}

/** PUT /projects/logins/{provider}: replaces the settings as a whole. */
export async function setLogin(call: BodyCall<typeof AnyObject>): Promise<Response> {
  const name = call.params['provider'] ?? '';
  const settings = valid(parseWith(providerOf(name).settings, call.body)) as JsonObject;
  await ordered(call, { act: 'set login', provider: name, settings });
  return json({ status: 'login_set', provider: name });
}

export async function removeLogin(call: KeyedCall): Promise<Response> {
  const provider = call.params['provider'] ?? '';
  await ordered(call, { act: 'remove login', provider });
  return json({ status: 'login_deleted', provider });
}
