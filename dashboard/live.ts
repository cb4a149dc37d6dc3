// The live data of a page: one stream of snapshots. It reconnects by itself, with growing pauses
// while the service is down, and stops while the tab is hidden.

import { useEffect, useState } from 'preact/hooks';
import type { Readings } from '../src/http/operators/readings';
import type { DiskNotice } from '../src/objects/kit/disk';
import { ApiError, savedKey } from './api';

export type Connection = 'connecting' | 'live' | 'lost';

export interface Live<T> {
  readonly data: T | null;
  readonly connection: Connection;
  /** The refusal of the service, or null. */
  readonly refusal: ApiError | null;
}

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

/** How far the service's clock is ahead of ours, by its last snapshot. */
let clockAheadMs = 0;

/** The service's time, epoch ms. */
export function serviceNow(): number {
  return Date.now() + clockAheadMs;
}

type View = { readonly view: keyof Readings } & Readonly<Record<string, string | number>>;

/** The last disk notice of the service. Null: all is well. */
let disk: DiskNotice | null = null;
const watchers = new Set<() => void>();

export function useDisk(): DiskNotice | null {
  const [shown, show] = useState(disk);
  useEffect(() => {
    const look = (): void => show(disk);
    watchers.add(look);
    return () => {
      watchers.delete(look);
    };
  }, []);
  return shown;
}

interface Snapshot<T> {
  readonly at: number;
  readonly data: T;
  readonly disk: DiskNotice | null;
}

interface Hears<T> {
  readonly snapshot: (data: T) => void;
  readonly connection: (state: Connection) => void;
  readonly refused: (error: ApiError) => void;
}

/** Each block of a stream of events, as its fields. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Map<string, string>> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>;
    if (done) {
      return;
    }
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2));
      yield new Map(lines.map(([name = '', field = '']) => [name, field]));
    }
  }
}

/** One connection, to its end. True: it ended as it should, and wants to be opened anew. */
async function connect<T>(view: View, hears: Hears<T>, signal: AbortSignal): Promise<boolean> {
  const query = new URLSearchParams(
    Object.entries(view).map(([name, value]) => [name, String(value)]),
  );
  const response = await fetch(`/v3/admin/events?${query}`, {
    headers: { 'api-key': savedKey() ?? '', accept: 'text/event-stream' },
    signal,
  });
  if (!response.ok || response.body === null) {
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    const error = new ApiError(response.status, body);
    if (response.status < 500 && response.status !== 429) {
      hears.refused(error);
      return new Promise(() => undefined);
    }
    throw error;
  }
  for await (const event of events(response.body)) {
    if (event.get('event') === 'snapshot') {
      const { at, data, disk: told } = JSON.parse(event.get('data') ?? '{}') as Snapshot<T>;
      clockAheadMs = at - Date.now();
      disk = told;
      watchers.forEach((look) => look());
      hears.connection('live');
      hears.snapshot(data);
    } else if (event.get('event') === 'unavailable') {
      hears.connection('lost');
    }
  }
  return true;
}

/** Ends early at the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Until the signal: connects, and again whenever the stream has ended. */
async function follow<T>(view: View, hears: Hears<T>, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (await connect(view, hears, signal)) {
        failures = 0;
      }
    } catch {
      failures += 1;
    }
    if (signal.aborted) {
      return;
    }
    if (failures > 0) {
      hears.connection('lost');
    }
    const longest = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    await pause(longest * (0.5 + Math.random() / 2), signal);
  }
}

/** Whether the tab is visible. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}

/** The page's snapshots, for as long as it is shown. Another view is another stream. */
export function useLive<Name extends keyof Readings>(
  view: View & { readonly view: Name },
): Live<Readings[Name]> {
  type Data = Readings[Name];
  const [live, setLive] = useState<Live<Data> & { readonly key: string }>();
  const key = JSON.stringify(view);
  const visible = useVisible();
  useEffect(() => {
    if (!visible) {
      return undefined;
    }
    const abort = new AbortController();
    const change = (patch: Partial<Live<Data>>): void =>
      setLive((before) => {
        const start = { data: null, connection: 'connecting' as const, refusal: null };
        return { ...(before?.key === key ? before : start), ...patch, key };
      });
    void follow<Data>(
      JSON.parse(key) as View,
      {
        snapshot: (data) => change({ data }),
        connection: (connection) => change({ connection }),
        refused: (refusal) => change({ refusal, connection: 'lost' }),
      },
      abort.signal,
    );
    return () => abort.abort();
  }, [key, visible]);
  return live?.key === key ? live : { data: null, connection: 'connecting', refusal: null };
}

const tickers = new Set<() => void>();
setInterval(() => tickers.forEach((tick) => tick()), 1_000);

/** Redraws each second, for ages and waits. */
export function useNow(): number {
  const [now, setNow] = useState(serviceNow());
  useEffect(() => {
    const tick = (): void => setNow(serviceNow());
    tickers.add(tick);
    return () => {
      tickers.delete(tick);
    };
  }, []);
  return now;
}
