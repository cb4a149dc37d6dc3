// The queue of one mode: who waits and how long, why, and what was matched lately.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RuleRejections } from '../src/match/explain/explain';
import type { Mode, Rule } from '../src/match/rules/mode';
import {
  COMPARED,
  type Explained,
  type FormedMatch,
  type QueueReport,
  WAIT_BINS,
  type WaitingTicket,
} from '../src/objects/reports';
import { serviceNow, useLive, useNow } from './live';
import { Age, Empty, Json, LiveMark, span, Table, Title, Waiting } from './parts';
import { to } from './place';

function binLabel(index: number): string {
  const from = WAIT_BINS[index - 1] ?? 0;
  const end = WAIT_BINS[index];
  return end === undefined ? `${from} s and more` : `${from} to ${end} s`;
}

function Histogram({ waits }: { readonly waits: readonly number[] }): JSX.Element {
  const most = Math.max(1, ...waits);
  return (
    <table class="bars">
      <caption>How long the lobbies have waited</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Wait</th>
          <th scope="col">Lobbies</th>
        </tr>
      </thead>
      <tbody>
        {waits.map((count, index) => (
          <tr key={index}>
            <th scope="row">{binLabel(index)}</th>
            <td>
              <span class="bar" style={{ width: `${(count / most) * 100}%` }} />
              <span class="bar-count">{count}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ruleText(rule: Rule): string {
  switch (rule.type) {
    case 'difference':
      return `${rule.field} at most ${rule.maxDifference} apart, widening`;
    case 'equals':
      return `${rule.field} is equal`;
    case 'not_equals':
      return `${rule.field} differs`;
    case 'region':
      return `${rule.minOverlap} shared region${rule.minOverlap === 1 ? '' : 's'}`;
    default:
      return rule.cel;
  }
}

/** What the queue has not finished looking for, in one line; null when there is nothing. */
function unfinished({ work }: QueueReport): string | null {
  const { searches = 0, anchors, toArm = 0 } = work ?? {};
  const parts = [
    searches > 0 && `Still looking: ${anchors?.tried} of ${anchors?.of} anchors tried.`,
    toArm > 0 && `${toArm} lobbies are still to be compared for when their rules widen.`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(' ');
}

function why(explained: Explained): string {
  const { others, eligible, players, wanted, noSharedRegion, opensAt, isLookedFor } = explained;
  if (isLookedFor) {
    return 'The queue is still looking for a match with it.';
  }
  if (others === 0) {
    return 'Nobody else is in this queue: it waits for a second lobby.';
  }
  const all = others === 1 ? 'the one other lobby' : `${others} other lobbies`;
  if (eligible > 0) {
    return players < wanted
      ? `${eligible} of ${all} may play it: ${players} players together, and a match has ${wanted}.`
      : `${eligible} of ${all} may play it; their sizes and roles make no match yet.`;
  }
  if (noSharedRegion > 0) {
    return `The rules let ${noSharedRegion} of ${all} pass, but no region suits both sides.`;
  }
  const wait = opensAt === null ? null : span(Math.ceil((opensAt - serviceNow()) / 1000));
  return wait === null
    ? `The rules reject ${all}, and no waiting changes that. Below, which rules do.`
    : `The rules reject ${all}; as they widen, the first may play it in ${wait}.`;
}

/** Of a difference rule: who was nearest, and when that one may come. */
function Nearest({ verdict }: { readonly verdict: RuleRejections }): JSX.Element | null {
  const { nearest } = verdict;
  const now = useNow();
  if (nearest === null) {
    return null;
  }
  const { gap, limit, opensAt } = nearest;
  const opens =
    opensAt === null
      ? 'never in time'
      : `in ${span(Math.max(0, Math.ceil((opensAt - now) / 1000)))}`;
  return (
    <>
      {rounded(gap)} apart, {rounded(limit)} allowed; {opens}
    </>
  );
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function Explanation({
  explained,
  mode,
  subject,
}: {
  readonly explained: Explained;
  readonly mode: Mode;
  readonly subject: WaitingTicket | undefined;
}): JSX.Element {
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why it waits: lobby {explained.lobbyId.slice(0, 8)}</h2>
      {subject !== undefined && (
        <p>
          {subject.players} {subject.players === 1 ? 'player' : 'players'}, state{' '}
          <Json value={subject.state} />, regions{' '}
          {subject.acceptableRegions.length === 0 ? 'any' : subject.acceptableRegions.join(', ')}.
        </p>
      )}
      <p class="note">{why(explained)}</p>
      {explained.rules.length > 0 && explained.others > 0 && (
        <Table
          label="Rejections by rule"
          heads={['Rule', 'Type', 'Rejects', 'It alone rejects', 'Nearest of those']}
        >
          {explained.rules.map((verdict) => {
            const rule = mode.rules[verdict.index];
            return (
              <tr key={verdict.index}>
                <th scope="row">{rule === undefined ? verdict.index + 1 : ruleText(rule)}</th>
                <td>{verdict.type}</td>
                <td class="number">
                  {verdict.rejects} of {explained.others}
                </td>
                <td class="number">{verdict.rejectsAlone}</td>
                <td>
                  <Nearest verdict={verdict} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {explained.others === COMPARED && (
        <p class="dim">Compared with the {COMPARED} that have waited longest.</p>
      )}
    </section>
  );
}

function Oldest({
  config,
  tickets,
  chosen,
  onChoose,
}: {
  readonly config: string;
  readonly tickets: readonly WaitingTicket[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}): JSX.Element {
  return (
    <Table label="Longest waiting" heads={['Lobby', 'Waits', 'Players', 'State', 'Why']}>
      {tickets.map((ticket) => (
        <tr key={ticket.id}>
          <th scope="row">
            <a href={to('lobbies', config, ticket.lobbyId)}>{ticket.lobbyId.slice(0, 8)}</a>
            {ticket.taken && <span class="dim"> being matched</span>}
          </th>
          <td class="number">
            <Age since={ticket.startedAt} />
          </td>
          <td class="number">{ticket.players}</td>
          <td>
            <Json value={ticket.state} />
          </td>
          <td>
            <button
              type="button"
              aria-pressed={ticket.id === chosen}
              onClick={() => onChoose(ticket.id)}
            >
              Explain
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Recent({
  config,
  matches,
}: {
  readonly config: string;
  readonly matches: readonly FormedMatch[];
}): JSX.Element {
  return (
    <Table
      label="Recent matches"
      heads={['Match', 'Formed', 'Lobbies', 'Players', 'Longest wait', 'Region']}
    >
      {matches.map((match) => (
        <tr key={match.matchId + match.at}>
          <th scope="row">
            <code>{match.matchId.slice(0, 8)}</code>{' '}
            <span class="dim">
              {match.kind === 'backfill' ? 'backfill' : match.full ? 'full' : 'partial'}
            </span>
          </th>
          <td class="number">
            <Age since={match.at} /> ago
          </td>
          <td>
            {match.lobbyIds.map((id, index) => (
              <span key={id}>
                {index > 0 && ' '}
                <a href={to('lobbies', config, id)}>{id.slice(0, 8)}</a>
              </span>
            ))}
            {match.lobbies > match.lobbyIds.length &&
              ` and ${match.lobbies - match.lobbyIds.length} more`}
          </td>
          <td class="number">{match.players}</td>
          <td class="number">{match.longestWaitSeconds} s</td>
          <td class="number">{match.region ?? ''}</td>
        </tr>
      ))}
    </Table>
  );
}

function Numbers({ report }: { readonly report: QueueReport }): JSX.Element {
  const { stats, openMatches, overruns } = report;
  const tiles: readonly (readonly [string, string])[] = [
    ['Lobbies waiting', String(stats.lobbiesInQueue)],
    ['Players searching', String(stats.playersSearching)],
    ['Mean wait', `${stats.avgWaitSeconds.toFixed(1)} s`],
    ['Games with room', String(openMatches)],
    ...(overruns === 0 ? [] : ([['Expressions cut short', String(overruns)]] as const)),
  ];
  const left = unfinished(report);
  return (
    <>
      <dl class="tiles">
        {tiles.map(([label, value]) => (
          <div class="tile" key={label}>
            <dt class="tile-label">{label}</dt>
            <dd class="tile-value">{value}</dd>
          </div>
        ))}
      </dl>
      {left !== null && <p>{left}</p>}
    </>
  );
}

export function QueuePage({
  config,
  mode,
}: {
  readonly config: string;
  readonly mode: string;
}): JSX.Element {
  const [ticket, setTicket] = useState('');
  const { data, connection, refusal } = useLive({ view: 'queue', config, mode, ticket });
  const report = data?.report;
  const subject = report?.oldest.find(({ id }) => id === report.explanation?.ticketId);
  return (
    <>
      <p class="crumbs">
        <a href={to('queues')}>Queues</a> / <a href={to('configs', config)}>{config}</a>
      </p>
      <Title aside={<LiveMark state={connection} />}>
        Queue {config} / {mode}
      </Title>
      {data === null || report === undefined ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          {!data.saved && (
            <p class="note">
              No such mode is saved now. <a href={to('configs', config)}>Open the config</a>
            </p>
          )}
          <Numbers report={report} />
          {report.oldest.length === 0 ? (
            <Empty title="Nobody waits">
              Lobbies appear here while they search. Send some phantom players from{' '}
              <a href={to('playground', config, mode)}>the playground</a> and watch.
            </Empty>
          ) : (
            <>
              <div class="columns">
                <section aria-labelledby="longest">
                  <h2 id="longest">Longest waiting</h2>
                  <Oldest
                    config={config}
                    tickets={report.oldest}
                    chosen={report.explanation?.ticketId}
                    onChoose={setTicket}
                  />
                </section>
                <section aria-labelledby="waits">
                  <h2 id="waits">Waits</h2>
                  <Histogram waits={report.waits} />
                </section>
              </div>
              {report.explanation !== null && report.mode !== null && (
                <Explanation explained={report.explanation} mode={report.mode} subject={subject} />
              )}
            </>
          )}
          <section aria-labelledby="recent">
            <h2 id="recent">Recent matches</h2>
            {report.recent.length === 0 ? (
              <p class="dim">None yet.</p>
            ) : (
              <Recent config={config} matches={report.recent} />
            )}
          </section>
        </>
      )}
    </>
  );
}
