// Spectators of one lobby object (record 0108): where their streams go, when they hear of what, and what a restart leaves.

import { describe, expect, it } from 'vitest';
import type { LobbyChange } from '../../../../packages/js/src/change-types';
import type { PlayerId } from '../../../../src/common/ids';
import type { Attributes } from '../../../../src/lobby/attributes';
import type { Reply } from '../../../../src/lobby/refusals';
import type { LobbyView } from '../../../../src/lobby/view';
import { Alone, type Heard, timesOf } from '../../../support/alone';
import { mode, player } from '../../../support/lobbies';

const EVENT = /^event: (\w+)\n(?:id: \d+\n)?data: (.*)\n/;
type Told = readonly [event: string, data: LobbyView & LobbyChange];

function told(heard: Heard | undefined): readonly Told[] {
  return (heard?.texts.splice(0) ?? []).map(({ text }): Told => {
    const [, event = text, data = 'null'] = EVENT.exec(text) ?? [];
    return [event, JSON.parse(data) as LobbyView & LobbyChange];
  });
}

class Watched extends Alone {
  static async with(spectators = { max: 2, delaySeconds: 0 }): Promise<Watched> {
    const alone = new Watched({ spectators });
    await alone.found('ann');
    await alone.join('ben');
    return alone;
  }

  /** Wes, who watched, begins to play, and the backend has not yet said what it knows. */
  static async beginning() {
    const alone = new Watched({ spectators: { max: 2, delaySeconds: 0 }, trusted: ['mmr'] });
    await alone.found('ann');
    await alone.as('wes', 'spectator');
    const { promise, resolve } = Promise.withResolvers<Attributes>();
    alone.record = () => promise;
    const playing = alone.as('wes');
    await alone.pass(0);
    return { alone, playing, resolve };
  }

  as(who: string, as?: 'spectator'): Promise<Reply<LobbyView>> {
    const where = { project: 'alone', config: 'arena', state: null };
    return this.actor.join({ ...where, player: player(who), ...(as && { as }) });
  }

  async mine(who: string): Promise<LobbyView | null> {
    const reply = await this.actor.read(player(who));
    return reply.ok ? reply.value.lobby : null;
  }

  patch(state: Readonly<Record<string, number>>): Promise<unknown> {
    return this.actor.execute({ type: 'patch_state', player: player('ann'), state });
  }

  says(type: 'leave' | 'heartbeat', who: string): Promise<unknown> {
    return this.actor.execute({ type, player: player(who) });
  }
}

const shown = (reply: Reply<LobbyView>) => (reply.ok ? reply.value : reply.refusal.code);
const idsOf = (all: readonly { readonly id: string }[] | undefined) => all?.map(({ id }) => id);

