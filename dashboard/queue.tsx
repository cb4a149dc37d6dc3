// The queue of one mode: who waits and how long, why, and what was matched lately.

import type { QueueReport, WaitingTicket } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { WAIT_BINS } from '../src/common/limits';
import { useAsked } from './asked';
import { Explanation } from './explanation';
import type { MatchSummary } from '../packages/js/src/journal-types.ts';
import { LobbyLink, short } from './links';
import { isUnderWay, LOOK_MS, MatchTable } from './matches';
import { ruledBy } from '../src/lobby/playground';
import { useLive } from './live';
import { Age, Empty, Json, LiveMark, Title, Waiting } from './parts';
import { Table } from './table';
import { Trends } from './trends';
import { to } from './place';

function binLabel(index: number): string {
  const from = WAIT_BINS[index - 1] ?? 0;
  const end = WAIT_BINS[index];
  return end === undefined ? `over ${from} s` : `${from}–${end} s`;
}

function Histogram({ waits }: { readonly waits: readonly number[] }): JSX.Element {
  const most = Math.max(1, ...waits);
  return (
    <table class="bars">
      <caption>Lobbies by how long they have waited</caption>
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

/** The unfinished work of the queue, in one line. Null if there is none. */
function unfinished({ unfinished: left, reading }: QueueReport): string | null {
  return left === null
    ? null
    : `The queue is ${left}.${reading === null ? '' : ' Matches form when that is done.'}`;
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
    <Table label="Longest waiting" heads={['Lobby', 'Waiting', 'Players', 'State', 'Why']}>
      {tickets.map((ticket) => (
        <tr key={ticket.id}>
          <th scope="row">
            <LobbyLink config={config} id={ticket.lobbyId} />
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
              Explain<span class="unseen"> lobby {short(ticket.lobbyId)}</span>
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Recent({
  config,
  mode,
  report,
}: {
  readonly config: string;
  readonly mode: string;
  readonly report: QueueReport;
}): JSX.Element {
  const query = new URLSearchParams({ config, mode, limit: '12' });
  const { data, refusal } = useAsked<{ readonly items: readonly MatchSummary[] }>(
    `GET /matches?${query}`,
    {
      when: report,
      // The queue does not hear how its matches go on.
      every: (seen) => (seen?.items.some(isUnderWay) === true ? LOOK_MS : undefined),
    },
  );
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Recent matches</h2>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.items.length === 0 ? (
        <p class="dim">None yet.</p>
      ) : (
        <>
          <MatchTable label="Recent matches" matches={data.items} />
          <p>
            <a href={to('matches', config, mode)}>All matches of the last day</a>
          </p>
        </>
      )}
    </section>
  );
}

function Numbers({ report }: { readonly report: QueueReport }): JSX.Element {
  const { stats, openMatches, overruns } = report;
  const tiles: readonly (readonly [string, string])[] = [
    ['Lobbies waiting', String(stats.lobbiesInQueue)],
    ['Players searching', String(stats.playersSearching)],
    ['Average wait', `${stats.avgWaitSeconds.toFixed(1)} s`],
    ['Games with open places', String(openMatches)],
    ...(overruns === 0 ? [] : ([['Expressions stopped early', String(overruns)]] as const)),
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
        <a href={to('queues')}>Queues</a> / <a href={to('configs', ruledBy(config))}>{config}</a>
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
              This mode is no longer saved.{' '}
              <a href={to('configs', ruledBy(config))}>Open the config</a>
            </p>
          )}
          <Numbers report={report} />
          {report.oldest.length === 0 ? (
            <Empty title="Nobody is waiting">
              Lobbies show up here while they search. To see the mode work, send in phantom players
              from <a href={to('playground', ruledBy(config), mode)}>the playground</a>.
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
                <Explanation explained={report.explanation} subject={subject} />
              )}
            </>
          )}
          <Recent config={config} mode={mode} report={report} />
          <Trends config={config} mode={mode} target={report.mode?.targetWait} />
        </>
      )}
    </>
  );
}
