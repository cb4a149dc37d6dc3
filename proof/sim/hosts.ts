// Players who host their games: most say in time that they are ready, some never do, some resign, some are said to be
// unreachable, and some go on after their term.

import type { InstanceId, PlayerId } from '../../src/common/ids';
import { nameOfTerm } from '../../src/lobby/hosting';
import { gameHostOf, type Lobby } from '../../src/lobby/lobby';
import type { Quiet } from './finally';
import { isExplained } from './parts';
import { Random } from './random';
import { tokenOf } from './token';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 23;

type Crowd = Pick<Quiet, 'world' | 'always' | 'scenario'>;

interface Game {
  readonly lobby: Lobby;
  readonly instanceId: InstanceId;
  readonly term: number;
  readonly host: PlayerId;
}

export async function hosting(crowd: Crowd, isOver: () => boolean): Promise<void> {
  const { world, always, scenario } = crowd;
  if (scenario.config.serverSettings.hosting === undefined) {
    return;
  }
  const random = new Random(scenario.seed, STREAM);
  const silent = new Set<string>();
  const asked = new Set<string>();
  /** Who hosted each term that a lobby has shown. */
  const hosts = new Map<string, Game>();
  while (!isOver()) {
    await world.loop.sleep(random.between(20, 300 + scenario.thinkMs));
    const games = [...always.lobbies.values()].flatMap(gameOf);
    if (games.length === 0) {
      continue;
    }
    const game = random.pick(games);
    const key = `${game.instanceId} ${game.term}`;
    hosts.set(key, game);
    if (!asked.has(key)) {
      asked.add(key);
      if (random.chance(0.15)) {
        silent.add(key);
      }
    }
    const said = random.weighted({ ready: 60, wait: 10, old: 25, resign: 6, unreachable: 14 });
    try {
      if (said === 'ready' && !silent.has(key)) {
        await ready(crowd, game);
      } else if (said === 'old') {
        const earlier = [...hosts.values()].filter(
          ({ instanceId, term }) => instanceId === game.instanceId && term < game.term,
        );
        if (earlier.length > 0) {
          await old(crowd, random.pick(earlier));
        }
      } else if (said === 'resign' || said === 'unreachable') {
        await saysOf(crowd, game, said === 'resign' ? 'resigned' : random);
      }
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
    }
  }
}

function gameOf(lobby: Lobby): readonly Game[] {
  const host = gameHostOf(lobby);
  return host === null ? [] : [{ lobby, ...host, host: host.id }];
}

function report({ world }: Crowd, { instanceId, term, host }: Game) {
  const server = world.peersOf(world.client(host)).server(instanceId);
  const token = tokenOf(instanceId, nameOfTerm(term, host));
  return server.report(token, { status: 'running' });
}

async function ready(crowd: Crowd, game: Game): Promise<void> {
  const reply = await report(crowd, game);
  crowd.world.journal.count(`happened: a host ${reply.ok ? 'is ready' : 'comes too late'}`);
}

/** The host of an earlier term goes on as if nothing had happened. */
async function old(crowd: Crowd, game: Game): Promise<void> {
  const { journal } = crowd.world;
  const reply = await report(crowd, game);
  journal.count('happened: a former host reports');
  journal.check(
    !reply.ok && ['NOT_HOST_ANY_MORE', 'SERVER_NOT_FOUND'].includes(reply.refusal.code),
    () => `${game.host} is believed for ${game.instanceId}, whose term ${game.term} is over`,
  );
}

async function saysOf(
  { world }: Crowd,
  { lobby, term, host }: Game,
  by: 'resigned' | Random,
): Promise<void> {
  const others = lobby.players.map(({ id }) => id).filter((id) => id !== host);
  const player = by === 'resigned' ? host : others[0] && by.pick(others);
  if (player !== undefined) {
    const says = by === 'resigned' ? by : 'unreachable';
    const peers = world.peersOf(world.client(player));
    const reply = await peers.lobby(lobby.id).execute({ type: 'host', player, term, says });
    world.journal.count(`happened: a host ${says === 'resigned' ? 'resigns' : 'is unreachable'}`);
    world.journal.count(`host ${says}: ${reply.ok ? 'done' : reply.refusal.code}`);
  }
}