describe('a spectator of a lobby', () => {
  it('is answered the lobby as one, is seated, and is in no list of players', async () => {
    const alone = await Watched.with();
    expect(shown(await alone.as('wes', 'spectator'))).toMatchObject({
      as: 'spectator',
      currentPlayers: 2,
      currentSpectators: 1,
    });
    expect(shown(await alone.as('wes', 'spectator'))).toMatchObject({ currentSpectators: 1 });
    expect(alone.seats.has(player('wes'))).toBe(true);
    const memberId = 'uuid-3' as never;
    expect(await alone.actor.knows({ player: player('wes'), memberId })).toBe(true);
    expect(await alone.mine('wes')).toMatchObject({ as: 'spectator', spectators: [{ id: 'wes' }] });
    expect((await alone.mine('ann'))?.as).toBeUndefined();
    const site = { project: 'alone', config: 'arena' };
    expect(await alone.actor.adminMember(site, player('wes'))).toMatchObject({ as: 'spectator' });
    await alone.pass(1_000);
    expect(alone.rows.at(-1)?.view).toMatchObject({ currentPlayers: 2, currentSpectators: 1 });
    expect(alone.rows.at(-1)?.view?.spectators).toBeUndefined();
    await alone.says('leave', 'wes');
    await alone.pass(0);
    expect([alone.seats.has(player('wes')), await alone.mine('wes')]).toEqual([false, null]);
  });

  it('has places of its own: as many as the config says, also while others claim theirs', async () => {
    const alone = await Watched.with({ max: 1, delaySeconds: 0 });
    let seat = (): void => {};
    alone.seated = new Promise((resolve) => {
      seat = resolve;
    });
    const first = alone.as('wes', 'spectator');
    await alone.pass(0);
    const second = alone.as('wim', 'spectator');
    const third = alone.as('cat');
    await alone.pass(0);
    seat();
    // The place that is claimed is taken; none of a player is.
    expect(shown(await first)).toMatchObject({ currentSpectators: 1 });
    expect(shown(await second)).toBe('LOBBY_FULL');
    expect(shown(await third)).toMatchObject({ currentPlayers: 3 });
    const closed = new Alone();
    await closed.found('ann');
    const where = { project: 'alone', config: 'arena', state: null, player: player('wes') };
    const none = await closed.actor.join({ ...where, as: 'spectator' });
    expect(shown(none)).toBe('LOBBY_NOT_ACCEPTING');
  });

  it('changes sides in the same seat, and the stream is opened anew', async () => {
    const alone = await Watched.with();
    const ben = await alone.listen('ben');
    told(ben);
    expect(shown(await alone.as('ben', 'spectator'))).toMatchObject({ as: 'spectator' });
    expect(told(ben).at(-1)?.[0]).toBe('bye seated');
    await alone.pass(0);
    expect(alone.seats.has(player('ben'))).toBe(true);
    const watching = await alone.listen('ben');
    expect(told(watching)[0]?.[1]).toMatchObject({ as: 'spectator', players: [{ id: 'ann' }] });
    expect(shown(await alone.as('ann', 'spectator'))).toBe('INVALID_STATE');
    const playing = shown(await alone.as('ben'));
    expect(playing).toMatchObject({ players: [{ id: 'ann' }, { id: 'ben' }] });
    expect(typeof playing !== 'string' && playing.as).toBeUndefined();
    expect(told(watching).at(-1)?.[0]).toBe('bye seated');
    await alone.pass(0);
    expect(alone.seats.has(player('ben'))).toBe(true);
  });

  it('plays with what the backend says meanwhile', async () => {
    const { alone, playing, resolve } = await Watched.beginning();
    const newer = { revision: 2, attributes: { mmr: 2 } };
    const saying = alone.actor.attributes(player('wes'), newer);
    await alone.pass(0);
    resolve({ revision: 1, attributes: { mmr: 1 } });
    await Promise.all([playing, saying]);
    expect((await alone.mine('wes'))?.players[1]?.state).toEqual({ mmr: 2 });
  });

  it('comes as a newcomer if it was put out while it began to play', async () => {
    const { alone, playing, resolve } = await Watched.beginning();
    await alone.actor.execute({ type: 'kick', player: player('ann'), target: player('wes') });
    resolve({ revision: 1, attributes: { mmr: 1 } });
    expect(shown(await playing)).toMatchObject({ players: [{ id: 'ann' }, { id: 'wes' }] });
  });

  it('watches on in the same seat if there is no room to play', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    await alone.as('cat');
    await alone.as('dan');
    expect(shown(await alone.as('wes'))).toBe('LOBBY_FULL');
    await alone.pass(0);
    expect(alone.seats.has(player('wes'))).toBe(true);
    expect(await alone.mine('wes')).toMatchObject({ as: 'spectator' });
  });

  it('keeps nobody in a queue, and the lobby from no deadline', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    await alone.listen('wes');
    await alone.pass(290_000);
    await alone.says('heartbeat', 'wes');
    await alone.as('wim', 'spectator');
    await alone.pass(11_000);
    expect(await alone.mine('ann')).toBeNull();
    expect(told(alone.heard[0]).at(-1)?.[0]).toBe('bye left');
    expect(alone.seats.size).toBe(0);
  });

  it('is there after a restart, and loses the place a minute after its stream broke', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    await alone.listen('wes', null, { changes: true });
    await alone.pass(120_000);
    expect(idsOf((await alone.mine('ann'))?.spectators)).toEqual(['wes']);
    alone.restart();
    expect(idsOf((await alone.mine('ann'))?.spectators)).toEqual(['wes']);
    await alone.pass(59_000);
    expect(idsOf((await alone.mine('ann'))?.spectators)).toEqual(['wes']);
    await alone.pass(2_000);
    expect((await alone.mine('ann'))?.spectators).toBeUndefined();
    await alone.pass(0);
    expect(alone.seats.has(player('wes'))).toBe(false);
  });
});

