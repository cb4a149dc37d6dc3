// How a lobby learns what the backend says of its players (decision 46): when they come in, before a decision that
// uses the numbers, and when a record changes. Where no key is trusted, nothing is asked.

import type { PlayerId } from '../../common/ids';
import { remembering, withAttributes, type Attributes } from '../../lobby/attributes';
import { unseen } from '../../lobby/change';
import type { Given, Player } from '../../lobby/lobby';
import type { CreateInput, JoinInput } from './contract';
import type { LobbyCore } from './core';

/** Call after the player's seat was claimed: a later change finds the lobby there (objects/players/actor.ts). */
export async function givenTo(
  core: LobbyCore,
  { project, player, claim = {} }: JoinInput | CreateInput,
): Promise<{ readonly given?: Given }> {
  if (core.trusted.size === 0) {
    return {};
  }
  const share = core.host.peers.players(project, player);
  const { revision, attributes: record } = await share.read(player);
  return { given: { revision, record, claim } };
}

/** Reads the attributes of members who came before any key was trusted, and applies the newest list of keys. */
export async function learn(core: LobbyCore): Promise<void> {
  const { lobby, host } = core;
  if (lobby === null) {
    return;
  }
  await core.loadConfig(lobby);
  const unknown = core.trusted.size === 0 ? [] : lobby.players.filter(({ given }) => !given);
  const read = async ({ id }: Player) =>
    [id, await host.peers.players(lobby.project, id).read(id)] as const;
  const told = new Map(await Promise.all(unknown.map(read)));
  const { lobby: now } = core;
  if (now !== null) {
    const change = withAttributes(remembering(now, told) ?? unseen(now), core.trusted, host.now());
    if (change.lobby !== now) {
      core.apply(change);
    }
  }
}

/** A player's record changed. A player who is just coming in may have been read before. */
export async function attributesTold(
  core: LobbyCore,
  player: PlayerId,
  told: Attributes,
): Promise<void> {
  await Promise.allSettled([core.joining.get(player)]);
  if (core.lobby !== null) {
    await core.loadConfig(core.home);
  }
  core.change((lobby) => remembering(lobby, new Map([[player, told]])));
}
