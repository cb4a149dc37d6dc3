// What a match tells a collector: one trace at its end, again under the same ids until it is taken, and never in the way.

import { afterEach, describe, expect, it } from 'vitest';
import { A_DAY } from '../../../../src/common/happening';
import type { LobbyId, MatchId } from '../../../../src/common/ids';
import { metrics } from '../../../../src/common/metrics';
import { matchRig, type MatchRigOptions } from '../../../support/match-rig';
import { party } from '../../../support/running-match';

const ID = '7f0c2a4e-0c1d-4b7e-9f43-1c1e8f1f7a10' as MatchId;
const TRACE = '7f0c2a4e0c1d4b7e9f431c1e8f1f7a10';
const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const ASKS = { matchConfirmation: { enabled: true, timeoutSeconds: 30 } } as const;

interface ToldSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { stringValue: string } }[];
  readonly events: readonly { readonly name: string }[];
  readonly links: readonly object[];
  readonly status: { readonly code?: number; readonly message?: string };
}

let answer: () => Promise<'told' | 'refused'> = async () => 'told';

afterEach(() => {
  answer = async () => 'told';
});

function traced(options: MatchRigOptions = {}) {
  const told: (readonly ToldSpan[])[] = [];
  const sendSpans = async (spans: readonly object[]) => {
    told.push(spans as readonly ToldSpan[]);
    return answer();
  };
  const rig = matchRig({ id: ID, journal: { ...A_DAY, traced: 1 }, sendSpans, ...options });
  return { ...rig, traces: told };
}

/** How long after the rig began a span begins and ends, ms. */
function timesOf(spans: readonly ToldSpan[], base: number) {
  const ms = (nanos: string): number => Number(BigInt(nanos) / 1_000_000n) - base;
  return Object.fromEntries(
    spans.map((each) => [each.name, [ms(each.startTimeUnixNano), ms(each.endTimeUnixNano)]]),
  );
}

async function played(rig: ReturnType<typeof traced>): Promise<void> {
  await rig.open();
  await rig.runs();
  await rig.actor.serverReport(rig.report('stopped'));
  await rig.pass(200);
}

