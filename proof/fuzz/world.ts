// The target of the requests: a service with two projects. All data of the other project, and of a
// private lobby of this one, carries a text that no answer may show.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../agent/ports.ts';
import { bundle } from '../../scripts/bundle.ts';
import { Player } from '../../scripts/player.ts';
import { startEdge } from '../torture/edge.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { OF_WRANGLER } from './wrangler.ts';

/** Of the other project: for nobody. */
export const FOREIGN = 'canary-of-elsewhere-9127';
/** Of a private lobby: for its members, and for operators. */
export const PRIVATE = 'canary-of-the-private-lobby-5531';
export const CLIENT_KEY = 'a client key of here';
export const SERVER_KEY = 'a server key of here';
const OTHER_KEY = 'a server key of elsewhere';
const HIDDEN = { name: PRIVATE, isPrivate: true, settings: { PRIVATE }, state: { PRIVATE } };
/** Lines of the log that say that something went wrong. */
const FAULTS =
  /"event":"(request_failed|background_failed|alarm_failed|object_aborted|actor_aborted|storage_failed)"|[Uu]ncaught/;

export class World {
  readonly service: Service;
  readonly isEdge: boolean;
  /** Of lobbies, servers and configs, whoever has them. */
  readonly ids: readonly string[];
  readonly codes: readonly string[];
  readonly #dataDir: string;
  readonly #elsewhere: Player;
  readonly #victim: Player;
  readonly #operator: Player;
  readonly #before: string;

  private constructor(parts: {
    service: Service;
    isEdge: boolean;
    ids: readonly string[];
    codes: readonly string[];
    dataDir: string;
    elsewhere: Player;
    before: string;
  }) {
    this.service = parts.service;
    this.isEdge = parts.isEdge;
    this.ids = parts.ids;
    this.codes = parts.codes;
    this.#dataDir = parts.dataDir;
    this.#elsewhere = parts.elsewhere;
    this.#before = parts.before;
    this.#victim = new Player(parts.service.url, 'the-victim', CLIENT_KEY);
    this.#operator = new Player(parts.service.url, 'operator', SERVER_KEY);
  }

  /** `isEdge`: under `wrangler dev`, with an object for each actor. */
  static async made(isEdge = false): Promise<World> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-fuzz-'));
    const entry = (project: string, kind: string, key: string): object => ({
      project,
      kind,
      sha256: createHash('sha256').update(key).digest('hex'),
    });
    const keys = [
      entry('here', 'client', CLIENT_KEY),
      entry('here', 'server', SERVER_KEY),
      entry('elsewhere', 'server', OTHER_KEY),
    ];
    const env = { API_KEYS: JSON.stringify(keys), FLEET: 'simulated', LIMITS: 'off' };
    const service = isEdge
      ? await startEdge({ port: await freePort(), dataDir, env, worker: await bundle() })
      : await startService({ port: 0, dataDir, env });
    const elsewhere = new Player(service.url, FOREIGN, OTHER_KEY);
    const here = new Player(service.url, 'operator', SERVER_KEY);
    await furnish(elsewhere, here);
    const other = await elsewhere.ok('POST', '/lobbies/arena', { ...HIDDEN, name: FOREIGN });
    const open = await elsewhere.ok<{ instance_id: string }>('POST', '/servers/start', {
      name: FOREIGN,
      custom_data: { FOREIGN },
    });
    const own = await here.ok<{ instance_id: string }>('POST', '/servers/start', { name: 'own' });
    const victim = new Player(service.url, 'the-victim', CLIENT_KEY);
    const hidden = await victim.ok('POST', '/lobbies/den', HIDDEN);
    const codes: string[] = [];
    const ids = [other.id, open.instance_id, own.instance_id, hidden.id];
    for (const name of ['p0', 'p1', 'p2']) {
      const player = new Player(service.url, name, CLIENT_KEY);
      const lobby = await player.ok('POST', '/lobbies/arena', { name: 'Den', maxPlayers: 50 });
      codes.push(lobby.code);
      ids.push(lobby.id);
    }
    const before = await everythingOf(elsewhere);
    return new World({ service, isEdge, ids, codes, dataDir, elsewhere, before });
  }

  /** The private lobby is there, the project is open and players are taken at their word, whatever operators did. */
  async mended(): Promise<void> {
    const open = { playerAuth: 'trust', closed: false };
    await this.#operator.call('POST', '/projects/settings', open);
    const { status } = await this.#victim.call('PATCH', '/lobbies/den/me', { state: { PRIVATE } });
    if (status === 404) {
      await this.#victim.call('POST', '/lobbies/den', HIDDEN);
    }
  }

  /** The problems afterwards. Empty: none. */
  async aftermath(): Promise<readonly string[]> {
    const wrong: string[] = [];
    await this.mended();
    if ((await everythingOf(this.#elsewhere)) !== this.#before) {
      wrong.push('the other project is no longer as it was');
    }
    const name = 'afterwards';
    const player = new Player(this.service.url, name, CLIENT_KEY);
    const made = await player.call('POST', `/lobbies/${name}`, { name: 'Den' });
    const left = await player.call('DELETE', `/lobbies/${name}/me`);
    if (made.status !== 201 || left.status !== 200) {
      wrong.push(`a lobby afterwards: created ${made.status}, left ${left.status}`);
    }
    const log = await readFile(join(this.#dataDir, 'service.log'), 'utf8');
    const isFault = (line: string): boolean =>
      FAULTS.test(line) && !(this.isEdge && OF_WRANGLER.test(line));
    const faults = log.split('\n').filter(isFault);
    wrong.push(...faults.slice(0, 5).map((line) => `the log: ${line.slice(0, 600)}`));
    return wrong;
  }

  async end(): Promise<void> {
    await this.service.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

async function furnish(elsewhere: Player, here: Player): Promise<void> {
  const duel = { rules: [{ type: 'difference', field: 'mmr', maxDifference: 50 }], timeout: 20 };
  const confirmed = { ...duel, matchConfirmation: { enabled: true, timeoutSeconds: 5 } };
  const modes = { duel, confirmed };
  await here.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const heartbeats = { heartbeat: true, heartbeatTimeout: 10 };
  await here.ok('PUT', '/lobby-configs/ranked', { matchmaking: { modes }, ...heartbeats });
  await elsewhere.ok('PUT', '/lobby-configs/arena', {
    customProperties: { FOREIGN },
    timeout: 86_400,
  });
  await elsewhere.ok('PUT', '/builds/arena', { launch: { command: `/bin/${FOREIGN}` } });
}

/** The content of a project, without times. */
async function everythingOf(player: Player): Promise<string> {
  const settings = await player.ok<unknown>('GET', '/projects/settings');
  const builds = await player.ok<unknown>('GET', '/builds');
  const lobby = await player.ok('GET', '/lobbies/arena/me');
  return JSON.stringify({ settings, builds, id: lobby.id, settled: lobby.settings });
}
