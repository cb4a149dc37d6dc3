// The drills of docs/crash-table.md: each step of the protocols, with a crash of any object at
// every point of it.

import type { LobbyId, PlayerId } from '../src/ids';
import type { Mode } from '../src/match/mode';
import { Drill, type DrillOptions, type DrillOutcome } from './drill';

const DUEL: Mode = {
  teams: 2,
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  minTeams: 2,
  timeout: 900,
  maxPartySize: 1,
  allowBackfill: false,
  rules: [],
  matchConfirmation: { enabled: false, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
};

const RANKED: Mode = { ...DUEL, matchConfirmation: { enabled: true, timeoutSeconds: 240 } };
/** Three places: two fill it far enough to begin. */
const OPEN: Mode = { ...DUEL, teams: 3, minTeams: 2, allowBackfill: true };

/** Nobody has long to confirm. */
const BRIEF: Mode = { ...DUEL, matchConfirmation: { enabled: true, timeoutSeconds: 4 } };

const MODES = { brief: BRIEF, duel: DUEL, ranked: RANKED, open: OPEN };

type Play = (drill: Drill) => Promise<void>;

function queue(drill: Drill, id: LobbyId, player: string, mode: string): Promise<void> {
  const command = { type: 'queue', player: player as PlayerId, mode } as const;
  return drill.command(id, command, (lobby) => lobby?.search !== null || lobby.part !== null);
}

async function pair(drill: Drill, mode: string): Promise<readonly [LobbyId, LobbyId]> {
  const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
  await queue(drill, a, 'ann', mode);
  return [a, b];
}

function playing(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  return drill.until('all in one game', () => drill.together(...ids)?.phase === 'running');
}

function waiting(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  const rests = (id: LobbyId): boolean => drill.lobby(id)?.status === 'waiting';
  return drill.until('all at rest', () => ids.every(rests));
}

/** A running game of two lobbies. */
async function game(drill: Drill, mode: string): Promise<readonly [LobbyId, LobbyId]> {
  const [a, b] = await pair(drill, mode);
  await queue(drill, b, 'ben', mode);
  await playing(drill, a, b);
  return [a, b];
}

/** Step of the crash table -> what is played; the watched part is where the crashes fall. */
export const DRILLS: Readonly<Record<string, Play>> = {
  create: async (drill) => {
    await drill.watched(() => drill.gather('ann'));
  },
  join: async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => drill.join(id, 'ben'));
  },
  leave: async (drill) => {
    const id = await drill.gather('ann', 'ben');
    drill.ledger.removalAsked('ben' as PlayerId, id);
    const command = { type: 'leave', player: 'ben' as PlayerId } as const;
    await drill.watched(() => drill.command(id, command, (lobby) => lobby?.players.length === 1));
    await drill.watched(() => drill.gather('ben'));
  },
  enter: async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => queue(drill, id, 'ann', 'duel'));
  },
  cancel: async (drill) => {
    const [a] = await pair(drill, 'duel');
    const command = { type: 'cancel', player: 'ann' as PlayerId } as const;
    await drill.watched(() => drill.command(a, command, (lobby) => lobby?.search === null));
  },
  'hold, commit and launch': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  confirm: async (drill) => {
    const [a, b] = await pair(drill, 'ranked');
    await queue(drill, b, 'ben', 'ranked');
    const found = (id: LobbyId): boolean => drill.lobby(id)?.status === 'match_found';
    await drill.until('both found', () => found(a) && found(b));
    await drill.watched(async () => {
      for (const [id, player] of [
        [a, 'ann'],
        [b, 'ben'],
      ] as const) {
        const command = { type: 'confirm', player: player as PlayerId } as const;
        await drill.command(
          id,
          command,
          (lobby) =>
            lobby?.status !== 'match_found' || lobby.part?.confirmation?.confirmed === true,
        );
      }
      await playing(drill, a, b);
    });
  },
  'one refuses': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      const command = { type: 'cancel', player: 'ben' as PlayerId } as const;
      await drill.command(b, command, (lobby) => lobby?.search === null);
      if (drill.lobby(b)?.status === 'waiting') {
        const late = await drill.gather('eve');
        await queue(drill, late, 'eve', 'duel');
        await playing(drill, a, late);
      } else {
        await playing(drill, a, b);
      }
    });
  },
  deadline: async (drill) => {
    const [a, b] = await pair(drill, 'brief');
    await queue(drill, b, 'ben', 'brief');
    const found = (id: LobbyId): boolean => drill.lobby(id)?.status === 'match_found';
    await drill.until('both found', () => found(a) && found(b));
    await drill.watched(() => waiting(drill, a, b));
  },
  decline: async (drill) => {
    const [a, b] = await pair(drill, 'ranked');
    await queue(drill, b, 'ben', 'ranked');
    const found = (id: LobbyId): boolean => drill.lobby(id)?.status === 'match_found';
    await drill.until('both found', () => found(a) && found(b));
    await drill.watched(async () => {
      const command = { type: 'decline', player: 'ann' as PlayerId } as const;
      await drill.command(a, command, (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
  },
  'direct start': async (drill) => {
    const id = await drill.gather('ann');
    const command = { type: 'start', player: 'ann' as PlayerId } as const;
    await drill.watched(() => drill.command(id, command, (lobby) => lobby?.status === 'in_game'));
  },
  backfill: async (drill) => {
    const [a, b] = await game(drill, 'open');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await queue(drill, late, 'eve', 'open');
      await playing(drill, a, b, late);
    });
  },
  'a place reopens': async (drill) => {
    const [a, b] = await game(drill, 'open');
    drill.ledger.removalAsked('ben' as PlayerId, b);
    drill.ledger.endAsked(b);
    await drill.watched(async () => {
      const leave = { type: 'leave', player: 'ben' as PlayerId } as const;
      await drill.command(b, leave, (lobby) => lobby === null);
      const late = [await drill.gather('eve'), await drill.gather('kim')] as const;
      await queue(drill, late[0], 'eve', 'open');
      await queue(drill, late[1], 'kim', 'open');
      await playing(drill, a, ...late);
    });
  },
  end: async (drill) => {
    const [a, b] = await game(drill, 'duel');
    const command = { type: 'end_match', player: 'ann' as PlayerId } as const;
    await drill.watched(async () => {
      await drill.command(a, command, (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
  },
  'the server exits': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    await drill.watched(async () => {
      drill.world.fleet.alive().forEach((id) => drill.world.fleet.crash(id));
      await waiting(drill, a, b);
    });
  },
  'delete in a game': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    drill.ledger.endAsked(a);
    await drill.watched(async () => {
      const admin = drill.world.peersOf(drill.world.client('admin'));
      const { project } = drill.world;
      await drill.insist(() => admin.lobby(a).adminDelete(project, 'arena'));
      await drill.until('it is gone', () => drill.lobby(a) === null);
    });
    drill.world.journal.check(drill.lobby(b)?.status === 'in_game', () => 'the other plays on');
  },
};

export interface Drilled {
  readonly crashes: number;
  readonly violations: readonly string[];
}

export function drilledOnce(step: string, options: DrillOptions): Promise<DrillOutcome> {
  const play = DRILLS[step];
  if (play === undefined) {
    throw new Error(`there is no drill ${step}`);
  }
  return new Drill(MODES, options).run(play);
}

/** The drill without a crash, then once for every point of it. */
export async function drilled(step: string, seeds: readonly number[]): Promise<Drilled> {
  const violations: string[] = [];
  let crashes = 0;
  for (const seed of seeds) {
    const calm = await drilledOnce(step, { seed, crashAt: null });
    calm.violations.forEach((text) => violations.push(`seed ${seed}, no crash: ${text}`));
    for (const [at, { kind, where }] of calm.points.entries()) {
      const crashed = await drilledOnce(step, { seed, crashAt: at });
      crashes += 1;
      crashed.violations.forEach((text) =>
        violations.push(`seed ${seed}, crash ${at} (${kind}, ${where}): ${text}`),
      );
    }
  }
  return { crashes, violations };
}
