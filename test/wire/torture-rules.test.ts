// The rules by which the torture judges, apart from any service: what it must notice, and what it
// must bear because a request was under way or its answer was lost.

import { describe, expect, it } from 'vitest';
import type { Lobby } from '../../scripts/player.ts';
import { Facts, MARK } from '../../proof/torture/facts.ts';
import { Log } from '../../proof/torture/log.ts';
import { NOWHERE, SOMEWHERE } from '../../proof/torture/membership.ts';
import { Random } from '../../proof/torture/random.ts';
import { Register } from '../../proof/torture/register.ts';
import { WAITING } from '../support/tortured-lobby.ts';

function lobbyOf(patch: Partial<Lobby> = {}): Lobby {
  return { ...WAITING, settings: { [MARK]: 1 }, ...patch };
}

function factsWithLog(): { readonly facts: Facts; readonly found: () => readonly string[] } {
  const log = new Log();
  const facts = new Facts(log);
  return { facts, found: () => log.violations.map(({ what }) => what) };
}

const at = (from: number, to = from + 1): { from: number; to: number } => ({ from, to });

describe('a register', () => {
  it('shows an acknowledged write from its end on, and either value while it is under way', () => {
    const register = new Register<number>();
    register.saw(1, at(0));
    const write = register.begin(2, 10);
    expect(register.allowed(at(11))).toEqual([1, 2]);
    register.settle(write, 12);
    expect(register.allowed({ from: 11, to: 20 })).toEqual([1, 2]);
    expect(register.allowed(at(13))).toEqual([2]);
  });

  it('leaves a lost write in doubt until somebody reads, or writes after it', () => {
    const register = new Register<number>();
    register.saw(1, at(0));
    register.lose(register.begin(2, 10), 12);
    expect(register.allowed(at(50))).toEqual([1, 2]);
    register.saw(1, at(60));
    expect(register.allowed(at(70))).toEqual([1]);
  });
});

describe('membership', () => {
  it('is certain after an acknowledged join, until a kick or a deletion may have ended it', () => {
    const { membership } = factsWithLog().facts;
    membership.of('arena/bob').saw('one', at(1));
    expect(membership.certain('arena/bob', at(5))).toBe('one');
    const kick = membership.remove('one', 'arena/bob', 10);
    expect([...membership.allowed('arena/bob', at(11))]).toEqual(['one', NOWHERE]);
    kick.to = 12;
    expect([...membership.allowed('arena/bob', at(13))]).toEqual(['one', NOWHERE]);
    kick.sure = true;
    expect([...membership.allowed('arena/bob', at(13))]).toEqual([NOWHERE]);
  });

  it('is not touched by the deletion of a lobby the player has left for another', () => {
    const { membership } = factsWithLog().facts;
    membership.of('arena/bob').saw('one', at(1));
    membership.of('arena/bob').saw('two', at(5));
    const deletion = membership.remove('one', null, 10);
    deletion.to = 11;
    deletion.sure = true;
    expect(membership.certain('arena/bob', at(20))).toBe('two');
  });

  it('may be anywhere after a create whose answer was lost', () => {
    const { membership } = factsWithLog().facts;
    const register = membership.of('arena/bob');
    register.lose(register.begin(SOMEWHERE, 10), 11);
    expect(membership.mayBe('arena/bob', 'whatever', at(20))).toBe(true);
    expect(membership.certain('arena/bob', at(20))).toBeNull();
  });
});

describe('a lobby that is read', () => {
  it('must not have lost a member, a setting or a revision', () => {
    const { facts, found } = factsWithLog();
    const { membership } = facts;
    membership.of('arena/ann').saw('one', at(0));
    facts.read(lobbyOf({ revision: 3 }), at(1));
    membership.of('arena/bob').saw('one', at(2));
    facts.markOf('one')?.saw(7, at(3));
    facts.read(lobbyOf({ revision: 2 }), at(10));
    expect(found()).toEqual([
      'lobby one went back from revision 3 to 2',
      'lobby one settings shows 1, not one of 7',
      'arena/bob is lost: not in lobby one any more',
    ]);
  });

  it('must not show one revision in two ways, nor hold whom it cannot hold', () => {
    const { facts, found } = factsWithLog();
    facts.read(lobbyOf(), at(1));
    facts.heard(lobbyOf({ name: 'other' }), 2);
    expect(found()).toHaveLength(2);
    expect(found()[0]).toBe('arena/ann is in lobby one, but must be nowhere');
    expect(found()[1]).toMatch(/^lobby one showed revision 1 in two ways/);
  });
});

describe('an acknowledged search', () => {
  const startedAt = new Date().toISOString();
  const queued = lobbyOf({
    status: 'in_queue',
    revision: 2,
    matchmaking: { mode: 'lone', startedAt },
  });
  const waiting = lobbyOf({ revision: 3 });

  function searching(promised: { never: boolean; proves: boolean }) {
    const both = factsWithLog();
    both.facts.searches.promise('arena', 'lone', { timeout: 3_600, ...promised });
    both.facts.searches.began(queued, at(1));
    return both;
  }

  it('must go on where nothing can match, unless something may have ended it', () => {
    const lost = searching({ never: true, proves: false });
    lost.facts.searches.judge(waiting, at(10));
    expect(lost.found()[0]).toMatch(
      /^lobby one queued for lone since .*, is waiting at revision 3$/,
    );

    const ended = searching({ never: true, proves: false });
    ended.facts.searches.ends('one', 5).to = 6;
    ended.facts.searches.judge(waiting, at(10));
    expect(ended.found()).toEqual([]);
  });

  it('must be shown by a match that was launched with the lobby since', () => {
    const taken = searching({ never: false, proves: true });
    taken.facts.searches.judge(waiting, at(10));
    expect(taken.facts.searches.prove([{ at: Date.now() - 60_000, lobbies: ['one'] }])).toBe(1);
    expect(taken.found()[0]).toMatch(/and no match took it$/);

    const shown = searching({ never: false, proves: true });
    shown.facts.searches.judge(waiting, at(10));
    shown.facts.searches.prove([{ at: Date.now() + 5, lobbies: ['one'] }]);
    expect(shown.found()).toEqual([]);
  });

  it('must not be matched after its cancel was acknowledged', () => {
    const { facts, found } = searching({ never: false, proves: true });
    const { searches } = facts;
    const [queue, cancel] = [searches.ask('queue', 'one', 1), searches.ask('cancel', 'one', 5)];
    Object.assign(queue, { to: 2, sure: true });
    Object.assign(cancel, { to: 6, sure: true });
    searches.prove([{ at: performance.timeOrigin + 100, lobbies: ['one'] }]);
    expect(found()).toEqual([]);
    searches.prove([{ at: performance.timeOrigin + 1_000, lobbies: ['one'] }]);
    expect(found()).toEqual(['lobby one was matched after its cancel was acknowledged']);
  });
});

it('makes the same choices from the same seed', () => {
  const choices = (): readonly number[] => {
    const random = new Random(7);
    return [random.next(), random.fork().next(), random.whole(1, 6), random.between(2, 3)];
  };
  expect(choices()).toEqual(choices());
  expect(new Random(8).next()).not.toBe(new Random(7).next());
});