describe('what spectators hear', () => {
  it('is told in frames, by changes, and a status at once', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    const wes = await alone.listen('wes', null, { changes: true });
    const ann = await alone.listen('ann', null, { changes: true });
    const [[event, whole] = ['', null]] = told(wes);
    expect([event, whole?.as]).toEqual(['connected', 'spectator']);
    told(ann);
    await alone.pass(1_000);
    const from = alone.now;
    for (let n = 1; n <= 20; n += 1) {
      await alone.patch({ n });
      await alone.pass(50);
    }
    expect(timesOf(ann, 'lobby_changed', from)).toHaveLength(20);
    expect(timesOf(wes, 'lobby_changed', from)).toEqual([0, 250, 500, 750, 1_000]);
    await alone.pass(250);
    const heard = told(wes).map(([, data]) => data);
    expect(heard[0]?.from).toBe(whole?.revision);
    expect(heard.at(-1)?.revision).toBe((await alone.mine('wes'))?.revision);
    expect(JSON.stringify(heard)).toContain('"/players/0/state/n"');
    await alone.patch({ n: 21 });
    await alone.patch({ n: 22 });
    const at = alone.now;
    await alone.actor.execute({ type: 'start', player: 'ann' as PlayerId });
    expect(timesOf(wes, 'lobby_changed', at)[0]).toBe(0);
    expect(told(wes).some(([, data]) => JSON.stringify(data).includes('starting'))).toBe(true);
  });

  it('costs players nothing: what they hear, and when, is the same with a crowd', async () => {
    const heardWith = async (crowd: number): Promise<unknown> => {
      const alone = await Watched.with({ max: 60, delaySeconds: 0 });
      for (let n = 0; n < crowd; n += 1) {
        await alone.as(`w${n}`, 'spectator');
        await alone.listen(`w${n}`, null, { changes: true });
      }
      await alone.pass(1_000);
      const ann = await alone.listen('ann', null, { changes: true });
      told(ann);
      const from = alone.now;
      for (let n = 1; n <= 5; n += 1) {
        await alone.patch({ n });
        await alone.pass(20);
      }
      const costs = await alone.patch({ n: 9 });
      expect(JSON.stringify(costs)).not.toContain('toldKiB');
      return timesOf(ann, 'lobby_changed', from);
    };
    expect(await heardWith(50)).toEqual(await heardWith(0));
  });

  it('comes as much later as the config says, by streams and answers; an end comes at once', async () => {
    const alone = await Watched.with({ max: 2, delaySeconds: 10 });
    await alone.patch({ n: 0 });
    await alone.pass(20_000);
    const late = shown(await alone.as('wes', 'spectator'));
    expect(late).toMatchObject({ as: 'spectator', players: [{ state: { n: 0 } }, {}] });
    const wes = await alone.listen('wes', null, { changes: true });
    told(wes);
    const from = alone.now;
    await alone.patch({ n: 1 });
    await alone.pass(3_000);
    await alone.patch({ n: 2 });
    await alone.pass(6_900);
    expect(told(wes)).toEqual([]);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 0 });
    await alone.pass(400);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 1 });
    expect(wes.texts.map(({ at }) => at - from)).toEqual([10_000]);
    await alone.pass(3_000);
    const states = told(wes).map(([, { ops }]) => JSON.stringify(ops));
    const values = states.map((each) => /players.0.state.n?"?,"value":([^,}]*)/.exec(each)?.[1]);
    expect(values).toEqual(['1', '2']);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 2 });
    // A crowd of states within a second is one.
    for (let n = 3; n < 60; n += 1) {
      await alone.patch({ n });
      await alone.pass(10);
    }
    await alone.pass(11_000);
    expect(told(wes).length).toBeLessThan(4);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 59 });
    await alone.actor.execute({ type: 'kick', player: player('ann'), target: player('wes') });
    expect(told(wes).at(-1)?.[0]).toBe('bye kicked');
  });

  it('comes as late without a stream: the object stays awake while it hides a past, and no longer', async () => {
    const alone = await Watched.with({ max: 2, delaySeconds: 10 });
    await alone.as('wes', 'spectator');
    await alone.pass(20_000);
    expect(alone.timers).toBe(0);
    await alone.patch({ n: 1 });
    await alone.pass(9_000);
    // An object with a timer does not sleep.
    expect(alone.timers).toBe(1);
    expect((await alone.mine('wes'))?.players[0]?.state).toBeNull();
    await alone.pass(2_000);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 1 });
    expect(alone.timers).toBe(0);
  });

  it('comes as late where players are asked for all of their lobbies', async () => {
    const matchmaking = { modes: { duel: mode() } };
    const alone = new Watched({ spectators: { max: 2, delaySeconds: 10 }, matchmaking });
    await alone.found('ann');
    await alone.as('wes', 'spectator');
    await alone.pass(20_000);
    await alone.actor.execute({ type: 'enter', player: player('ann'), mode: 'duel' });
    const site = { project: 'alone', config: 'arena' };
    const seen = async (who: string) => {
      const { lobbyStatus, mode } = (await alone.actor.adminMember(site, player(who))) ?? {};
      return [lobbyStatus, mode];
    };
    expect(await seen('ann')).toEqual(['in_queue', 'duel']);
    expect(await seen('wes')).toEqual(['waiting', null]);
    await alone.pass(11_000);
    expect(await seen('wes')).toEqual(['in_queue', 'duel']);
  });

  it('comes in fewer steps the larger the lobby is, and never early: of a past, about 1 MB is kept', async () => {
    const delayMs = 200_000;
    const alone = await Watched.with({ max: 2, delaySeconds: delayMs / 1_000 });
    await alone.as('wes', 'spectator');
    const wes = await alone.listen('wes', null, { changes: true });
    await alone.pass(delayMs + 1_000);
    told(wes);
    const pad = 'x'.repeat(15_000);
    const setAt: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      setAt.push(alone.now);
      const state = { n, pad };
      await alone.actor.execute({ type: 'patch_state', player: player('ann'), state });
      await alone.pass(1_000);
    }
    await alone.pass(delayMs + 10_000);
    const shownAt = wes.texts.flatMap(({ at, text }) => {
      const [, n] = /"n":(\d+)|state.n","value":(\d+)/.exec(text)?.filter(Boolean) ?? [];
      return n === undefined ? [] : [{ at, setAt: setAt[Number(n)] ?? Infinity }];
    });
    // Each step takes a little more than 3 s.
    expect(shownAt.length).toBeGreaterThan(12);
    expect(shownAt.length).toBeLessThan(20);
    expect(shownAt.filter((each) => each.at < each.setAt + delayMs)).toEqual([]);
    expect((await alone.mine('wes'))?.players[0]?.state).toEqual({ n: 59, pad });
  });

  it('goes on from a known state, and after a sleep, to the same lobby', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    const first = await alone.listen('wes', null, { changes: true });
    await alone.patch({ n: 1 });
    await alone.pass(1_000);
    const revision = (await alone.mine('wes'))?.revision ?? 0;
    told(first);
    alone.hangUp('wes');
    await alone.patch({ n: 2 });
    await alone.pass(0);
    const how = { changes: true, lobby: alone.id };
    const again = await alone.listen('wes', revision, how);
    expect(told(again).map(([event, { from }]) => [event, from])).toEqual([
      ['lobby_changed', revision],
    ]);
    alone.sleep();
    await alone.patch({ n: 3 });
    await alone.pass(300);
    const [[event, data] = ['', null]] = told(again);
    expect([event, data?.as, data?.players[0]?.state]).toEqual([
      'lobby_updated',
      'spectator',
      { n: 3 },
    ]);
  });

  it('is no signal, no statistics and no reason', async () => {
    const alone = await Watched.with();
    await alone.as('wes', 'spectator');
    const wes = await alone.listen('wes');
    const said = { to: null, data: { hello: 1 } };
    const signal = (from: string) => alone.actor.signal({ from: player(from), ...said });
    expect(await signal('wes')).toMatchObject({ refusal: { code: 'INVALID_ACTION' } });
    expect(await signal('ann')).toMatchObject({ value: { players: 1 } });
    const events = new Set(told(wes).map(([event]) => event));
    expect([...events].filter((event) => !['connected', 'lobby_updated'].includes(event))).toEqual(
      [],
    );
  });
});
