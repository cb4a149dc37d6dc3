// The trace of a match, made at its end of what is saved by then (record 0110). It is owed like any debt, so no crash loses it; but
// a collector that stays away does, so that the match can be forgotten. Nothing in it names a player.

import type { MatchId } from '../../common/ids';
import { metrics } from '../../common/metrics';
import { isSampled, spanOf, type SendSpans, type SpanMore } from '../../common/otlp';
import type { ActorPorts } from '../contracts/actor-ports';
import { outcomeOf } from './history';
import { staysOf, type Match } from './state';

/** How often a trace is told in vain. */
const MOST_TRIES = 3;
/** How many stays have spans. */
const MOST_STAYS = 100;
/** The numbers of their spans begin here, two for each. */
const STAYS = 16;

/** Whether the match is in the sample, or a caller whose own trace is recorded led to it. */
export function isTraced({ roster }: Match, id: MatchId, share: number | undefined): boolean {
  const isAsked = (): boolean => roster.parties.some(({ trace }) => trace !== undefined);
  return share !== undefined && (isSampled(id, share) || isAsked());
}

interface Telling {
  readonly id: MatchId;
  readonly ports: Pick<ActorPorts, 'log'>;
  readonly sendSpans: SendSpans | undefined;
}

/** Rejects if it is to be told again. `attempts`: how often it was told in vain. */
export async function tellTrace(of: Telling, match: Match, attempts: number): Promise<void> {
  const { id, ports, sendSpans } = of;
  const { project } = match.roster;
  try {
    const outcome = (await sendSpans?.(spansOf(match, id))) ?? 'dropped';
    metrics.count('muster_traces_total', { project, outcome });
    if (outcome === 'refused') {
      ports.log('trace_dropped', { error: 'the collector refused it' });
    }
  } catch (error) {
    const isLast = attempts + 1 >= MOST_TRIES;
    metrics.count('muster_traces_total', { project, outcome: isLast ? 'dropped' : 'failed' });
    if (!isLast) {
      throw error;
    }
    ports.log('trace_dropped', { error: String(error) });
  }
}

type SpanRow = readonly [
  number,
  string,
  from: number | null | undefined,
  to: number,
  more?: SpanMore,
];

/** The first has all others in it. */
function spansOf(match: Match, id: MatchId): readonly object[] {
  const { roster, formedAt, overAt, runningAt, history = [], result } = match;
  const { project, config, mode, region, madeBy, parties } = roster;
  const [endAt, reason, outcome] = [overAt ?? formedAt, match.reason, outcomeOf(match)];
  const launchAt = history.find(({ kind }) => kind === 'launching')?.at;
  const stays = staysOf(match)
    .slice(0, MOST_STAYS)
    .map(({ lobbyId, ticketId, ...who }) => {
      const {
        heldAt,
        trace,
        startedAt = who.startedAt,
      } = parties.find((each) => each.ticketId === ticketId) ?? {};
      const until = who.joinedAt ?? formedAt;
      const links = trace === undefined ? [] : [trace];
      return { since: startedAt ?? until, heldAt, until, links, facts: { lobby: lobbyId } };
    });
  const holds = stays.flatMap(({ heldAt }) => heldAt ?? []);
  const root = {
    facts: { match: id, project, config, mode, region, madeBy, outcome, reason },
    events: history.map(({ at, kind, lobbyId: lobby, reason: why }) => {
      return { at, name: kind, facts: { lobby, reason: why } };
    }),
    error: outcome === 'ended' ? undefined : (reason ?? outcome),
  };
  const rows: readonly SpanRow[] = [
    [1, 'match', Math.min(formedAt, ...stays.map(({ since }) => since)), endAt, root],
    [2, 'proposal', holds.length === 0 ? null : Math.min(...holds), formedAt],
    [3, 'confirm', roster.rules.matchConfirmation.enabled ? formedAt : null, launchAt ?? endAt],
    [4, 'launch', launchAt, runningAt ?? endAt],
    [5, 'game', runningAt, endAt],
    [6, 'result', result?.at, result?.at ?? endAt],
    ...stays.flatMap(({ since, heldAt, until, links, facts }, index): SpanRow[] => [
      [STAYS + 2 * index, 'search', since, heldAt ?? until, { facts, links }],
      [STAYS + 2 * index + 1, 'hold', heldAt, until, { facts }],
    ]),
  ];
  return rows.flatMap(([number, name, from, to, more]) =>
    typeof from === 'number' ? [spanOf(id, [number, name], [from, to], more)] : [],
  );
}
