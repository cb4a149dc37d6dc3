// What players do besides playing a match and leaving: they kick, change their minds, browse, get a server that does
// not start, keep a stream for too long, lose a stream, or just go away.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Service } from '../../../scripts/service.ts';
import { Target } from '../latency/http.ts';
import { saveBenchConfig } from '../latency/trial.ts';

const CONFIG = 'mixed';
const BROKEN = 'broken';
const MODE = 'duel';
/** How long until a player who went away without a word is out of the lobby, */
const SILENT_SECONDS = 30;
/** and out of the game. */
export const GAME_SECONDS = 120;
const LATE_MS = 20_000;

/** The configs in which these players play. */
export async function saveConfigs(service: Service): Promise<void> {
  await saveBenchConfig(service);
  const operator = new Target(service.url, service.serverKey);
  const rules = [{ type: 'equals', field: 'pair' }];
  const config = {
    timeout: 60,
    heartbeat: true,
    heartbeatTimeout: SILENT_SECONDS,
    matchmaking: { modes: { [MODE]: { teams: 2, playersPerTeam: 1, timeout: 30, rules } } },
  };
  const serverSettings = { gameBuild: 'nobody-made-it' };
  await operator.ok('PUT', `/lobby-configs/${CONFIG}`, 'operator', config);
  await operator.ok('PUT', `/lobby-configs/${BROKEN}`, 'operator', { ...config, serverSettings });
}

/** One lobby or two, of players who have never been seen. */
class Scene {
  readonly #target: Target;
  readonly #name: string;
  readonly #path: string;
  readonly #hangUps: (() => void)[] = [];

  constructor(target: Target, name: string, config = CONFIG) {
    this.#target = target;
    this.#name = name;
    this.#path = `/lobbies/${config}`;
  }

  player(which: string): string {
    return `${this.#name}-${which}`;
  }

  async ask(method: string, path: string, which: string, body: unknown = null): Promise<string> {
    return this.#target.ok(method, this.#path + path, this.player(which), body);
  }

  /** Returns the invite code. */
  async create(which: string): Promise<string> {
    const body = { name: which, maxPlayers: 3, state: { pair: this.#name } };
    const lobby = JSON.parse(await this.ask('POST', '', which, body)) as { readonly code: string };
    return lobby.code;
  }

  async queue(which: string): Promise<void> {
    await this.ask('POST', '/me/matchmaking', which, { mode: MODE });
  }

  /** Resolves when the player's stream has shown that. */
  heard(which: string, what: string): Promise<void> {
    let tail = '';
    return new Promise((resolve) => {
      const config = this.#path.split('/')[2] ?? '';
      const hangUp = this.#target.listen(config, this.player(which), (chunk) => {
        const text = tail + chunk;
        if (text.includes(what)) {
          resolve();
        }
        tail = text.slice(-what.length);
      });
      this.#hangUps.push(hangUp);
    });
  }

  /** Two lobbies that are queued. Resolves when both streams have shown that. */
  async match(what: string): Promise<void> {
    await Promise.all([this.create('a'), this.create('b')]);
    const heard = Promise.all([this.heard('a', what), this.heard('b', what)]);
    await this.queue('a');
    await this.queue('b');
    await Promise.race([heard, sleep(LATE_MS)]);
  }

  hangUp(): void {
    this.#hangUps.splice(0).forEach((hangUp) => hangUp());
  }

  async leave(...who: readonly string[]): Promise<void> {
    for (const which of who) {
      await this.ask('DELETE', '/me', which);
    }
  }
}

/** `open` makes a scene. Its streams are closed when the act is over, however it ends. */
type Act = (open: (config?: string) => Scene, name: string) => Promise<void>;

const acts: Readonly<Record<string, Act>> = {
  async kicks(open, name) {
    const scene = open();
    const code = await scene.create('a');
    await scene.ask('POST', '/join', 'b', { code });
    await scene.ask('PATCH', '/me', 'b', { state: { ready: true } });
    await scene.ask('PATCH', '/me/settings', 'a', { settings: { map: name }, maxPlayers: 4 });
    await scene.ask('DELETE', `/me/players/${scene.player('b')}`, 'a');
    await scene.leave('a');
  },

  async cancels(open) {
    const scene = open();
    await scene.create('a');
    await scene.queue('a');
    await scene.ask('DELETE', '/me/matchmaking', 'a');
    await scene.leave('a');
  },

  async 'failed launches'(open) {
    const scene = open(BROKEN);
    await scene.match('launch_failed');
    await scene.leave('a', 'b');
  },

  async browses(open) {
    const scene = open();
    await scene.ask('GET', '?limit=50', 'a');
    await scene.ask('GET', '?status=waiting', 'a');
  },

  async 'streams that close late'(open) {
    const scene = open();
    await scene.match('"status":"in_game"');
    await scene.leave('a', 'b');
    await sleep(LATE_MS);
  },

  async 'streams that are cut'(open) {
    const scene = open();
    const code = await scene.create('a');
    await scene.ask('POST', '/join', 'b', { code });
    await Promise.all([scene.heard('a', 'connected'), scene.heard('b', 'connected')]);
    scene.hangUp();
    await Promise.all([scene.heard('a', 'connected'), scene.heard('b', 'connected')]);
    await scene.leave('b', 'a');
  },

  async 'games that nobody leaves'(open) {
    const scene = open();
    await scene.match('"status":"in_game"');
  },

  async 'lobbies that nobody leaves'(open) {
    const scene = open();
    const code = await scene.create('a');
    await scene.ask('POST', '/join', 'b', { code });
    await scene.heard('b', 'connected');
  },
};

export interface Told {
  /** How often each act came to its end. */
  readonly done: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

/** Begins that many acts a second, in turn. Resolves when all have ended after `over`. */
export async function playBeside(target: Target, rate: number, over: AbortSignal): Promise<Told> {
  const done: Record<string, number> = {};
  const failures: string[] = [];
  const under: Promise<void>[] = [];
  const kinds = Object.entries(acts);
  for (let index = 0; !over.aborted; index += 1) {
    const [kind, act] = kinds[index % kinds.length] ?? ['', () => Promise.resolve()];
    const name = `${kind.slice(0, 4).trim()}${index}`;
    const scenes: Scene[] = [];
    const open = (config?: string): Scene => {
      const scene = new Scene(target, name, config);
      scenes.push(scene);
      return scene;
    };
    under.push(
      act(open, name)
        .then(
          () => void (done[kind] = (done[kind] ?? 0) + 1),
          (error: unknown) => void failures.push(`${kind}: ${String(error)}`),
        )
        .finally(() => scenes.forEach((scene) => scene.hangUp())),
    );
    await sleep(1_000 / rate, undefined, { signal: over }).catch(() => {
      // The last act has begun.
    });
  }
  await Promise.all(under);
  return { done, failures };
}
