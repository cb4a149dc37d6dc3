// The service of `npm run fuzz -- --trusted`: a project that takes players at their word, one that wants tokens, and one
// elsewhere. Each trusts `tier`, and its config `mmr`.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import type { Random } from '../torture/random.ts';
import { pick } from './values.ts';
import { closeIdle } from './wire.ts';

const PROJECTS = ['trust', 'token', 'elsewhere'] as const;
export type Auth = Exclude<(typeof PROJECTS)[number], 'elsewhere'>;
export const PLAYERS = Array.from({ length: 16 }, (_, number) => `p${number}`);

/** The claim of a player's token, in the project that wants tokens. */
export function claimOf(player: string): Record<string, unknown> {
  return { tier: `claim of ${player}` };
}

/** What the backend says of a player. Each fourth player has no record. */
export function recordOf(player: string): Record<string, unknown> {
  const number = PLAYERS.indexOf(player);
  return number % 4 === 3 ? {} : { mmr: 1_000 + number, tier: `record of ${player}` };
}

export class Target {
  readonly service: Service;
  readonly #dataDir: string;
  /** By project and player. */
  readonly tokens = new Map<string, string>();
  readonly codes: string[] = [];

  constructor(service: Service, dataDir: string) {
    this.service = service;
    this.#dataDir = dataDir;
  }

  static async made(): Promise<Target> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-trusted-'));
    const keys = PROJECTS.flatMap((project) =>
      ['client', 'server'].map((kind) => {
        const sha256 = createHash('sha256').update(`${kind} of ${project}`).digest('hex');
        return { project, kind, sha256 };
      }),
    );
    const env = { API_KEYS: JSON.stringify(keys), FLEET: 'simulated', LIMITS: 'off' };
    const target = new Target(await startService({ port: 0, dataDir, env }), dataDir);
    for (const project of PROJECTS) {
      await target.#furnish(project);
    }
    return target;
  }

  async #furnish(project: (typeof PROJECTS)[number]): Promise<void> {
    const operator = new Player(this.service.url, 'operator', `server of ${project}`);
    const playerAuth = project === 'trust' ? 'trust' : 'token';
    await operator.ok('POST', '/projects/settings', { playerAuth, trusted: ['tier'] });
    await operator.ok('PUT', '/lobby-configs/ranked', { trusted: ['mmr'] });
    const players = PLAYERS.map((id) => ({ id, attributes: recordOf(id) }));
    await operator.ok('POST', '/players/attributes', { players, replace: true });
    for (const player of project === 'trust' ? [] : PLAYERS) {
      const attributes = project === 'token' ? claimOf(player) : { mmr: 99_999, tier: 'forged' };
      const path = `/players/${player}/token`;
      const { token } = await operator.ok<{ token: string }>('POST', path, { attributes });
      this.tokens.set(`${project} ${player}`, token);
    }
  }

  async end(): Promise<void> {
    closeIdle();
    await this.service.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** A token of the player, or one that somebody made up. */
  tokenFor(random: Random, player: string): string | null {
    const own = this.tokens.get(`token ${player}`) ?? '';
    if (random.chance(0.7)) {
      return own;
    }
    const [head = '', , signature = ''] = own.split('.');
    const claims = { sub: player, exp: 4e9, attributes: { mmr: 99_999, tier: 'forged' } };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    return pick(random, [
      null,
      this.tokens.get(`token ${pick(random, PLAYERS)}`) ?? '',
      this.tokens.get(`elsewhere ${player}`) ?? '',
      `${head}.${forged}.${signature}`,
      `${none}.${forged}.`,
      'a.b.c',
    ]);
  }
}
