// How spans go to a collector: gathered on a box, bounded, and repeated only where that may help.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MatchId } from '../../../src/common/ids';
import { isSampled, sampleOf, spanSender, type TraceSettings } from '../../../src/common/otlp';

const ENV = { OTLP_URL: 'http://collector.test:4318' };

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly spans: readonly unknown[];
}

let calls: Call[] = [];
let status = 200;

beforeEach(() => {
  calls = [];
  status = 200;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const told = JSON.parse(body as string) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: [] }[] }[];
    };
    const spans = told.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((its) => its.spans));
    calls.push({ url, headers: headers as Record<string, string>, spans });
    return new Response('{}', { status });
  });
});

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sender(isBox: boolean, env: TraceSettings = ENV) {
  const send = spanSender(env, isBox);
  if (send === undefined) {
    throw new Error('there is a collector');
  }
  return send;
}

const spans = (count: number, name = 'a'): readonly object[] =>
  Array.from({ length: count }, () => ({ name }));

describe('a box', () => {
  it('sends what comes within a second in one call', async () => {
    const send = sender(true);
    const sent = [send(spans(2, 'a')), send(spans(1, 'b'))];
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(sent)).toEqual(['told', 'told']);
    expect(calls).toMatchObject([
      {
        url: 'http://collector.test:4318/v1/traces',
        spans: [{ name: 'a' }, { name: 'a' }, { name: 'b' }],
      },
    ]);
    const next = send(spans(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next).toBe('told');
    expect(calls).toHaveLength(2);
  });

  it('lets no more wait than a call takes: the rest is told again later', async () => {
    const send = sender(true);
    const first = send(spans(1_999));
    await expect(send(spans(2))).rejects.toThrow('too many spans wait');
    const last = send(spans(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await first, await last]).toEqual(['told', 'told']);
    expect(calls.map((each) => each.spans.length)).toEqual([2_000]);
  });

  it('begins anew if the object that gathered is gone, and its timer with it', async () => {
    const send = sender(true);
    const lost = send(spans(1, 'lost'));
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 2_000);
    const next = send(spans(1, 'next'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next).toBe('told');
    expect(calls.map((each) => each.spans)).toEqual([[{ name: 'next' }]]);
    expect(await Promise.race([lost, Promise.resolve('no answer')])).toBe('no answer');
  });
});

it('at the edge each calls for itself, at once', async () => {
  const send = sender(false);
  expect(await Promise.all([send(spans(1)), send(spans(1))])).toEqual(['told', 'told']);
  expect(calls).toHaveLength(2);
});

it.each([429, 502, 503, 504])('%i may be told again', async (code) => {
  status = code;
  await expect(sender(false)(spans(1))).rejects.toThrow(`status ${code}`);
});

it.each([302, 400, 401, 404, 413, 500])('%i is final', async (code) => {
  status = code;
  expect(await sender(false)(spans(1))).toBe('refused');
});

it('sends the headers that are set', async () => {
  const OTLP_HEADERS = 'authorization=Basic%20YTpi+/c=, x-scope=a%2Cb';
  await sender(false, { OTLP_URL: 'https://otlp.test/base/', OTLP_HEADERS })(spans(1));
  expect(calls[0]?.url).toBe('https://otlp.test/base/v1/traces');
  expect(calls[0]?.headers).toEqual({
    authorization: 'Basic YTpi+/c=',
    'x-scope': 'a,b',
    'content-type': 'application/json',
  });
});

it('is off without a collector', () => {
  expect(spanSender({}, true)).toBeUndefined();
  expect(sampleOf({ OTLP_SAMPLE: '1' })).toBeUndefined();
});

it.each([
  ['', 0.1],
  ['0', 0],
  ['0.25', 0.25],
  ['1', 1],
  ['1.1', 0.1],
  ['all', 0.1],
])('a share of %j is %d', (OTLP_SAMPLE, share) => {
  expect(sampleOf({ ...ENV, OTLP_SAMPLE })).toBe(share);
});

it('a share is that of the matches', () => {
  const ids = Array.from({ length: 4_000 }, () => crypto.randomUUID() as MatchId);
  const share = ids.filter((id) => isSampled(id, 0.25)).length / ids.length;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.3);
  expect(ids.every((id) => isSampled(id, 1))).toBe(true);
  expect(ids.some((id) => isSampled(id, 0))).toBe(false);
});
