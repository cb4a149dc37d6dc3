// packages/lua in Lua 5.1 where players leave, are removed, and something stands between it and Muster.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs, needsLibrary, pathOf } from '../support/tools.ts';
import { between, type Between } from './between.ts';

const HAS_LUA = needs('lua5.1') && needsLibrary('lua-socket');
const PACKAGE = join(import.meta.dirname, '../../packages/lua');
const CONFIG = '/lobbies/arena';

/** `me` is the player, and `say` prints a line. */
const BEFORE = `package.path = "./?.lua;" .. package.path
  local muster = require("muster")
  local function say(...)
    local words = { ... }
    for index = 1, select("#", ...) do words[index] = tostring(words[index]) end
    print(table.concat(words, " "))
    io.stdout:flush()
  end
  local function show(lobby) say("lobby", lobby.status, #lobby.players) end
  local options = { url = arg[1], key = "client_dev_key", config = "arena", player = arg[2], poll = 0.2 }
  options.on_state = function(state) say("state", state) end
  local me = muster.player(options)
  muster.run(function()
`;

let folder: string;
let service: Service;
let line: Between;

beforeAll(async () => {
  if (!HAS_LUA) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), 'muster-lua-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
  line = await between(service.url);
  const modes = {
    large: { teams: 2, playersPerTeam: 9, timeout: 60 },
    agreed: { teams: 1, playersPerTeam: 1, timeout: 60, matchConfirmation: { enabled: true } },
  };
  const operator = new Player(service.url, 'operator', service.serverKey);
  await operator.ok('PUT', '/lobby-configs/arena', { heartbeat: true, matchmaking: { modes } });
});

