// The link of a lobby: who is shown it, and what a lobby of a config without links shows.

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
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
