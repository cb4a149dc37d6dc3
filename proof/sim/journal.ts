// The trace, the counts and the violations of a run.

export class Journal {
  readonly lines: string[] = [];
  readonly violations: string[] = [];
  readonly counts = new Map<string, number>();
  /** When each actor, or the box, ended last, by its label. */
  readonly endedAt = new Map<string, number>();
  /** The number of checks. */
  checks = 0;
  /** What the largest commit of a box wrote, in bytes. */
  largestCommit = 0;
  readonly tracing: boolean;
  /** Set by the loop's owner. */
  clock: () => number = () => 0;

  constructor(tracing: boolean) {
    this.tracing = tracing;
  }

  /** Built only when a trace is asked for. */
  say(line: () => string): void {
    if (this.tracing) {
      this.lines.push(`${this.clock().toFixed(1).padStart(10)}  ${line()}`);
    }
  }

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /** The actor of that label, or the box, ends. Its memory is gone. */
  ended(kind: string, why: string, label = kind): void {
    this.count(`crash: ${kind} ${why}`);
    this.endedAt.set(label, this.clock());
  }

  /** Records a violation. */
  violation(text: string): void {
    this.violations.push(text);
    this.say(() => `!!! ${text}`);
  }

  check(holds: boolean, text: () => string): void {
    this.checks += 1;
    if (!holds) {
      this.violation(text());
    }
  }
}

const MAX_SHOWN = 160;

/** Arguments and replies, short enough for a line. */
export function shortly(value: unknown): string {
  const text = JSON.stringify(value, shown) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Leaves out long parts of little use. */
function shown(key: string, value: unknown): unknown {
  if (key === 'rules' || key === 'network_ports' || key === 'customData' || key === 'custom_data') {
    return undefined;
  }
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
