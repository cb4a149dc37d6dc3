// Tells the service the status of one server until it has acknowledged the stop.
// Only the latest status counts: a report that a newer one overtook is never sent. A status that
// has not changed is told again each lease, which is how a server nobody owns is found out.

import type { StatusReport } from '../src/fleet/port.ts';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
const ANSWER_MS = 10_000;

export interface ReportOptions {
  readonly url: string;
  /** The instance's own token. */
  readonly token: string;
  readonly leaseMs: number;
  readonly abandonMs: number;
  /** The status as it is now. */
  readonly current: () => StatusReport;
  /** The service knows no such server, or took no report for `abandonMs`: it must be ended. */
  readonly onUnowned: (why: string) => void;
}

export interface Reporter {
  /** The status has changed: tell it now. */
  changed(): void;
  /** Settled when the service knows that the server stopped. */
  readonly done: Promise<void>;
}

/** Starts with one lease of silence unless `changed` is called: a launch says nothing new. */
export function startReporter(options: ReportOptions): Reporter {
  const bell = createBell();
  return { changed: bell.ring, done: run(options, bell) };
}

async function run(options: ReportOptions, bell: Bell): Promise<void> {
  let acknowledgedAt = performance.now();
  let failures = 0;
  await bell.wait(options.leaseMs);
  for (;;) {
    const report = options.current();
    const answer = await post(options, report);
    if (answer !== 'failed' && report.status === 'stopped') {
      return;
    }
    if (answer === 'unknown') {
      options.onUnowned('the service knows no such server');
    }
    if (answer === 'failed') {
      failures += 1;
      if (performance.now() - acknowledgedAt > options.abandonMs && report.status !== 'stopped') {
        options.onUnowned('the service took no report for too long');
      }
    } else {
      failures = 0;
      acknowledgedAt = performance.now();
    }
    await bell.wait(failures === 0 ? options.leaseMs : retryAfter(failures));
  }
}

async function post(
  { url, token }: ReportOptions,
  report: StatusReport,
): Promise<'taken' | 'unknown' | 'failed'> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    return response.ok ? 'taken' : response.status === 404 ? 'unknown' : 'failed';
  } catch {
    return 'failed';
  }
}

/** Doubles to a limit; up to half is left to chance, so that servers do not call in step. */
function retryAfter(failures: number): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
  return full * (0.5 + Math.random() / 2);
}

interface Bell {
  readonly ring: () => void;
  /** Until the bell is rung, or was since the last wait; or the time is over. */
  wait(ms: number): Promise<void>;
}

function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
