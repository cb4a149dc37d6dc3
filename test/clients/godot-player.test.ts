// MusterPlayer of packages/godot in Godot itself, against Muster with simulated servers and a proxy between them.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { type Between, between } from './between.ts';
import { Engine, godotProject } from './godot.ts';

const HAS_GODOT = needs('godot');
/** How long it waits for a first event, and between polls: a second, so that tests do not take minutes. */
const SOON = { connect_seconds: 1, poll_seconds: 0.3, retry_stream_seconds: 1.5 };

let folder: string;
let service: Service;
let proxy: Between;
let engine: Engine;
let operator: Player;

/** A player in the engine. */
function play(id: string, settings: Readonly<Record<string, unknown>> = {}): void {
  const set = { base_url: proxy.url, player_id: id, config: 'quick', ...settings };
  engine.order({ do: 'new', id, set });
}

const person = (id: string): Player => new Player(service.url, id);

const statusOf = (values: readonly unknown[]): unknown =>
  (values[0] as { readonly status?: string } | null)?.status;

const revisionOf = (values: readonly unknown[]): unknown =>
  (values[0] as { readonly revision?: number } | null)?.revision;

const sizeOf = (values: readonly unknown[]): unknown =>
  (values[0] as { readonly currentPlayers?: number } | null)?.currentPlayers;

async function hosted(id: string, settings = {}): Promise<string> {
  play(id, settings);
  expect((await engine.call(id, 'create_lobby', `lobby of ${id}`)).values).toEqual(['ok', '']);
  return (await person(id).ok('GET', '/lobbies/quick/me')).code;
}

async function streams(id: string): Promise<void> {
  await eventually(`${id} streams`, () => proxy.open(id) === 1);
}

async function startMuster(): Promise<Service> {
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  const port = service === undefined ? 0 : service.port;
  return startService({ port, dataDir: join(folder, 'data'), devKeys: true, env });
}

beforeAll(async () => {
  if (HAS_GODOT) {
    folder = await mkdtemp(join(tmpdir(), 'muster-godot-'));
    const project = godotProject(folder);
    service = await startMuster();
    operator = new Player(service.url, 'operator', service.serverKey);
    proxy = await between(service.url);
    const modes = {
      duel: { teams: 2, playersPerTeam: 1, timeout: 300 },
      pair: { teams: 2, playersPerTeam: 2, timeout: 1 },
      alone: { teams: 2, playersPerTeam: 1, timeout: 1 },
      asked: { teams: 2, playersPerTeam: 1, timeout: 300, matchConfirmation: { enabled: true } },
    };
    const hosting = { serverSettings: { hosting: 'players' }, matchmaking: { modes } };
    await operator.ok('PUT', '/lobby-configs/hosting', hosting);
    const body = { heartbeat: true, heartbeatTimeout: 300, matchmaking: { modes } };
    await operator.ok('PUT', '/lobby-configs/quick', body);
    engine = new Engine(await project);
    await engine.until('driver', 'ready');
  }
});

afterAll(async () => {
  await engine?.kill();
  proxy?.close();
  await service?.stop();
  if (HAS_GODOT) {
    await rm(folder, { recursive: true, force: true });
  }
});

