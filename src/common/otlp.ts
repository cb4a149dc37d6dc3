// Traces for a collector that takes OTLP over HTTP, as JSON (record 0110). Off unless OTLP_URL is set. A match's id is that of its
// trace, and the ids of the spans follow from it: whoever tells a trace again tells the same.

import type { MatchId } from './ids';
import { inTime, pause } from './later';
import { present } from './named';

export interface TraceSettings {
  /** The address of the collector, without `/v1/traces`. Absent: no traces. */
  readonly OTLP_URL?: string;
  /** The share of matches that are traced, from 0 to 1. Absent or invalid: SAMPLE. */
  readonly OTLP_SAMPLE?: string;
  /** Headers for the collector: `name=value`, comma separated, the values percent-encoded. */
  readonly OTLP_HEADERS?: string;
}

const SAMPLE = 0.1;
/** How long a box gathers spans for one call, and how many at most. */
const BATCH_MS = 1_000;
const MOST_SPANS = 2_000;
const CALL_MS = 5_000;
/** Any other error means that the same would be refused again (OTLP 1.0: Failures). */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The share of matches that are traced. Undefined: there is no collector. */
export function sampleOf({ OTLP_URL, OTLP_SAMPLE = '' }: TraceSettings): number | undefined {
  const share = OTLP_SAMPLE === '' ? SAMPLE : Number(OTLP_SAMPLE);
  return OTLP_URL ? (share >= 0 && share <= 1 ? share : SAMPLE) : undefined;
}

/** Whether the match is in the sample. All actors say the same. */
export function isSampled(id: MatchId, share = 0): boolean {
  return Number.parseInt(id.slice(0, 8), 16) < share * 2 ** 32;
}

type SpanFacts = Readonly<Record<string, string | null | undefined>>;

export interface SpanMore {
  readonly facts?: SpanFacts;
  readonly events?: readonly {
    readonly at: number;
    readonly name: string;
    readonly facts: SpanFacts;
  }[];
  /** The `traceparent` of each caller who led to it. */
  readonly links?: readonly string[];
  /** Absent: it went well. */
  readonly error?: string | undefined;
}

/** A span as OTLP has it. `number`: another one for each in the trace; 1 has all others in it. Instants are epoch ms. */
export function spanOf(
  id: MatchId,
  [number, name]: readonly [number, string],
  [from, to]: readonly [number, number],
  { facts = {}, events = [], links = [], error }: SpanMore = {},
) {
  const traceId = id.replaceAll('-', '');
  const idOf = (of: number): string => traceId.slice(0, 12) + of.toString(16).padStart(4, '0');
  return {
    traceId,
    spanId: idOf(number),
    ...(number > 1 && { parentSpanId: idOf(1) }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(Math.max(from, to)),
    attributes: attributesOf(facts),
    events: events.map(({ at, facts: its, ...event }) => {
      return { ...event, timeUnixNano: nanos(at), attributes: attributesOf(its) };
    }),
    links: links.map((each) => ({ traceId: each.slice(3, 35), spanId: each.slice(36, 52) })),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

function nanos(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function attributesOf(facts: SpanFacts): readonly object[] {
  return Object.entries(present(facts)).map(([key, stringValue]) => {
    return { key: `muster.${key}`, value: { stringValue } };
  });
}

/** `refused`: the collector will never take these spans. Rejects if it may take them later. */
export type SendSpans = (spans: readonly object[]) => Promise<'told' | 'refused'>;

interface SpanBatch {
  readonly spans: object[];
  readonly sent: ReturnType<SendSpans>;
  /** Epoch ms. If it is still open then, it was lost with the object that made it. */
  readonly until: number;
}

let open: SpanBatch | null = null;

/** Undefined: there is no collector. At the edge, no object may wait for the call of another: there each calls for itself. */
export function spanSender(env: TraceSettings, isBox: boolean): SendSpans | undefined {
  const send: SendSpans = async (spans) => {
    if (!isBox) {
      return post(env, spans);
    }
    const now = Date.now();
    open = open === null || open.until <= now ? begun(env, now) : open;
    if (open.spans.length + spans.length > MOST_SPANS) {
      throw new Error('too many spans wait for the collector');
    }
    open.spans.push(...spans);
    return open.sent;
  };
  return env.OTLP_URL ? send : undefined;
}

function begun(env: TraceSettings, now: number): SpanBatch {
  const spans: object[] = [];
  const sending = async () => {
    await pause(BATCH_MS);
    open = null;
    return post(env, spans);
  };
  return { spans, sent: sending(), until: now + 2 * BATCH_MS };
}

async function post({ OTLP_URL = '', OTLP_HEADERS = '' }: TraceSettings, spans: readonly object[]) {
  const more = new URLSearchParams(OTLP_HEADERS.replaceAll('+', '%2B').replaceAll(/\s*,\s*/g, '&'));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'muster' } }] };
  const scopeSpans = [{ scope: { name: 'muster' }, spans }];
  const answer = await inTime(CALL_MS, (signal) =>
    fetch(`${OTLP_URL.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...Object.fromEntries(more), 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
      redirect: 'manual',
      signal,
    }),
  );
  await answer.body?.cancel();
  if (PASSING.has(answer.status)) {
    throw new Error(`status ${answer.status}`);
  }
  return answer.ok ? 'told' : 'refused';
}
