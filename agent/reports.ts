// Reports the status of one server to the service until the service has acknowledged the stop. Only the latest
// status counts: an outdated report is never sent. An unchanged status is reported again with each lease, which
// reveals a server without an owner.

import type { StatusReport } from '../src/fleet/port.ts';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
const ANSWER_MS = 10_000;

/** The part of a report's URL that is the same at all addresses of the service. */
const PATH = '/v3/servers/';

/** Where the service is asked about one server: as the launch says, and after a failure at the next of the other addresses. */
export class Rounds {
  readonly #urls: readonly string[];
  /** What has shown that it is the service: a wrong address answers 404 to everything. */
  readonly #known: Set<string>;
  #turn = 0;

  /** `others`: further addresses of the service, without a path (AGENT_SERVICE_URLS). */
  constructor(url: string, others: readonly string[]) {
    const path = url.slice(url.indexOf(PATH));
    this.#urls = [...new Set([url, ...others.map((other) => `${other}${path}`)])];
    this.#known = new Set([url]);
  }

  get url(): string {
    return this.#urls[this.#turn % this.#urls.length] ?? '';
  }

  /** Whether the service may say here that it does not know the server. */
  get isKnown(): boolean {
    return this.#known.has(this.url);
  }

  taken(): void {
    this.#known.add(this.url);
  }

  failed(): void {
    this.#turn += 1;
  }
}

export interface ReportOptions {
  readonly service: Rounds;
  /** The instance's own token. */
  readonly token: string;
  readonly leaseMs: () => number;
  readonly abandonMs: number;
  /** The current status. */
  readonly current: () => StatusReport;
  /** Called if the server must be ended: the service does not know it, or took no report for `abandonMs`. */
  readonly onUnowned: (why: string) => void;
  /** Called with the status that the service knows, after each report that it took. */
  readonly answered?: (status: unknown) => void;
}

export interface Reporter {
  /** Call when the status has changed. It is reported at once. */
  changed(): void;
  /** Resolves when the service knows that the server stopped. */
  readonly done: Promise<void>;
}

/** Reports nothing for the first lease unless `changed` is called, because a launch is no news. */
export function startReporter(options: ReportOptions): Reporter {
  const bell = createBell();
  return { changed: bell.ring, done: run(options, bell) };
}

async function run(options: ReportOptions, bell: Bell): Promise<void> {
  let acknowledgedAt = performance.now();
  let failures = 0;
  await bell.wait(options.leaseMs());
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
      options.service.failed();
      if (performance.now() - acknowledgedAt > options.abandonMs && report.status !== 'stopped') {
        options.onUnowned('the service took no report for too long');
      }
    } else {
      failures = 0;
      acknowledgedAt = performance.now();
    }
    await bell.wait(failures === 0 ? options.leaseMs() : retryAfter(failures));
  }
}

async function post(
  { service, token, answered }: ReportOptions,
  report: StatusReport,
): Promise<'taken' | 'unknown' | 'failed'> {
  try {
    const response = await fetch(service.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (response.ok && answered) {
      answered(((await response.json()) as { status?: unknown }).status);
    } else {
      await response.body?.cancel();
    }
    if (response.ok) {
      service.taken();
      return 'taken';
    }
    return response.status === 404 && service.isKnown ? 'unknown' : 'failed';
  } catch {
    return 'failed';
  }
}

/** Doubles up to a limit. Up to half is random, so that servers do not call in step. */
export function retryAfter(failures: number): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
  return full * (0.5 + Math.random() / 2);
}

interface Bell {
  readonly ring: () => void;
  /** Waits until the bell rings or the time is over. Returns at once if the bell rang since the last wait. */
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
