// Founding a lobby and joining it. The Seat makes sure that a player is in one lobby only. The lobby's member
// list is the truth (docs/internals/design.md: Coming into a lobby). What a crash leaves at each step is there too.
// And how a lobby learns what the backend says of its players (decision 46): when they come in, before a decision that
// uses the numbers, and when a record changes. Where no key is trusted, nothing is asked.

import type { MemberId } from '../../common/ids';
import { ok, refuse } from '../../common/result';
import { derivedState, notYours, remembering, withAttributes } from '../../lobby/attributes';
import { unseen, updated } from '../../lobby/change';
import type { Command } from '../../lobby/command';
import { modeOf } from '../../lobby/config';
import type { Cooling } from '../../lobby/cooldown';
import { hasAsked, listening } from '../../lobby/due';
import { takesQuickly } from '../../lobby/gone';
import {
  isMember,
  isSpectator,
  bookingOf,
  UNTOLD,
  type KnownAttributes,
  type Lobby,
  type Player,
} from '../../lobby/lobby';
import { admit, entryRefusal, found, standAside } from '../../lobby/members';
import { refusal, type Refusal, type Reply } from '../../lobby/refusals';
import { isIn, watched, watchRefusal } from '../../lobby/spectators';
import type { LobbyView } from '../../lobby/view';
import type { CreateInput, JoinInput, LobbyRpc, Membership } from '../contracts/lobby';
import type { SeatRpc } from '../contracts/seat';
import { backoff, pause } from '../../common/later';
import type { LobbyCore } from './core';
import { answersTo } from './debts';

const FREED_CODE_TRIES = 8;
const FREED_CODE_WAITS = { first: 10, last: 80 };

const NO_LOBBY = refusal('LOBBY_NOT_FOUND', 'No lobby has this id or code');

const AGAIN: Refusal = {
  code: 'LOBBY_NOT_ACCEPTING',
  detail: 'The player was in this lobby before, or would have no seat in its match',
};

const ELSEWHERE = refusal(
  'ALREADY_IN_LOBBY',
  'The player is in another lobby of this config: leave that one first, or create with forceFresh to replace it',
);

type Entering = CreateInput | JoinInput;

/** Requests of the same player that come meanwhile get the answer of the first. */
async function once(
  { joining }: LobbyCore,
  { player }: Entering,
  work: () => Promise<Reply<LobbyView>>,
): Promise<Reply<LobbyView>> {
  const under = joining.get(player) ?? work();
  joining.set(player, under);
  try {
    return await under;
  } finally {
    joining.delete(player);
  }
}

function seatOf(core: LobbyCore, input: Entering): SeatRpc {
  return core.ports.peers.seat(input.project, input.config, input.player);
}

/** Claims the creator's seat. With forceFresh, a lobby that the creator hosts elsewhere is deleted first. */
async function claimForCreate(core: LobbyCore, input: CreateInput, membership: Membership) {
  const seat = seatOf(core, input);
  const { heldBy } = await seat.claim(core.id, membership);
  if (heldBy === null || !input.forceFresh) {
    return heldBy === null;
  }
  const isLeft = await core.ports.peers.lobby(heldBy).deleteIfHost(input.player);
  return isLeft && (await seat.claim(core.id, membership)).heldBy === null;
}

/** spec: Create. Refuses ALREADY_IN_LOBBY and CODES_EXHAUSTED. A refusal leaves nothing behind. */
export async function create(core: LobbyCore, input: CreateInput): Promise<Reply<LobbyView>> {
  if (core.lobby !== null) {
    return ok(core.view(core.lobby));
  }
  if (core.isOver) {
    return NO_LOBBY;
  }
  return once(core, input, () => foundNew(core, input));
}

async function foundNew(core: LobbyCore, input: CreateInput): Promise<Reply<LobbyView>> {
  const { player, state, project, config } = input;
  const memberId = core.ports.uuid() as MemberId;
  core.reserved.set(player, memberId);
  try {
    await core.loadConfig(input);
    const refused = notYours(state, core.trusted);
    if (refused !== null) {
      return refuse(refused);
    }
    const directory = core.ports.peers.directory(project, config);
    const founding = { lobbyId: core.id, by: memberId, isQuick: input.isQuick, key: input.key };
    const host = { id: player, memberId, state };
    const planned = found({ ...input, code: '' }, host, core.ports.now());
    const claimed = claimForCreate(core, input, { player, memberId });
    const allocate = async (): Promise<Reply<string>> =>
      directory.allocate(founding, core.config.inviteCodeConfig, core.rows.row(planned));
    const learned = claimed.then((seated) => (seated ? givenTo(core, input) : {}));
    const allocated = allocate();
    // Wait for all, even if one fails, so that none takes effect after this returns.
    await Promise.allSettled([learned, allocated]);
    const [seated, first] = [await claimed, await allocated];
    const isFull = !first.ok && first.refusal.code === 'CODES_EXHAUSTED';
    const again = seated && input.forceFresh && isFull;
    const code = again ? await freedCode(core, allocate) : first;
    if (!seated || !code.ok) {
      core.ports.background(directory.remove(founding));
      core.ports.background(seatOf(core, input).release({ player, memberId }));
      return seated && !code.ok ? code : ELSEWHERE;
    }
    const given = await learned;
    const players = planned.players.map((each) => ({ ...each, ...given }));
    const booking = input.booking && {
      ...input.booking,
      at: core.ports.now(),
      founds: true as const,
    };
    const made = { ...planned, players, code: code.value, ...(booking && { booking }) };
    const lobby = listening(made, core.watch, core.ports.now())?.lobby ?? made;
    core.rows.arrived(lobby);
    core.apply({ lobby, debts: [], news: [] }, {}, { project, config, by: memberId });
    return ok(core.view(core.lobby ?? lobby));
  } finally {
    core.reserved.delete(player);
  }
}

