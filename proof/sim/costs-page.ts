// The requests and matches whose cost docs/costs.md holds, and the page's tables.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import { must } from '../../src/common/result';
import { Bill, type Cost } from './costs';
import { DUEL, MODES } from './drill-steps';
import { CONFIG } from './scenario';
import { COMMIT_MS } from './still';
import { rowsOn } from './truth';

/** How long a game lasts: shorter than the lease of its server. */
const GAME_MS = 20_000;
const ANN = 'ann' as PlayerId;
const BEN = 'ben' as PlayerId;

interface MatchCost extends Cost {
  /** Commits one after another from the last request to queue until all lobbies are in game. */
  readonly inARow: number;
}

/**
 * Players create a lobby each and queue at once; the match plays and is ended by a host. The
 * lobbies live on.
 */
async function matchCost(mode: Mode, bill = new Bill()): Promise<MatchCost> {
  const { loop } = bill.world;
  await bill.open({ mode });
  const players = Array.from({ length: mode.teams * mode.playersPerTeam }, (_, i) => `p${i + 1}`);
  let inARow = 0;
  const cost = await bill.count(async () => {
    const ids = await Promise.all(players.map((player) => bill.create(player)));
    const last = ids.length - 1;
    await Promise.all(ids.slice(0, last).map((id, i) => bill.queue(id, `p${i + 1}`, 'mode')));
    const at = loop.now;
    void bill.queue(ids[last] as LobbyId, `p${last + 1}`, 'mode');
    await bill.until(ids, 'in_game');
    inARow = Math.floor((loop.now - at) / COMMIT_MS);
    await loop.sleep(GAME_MS);
    await bill.command(ids[0] as LobbyId, { type: 'end_match', player: 'p1' as PlayerId });
    await bill.until(ids, 'waiting');
  });
  return { ...cost, inARow };
}

interface Entry {
  readonly title: string;
  /** Not counted. */
  readonly before?: (bill: Bill) => Promise<unknown>;
  readonly counted: (bill: Bill) => Promise<unknown>;
}

/** The lobby of Ann, the first that the bill's world has. */
function first(bill: Bill): LobbyId {
  const ids = [...bill.world.nodes.values()].filter(({ kind }) => kind === 'lobby');
  return must(ids[0]?.name[0], 'a lobby') as LobbyId;
}

function alone(bill: Bill): Promise<LobbyId> {
  return bill.create('ann');
}

async function together(bill: Bill): Promise<void> {
  await bill.join(await bill.create('ann'), 'ben');
}

async function queued(bill: Bill): Promise<void> {
  await bill.queue(await bill.create('ann'), 'ann', 'duel');
}

async function pair(bill: Bill, mode: string): Promise<void> {
  const ids = [await bill.create('ann'), await bill.create('ben')] as const;
  await bill.queue(ids[0], 'ann', mode);
  await bill.queue(ids[1], 'ben', mode);
  await bill.until(ids, mode === 'ranked' ? 'match_found' : 'in_game');
}

