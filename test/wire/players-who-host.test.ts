// A game that a player hosts, over real connections: three clients, the host's connection is cut, and the next one hosts.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { type Lobby, MusterPlayer } from '../../packages/js/src/index.ts';
import { watchPauses } from '../support/pauses.ts';
import { type OwnMuster, ownMuster } from './own-muster.ts';

const GRACE_SECONDS = 2;

let muster: OwnMuster;

beforeAll(async () => {
  muster = await ownMuster('players-who-host');
});

afterAll(async () => {
  await muster.stop();
});

/** A client that hosts whenever it is elected, as a game would. */
class Peer {
  readonly player: MusterPlayer;
  readonly #cut = new AbortController();
  readonly #seen: { readonly lobby: Lobby; readonly at: number }[] = [];
  readonly #waiting = new Set<() => void>();
  /** The tokens that it was given, by term. */
  readonly tokens = new Map<number, string>();
  readonly over: Promise<void>;

  constructor(config: string, player: string) {
    const { url } = muster.running;
    this.player = new MusterPlayer({ url, key: 'client_dev_key', config, player });
    this.over = this.#follow();
  }

  async #follow(): Promise<void> {
    for await (const event of this.player.streamEvents({ signal: this.#cut.signal })) {
      if ('lobby' in event && event.lobby !== null) {
        this.#seen.push({ lobby: event.lobby, at: Date.now() });
        await this.#host(event.lobby);
        this.#waiting.forEach((look) => look());
      }
    }
  }

  async #host({ server }: Lobby): Promise<void> {
    const { term = 0, host_token: token } = server ?? {};
    if (server?.host_player === this.player.player && token !== undefined) {
      const isNew = !this.tokens.has(term);
      this.tokens.set(term, token);
      if (isNew) {
        expect((await this.reports(server.instance_id, term)).status).toBe(200);
      }
    }
  }

  reports(id: string, term: number): Promise<Response> {
    return fetch(`${muster.running.url}/v3/servers/${id}/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.tokens.get(term)}` },
      body: JSON.stringify({ status: 'running', network_ports: [] }),
    });
  }

  /** Resolves to when this client first saw the game running in that term, and who hosts. */
  async sees(
    term: number,
  ): Promise<{ readonly host: unknown; readonly at: number; readonly id: string }> {
    for (;;) {
      const found = this.#seen.find(
        ({ lobby }) => lobby.server?.term === term && lobby.server.status === 'running',
      );
      if (found?.lobby.server) {
        const { host_player: host, instance_id: id } = found.lobby.server;
        return { host, at: found.at, id };
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  cut(): void {
    this.#cut.abort();
  }
}

it('is hosted by the next one within two seconds after the grace, and the former host is refused', async () => {
  const modes = { trio: { teams: 3, playersPerTeam: 1, timeout: 60 } };
  const serverSettings = { hosting: 'players', hostGraceSeconds: GRACE_SECONDS };
  await muster.operator.ok('PUT', '/lobby-configs/hosted', {
    serverSettings,
    matchmaking: { modes },
  });
  const peers = ['ann', 'ben', 'eve'].map((player) => new Peer('hosted', player));
  for (const { player } of peers) {
    await player.createLobby({ name: player.player });
  }
  await Promise.all(peers.map(({ player }) => player.startMatchmaking('trio')));
  const [ann, ben, eve] = peers as [Peer, Peer, Peer];
  const first = await Promise.all(peers.map((peer) => peer.sees(1)));
  expect(first.map(({ host }) => host)).toEqual(['ann', 'ann', 'ann']);
  expect([...ben.tokens, ...eve.tokens]).toEqual([]);
  const cutAt = Date.now();
  const pauses = watchPauses();
  ann.cut();
  const next = await Promise.all([ben.sees(2), eve.sees(2)]);
  expect(next.map(({ host }) => host)).toEqual(['ben', 'ben']);
  const waited = Math.max(...next.map(({ at }) => at)) - cutAt;
  expect(waited).toBeGreaterThanOrEqual(GRACE_SECONDS * 1_000);
  expect(waited).toBeLessThan(GRACE_SECONDS * 1_000 + 2_000 + pauses.end());
  const { id } = next[0];
  const old = await ann.reports(id, 1);
  expect([old.status, ((await old.json()) as { code: string }).code]).toEqual([
    409,
    'NOT_HOST_ANY_MORE',
  ]);
  expect((await ben.reports(id, 2)).status).toBe(200);
  await expect(eve.player.stopHosting()).rejects.toMatchObject({ code: 'INVALID_STATE' });
  // It comes back as one of the others, and the game goes on without it as its host.
  const again = new Peer('hosted', 'ann');
  expect((await again.sees(2)).host).toBe('ben');
  const { matchId } = await ben.player.getMyLobby();
  const teams = [0, 1, 2].map((team) => ({ team, rank: team + 1 }));
  await ben.player.stopHosting({ teams });
  await expect.poll(async () => (await ben.player.getMyLobby()).status).toBe('waiting');
  const admin = new MusterAdmin({ url: muster.running.url, key: muster.running.serverKey });
  expect(await admin.getMatch(String(matchId))).toMatchObject({
    outcome: 'ended',
    result: { teams },
  });
  [ben, eve, again].forEach((peer) => peer.cut());
  await Promise.allSettled([ann, ben, eve, again].map(({ over }) => over));
});
