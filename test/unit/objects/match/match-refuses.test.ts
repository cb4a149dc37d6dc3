// What a Match answers when it would save what must not be: a refusal that is final, because its queue asks until it is
// answered.

import { describe, expect, it, vi } from 'vitest';
import { MatchStore } from '../../../../src/objects/match/store';
import { matchRig, runningMatch } from '../../../support/match-rig.ts';
import { backfill, party } from '../../../support/running-match';

describe('a match that would save what must not be', () => {
  it('does not open, and is aborted for good', async () => {
    const a = party('a', 'ann');
    const rig = matchRig({ parties: [a, a] });
    expect(await rig.actor.open(rig.roster)).toBe('aborted');
    expect(rig.saw()).toBeUndefined();
    expect(await rig.actor.open(rig.roster)).toBe('aborted');
  });

  it('takes nobody in, and offers nothing until its places change', async () => {
    const rig = await runningMatch({ rules: { allowBackfill: true } });
    const came = backfill(party('c', 'cat'), 1);
    vi.spyOn(MatchStore.prototype, 'keeps').mockReturnValueOnce(false);
    const { offerSeq: seq } = rig.saw() ?? {};
    expect(await rig.actor.admit(came)).toEqual({ seq, match: null });
    expect(rig.saw()?.participants).toHaveLength(2);
    // That hold stays refused, and a later one is judged anew.
    expect(await rig.actor.admit(came)).toMatchObject({
      seq,
      match: { open: [{ slots: 1 }, { slots: 2 }] },
    });
    expect(await rig.actor.admit({ ...came, seq: came.seq + 1 })).toBeNull();
  });
});
