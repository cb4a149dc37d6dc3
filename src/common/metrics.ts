// The service's metrics, in the memory of the isolate, and as text for Prometheus. On a box they cover the whole service.
// At the edge every isolate has its own, and counts also go to the Analytics Engine if it is bound. Counting calls nobody.

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Upper bounds of a histogram's bins. */
  readonly ends: readonly number[];
}

const counter = (help: string): Family => ({ type: 'counter', help, ends: [] });
const gauge = (help: string): Family => ({ type: 'gauge', help, ends: [] });
const histogram = (help: string, ends: readonly number[]): Family => ({
  type: 'histogram',
  help,
  ends,
});

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAITS = [1, 2, 5, 10, 20, 30, 60, 120, 300];

/** All metrics. Their names follow the conventions of Prometheus. */
export const FAMILIES = {
  muster_http_requests_total: counter('Requests, by route and status.'),
  muster_http_request_duration_seconds: histogram(
    'Time to the head of the answer, by route.',
    SECONDS,
  ),
  muster_refusals_total: counter('Requests refused, by code.'),
  muster_rate_limited_total: counter('Requests refused by a limit.'),
  muster_log_events_total: counter('Lines of the log, by event and level.'),
  muster_matches_formed_total: counter('Matches that queues formed.'),
  muster_matches_failed_total: counter('Matches without a game, by reason.'),
  muster_games_crashed_total: counter('Games whose server crashed.'),
  muster_hooks_total: counter(
    'Events for a backend, by outcome: told, failed (told again) or given_up.',
  ),
  muster_traces_total: counter(
    'Traces of matches, by outcome: told, failed (told again), refused or dropped.',
  ),
  muster_searches_ended_total: counter(
    'Searches that ended, by reason: matched, or why there was no game.',
  ),
  muster_match_wait_seconds: histogram(
    'How long lobbies searched, until they came into a match (matched) or went without one.',
    WAITS,
  ),
  muster_match_uneven_ratio: histogram(
    'How far the chance of a team is from even, of 1, by the ladder of the mode.',
    [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5],
  ),
  muster_match_ping_seconds: histogram(
    'What the worst placed player of a match measured to its region.',
    [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5],
  ),
  muster_launches_total: counter('Launches that ran or failed.'),
  muster_launch_duration_seconds: histogram('From the order of a server until it ran.', WAITS),
  muster_invariant_failed_total: counter(
    'Changes that broke what always holds, and so were not saved.',
  ),
  muster_sweep_found_total: counter('Matches that matching had missed.'),
  muster_streams: gauge('Open event streams.'),
  muster_longest_pause_seconds: gauge(
    'The longest that work had to wait for the thread within the last minute.',
  ),
  muster_disk_used_ratio: gauge('How full the disk of a box is, from 0 to 1.'),
  muster_disk_free_bytes: gauge('What is free on the disk of a box.'),
  muster_database_bytes: gauge("The file of a box's database."),
  muster_lobbies: gauge('Public lobbies by status, private ones as such.'),
  muster_queue_lobbies: gauge('Lobbies that wait in a queue.'),
  muster_queue_players: gauge('Players that wait in a queue.'),
  muster_queue_wait_seconds: gauge('Mean wait so far of those that wait in a queue.'),
  muster_matches_without_room: gauge('Matches that wait in line for a game server.'),
  muster_servers: gauge('Game servers by status.'),
  muster_build_failing: gauge('1 for a build whose last launches failed.'),
} satisfies Record<string, Family>;

export type MetricName = keyof typeof FAMILIES;

/** The most series of a metric. Players can choose config names, so all further series are counted as one. */
const MOST_SERIES = 500;

/** At the edge one event writes at most this many points, because an invocation may only write 250. */
const MOST_POINTS = 20;

interface Series {
  readonly labels: Labels;
  value: number;
  /** Only for a histogram: the count up to each bound, and the sum. */
  readonly bins: number[];
  sum: number;
}

/** At the edge, the Analytics Engine dataset that also gets each count. */
export interface Dataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[];
    readonly blobs: readonly string[];
    readonly doubles: readonly number[];
  }): void;
}

