// The link of a lobby: who is shown it, and what a lobby of a config without links shows.

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { playgroundOf } from '../../../../src/lobby/playground';
import { Alone } from '../../../support/alone';

const INVITE = { url: 'mygame://{code}' };
const SITE = 'https://play.example.com';
const ann = 'ann' as PlayerId;

async function shown(alone: Alone): Promise<object> {
  const read = await alone.actor.read(ann);
  return read.ok ? read.value.lobby : {};
}

async function lobbyOf(patch: object, site: string | null = SITE): Promise<Alone> {
  const alone = new Alone(patch);
  alone.site = site;
  await alone.found('ann');
  return alone;
}

describe('the link of a lobby', () => {
  it('is in the answers and events of its own players, and in no list', async () => {
    const alone = await lobbyOf({ invite: INVITE });
    const page = `${SITE}/join/arena/MEOW-7K2QXD`;
    expect(await shown(alone)).toMatchObject({ invite_url: page });
    const heard = await alone.listen('ann');
    expect(heard.texts[0]?.text).toContain(`"invite_url":"${page}"`);
    expect(await alone.join('ben')).toMatchObject({ value: { invite_url: page } });
    await alone.pass(1_000);
    expect(alone.rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(alone.rows)).not.toContain('invite_url');
  });

  it.each([
    ['of a config without links', {}, SITE],
    ['of a service that knows no address of its own', { invite: INVITE }, null],
  ])('is absent %s', async (_, patch, site) => {
    expect(Object.keys(await shown(await lobbyOf(patch, site)))).not.toContain('invite_url');
  });

  it('comes and goes with the config, without a change of the lobby', async () => {
    const alone = await lobbyOf({});
    const before = await shown(alone);
    alone.config = { ...alone.config, invite: INVITE };
    expect(await shown(alone)).toEqual({
      ...before,
      invite_url: `${SITE}/join/arena/MEOW-7K2QXD`,
    });
  });
});

describe('the bell of a lobby', () => {
  const hooks = { url: 'https://chat.example.com', savedAt: 0 };
  const keys = { revision: 1, tokens: [], seats: [], hooks };
  const room = { maxPlayers: 3, isPrivate: false };

  it('rings when players begin to have a place, and not for each change', async () => {
    const alone = new Alone({ lobbyBell: true, invite: INVITE });
    alone.site = SITE;
    alone.keys = keys;
    await alone.found('ann', room);
    const facts = { config: 'arena', name: 'Den', players: 1, maxPlayers: 3 };
    const inviteUrl = `${SITE}/join/arena/MEOW-7K2QXD`;
    expect(alone.rung).toEqual([
      {
        type: 'lobby.open',
        says: ['Den', ` is open: 1 of 3, arena. Join: ${inviteUrl}`],
        facts: { ...facts, lobbyId: 'lobby-1', inviteUrl },
      },
    ]);
    await alone.join('ben');
    await alone.join('cat');
    await alone.actor.execute({ type: 'patch_state', player: ann, state: { ready: true } });
    expect(alone.rung).toHaveLength(1);
    await alone.actor.execute({ type: 'leave', player: 'ben' as PlayerId });
    expect(alone.rung).toHaveLength(2);
  });

  it.each([
    ['the config has none', {}, keys, room],
    ['nobody is told', { lobbyBell: true }, undefined, room],
    ['the lobby is private', { lobbyBell: true }, keys, { ...room, isPrivate: true }],
    ['the lobby is full', { lobbyBell: true }, keys, { ...room, maxPlayers: 1 }],
    ['phantom players play', { lobbyBell: true }, keys, { ...room, config: playgroundOf('arena') }],
  ])('does not ring where %s', async (_, patch, told, lobby) => {
    const alone = new Alone(patch);
    alone.keys = told;
    await alone.found('ann', lobby);
    await alone.pass(1_000);
    expect(alone.rung).toEqual([]);
  });
});

describe('asking a lobby whether a player is in it', () => {
  it('says how far it is, saves nothing and sets no alarm', async () => {
    const alone = await lobbyOf({ heartbeat: true });
    await alone.pass(5_000);
    const [saved, alarmAt] = [structuredClone(alone.saved), alone.alarmAt];
    const site = { project: 'alone', config: 'arena' };
    const seen = { lobbyStatus: 'waiting', streaming: false, mode: null, code: 'MEOW-7K2QXD' };
    expect(await alone.actor.adminMember(site, ann)).toEqual(seen);
    expect(await alone.actor.adminMember(site, 'eve' as PlayerId)).toBeNull();
    expect(await alone.actor.adminMember({ ...site, project: 'other' }, ann)).toBeNull();
    expect([alone.saved, alone.alarmAt]).toEqual([saved, alarmAt]);
  });
});