/** Retries in a full space of codes: the lobby that forceFresh replaced frees its code within a moment. */
async function freedCode(core: LobbyCore, allocate: () => Promise<Reply<string>>) {
  let code = await allocate();
  for (let tries = 1; !code.ok && tries < FREED_CODE_TRIES; tries += 1) {
    await pause(backoff(tries - 1, FREED_CODE_WAITS), core.ports);
    code = await allocate();
  }
  return code;
}

/**
 * spec: Join. Decision 12 gives the order of the checks. A member gets the lobby back unchanged, and so does a spectator who joins
 * as one. Whoever is there as the other changes sides.
 */
export async function join(core: LobbyCore, input: JoinInput): Promise<Reply<LobbyView>> {
  // The Directory that it moves to names it already.
  await core.moving?.done;
  await core.loadConfig(core.lobby === null ? input : core.home);
  const refused = notYours(input.state, core.trusted);
  if (refused !== null) {
    return refuse(refused);
  }
  if (core.lobby === null) {
    // The Directory names a lobby that has its code and is not saved yet.
    await Promise.allSettled(core.joining.values());
  }
  if (core.lobby !== null && bookingOf(core.lobby) !== null) {
    await core.unheld();
  }
  const { lobby } = core;
  if (lobby === null || lobby.project !== input.project || lobby.config !== input.config) {
    return NO_LOBBY;
  }
  const isThere = input.as === 'spectator' ? isSpectator : isMember;
  if (isThere(lobby, input.player)) {
    core.applyQuietly(hasAsked(lobby, input.player, core.watch, core.ports.now()));
    return shownTo(core, input);
  }
  if (isIn(lobby, input.player)) {
    return input.as === 'spectator'
      ? stoodAside(core, input, lobby)
      : once(core, input, () => begunToPlay(core, input, lobby));
  }
  return once(core, input, () => joinNew(core, input, lobby));
}

/** The lobby as it is shown to whoever has joined it so. */
function shownTo(core: LobbyCore, { as }: JoinInput): Reply<LobbyView> {
  const own = core.lobby && core.view(core.lobby);
  const shown = as === 'spectator' ? core.news.crowd.reading()?.lobby : own;
  return shown ? ok(shown) : NO_LOBBY;
}

function joinRefusal(core: LobbyCore, lobby: Lobby, { as, isQuick, player }: JoinInput) {
  if (as === 'spectator') {
    return watchRefusal(lobby, player, core.config.spectators, core.reservedToWatch.size);
  }
  return isQuick !== true || takesQuickly(lobby, player, core.ports.now())
    ? entryRefusal(lobby, core.reserved.size, player)
    : AGAIN;
}

async function joinNew(core: LobbyCore, input: JoinInput, lobby: Lobby): Promise<Reply<LobbyView>> {
  if (lobby.isPrivate && input.byIdAlone === true) {
    return NO_LOBBY;
  }
  const seat = seatOf(core, input);
  const refused = joinRefusal(core, lobby, input);
  if (refused !== null) {
    return (await seat.elsewhere(input.player, core.id)) ? ELSEWHERE : refuse(refused);
  }
  const memberId = core.ports.uuid() as MemberId;
  const reserved = input.as === 'spectator' ? core.reservedToWatch : core.reserved;
  reserved.set(input.player, memberId);
  try {
    const { heldBy } = await seat.claim(core.id, { player: input.player, memberId });
    if (heldBy !== null) {
      return ELSEWHERE;
    }
    if (input.as === 'spectator') {
      return letWatch(core, input, memberId);
    }
    return takeIn(core, input, { memberId, ...(await givenTo(core, input)) });
  } finally {
    reserved.delete(input.player);
  }
}

/** Checks everything again after the claim. */
function letWatch(core: LobbyCore, input: JoinInput, memberId: MemberId): Reply<LobbyView> {
  const { lobby, config, ports } = core;
  const { player: id } = input;
  const isHere = lobby?.config === input.config;
  const refused = isHere ? watchRefusal(lobby, id, config.spectators) : NO_LOBBY.refusal;
  if (lobby === null || refused !== null) {
    ports.background(seatOf(core, input).release({ player: id, memberId }));
    return refuse(refused ?? NO_LOBBY.refusal);
  }
  core.apply(updated(watched(lobby, { id, memberId }, ports.now())));
  return shownTo(core, input);
}

