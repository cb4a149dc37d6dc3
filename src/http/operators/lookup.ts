// The dashboard's search: finds a config or player by name or a part of it, a lobby by code or id, a server or match by id,
// and a match by the id of a request that led to it. Players and codes are searched in every config and its playground.

import type { Hit } from '../../../packages/js/src/dashboard-types';
import * as z from 'zod';
import { type InstanceId, isPlayerId, type LobbyId, type PlayerId } from '../../common/ids';
import { playgroundOf } from '../../lobby/playground';
import type { LobbyView } from '../../lobby/view';
import { signerOf } from '../../common/signed';
import { json, retrying } from '../wire/answer';
import type { QueryCall } from '../wire/call';
import { writtenFlag } from '../wire/fields';
import { isMatchId } from '../wire/paths';
import { freshDocument } from './configs';
import { EVERY_MATCH, formed } from './journal';
import { bansOf } from './players';
import { configNames } from '../isolate/seen-configs';

/** How many configs are searched for a player or a code. Each may cost a call to an object. */
const CONFIGS = 100;
/** How many of a kind are found by the beginning of an id. */
const SHOWN = 10;
/** How many pages of the queues' journals are read for a request. */
const PAGES = 20;

export const SearchParams = z.object({
  q: z.string().max(200, 'is too long').default(''),
  /** Only configs and players, by a part of the name: what is suggested while somebody types. */
  like: writtenFlag,
});

type SearchCall = QueryCall<typeof SearchParams>;

function lobbyHit({ config, id, name }: LobbyView): Hit {
  return { kind: 'lobby', config, id, name };
}

async function ledTo(call: SearchCall, requestId: string): Promise<Hit[]> {
  const hits: Hit[] = [];
  let until: number | null = Infinity;
  for (let page = 0; page < PAGES && until !== null && hits.length === 0; page += 1) {
    const found = await formed(call, { ...EVERY_MATCH, requestId, until, limit: SHOWN });
    hits.push(...found.matches.map(({ matchId: id }): Hit => ({ kind: 'match', id })));
    until = found.reached;
  }
  return hits;
}

/** Finds the lobby, server or match with that id, or the matches to which a request with it led. */
async function named(call: SearchCall, id: string): Promise<readonly Hit[]> {
  const { env, peers, project } = call;
  const signer = signerOf(env);
  if (signer.made('lobby', id)) {
    const lobby = await retrying(() => peers.lobby(id as LobbyId).adminRead(project, null));
    return lobby === null ? [] : [lobbyHit(lobby)];
  }
  if (signer.made('server', id)) {
    const found = await retrying(() => peers.server(id as InstanceId).read(project));
    return found.ok ? [{ kind: 'server', id, name: found.value.name }] : [];
  }
  const match: readonly Hit[] = [{ kind: 'match', id }];
  const isKnown = isMatchId(id) && (await retrying(() => peers.match(id).record(project))) !== null;
  const led = isKnown ? match : await ledTo(call, id);
  return led.length > 0 ? led : match;
}

async function byCode(
  { peers, project }: SearchCall,
  config: string,
  code: string,
): Promise<Hit[]> {
  const unlimited = { code, player: null, address: null, limits: {} };
  const found = await retrying(() => peers.directory(project, config).find(unlimited));
  const lobby =
    found.ok && (await retrying(() => peers.lobby(found.value).adminRead(project, config)));
  return lobby ? [lobbyHit(lobby)] : [];
}

/** Finds a player. The seat is only a hint: the lobby's own list of members is the truth. */
async function byPlayer(
  { peers, project }: SearchCall,
  config: string,
  id: PlayerId,
): Promise<Hit[]> {
  const lobbyId = await retrying(() => peers.seat(project, config, id).where(id));
  const lobby = lobbyId && (await retrying(() => peers.lobby(lobbyId).adminRead(project, config)));
  return lobby?.players.some((player) => player.id === id) === true
    ? [{ kind: 'player', config, id, lobbyId: lobby.id }]
    : [];
}

function nowhere(id: string): Hit {
  return { kind: 'player', id, config: null, lobbyId: null };
}