afterAll(async () => {
  line?.close();
  await service?.stop();
  if (HAS_LUA) {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Runs a program for a player. `url`: of the service, for what is not about the line between. */
async function played(player: string, program: string, url = line.url): Promise<string[]> {
  const text = `${BEFORE}${program}\nend)`;
  const child = spawn(pathOf('lua5.1'), ['-', url, player], { cwd: PACKAGE });
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stdin.end(text);
  try {
    await eventually(`${player} ends`, () => child.exitCode !== null || Promise.reject(said), {
      withinMs: 60_000,
    });
  } finally {
    child.kill('SIGKILL');
  }
  return said.join('').trimEnd().split('\n');
}

/** A lobby whose host stays present: its code, and the host. */
async function den(host: string): Promise<{ friend: Player; code: string }> {
  const friend = new Player(service.url, host);
  const { code } = await friend.ok('POST', CONFIG, { name: 'Den', isPrivate: true });
  return { friend, code };
}

const streamsOf = (player: string): readonly string[] =>
  line.calls.filter((call) => call.includes('/me/events') && call.endsWith(` ${player}`));

describe.runIf(HAS_LUA)('the package for Lua, following', () => {
  it('ends all that follow and play when the player leaves others behind, and opens one stream for all', async () => {
    const { code } = await den('host-of-ann');
    const said = await played(
      'ann',
      `me:join_lobby("arena", { code = "${code}" })
      local seen, ended = false, 0
      muster.start(function()
        say("follow", me:follow(function() seen = true end))
        ended = ended + 1
      end)
      muster.start(function()
        local match, err = me:play("large")
        say("play", match, err.code, err.reason)
        ended = ended + 1
      end)
      muster.wait(nil, function() return seen end)
      say("left", me:leave())
      muster.wait(20, function() return ended == 2 end)`,
    );
    expect(said.filter((each) => !each.startsWith('state'))).toEqual(
      expect.arrayContaining(['left true', 'follow left nil', 'play nil NO_MATCH left']),
    );
    expect(streamsOf('ann')).toHaveLength(1);
  });

  it('ends a search whose player was removed before the first poll', async () => {
    const { friend, code } = await den('host-of-bob');
    line.faults.set(/me\/events.* bob$/, 'hold');
    const said = played(
      'bob',
      `options.connect, me.connect = 0.5, 0.5
      me:join_lobby("arena", { code = "${code}" })
      local match, err = me:play("large")
      say("play", match, err.code, err.reason)`,
    );
    await eventually('it has asked for a stream', () => streamsOf('bob').length > 0);
    await friend.ok('DELETE', `${CONFIG}/me/players/bob`);
    expect((await said).at(-1)).toBe('play nil NO_MATCH gone');
  });

  it('asks for a token again, whether there was none or an error', async () => {
    const said = await played(
      'cat',
      `local tries = 0
      options.token = function()
        tries = tries + 1
        muster.wait(0.05)
        if tries == 1 then error("no backend") end
        return tries > 2 and "token" or nil
      end
      me = muster.player(options)
      local _, err = me:create_lobby("arena", { name = "Den" })
      say(err.code, err.status, err.detail:match("no backend"))
      say(muster.player({ url = arg[1], key = "client_dev_key", config = "arena", player = "cat" }):create_lobby("arena", { name = "Den" }) ~= nil)
      local events = me:events()
      repeat local event = events:next() until event.lobby
      say("tries", tries)`,
    );
    expect(said).toContain('NETWORK 0 no backend');
    expect(said.at(-1)).toBe('tries 3');
  });

  it('ends with why when a callback of the game raises', async () => {
    const said = await played(
      'dan',
      `me.on_state = function() error("mine") end
      local reason, err = me:follow(show)
      say(reason, err.code, err.detail:match("mine"))`,
    );
    expect(said).toEqual(['refused FAULT mine']);
  });

  it('confirms again until the service has heard of it', async () => {
    const confirms = (): number =>
      line.calls.filter((call) => call.endsWith('me/confirm-match eve')).length;
    line.faults.set(/confirm-match eve$/, 'refuse 502');
    const said = played(
      'eve',
      `local match = me:play("agreed")
      say(match and match.host)
      me:leave()`,
    );
    await eventually('it has tried twice', () => confirms() === 2);
    line.faults.clear();
    expect((await said).at(-1)).toMatch(/^\S+\.\S+$/);
  });

  it.each(['refuse 502', 'refuse 503'] as const)('does not poll after "%s"', async (fault) => {
    const player = `fay-${fault.slice(-3)}`;
    line.faults.set(new RegExp(`me/events.* ${player}$`), fault);
    const said = played(
      player,
      `me:create_lobby("arena", { name = "Den" })
      local events = me:events()
      repeat local event = events:next() until event.lobby`,
    );
    await eventually('it has tried three times', () => streamsOf(player).length === 3);
    line.faults.clear();
    expect(await said).not.toContain('state polling');
  });

  it('tries one stream at a time once it polls', async () => {
    line.faults.set(/me\/events.* gus$/, 'hold');
    const said = played(
      'gus',
      `me.connect, me.retry_stream = 0.3, 0.5
      me:create_lobby("arena", { name = "Den" })
      local events = me:events()
      repeat local event = events:next() until event.lobby and event.lobby.settings.mark
      events:close()`,
    );
    await eventually('it has tried five', () => streamsOf('gus').length === 5);
    await new Player(service.url, 'gus').ok('PATCH', `${CONFIG}/me/settings`, {
      settings: { mark: 'x' },
    });
    await said;
    const order = line.calls
      .filter((call) => call.endsWith(' gus') && call.startsWith('GET'))
      .map((call) => (call.includes('/me/events') ? 'S' : 'p'))
      .join('');
    expect(order).toMatch(/^SS(?:p+S){3,}p+/);
  });

  it('connects to a name of several addresses of which only the last answers', async () => {
    const said = await played(
      'hal',
      `local socket = require("socket")
      socket.dns.getaddrinfo = function(host)
        say("looked up", host)
        return { { family = "inet6", addr = "::1" }, { family = "inet", addr = "127.0.0.1" } }
      end
      say(me:where_am_i() ~= nil)`,
      service.url.replace('127.0.0.1', 'localhost'),
    );
    expect(said).toEqual(['looked up localhost', 'true']);
  });

  it('gives the host player as the address of a game that a player hosts', async () => {
    const said = await played(
      'ida',
      `local server = { status = "running", network_ports = muster.list(), host_player = "ida" }
      say(muster.address_of({ status = "in_game", server = server }))
      server.status = "launching"
      say("launching", muster.address_of({ status = "in_game", server = server }))`,
    );
    expect(said).toEqual(['ida 0', 'launching']);
  });
});

describe('the file for Lua', () => {
  it('has at most 600 lines that say something, beside what is generated', async () => {
    const [hand = ''] = (await readFile(join(PACKAGE, 'muster.lua'), 'utf8')).split(
      '\n-- Made from',
    );
    const saying = hand.split('\n').filter((each) => !/^\s*(?:--.*)?$/.test(each));
    expect(saying.length).toBeLessThanOrEqual(600);
  });
});