export class Metrics {
  readonly #families = new Map<MetricName, Map<string, Series>>();
  #dataset: Dataset | null = null;

  /** Sends each count to the dataset too, from now on. */
  send(dataset: Dataset | undefined): void {
    this.#dataset = dataset ?? this.#dataset;
  }

  count(name: MetricName, labels: Labels = {}, by = 1): void {
    this.counter(name, labels)(by);
  }

  /** Returns a function that adds to one series, for a caller who counts the same series often. */
  counter(name: MetricName, labels: Labels): (by?: number) => void {
    const series = this.#series(name, labels);
    return (by = 1) => {
      series.value += by;
      this.#sent(name, labels, [by]);
    };
  }

  /** Returns a function that adds values to one series of a histogram, in the unit of the metric's name. */
  histogram(name: MetricName, labels: Labels): (values: readonly number[]) => void {
    const series = this.#series(name, labels);
    const { ends } = FAMILIES[name];
    return (values) => {
      for (const value of values) {
        ends.forEach((end, index) => {
          series.bins[index] = (series.bins[index] ?? 0) + (value <= end ? 1 : 0);
        });
        series.value += 1;
        series.sum += value;
      }
      const sorted = this.#dataset === null ? [] : values.toSorted((a, b) => a - b);
      const size = Math.ceil(sorted.length / MOST_POINTS);
      for (let at = 0; at < sorted.length; at += size) {
        const group = sorted.slice(at, at + size);
        const mean = group.reduce((sum, value) => sum + value, 0) / group.length;
        this.#sent(name, labels, [mean, group.length]);
      }
    };
  }

  set(name: MetricName, value: number, labels: Labels = {}): void {
    this.#series(name, labels).value = value;
  }

  #sent(name: MetricName, labels: Labels, doubles: readonly number[]): void {
    try {
      this.#dataset?.writeDataPoint({
        indexes: [name],
        blobs: Object.entries(labels).map(([label, text]) => `${label}=${text}`),
        doubles,
      });
    } catch {
      // The invocation wrote too many points for the platform. The counted work must go on.
    }
  }

  #series(name: MetricName, labels: Labels): Series {
    const family = this.#families.get(name) ?? new Map<string, Series>();
    this.#families.set(name, family);
    const key = written(labels);
    const known = family.get(key);
    if (known !== undefined) {
      return known;
    }
    if (family.size >= MOST_SERIES && !('other' in labels)) {
      return this.#series(name, { other: 'true' });
    }
    const series = { labels, value: 0, bins: FAMILIES[name].ends.map(() => 0), sum: 0 };
    family.set(key, series);
    return series;
  }

  /** The metrics as Prometheus text, limited to series that `shown` accepts. */
  text(shown: (labels: Labels) => boolean = () => true): string {
    const lines: string[] = [];
    for (const [name, family] of this.#families) {
      const series = [...family.values()].filter(({ labels }) => shown(labels));
      if (series.length > 0) {
        const { help, type } = FAMILIES[name];
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
        lines.push(...series.flatMap((each) => linesOf(name, each)));
      }
    }
    return lines.map((line) => `${line}\n`).join('');
  }
}

function linesOf(name: MetricName, { labels, value, bins, sum }: Series): string[] {
  const { type, ends } = FAMILIES[name];
  if (type !== 'histogram') {
    return [`${name}${written(labels)} ${value}`];
  }
  return [
    ...ends.map((le, at) => `${name}_bucket${written({ ...labels, le: String(le) })} ${bins[at]}`),
    `${name}_bucket${written({ ...labels, le: '+Inf' })} ${value}`,
    `${name}_sum${written(labels)} ${sum}`,
    `${name}_count${written(labels)} ${value}`,
  ];
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(([label, text]) => {
    const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    return `${label}="${escaped}"`;
  });
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

export const metrics = new Metrics();

// Prometheus sees no increase in a series that begins at 1, so an alert would miss the first finding.
metrics.set('muster_sweep_found_total', 0);