/** A player of the lobby begins to watch it. The seat stays as it is. */
function stoodAside(core: LobbyCore, input: JoinInput, lobby: Lobby): Reply<LobbyView> {
  const { connected, config, policy, ports } = core;
  const removal = { player: input.player, connected, now: ports.now() };
  const aside = standAside(lobby, removal, config.spectators, policy);
  if (!aside.ok) {
    return aside;
  }
  core.apply(aside.value);
  return shownTo(core, input);
}

/** A spectator of the lobby begins to play, in the same seat. */
async function begunToPlay(
  core: LobbyCore,
  input: JoinInput,
  lobby: Lobby,
): Promise<Reply<LobbyView>> {
  const { player } = input;
  const refused = entryRefusal(lobby, core.reserved.size, player);
  if (refused !== null) {
    return refuse(refused);
  }
  const given = await givenTo(core, input);
  const { lobby: now } = core;
  const spectator = now?.spectators?.find(({ id }) => id === player);
  if (spectator !== undefined) {
    return takeIn(core, input, { memberId: spectator.memberId, ...given });
  }
  // Whoever was put out meanwhile comes as any other player would.
  return now === null ? NO_LOBBY : joinNew(core, input, now);
}

/** Checks everything again after the claim, because the lobby may have changed in the meantime. */
async function takeIn(
  core: LobbyCore,
  input: JoinInput,
  { memberId, given }: { readonly memberId: MemberId; readonly given?: KnownAttributes },
): Promise<Reply<LobbyView>> {
  const { lobby } = core;
  const state = derivedState(input.state, core.trusted, given);
  const newcomer = { id: input.player, memberId, state, ...(given && { given }) };
  const isHere = lobby?.config === input.config;
  const admitted = isHere ? admit(lobby, newcomer, core.ports.now()) : NO_LOBBY;
  if (!admitted.ok) {
    // A spectator who cannot play watches on, in the same seat.
    if (lobby === null || !isSpectator(lobby, input.player)) {
      core.ports.background(seatOf(core, input).release({ player: input.player, memberId }));
    }
    return admitted;
  }
  core.apply(admitted.value);
  const asked = admitted.value.debts.filter(({ to }) => to === 'match');
  if (asked.length > 0) {
    await answersTo(core, asked);
  }
  return core.lobby === null ? NO_LOBBY : ok(core.view(core.lobby));
}

/** Call after the player's seat was claimed: a later change finds the lobby there (objects/players/actor.ts). */
async function givenTo(
  core: LobbyCore,
  { project, player, claim = {} }: Entering,
): Promise<{ readonly given?: KnownAttributes }> {
  if (core.trusted.size === 0) {
    return {};
  }
  const share = core.ports.peers.players(project, player);
  const { revision, attributes: record } = await share.read(player);
  return { given: { revision, record, claim } };
}

/** Reads the attributes of members who came before any key was trusted, and applies the newest list of keys. */
export async function learn(core: LobbyCore): Promise<void> {
  const { lobby, ports } = core;
  if (lobby === null) {
    return;
  }
  await core.loadConfig(lobby);
  const isUntold = ({ given }: Player): boolean => (given?.revision ?? UNTOLD) === UNTOLD;
  const unknown = core.trusted.size === 0 ? [] : lobby.players.filter(isUntold);
  const read = async ({ id }: Player) =>
    [id, await ports.peers.players(lobby.project, id).read(id)] as const;
  const records = new Map(await Promise.all(unknown.map(read)));
  const { lobby: now } = core;
  if (now !== null) {
    const change = withAttributes(
      remembering(now, records) ?? unseen(now),
      core.trusted,
      ports.now(),
    );
    if (change.lobby !== now) {
      core.apply(change);
    }
  }
}

/** A player's record changed. A player who is just coming in may have been read before. */
export async function attributesTold(
  core: LobbyCore,
  ...[player, attributes]: Parameters<LobbyRpc['attributes']>
): Promise<void> {
  await Promise.allSettled([core.joining.get(player)]);
  await core.loadConfig();
  core.change((lobby) => remembering(lobby, new Map([[player, attributes]])));
}

/** Who of the party has to wait longest before it may search in those modes. Asks nobody unless one has `declineCooldown`. */
export async function coolingOf(
  core: LobbyCore,
  { mode, others = [] }: Extract<Command, { type: 'enter' }>,
): Promise<Cooling | null> {
  const { lobby } = core;
  const names = [mode, ...others.map((each) => each.mode)];
  const all = names.map((name) => (lobby && modeOf(core.config, name)?.declineCooldown) ?? 0);
  const declineCooldown = Math.max(...all);
  if (lobby === null || declineCooldown === 0) {
    return null;
  }
  const asking = lobby.players.map(async ({ id: player }) => {
    const record = core.ports.peers.players(core.home.project, player);
    const until = await record.coolsUntil(player, declineCooldown);
    return until === null ? [] : [{ player, until }];
  });
  const answers = await Promise.all(asking);
  return answers.flat().sort((a, b) => b.until - a.until)[0] ?? null;
}