const REQUESTS: readonly Entry[] = [
  { title: 'create', counted: alone },
  {
    title: 'create with `forceFresh`, over a lobby of its own',
    before: alone,
    counted: (bill) => bill.create('ann', true),
  },
  {
    title: 'join by code',
    before: alone,
    counted: async (bill) => {
      const { project } = bill.world;
      const code = must(
        rowsOn(bill.world.node('directory', project, CONFIG).disk)[0]?.view,
        'a row',
      ).code;
      const peers = bill.peers('ben');
      const guess = { code, player: BEN, address: null, limits: {} };
      const found = await peers.directory(project, CONFIG).find(guess);
      await bill.join(must(found.ok ? found.value : null, 'the lobby of the code'), 'ben');
    },
  },
  {
    title: 'read `me`, where it is not known which lobby that is',
    before: alone,
    counted: async (bill) => {
      const peers = bill.peers('ann');
      const id = await peers.seat(bill.world.project, CONFIG, ANN).where(ANN);
      await peers.lobby(must(id, 'a lobby')).read(ANN);
    },
  },
  {
    title: 'read `me`',
    before: alone,
    counted: (bill) => bill.peers('ann').lobby(first(bill)).read(ANN),
  },
  {
    title: 'browse',
    before: alone,
    counted: (bill) =>
      bill
        .peers('ann')
        .directory(bill.world.project, CONFIG)
        .browse({ region: null, status: null, limit: 50, offset: 0 }),
  },
  {
    title: 'change a state',
    before: alone,
    counted: (bill) =>
      bill.command(first(bill), { type: 'patch_state', player: ANN, state: { mmr: 1 } }),
  },
  {
    title: 'change a state while queued',
    before: queued,
    counted: (bill) =>
      bill.command(first(bill), { type: 'patch_state', player: ANN, state: { mmr: 1 } }),
  },
  {
    title: 'change the settings',
    before: alone,
    counted: (bill) =>
      bill.command(first(bill), { type: 'settings', player: ANN, patch: { name: 'new' } }),
  },
  {
    title: 'kick',
    before: together,
    counted: (bill) => bill.command(first(bill), { type: 'kick', player: ANN, target: BEN }),
  },
  {
    title: 'leave',
    before: together,
    counted: (bill) => bill.command(first(bill), { type: 'leave', player: BEN }),
  },
  {
    title: 'leave as the last',
    before: alone,
    counted: (bill) => bill.command(first(bill), { type: 'leave', player: ANN }),
  },
  {
    title: 'queue, nobody else there',
    before: alone,
    counted: (bill) => bill.queue(first(bill), 'ann', 'duel'),
  },
  {
    title: 'cancel',
    before: queued,
    counted: (bill) => bill.command(first(bill), { type: 'cancel', player: ANN }),
  },
  {
    title: 'confirm, of two',
    before: (bill) => pair(bill, 'ranked'),
    counted: (bill) => bill.command(first(bill), { type: 'confirm', player: ANN }),
  },
  {
    title: 'decline, of two',
    before: (bill) => pair(bill, 'ranked'),
    counted: (bill) => bill.command(first(bill), { type: 'decline', player: ANN }),
  },
  {
    title: 'start, until the server runs',
    before: alone,
    counted: (bill) => bill.command(first(bill), { type: 'start', player: ANN }),
  },
  {
    title: 'end a game of the lobby alone',
    before: async (bill) => bill.command(await alone(bill), { type: 'start', player: ANN }),
    counted: (bill) => bill.command(first(bill), { type: 'end_match', player: ANN }),
  },
  {
    title: 'a minute of a match that runs',
    before: (bill) => pair(bill, 'duel'),
    counted: (bill) => bill.world.loop.sleep(60_000),
  },
  {
    title: 'end a match of two',
    before: (bill) => pair(bill, 'duel'),
    counted: (bill) => bill.command(first(bill), { type: 'end_match', player: ANN }),
  },
];

async function requestCost({ before, counted }: Entry): Promise<Cost> {
  const bill = new Bill();
  await bill.open({ duel: DUEL, ranked: MODES.ranked });
  await bill.play(async () => before?.(bill));
  return bill.count(() => counted(bill));
}

const FIVES: Mode = { ...DUEL, playersPerTeam: 5, minPlayersPerTeam: 5 };
const FIFTIES: Mode = { ...DUEL, playersPerTeam: 50, minPlayersPerTeam: 50 };

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The tables of docs/costs.md, as the code is now. */
export async function tables(): Promise<string> {
  const requests: string[] = [];
  for (const entry of REQUESTS) {
    const { asked, calls, commits, alarms, rows } = await requestCost(entry);
    requests.push(row([entry.title, asked, calls, commits, alarms, rows]));
  }
  const duel = await matchCost(DUEL);
  const matches = (
    [
      ['1v1', duel],
      ['5v5', await matchCost(FIVES)],
      ['50v50', await matchCost(FIFTIES)],
    ] as const
  ).map(([title, { calls, commits, alarms, rows, inARow }]) =>
    row([title, calls, commits, alarms, rows, inARow]),
  );
  const by = [...duel.by].map(([name, count]) => row([`\`${name}\``, count]));
  const boxes = (
    [
      ['1v1', DUEL],
      ['5v5', FIVES],
      ['50v50', FIFTIES],
    ] as const
  ).map(async ([title, mode]) => row([title, ...(await matchCost(mode, new Bill('box'))).inBox]));
  return [
    '## Matches',
    '',
    row(['Match', 'Calls', 'Commits', 'Alarms', 'Rows', 'In a row']),
    '|---|--:|--:|--:|--:|--:|',
    ...matches,
    '',
    'The same matches on a box. What a match or a queue asks several lobbies at once is one call, and one transaction:',
    '',
    row(['Match', 'Calls', 'Transactions']),
    '|---|--:|--:|',
    ...(await Promise.all(boxes)),
    '',
    'The calls of the 1v1:',
    '',
    row(['Call', 'Times']),
    '|---|--:|',
    ...by,
    '',
    '## Requests',
    '',
    row(['Request', 'Asked', 'Calls', 'Commits', 'Alarms', 'Rows']),
    '|---|--:|--:|--:|--:|--:|',
    ...requests,
  ].join('\n');
}