/** Finds a player who is in no lobby, if anything is kept: attributes, places on ladders, a match in the journal, a ban. */
async function away(call: SearchCall, id: PlayerId): Promise<readonly Hit[]> {
  const { peers, project } = call;
  const [{ attributes }, { matches }, bans] = await Promise.all([
    retrying(() => peers.players(project, id).read(id)),
    formed(call, { ...EVERY_MATCH, player: id, limit: 1 }),
    bansOf(call, id),
  ]);
  const isKnown = Object.keys(attributes).length + matches.length + bans.length > 0;
  return isKnown ? [nowhere(id)] : [];
}

/** Finds configs, players of public lobbies and banned ones by a part of the name. Those that begin with it come first. */
async function like(call: SearchCall, configs: readonly string[], id: string): Promise<Hit[]> {
  const { peers, project } = call;
  const part = id.toLowerCase();
  const [bans, ...present] = await Promise.all([
    bansOf(call, null),
    ...configs.map(async (config) => {
      const found = await retrying(() => peers.directory(project, config).playersLike(part));
      return found.map(([its, lobbyId]): Hit => ({ kind: 'player', config, id: its, lobbyId }));
    }),
  ]);
  const here = present.flat();
  const banned = new Set(bans.map(({ playerId }) => playerId));
  here.forEach((hit) => banned.delete(hit.id));
  const bannedLike = [...banned].filter((each) => each.toLowerCase().includes(part));
  const begins = (hit: Hit): number => Number(hit.id.toLowerCase().startsWith(part));
  const alike = configs.filter((name) => name.toLowerCase().includes(part));
  const hits = [...alike.map((its): Hit => ({ kind: 'config', id: its })), ...here];
  return [...hits, ...bannedLike.map(nowhere)]
    .toSorted((a, b) => begins(b) - begins(a))
    .slice(0, SHOWN);
}

/** Finds what has an id that begins with these eight characters, as ids are shown. */
async function beginning(call: SearchCall, config: string, id: string): Promise<Hit[]> {
  const { peers, project } = call;
  const lobbies = await retrying(() => peers.directory(project, config).beginning(id));
  const found = await Promise.all(
    lobbies.map((each) => retrying(() => peers.lobby(each).adminRead(project, config))),
  );
  return found.flatMap((lobby) => (lobby === null ? [] : [lobbyHit(lobby)]));
}

export async function search(call: SearchCall): Promise<Response> {
  const { peers, project, query } = call;
  const text = query.q.trim();
  const id = text.toLowerCase();
  if (isMatchId(id)) {
    return json({ hits: await named(call, id) });
  }
  if (!isPlayerId(text)) {
    return json({ hits: [] });
  }
  const names = configNames(project, await freshDocument(call)).slice(0, CONFIGS);
  if (query.like) {
    return json({ hits: await like(call, names, id) });
  }
  const led = await ledTo(call, text);
  const places = names.flatMap((config) => [config, playgroundOf(config)]);
  const asPlayer = text as PlayerId;
  const inPlaces = places.flatMap((at) => [byCode(call, at, text), byPlayer(call, at, asPlayer)]);
  const [here, others] = await Promise.all([Promise.all(inPlaces), away(call, asPlayer)]);
  const present = here.flat();
  const whole = present.some(({ kind }) => kind === 'player') ? present : [...present, ...others];
  const found = whole.length > 0 ? whole : await like(call, names, id);
  if (!/^[0-9a-f]{8}$/.test(id)) {
    return json({ hits: [...led, ...found] });
  }
  const [begun, { servers }, { matches }] = await Promise.all([
    Promise.all(places.map((config) => beginning(call, config, id))),
    retrying(() => peers.project(project).servers(SHOWN, 0, undefined, { id })),
    formed(call, { ...EVERY_MATCH, id, limit: SHOWN }),
  ]);
  const begin: readonly Hit[] = [
    ...servers.map(({ instance_id: its, name }) => ({ kind: 'server', id: its, name }) as const),
    ...matches.map(({ matchId }) => ({ kind: 'match', id: matchId }) as const),
  ];
  return json({ hits: [led, found, ...begun, begin].flat() });
}
