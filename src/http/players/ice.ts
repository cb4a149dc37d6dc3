// The servers that help players find each other: STUN tells a player its address, TURN relays (record 0070). A relay costs
// its operator money, so only who is in a game, or in one that forms, gets its credentials. What is late is left out.

import * as z from 'zod';
import type { IceServer, IceServers } from '../../../packages/js/src/types';
import { Fresh, type Worth } from '../../common/fresh';
import { within } from '../../common/later';
import { logEvent } from '../../common/log';
import { messageOf, must, ok } from '../../common/result';
import { fnv1a, hmacOf } from '../../common/signed';
import { refusal } from '../../lobby/refusals';
import type { Env } from '../../objects/placement/env';
import type { PlayerCall } from '../wire/call';
import { askOutside, LIMIT_MS, type Fetch } from '../identity/outside';
import { parseWith } from '../../common/shape';
import { commaList } from '../wire/origin';
import { granted, json } from '../wire/answer';
import { inLobby } from '../isolate/where';

/** How long credentials are valid from their making: longer than a game may last by default. */
const VALID_MS = 4 * 3_600_000;
/** Shared credentials of this age are made anew. Until LEAST_MS before their end the old ones are shown meanwhile. */
const RENEW_MS = 3_600_000;
const LEAST_MS = 3_600_000;
/** How long a player waits for a provider, and how soon one that failed is asked again. */
const PATIENCE_MS = 1_500;
const AGAIN_MS = 10_000;
const IN_GAME: ReadonlySet<string> = new Set(['starting', 'match_found', 'matched', 'in_game']);

const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().exactOptional(),
  credential: z.string().exactOptional(),
});
const generated = z.object({ iceServers: z.array(iceServer) });

interface Shared {
  readonly servers: readonly IceServer[];
  readonly until: number;
  readonly askAt: number;
}

const known = new Fresh<Shared>({ size: 8, deadlineMs: LIMIT_MS + 1_000 });

/** For a coturn with `use-auth-secret`: the name says until when, and the credential is its HMAC. */
async function ownRelay(env: Env, who: string, now: number): Promise<readonly IceServer[]> {
  const { ICE_TURN, ICE_TURN_SECRET = '' } = env;
  const urls = commaList(ICE_TURN);
  if (urls.length === 0 || ICE_TURN_SECRET === '') {
    return [];
  }
  const until = Math.floor((now + VALID_MS) / 1000);
  const username = `${until}:${(fnv1a(who) >>> 0).toString(16)}`;
  const signed = await hmacOf('SHA-1', ICE_TURN_SECRET, username);
  return [{ urls, username, credential: btoa(String.fromCharCode(...signed)) }];
}

/** Asks Cloudflare. A failure is logged, and leaves the credentials that are still valid. */
async function cloudflares(key: string, token: string, fetcher: Fetch): Promise<Shared> {
  const now = Date.now();
  const url = `https://rtc.live.cloudflare.com/v1/turn/keys/${encodeURIComponent(key)}/credentials/generate-ice-servers`;
  try {
    const { status, body } = await askOutside(fetcher, url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ttl: VALID_MS / 1000 }),
    });
    const read = parseWith(generated, body);
    const { iceServers } = must(read.ok ? read.value : null, `ICE servers, not status ${status}`);
    // Browsers refuse port 53, which Cloudflare lists too, and wait for it.
    const servers = iceServers.map((each) => {
      return { ...each, urls: each.urls.filter((one) => !/:53(\?|$)/.test(one)) };
    });
    return { servers, until: now + VALID_MS, askAt: now + RENEW_MS };
  } catch (error) {
    logEvent('ice_unread', { error: messageOf(error) });
    const old = known.peek(key)?.value ?? { servers: [], until: 0 };
    return { ...old, askAt: now + AGAIN_MS };
  }
}

type IceCall = Pick<PlayerCall, 'env' | 'background' | 'later'>;

async function sharedRelay({ env, background, later }: IceCall, fetcher: Fetch): Promise<Shared> {
  const { ICE_CLOUDFLARE_KEY: key = '', ICE_CLOUDFLARE_TOKEN: token = '' } = env;
  const none = { servers: [], until: Infinity, askAt: 0 };
  if (key === '' || token === '') {
    return none;
  }
  const now = Date.now();
  const worth = ({ askAt, until }: Shared): Worth =>
    now < askAt ? 'good' : now < until - LEAST_MS ? 'old' : 'useless';
  const read = (): Promise<Shared> => {
    const asking = cloudflares(key, token, fetcher);
    // Others wait for it too.
    background(asking);
    return asking;
  };
  const got = within({ later }, PATIENCE_MS, known.get(key, { now, worth, read }));
  const relay = await got.catch(() => known.peek(key)?.value ?? none);
  return now < relay.until ? relay : none;
}

/** `isPlaying`: not STUN alone. */
export async function iceFor(
  asks: IceCall,
  { who, isPlaying }: { readonly who: string; readonly isPlaying: boolean },
  fetcher: Fetch = (url, init) => fetch(url, init),
): Promise<IceServers> {
  const now = Date.now();
  const stun = commaList(asks.env.ICE_STUN);
  const [own, shared] = isPlaying
    ? await Promise.all([ownRelay(asks.env, who, now), sharedRelay(asks, fetcher)])
    : [[], { servers: [], until: Infinity }];
  const iceServers = [...(stun.length > 0 ? [{ urls: stun }] : []), ...own, ...shared.servers];
  const until = Math.min(now + VALID_MS, shared.until);
  return { iceServers, ttl: Math.floor((until - now) / 1000) };
}

export async function ice(call: PlayerCall): Promise<Response> {
  const { peers, project, config, player } = call;
  const reply = await inLobby(call, async (id) => {
    const seen = await peers.lobby(id).adminMember({ project, config }, player);
    // Whoever only watches has no connections to players.
    return seen === null ? refusal('LOBBY_NOT_FOUND') : ok(seen.as ?? seen.lobbyStatus);
  });
  const isPlaying = IN_GAME.has(granted(reply));
  return json<IceServers>(await iceFor(call, { who: `${project} ${player}`, isPlaying }));
}