describe.runIf(HAS_GODOT)('a player in Godot', () => {
  it('creates, is joined, sees the changes, and is told nothing but that it left', async () => {
    const code = await hosted('ann');
    await streams('ann');
    await person('ben').ok('POST', '/lobbies/quick/join', { code });
    await engine.until('ann', 'lobby_changed', (values) => sizeOf(values) === 2);
    await person('ben').ok('PATCH', '/lobbies/quick/me', { state: { 'a/b~c': [1, { d: null }] } });
    const { revision } = await person('ann').ok('GET', '/lobbies/quick/me');
    await engine.until('ann', 'lobby_changed', (values) => revisionOf(values) === revision);
    expect(await engine.get('ann', 'lobby')).toEqual(
      await person('ann').ok('GET', '/lobbies/quick/me'),
    );
    await person('ben').ok('DELETE', '/lobbies/quick/me');
    await engine.until('ann', 'lobby_changed', (values) => sizeOf(values) === 1);
    // The stream says that the lobby is deleted before the call is answered.
    expect((await engine.call('ann', 'leave')).values[0]).toBe('ok');
    expect(engine.all('ann', 'closed')).toEqual(['left']);
    expect(await engine.get('ann', 'lobby')).toBeNull();
    expect(proxy.open('ann')).toBe(0);
  });

  it('leaves nothing behind when it is freed: its stream closes', async () => {
    await hosted('fred');
    await streams('fred');
    engine.order({ do: 'free', id: 'fred' });
    await eventually('its stream is closed', () => proxy.open('fred') === 0);
  });

  it('goes on when it is removed from the tree and added again', async () => {
    const code = await hosted('rem');
    await streams('rem');
    engine.order({ do: 'remove', id: 'rem' });
    await eventually('its stream is closed', () => proxy.open('rem') === 0);
    engine.order({ do: 'add', id: 'rem' });
    await person('ron').ok('POST', '/lobbies/quick/join', { code });
    await engine.until('rem', 'lobby_changed', (values) => sizeOf(values) === 2);
    expect(engine.all('rem', 'closed')).toEqual([]);
  });

  it('is there while the game is paused', async () => {
    const code = await hosted('pat');
    await streams('pat');
    engine.order({ do: 'pause', paused: true });
    await person('pia').ok('POST', '/lobbies/quick/join', { code });
    await engine.until('pat', 'lobby_changed', (values) => sizeOf(values) === 2);
    engine.order({ do: 'pause', paused: false });
  });

  it.each(['hold', 'headers'] as const)(
    'polls where something holds streams back (%s), and is told when it is gone',
    async (fault) => {
      const id = `poll-${fault}`;
      proxy.faults.set(new RegExp(`events.*${id}`), fault);
      const code = await hosted(id, SOON);
      await engine.until(id, 'signals_lost');
      await person(`${id}-friend`).ok('POST', '/lobbies/quick/join', { code });
      await engine.until(id, 'lobby_changed', (values) => sizeOf(values) === 2);
      await operator.ok(
        'DELETE',
        `/lobbies/quick/${(await engine.get<{ id: string }>(id, 'lobby')).id}`,
      );
      await engine.until(id, 'closed', ([reason]) => reason === 'gone');
      expect(await engine.get(id, 'lobby')).toBeNull();
    },
  );

  it('says that signals may be lost when polling begins and ends, and how a search ended meanwhile', async () => {
    proxy.faults.set(/events.*sig/, 'headers');
    await hosted('sig', SOON);
    await engine.until('sig', 'signals_lost');
    await engine.call('sig', 'start_matchmaking', 'alone');
    await engine.until('sig', 'search_ended', ([reason]) => reason === 'timeout');
    const told = engine.told.filter(({ id }) => id === 'sig').map(({ what }) => what);
    expect(told.indexOf('search_ended')).toBe(told.lastIndexOf('lobby_changed') + 1);
    proxy.faults.clear();
    await eventually('both are said', () => engine.all('sig', 'signals_lost').length >= 2);
  });

  it('hears how a search ended that began and ended between two polls', async () => {
    proxy.faults.set(/events.*pol-/, 'headers');
    const friend = person('pol-friend');
    const { code } = await friend.ok('POST', '/lobbies/quick', { name: 'den' });
    play('pol-', SOON);
    await engine.call('pol-', 'join_lobby', code);
    await engine.until('pol-', 'signals_lost');
    const from = proxy.calls.length;
    proxy.faults.set(/orNull.* pol-$/, 'hold');
    await eventually('a poll is held', () =>
      proxy.calls.slice(from).some((each) => /orNull.* pol-$/.test(each)),
    );
    await friend.ok('POST', '/lobbies/quick/me/matchmaking', { mode: 'pair' });
    type Back = { readonly returned?: { readonly reason: string } };
    const back = (): Promise<Back> => friend.ok<Back>('GET', '/lobbies/quick/me');
    await eventually('it is over', async () => (await back()).returned?.reason === 'timeout');
    proxy.faults.clear();
    proxy.release();
    await engine.until('pol-', 'search_ended', ([reason]) => reason === 'timeout');
  });

  it.each(['refuse 502', 'refuse 503'] as const)(
    'takes a refusal (%s) for a service that is away, tries soon, and hears signals then',
    async (fault) => {
      const id = fault.replace(' ', '-');
      proxy.faults.set(new RegExp(`events.*${id}`), fault);
      const code = await hosted(id, SOON);
      const friend = person(`${id}-friend`);
      await friend.ok('POST', '/lobbies/quick/join', { code });
      const tries = (): number =>
        proxy.calls.filter((each) => each.includes('events') && each.includes(id)).length;
      await eventually('it has tried thrice', () => tries() >= 3);
      proxy.faults.clear();
      await streams(id);
      await engine.until(id, 'lobby_changed', (values) => sizeOf(values) === 2);
      const sent = async (): Promise<boolean> => {
        await friend.call('POST', '/lobbies/quick/me/signals', { to: id, data: { hi: '日本語' } });
        return engine.all(id, 'signal_heard').length > 0;
      };
      await eventually('the signal is heard', sent, { everyMs: 300 });
      expect(engine.all(id, 'closed')).toEqual([]);
    },
  );

  it('writes JSON whatever a text holds, and says why a call was refused', async () => {
    await hosted('esc');
    const text = 'a\u0007b\u000bc\t\n"\\\\v\u001f😀';
    expect((await engine.call('esc', 'set_state', { text })).values).toEqual(['ok', '']);
    const { players } = await person('esc').ok('GET', '/lobbies/quick/me');
    expect(players[0]?.state).toEqual({ text });
    const sent = await engine.call('esc', 'send_signal', 'nobody', { text: 'x' });
    expect(sent.values[0]).not.toBe('ok');
    expect(String(sent.values[1])).toMatch(/\w/);
  });

  it('shows nothing more once another instance has replaced it', async () => {
    await hosted('rep');
    await streams('rep');
    const newer = await person('rep').events('quick');
    await engine.until('rep', 'closed', ([reason]) => reason === 'replaced');
    const before = engine.all('rep', 'lobby_changed').length;
    expect((await engine.call('rep', 'set_state', { ready: true })).values[0]).toBe('ok');
    expect(engine.all('rep', 'lobby_changed')).toHaveLength(before);
    expect(await engine.get('rep', 'lobby')).toBeNull();
    newer.close();
  });

  it('does not send its key on where a redirect leads', async () => {
    proxy.faults.set(/POST.*red/, 'redirect');
    play('red');
    expect((await engine.call('red', 'create_lobby', 'x')).values[0]).toBe('NETWORK');
    expect(proxy.calls.filter((each) => each.includes('elsewhere'))).toEqual([]);
    proxy.faults.clear();
  });

  it('plays by one call, which accepts the match, and says when the game is over', async () => {
    play('uma');
    play('ugo');
    const [one, other] = await Promise.all(
      ['uma', 'ugo'].map((id) => engine.call(id, 'play', 'asked')),
    );
    const [error, host, port, team, ticket] = one?.values ?? [];
    expect([error, other?.values[0]]).toEqual(['', '']);
    expect(other?.values.slice(1, 3)).toEqual([host, port]);
    expect(new Set([team, other?.values[3]])).toEqual(new Set([0, 1]));
    expect(ticket).toBeGreaterThan(400);
    expect((await engine.call('uma', 'where_am_i')).values[0]).toMatchObject([
      { config: 'quick', status: 'in_game' },
    ]);
    await engine.call('uma', 'end_match');
    await engine.until('ugo', 'ended', ([reason]) => reason === 'ended');
    await engine.until('uma', 'ended', ([reason]) => reason === 'ended');
  });

  it('asks to confirm again while the service is away, after a pause', async () => {
    proxy.faults.set(/confirm-match.* con/, 'refuse 502');
    play('con');
    play('coa');
    const games = ['con', 'coa'].map((id) => engine.call(id, 'play', 'asked'));
    const confirmed = (): number =>
      proxy.calls.filter((each) => each.endsWith('confirm-match con')).length;
    await eventually('con has confirmed', () => confirmed() > 0);
    const begun = Date.now();
    await eventually('it does so again', () => confirmed() > 2);
    expect(Date.now() - begun).toBeGreaterThan(1_500);
    proxy.faults.clear();
    const [one, other] = await Promise.all(games);
    expect(one?.values.slice(0, 3)).toEqual(other?.values.slice(0, 3));
    await engine.call('con', 'end_match');
  });

  it('does not return the match that it knows once that is over', async () => {
    play('dea', SOON);
    play('deb');
    await Promise.all(['dea', 'deb'].map((id) => engine.call(id, 'play', 'duel')));
    await streams('dea');
    proxy.faults.set(/events.* dea/, 'hold');
    proxy.cut('dea');
    await eventually('it has no stream', () =>
      /events.* dea$/.test(proxy.calls.findLast((each) => each.endsWith(' dea')) ?? ''),
    );
    await engine.call('deb', 'end_match');
    const over = async (): Promise<boolean> =>
      (await person('dea').ok<{ status: string }>('GET', '/lobbies/quick/me')).status === 'waiting';
    await eventually('the game is over', over);
    expect((await engine.call('dea', 'play', 'alone')).values[0]).toBe('timeout');
    proxy.faults.clear();
  });

  it('returns who hosts where players do', async () => {
    play('hob', { config: 'hosting' });
    play('hos', { config: 'hosting' });
    const games = ['hob', 'hos'].map((id) => engine.call(id, 'play', 'duel'));
    type Hosted = {
      readonly server: { host_player?: string; host_token?: string; instance_id: string };
    };
    const mine = (): Promise<Hosted> => person('hob').ok<Hosted>('GET', '/lobbies/hosting/me');
    const host = await eventually('a player hosts', async () => (await mine()).server?.host_player);
    const { server } = await person(host).ok<Hosted>('GET', '/lobbies/hosting/me');
    const report = await fetch(`${service.url}/v3/servers/${server.instance_id}/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.host_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'running' }),
    });
    expect(report.status).toBe(200);
    for (const game of await Promise.all(games)) {
      expect(game.values.slice(0, 3)).toEqual(['', host, 0]);
    }
  });

  it('says that nothing answers, and that an address is none', async () => {
    play('una', { base_url: 'http://127.0.0.1:1' });
    expect((await engine.call('una', 'play', 'duel')).values[0]).toBe('NETWORK');
    expect((await engine.call('una', 'follow')).values).toEqual([null]);
    engine.order({ do: 'free', id: 'una' });
    play('unb', { base_url: 'muster.example.com' });
    expect((await engine.call('unb', 'play', 'duel')).values[0]).toBe('NETWORK');
    await eventually('it is said', () =>
      engine.printed.some((line) => line.includes('muster.example.com is not an http or https')),
    );
    engine.order({ do: 'free', id: 'unb' });
    await engine.get('driver', 'peers');
    engine.printed.splice(0);
  });

  it('takes what it cannot read for a fault of the stream, and opens another', async () => {
    const code = await hosted('unr');
    await streams('unr');
    proxy.cut('unr');
    const opened = (): number =>
      proxy.calls.filter((each) => /events.* unr$/.test(each)).length - 1;
    await eventually('it opens another', () => opened() === 1 && proxy.open('unr') === 1);
    await engine.call('unr', 'set_state', { at: 1 });
    const odd = String.raw`event: lobby_updated${'\n'}id: 9${'\n'}data: {"name":"\ud800"}${'\n\n'}`;
    proxy.say('unr', odd);
    await eventually('and another', () => opened() === 2);
    await person('uns').ok('POST', '/lobbies/quick/join', { code });
    await engine.until('unr', 'lobby_changed', (values) => sizeOf(values) === 2);
    expect(engine.all('unr', 'closed')).toEqual([]);
  });

  it('asks for a player token at ever longer intervals while it gets none', async () => {
    play('tok');
    engine.order({ do: 'token', id: 'tok' });
    await engine.call('tok', 'follow');
    await eventually('it asks', () => engine.all('tok', 'asked').length >= 6);
    const frames = engine.all('tok', 'asked') as readonly number[];
    expect((frames[5] ?? 0) - (frames[0] ?? 0)).toBeGreaterThan(12);
    expect(proxy.calls.filter((each) => /events.* tok$/.test(each))).toEqual([]);
    engine.order({ do: 'token', id: 'tok', token: 't1' });
    await streams('tok');
  });

  it('says why there is no match', async () => {
    // A name of as many characters counts twice as many in the service.
    play('😀'.repeat(60));
    expect((await engine.call('😀'.repeat(60), 'play', 'alone')).values[0]).toBe('timeout');
    play('noa');
    expect((await engine.call('noa', 'play', 'alone')).values[0]).toBe('timeout');
    expect((await engine.call('noa', 'play', 'nothing')).values[0]).toBe('MODE_NOT_FOUND');
  });

  it('joins quickly what fits', async () => {
    const create = { name: 'dust', maxPlayers: 2 };
    play('qui');
    play('quo');
    expect((await engine.call('qui', 'quick_join', {}, create)).values[0]).toBe('ok');
    expect((await engine.call('quo', 'quick_join', {}, create)).values[0]).toBe('ok');
    await engine.until('qui', 'lobby_changed', (values) => sizeOf(values) === 2);
  });

  it('is kicked', async () => {
    const host = person('hal');
    const { code } = await host.ok('POST', '/lobbies/quick', { name: 'den' });
    play('kim');
    await engine.call('kim', 'join_lobby', code.toLowerCase());
    await host.ok('DELETE', '/lobbies/quick/me/players/kim');
    await engine.until('kim', 'closed', ([reason]) => reason === 'kicked');
  });

  it('comes back by changes after a cut, and after a restart of Muster', async () => {
    const code = await hosted('bea');
    await streams('bea');
    proxy.cut('bea');
    await eventually('it opens another', () =>
      proxy.calls.some((each) => each.includes('&lobby=') && each.endsWith(' bea')),
    );
    await streams('bea');
    await service.kill();
    service = await startMuster();
    await person('bob').ok('POST', '/lobbies/quick/join', { code });
    await engine.until('bea', 'lobby_changed', (values) => sizeOf(values) === 2);
    expect(engine.all('bea', 'closed')).toEqual([]);
    expect(statusOf([await engine.get('bea', 'lobby')])).toBe('waiting');
  });

  it('quits cleanly in the middle of calls, polls and waits', async () => {
    proxy.faults.set(/ mid/, 'hold');
    play('mid', SOON);
    engine.order({ do: 'call', id: 'mid', method: 'play', args: ['duel'] });
    await eventually('it polls', () =>
      proxy.calls.some((each) => /GET .*orNull.* mid$/.test(each)),
    );
    expect(await engine.quit()).toBe(0);
    expect(engine.printed.filter((line) => /error|leaked|warning/i.test(line))).toEqual([]);
  });
});
