// The outside judge on histories of the simulation: innocent runs are innocent, knowing less accuses nobody, and the
// planted bugs that a client can see are found by it alone, without the simulation's own checks.

import { array, assert, boolean, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROMISES, type Promised } from '../../proof/judge/findings';
import { judge } from '../../proof/judge/judge';
import { BUGS, runsOf } from '../../proof/sim/bugs';
import { PLACEMENTS, type Placement } from '../../proof/sim/parts';
import { run } from '../../proof/sim/run';
import { scenarioOf } from '../../proof/sim/scenario';
import { IS_WHOLE } from '../support/parts';
import { seedFor } from './planted-seeds';

const SEEDS = 80;
/** From this seed on, the next with a rematch is near. */
const REMATCHED: Readonly<Record<Placement, number>> = { box: 112, objects: 1_013 };

/** Runs that two tests read. */
const histories = new Map<string, Promise<string>>();

function historyOf(seed: number, placement: Placement): Promise<string> {
  const name = `${placement} ${seed}`;
  const history =
    histories.get(name) ??
    run(seed, { placement, history: true }).then((outcome) => outcome.history);
  histories.set(name, history);
  return history;
}

describe.each(PLACEMENTS)('a run without bugs: %s', (placement) => {
  it('has no fault, and puts every promise to the test but that of bans', async () => {
    const seen = new Set<Promised>();
    const judged = async (seed: number): Promise<void> => {
      const { cases, faults } = judge(await historyOf(seed, placement));
      expect({ seed, faults }).toEqual({ seed, faults: [] });
      [...cases.keys()].forEach((promise) => seen.add(promise));
    };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      await judged(seed);
    }
    const from = REMATCHED[placement];
    for (let seed = from; seed < from + 2_000 && !seen.has('rematch'); seed += 1) {
      if (scenarioOf(seed).rematches > 0) {
        await judged(seed);
      }
    }
    const unseen = Object.keys(PROMISES).filter((promise) => !seen.has(promise as Promised));
    // The Worker keeps them, which is not simulated: test/wire/torture.test.ts has their histories.
    expect(unseen).toEqual(['banned']);
  });

  it('accuses nobody when answers are lost and streams show less', async () => {
    const runs = new Map<number, readonly string[]>();
    for (let seed = 1; seed <= 30; seed += 1) {
      runs.set(seed, (await historyOf(seed, placement)).split('\n'));
    }
    const losses = record({
      seed: integer({ min: 1, max: 30 }),
      // Which of the lines that answer or show something are lost, in turn.
      lost: array(boolean(), { minLength: 7, maxLength: 40 }),
    });
    const isHeard = /^\{"at":[^,]+,(?:"call":\d+,"status"|"stream":\d+,"event")/;
    const streamOf = (line: string): string | undefined =>
      /^\{"at":[^,]+,"stream":(\d+),/.exec(line)?.[1];
    assert(
      property(losses, ({ seed, lost }) => {
        let at = 0;
        const lines = runs.get(seed) ?? [];
        // A stream of changes shows all of them, up to its end.
        const changing = lines.filter((line) => line.includes('"event":"lobby_changed"'));
        const whole = new Set(changing.map(streamOf));
        const kept = lines.filter((line) => {
          at += isHeard.test(line) ? 1 : 0;
          const isKept = !isHeard.test(line) || whole.has(streamOf(line) ?? '');
          return isKept || lost[at % lost.length] !== true;
        });
        expect(judge(kept.join('\n')).faults).toEqual([]);
      }),
      { seed: 64, numRuns: 200 },
    );
  });
});

/** A player writes 2, which is answered so, reads that it is not there, and then that this is there. */
function written(answer: object, there: number): string {
  const lobby = (revision: number, mark: number): object => ({
    id: 'l1',
    config: 'main',
    name: 'den',
    status: 'waiting',
    host: 'ann',
    maxPlayers: 2,
    isPrivate: false,
    settings: {},
    server: null,
    matchId: null,
    createdAt: '2026-01-01T00:00:00Z',
    revision,
    players: [{ id: 'ann', state: { mark }, isHost: true }],
  });
  const [write, read] = ['PATCH /v3/lobbies/main/me', 'GET /v3/lobbies/main/me'];
  const lines = [
    { history: 1, of: 'a test' },
    { at: 1, call: 1, who: 'ann', does: 'POST /v3/lobbies/main', body: { state: { mark: 1 } } },
    { at: 2, call: 1, status: 201, body: lobby(1, 1) },
    { at: 3, call: 2, who: 'ann', does: write, body: { state: { mark: 2 } } },
    { at: 4, call: 2, ...answer },
    { at: 5, call: 3, who: 'ann', does: read },
    { at: 6, call: 3, status: 200, body: lobby(1, 1) },
    { at: 7, call: 4, who: 'ann', does: read },
    { at: 8, call: 4, status: 200, body: lobby(2, there) },
    { at: 9, rest: true },
  ];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

it('takes a write that got no answer, or one of a 5xx, as possible until the service rests', () => {
  // Torture of two instances, seed 18: refused because the owner was away, and done after that.
  for (const answer of [{ gone: true }, { status: 503, body: {} }]) {
    expect(judge(written(answer, 2)).faults).toEqual([]);
    const [fault] = judge(written(answer, 3)).faults;
    expect(fault?.promise).toBe('written is shown');
  }
});

/** What the judge says of each planted bug, or why no client can see it. */
const SEEN: Readonly<Record<string, Promised | { readonly unseen: string }>> = {
  'skip the fence': 'one match a search',
  'two modes both win': 'one match a search',
  'leave a ticket behind': { unseen: 'its lobby refuses the hold, and then the ticket goes' },
  'two rooms': { unseen: 'no client knows that nobody was on the way to the other lobby' },
  'forget a release': { unseen: 'the lobby comes out of the queue by itself, only later' },
  'launch before saving': {
    unseen: 'a game server without an owner shows nowhere but on its machine',
  },
  'lose an owed message': 'comes to rest',
  'skip a lobby after one that fails': 'comes to rest',
  'tell the backend before saving': 'told is true',
  'forget what the backend is owed': 'told is true',
  'forget what browsing shows': 'browsing finds',
  'take a lobby in twice': {
    unseen: 'it is refused before it is saved, and the match is not opened',
  },
  'compare with an anchor that left': {
    unseen: 'with whom the queue compared a lobby shows to no player',
  },
  'commit twice': 'one match a search',
  'give a taken seat away': 'one lobby',
  'give away the seat of a spectator': 'one lobby',
  'take the word of a spectator': 'only watches',
  'move without the seats': 'read later',
  'rate a result twice': 'rated once',
  'rate an aborted match': 'rated once',
  'promise a place twice': { unseen: 'which places a game opened shows to no player' },
  'make a match of some': 'made once',
  'make a match twice': 'made once',
  'a rematch that one lobby wants': 'rematch',
  'book a lobby twice': {
    unseen: 'the lobby is not in the match that takes it, which then goes on without it',
  },
  'hold a released seat': { unseen: 'a seat shows in tickets, which the histories do not have' },
  'a kept place given away': {
    unseen: 'how long a place is kept is the clock of the service, which histories do not have',
  },
  'keep a kicked player': 'kicked',
  'lose an attribute at a join': 'backend is shown',
  'believe an old term': { unseen: 'only its token says of which term a report is' },
  'elect two hosts': { unseen: 'the judge knows lobbies, searches and matches, not who hosts' },
  'signal to a stranger': { unseen: 'the histories do not say whom a signal was for' },
  'take the word of one': 'one result',
  'the vote of who left': {
    unseen: 'word that a player has left may be under way when another votes',
  },
  'two fleets for one match': {
    unseen: 'the server that was given up shows nowhere but on its machine',
  },
  'jump the line': { unseen: 'a client sees the place of its own match, and not who came before' },
  'forget who stands in line': {
    unseen: 'a client sees the place of its own match, and not who came before',
  },
  'warm server given twice': 'one server',
  'a server without an owner': { unseen: 'such a server shows nowhere but on its machine' },
  'count an outage as silence': { unseen: 'that nobody served is not in a history' },
  'count an outage as a no': { unseen: 'that nobody served is not in a history' },
  'tell before the bucket has it': 'read later',
};

describe('a deliberate bug is found by the judge alone', () => {
  it('or none of its clients can see it, as the table says', () => {
    expect(Object.keys(SEEN).toSorted()).toEqual(BUGS.map(({ name }) => name).toSorted());
  });

  const told = BUGS.filter(({ name }) => typeof SEEN[name] === 'string');
  // `npm test` asks for one of them, so that a judge that finds nothing is noticed.
  it.each(IS_WHOLE ? told : told.filter(({ name }) => name === 'commit twice'))(
    '$name',
    async (bug) => {
      const promise = SEEN[bug.name];
      const found = async (): Promise<boolean> => {
        const from = seedFor(bug.name, 'judge');
        for (let seed = from; seed < from + 2_000; seed += 1) {
          for (const placement of PLACEMENTS) {
            const { history } = await run(seed, { ...runsOf(bug), placement, history: true });
            if (judge(history).faults.some((fault) => fault.promise === promise)) {
              return true;
            }
          }
        }
        return false;
      };
      expect(await found()).toBe(true);
    },
  );
});
