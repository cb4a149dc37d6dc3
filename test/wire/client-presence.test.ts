// The match that the client hands out keeps its player present, over real sockets and past the config's
// `heartbeatTimeout`, until the game ends.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Lobby,
  type Match,
  type MatchOptions,
  MusterPlayer,
} from '../../packages/js/src/index.ts';
import { pause } from '../../packages/js/src/wait.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnMuster, ownMuster } from './own-muster.ts';

const TIMEOUT_SECONDS = 4;
/** A closed stream is noticed at its next comment, and then the time-out begins. */
const PAST_MS = 10_000 + TIMEOUT_SECONDS * 2_000;
/** Asking more often than the time-out is the game's part. */
const POLLS = { transport: 'poll', pollMs: 500 } as const;
const RARE = { transport: 'poll', pollMs: 5_000, heartbeatMs: 500 } as const;
const NEVER = new AbortController().signal;

let muster: OwnMuster;
let configs = 0;

beforeAll(async () => {
  muster = await ownMuster('presence');
});

afterAll(async () => {
  await muster.stop();
});

type Two = readonly [MusterPlayer, MusterPlayer];

/** Two players of a config of their own, who have a lobby each. */
async function two(): Promise<Two> {
  configs += 1;
  const config = `presence-${configs}`;
  await muster.operator.ok('PUT', `/lobby-configs/${config}`, {
    heartbeat: true,
    heartbeatTimeout: TIMEOUT_SECONDS,
    matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
  });
  const of = (player: string): MusterPlayer =>
    new MusterPlayer({ url: muster.running.url, key: 'client_dev_key', config, player });
  const both = [of('ann'), of('ben')] as const;
  await Promise.all(both.map((each) => each.createLobby({ name: each.player })));
  return both;
}

async function matched(
  [ann, ben]: Two,
  forAnn: MatchOptions = {},
  forBen = forAnn,
): Promise<readonly [Match, Match]> {
  return Promise.all([ann.playMatch('duel', forAnn), ben.playMatch('duel', forBen)]);
}

interface Block {
  readonly status: string;
}

/** The operator's look is no sign of life of anybody. */
async function serverOf({ lobby }: Match): Promise<string> {
  const { server } = lobby;
  return (await muster.operator.ok<Block>('GET', `/servers/${server?.instance_id}`)).status;
}

async function stopped(match: Match): Promise<void> {
  await eventually('its server is stopped', async () => (await serverOf(match)) === 'stopped');
}

describe.concurrent('a match that the client has handed out', () => {
  it.each<readonly [string, MatchOptions]>([
    ['streams', {}],
    ['sockets', { transport: 'socket' }],
    ['polling', POLLS],
    ['polling that is rarer than its heartbeats', RARE],
  ])('goes on past the time-out, and tells its end, by %s', async (_, options) => {
    const both = await two();
    const [one, other] = await matched(both, options);
    await pause(PAST_MS, NEVER);
    expect(await serverOf(one)).toBe('running');
    await both[0].endMatch();
    expect(await one.ended).toMatchObject({ id: one.lobby.id, status: 'waiting' });
    expect(await other.ended).toMatchObject({ id: other.lobby.id, status: 'waiting' });
  });

  it('goes on when the game opens a stream of its own, and when it closes that again', async () => {
    const [ann, ben] = await two();
    const [one, other] = await matched([ann, ben], { pollMs: 500 });
    for await (const event of ann.streamEvents()) {
      expect(event.type).toBe('connected');
      break;
    }
    const abort = new AbortController();
    const seen: string[] = [];
    const follows = (async () => {
      for await (const event of ben.streamEvents({ signal: abort.signal })) {
        seen.push(event.type);
      }
    })();
    await pause(PAST_MS, NEVER);
    expect(await serverOf(one)).toBe('running');
    expect(seen).toEqual(['connected']);
    await ann.endMatch();
    await Promise.all([one.ended, other.ended]);
    abort.abort();
    await follows;
  });

  it('lets go of the player when it is aborted, and the game stops without players', async () => {
    const both = await two();
    const abort = new AbortController();
    const [one, other] = await matched(both, { signal: abort.signal });
    const reason = new Error('the player closed the screen');
    abort.abort(reason);
    await expect(one.ended).rejects.toBe(reason);
    await expect(other.ended).rejects.toBe(reason);
    await stopped(one);
  });

  it('ends when the player leaves, by the match or by the client, and only then', async () => {
    const [ann, ben] = await two();
    const [one, other] = await matched([ann, ben]);
    await one.leave();
    expect(await one.ended).toMatchObject({ id: one.lobby.id, status: 'in_game' });
    expect(await ann.findMyLobby()).toBeNull();
    expect(await serverOf(one)).toBe('running');
    await ben.leaveLobby();
    await other.ended;
    await stopped(one);
    // What comes after the game is no business of its match.
    await ann.createLobby({ name: 'The next one' });
    await one.leave();
    expect((await ann.getMyLobby()).name).toBe('The next one');
  });

  it('ends when the player has left by another way, and with its lobby', async () => {
    const [ann, ben] = await two();
    const [one, other] = await matched([ann, ben], POLLS, {});
    await muster.operator.ok('DELETE', `/lobbies/${one.lobby.config}/${one.lobby.id}`);
    expect(await one.ended).toMatchObject({ id: one.lobby.id });
    const again = new MusterPlayer({
      url: muster.running.url,
      key: 'client_dev_key',
      config: other.lobby.config,
      player: 'ben',
    });
    await again.leaveLobby();
    await other.leave();
    expect(await other.ended).toMatchObject({ id: other.lobby.id });
  });

  it('ends a wait when its player leaves', async () => {
    const [ann, ben] = await two();
    await ben.leaveLobby();
    await ben.joinLobby({ code: (await ann.getMyLobby()).code });
    const heard: string[] = [];
    const onLobby = ({ status }: Lobby): void => void heard.push(status);
    const refused = expect(ben.waitForMatch({ onLobby })).rejects.toMatchObject({
      code: 'NO_MATCH',
      reason: 'left',
    });
    await eventually('ben waits', () => heard.length > 0);
    await ben.leaveLobby();
    await refused;
  });

  it('leaves nothing open that keeps a process of Node once it is over', async () => {
    const [{ config }] = await two();
    const script = `
      import { MusterPlayer } from './packages/js/src/index.ts';
      const [url, config, player] = process.argv.slice(1);
      const muster = new MusterPlayer({ url, key: 'client_dev_key', config, player });
      await muster.createLobby({ name: player });
      const match = await muster.playMatch('duel');
      await match.leave();
      console.log((await match.ended).id);
    `;
    const { url } = muster.running;
    const runs = ['cat', 'dan'].map(async (player) => {
      const options = ['--no-warnings', '--input-type=module', '--eval', script];
      const words = [...options, url, config, player];
      return (await promisify(execFile)(process.execPath, words, { timeout: 60_000 })).stdout;
    });
    expect((await Promise.all(runs)).every((id) => id.trim() !== '')).toBe(true);
  });

  it('can be copied and written as before', async () => {
    const both = await two();
    const [one] = await matched(both);
    const fields = ['lobby', 'host', 'port', 'ticket', 'team'];
    expect(Object.keys(one).toSorted()).toEqual(fields.toSorted());
    expect(structuredClone(one)).toEqual(JSON.parse(JSON.stringify(one)));
    await both[0].endMatch();
    await one.ended;
  });
});