function countOf(outcome: string): number {
  const line = metrics
    .text()
    .split('\n')
    .find((each) => each.includes(`muster_traces_total{project="p",outcome="${outcome}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('a match', () => {
  it('is one trace, whose spans are its phases and the searches that led to it', async () => {
    const base = traced().now();
    const parties = [party('a', 'ann'), party('b', 'ben')].map((each, index) => {
      return { ...each, startedAt: base - 4_000 * (index + 1), heldAt: base - 20 + index };
    });
    const rig = traced({ parties, rules: ASKS });
    await rig.open();
    await rig.pass(1_000);
    await rig.actor.confirm('a' as LobbyId);
    await rig.actor.confirm('b' as LobbyId);
    await rig.pass(2_000);
    await rig.runs();
    await rig.pass(60_000);
    await rig.actor.result('p', {
      teams: [
        { team: 0, rank: 1 },
        { team: 1, rank: 2 },
      ],
    });
    await rig.pass(1_000);
    expect(rig.traces).toEqual([]);
    await rig.actor.serverReport(rig.report('stopped'));
    await rig.pass(200);

    const [spans = []] = rig.traces;
    expect(rig.traces).toHaveLength(1);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const [root, ...others] = spans;
    expect(root).toMatchObject({ name: 'match', status: {} });
    expect(root).not.toHaveProperty('parentSpanId');
    expect(others.every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true);
    const names = ['proposal', 'confirm', 'launch', 'game', 'result'];
    expect(others.map(({ name }) => name)).toEqual([...names, 'search', 'hold', 'search', 'hold']);
    const times = timesOf(spans, base);
    const [launchAt, endAt] = [times['launch']?.[0] ?? 0, times['game']?.[1] ?? 0];
    expect(times).toMatchObject({
      match: [-8_000, endAt],
      proposal: [-20, 0],
      confirm: [0, launchAt],
      search: [-8_000, -19],
      hold: [-19, 0],
    });
    expect(times['launch']?.[1]).toBe(times['game']?.[0]);
    expect(endAt - (times['result']?.[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(root?.events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['formed', 'confirmed', 'launching', 'server_running', 'ended']),
    );
    expect(root?.attributes).toContainEqual({ key: 'muster.match', value: { stringValue: ID } });
  });

  it('names no player', async () => {
    const rig = traced({ parties: [party('a', 'ann the player'), party('b', 'ben the player')] });
    await rig.open();
    await rig.actor.left(
      'a' as LobbyId,
      rig.roster.parties[0]?.ticketId as never,
      'ann the player' as never,
    );
    await rig.actor.left(
      'b' as LobbyId,
      rig.roster.parties[1]?.ticketId as never,
      'ben the player' as never,
    );
    await rig.pass(200);
    expect(rig.traces).toHaveLength(1);
    expect(JSON.stringify(rig.traces)).not.toContain('the player');
  });

  it('that fails is an error with the reason', async () => {
    const rig = traced({ rules: ASKS });
    await rig.open();
    await rig.actor.decline('a' as LobbyId, 'declined');
    await rig.pass(200);
    expect(rig.traces[0]?.[0]?.status).toEqual({ code: 2, message: 'declined' });
    expect(rig.traces[0]?.map(({ name }) => name)).not.toContain('game');
  });
});

describe('the sample', () => {
  it.each([
    ['no collector', A_DAY, 0],
    ['a share that the id is above', { ...A_DAY, traced: 0.4 }, 0],
    ['a share that the id is in', { ...A_DAY, traced: 0.5 }, 1],
    ['nothing sampled', { ...A_DAY, traced: 0 }, 0],
  ])('%s', async (_, journal, count) => {
    const rig = traced({ journal });
    await played(rig);
    expect(rig.traces).toHaveLength(count);
  });

  it('has a match as well whose caller is traced, and links the two', async () => {
    const parties = [{ ...party('a', 'ann'), trace: CALLER }, party('b', 'ben')];
    const rig = traced({ parties, journal: { ...A_DAY, traced: 0 } });
    await played(rig);
    const links = rig.traces[0]?.filter(({ name }) => name === 'search').map((each) => each.links);
    const link = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    expect(links).toEqual([[link], []]);
  });

  it('without a collector a caller who is traced changes nothing', async () => {
    const rig = traced({ parties: [{ ...party('a', 'ann'), trace: CALLER }], journal: A_DAY });
    await played(rig);
    expect(rig.traces).toEqual([]);
  });
});

describe('a collector', () => {
  it('that is away is told again, and then no more: the match is forgotten all the same', async () => {
    const [failed, dropped] = [countOf('failed'), countOf('dropped')];
    answer = () => Promise.reject(new Error('away'));
    const rig = traced();
    await played(rig);
    await rig.live(60_000);
    expect(rig.traces).toHaveLength(3);
    expect(countOf('failed') - failed).toBe(2);
    expect(countOf('dropped') - dropped).toBe(1);
    expect(rig.saw()).toBeUndefined();
    await rig.live(48 * 3_600_000);
    expect(rig.saved.size).toBe(0);
  });

  it('that refuses is told once', async () => {
    const refused = countOf('refused');
    answer = async () => 'refused';
    const rig = traced();
    await played(rig);
    await rig.live(60_000);
    expect([rig.traces.length, countOf('refused') - refused]).toEqual([1, 1]);
    const why = { error: 'the collector refused it' };
    expect(rig.logged).toContainEqual(['trace_dropped', why]);
  });

  it('keeps nobody waiting: all are told before it has answered', async () => {
    answer = () => new Promise(() => {});
    const rig = traced();
    await played(rig);
    expect(['a', 'b'].map((lobby) => rig.last(lobby)?.phase)).toEqual(['returned', 'returned']);
  });

  it('is told the same by whoever wakes after a crash', async () => {
    answer = () => new Promise(() => {});
    const rig = traced();
    await played(rig);
    answer = async () => 'told';
    const again = traced({ saved: rig.saved });
    await again.pass(200);
    expect(again.traces).toEqual(rig.traces);
    // Nothing of it is left to tell.
    const last = traced({ saved: again.saved });
    await last.pass(200);
    expect(last.traces).toEqual([]);
  });
});
