// A player's last searches: how long each took, how it ended, and what stood in the way.

import type { SearchSeen } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SearchEnd } from '../src/objects/contracts/queue';
import { useAsked } from './asked';
import { Explanation } from './explanation';
import { reasonText } from './history';
import { LobbyLink, MatchLink, PlayerLink, QueueLink } from './links';
import { useLive } from './live';
import { span, Time, Waiting } from './parts';
import { to } from './place';
import { Table } from './table';

function waited({ startedAt, ended }: SearchSeen): string {
  return ended === null ? '' : span((ended.endedAt - startedAt) / 1000);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Why it waits, of a lobby that searches now. */
function Now({ search }: { readonly search: SearchSeen }): JSX.Element {
  const { config, mode, ticketId: ticket } = search;
  const { data, refusal } = useLive({ view: 'queue', config, mode, ticket });
  const report = data?.report;
  const subject = report?.oldest.find(({ id }) => id === ticket);
  return report === undefined ? (
    <Waiting refusal={refusal} />
  ) : report.explanation === null ? (
    <p class="dim">It does not wait any more.</p>
  ) : (
    <Explanation explained={report.explanation} subject={subject} />
  );
}

/** Who waited too when the search ended, the rule that rejected most, and who was nearest. */
function End({ search }: { readonly search: SearchSeen }): JSX.Element {
  const { config, mode, ticketId: ticket, row, ended } = search;
  const asked = { config, mode, ticket, row: String(row), at: String(ended?.endedAt) };
  const { data, refusal } = useAsked<SearchEnd>(
    `GET /admin/searches/end?${new URLSearchParams(asked)}`,
  );
  const { rules = [], others = 0, eligible = 0, obstacles = [] } = data?.explanation ?? {};
  const [most] = rules
    .filter(({ rejects }) => rejects > 0)
    .toSorted((a, b) => b.rejects - a.rejects);
  const near = rules.flatMap(({ rule, nearest }) => {
    const lobby = data?.nearest.find(({ id }) => id === nearest?.ticket);
    return nearest === null || lobby === undefined ? [] : [{ rule, ...nearest, ...lobby }];
  });
  return (
    <section aria-labelledby="search-end">
      <h3 id="search-end">
        When the search in {config} / {mode} ended
      </h3>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <ul class="findings" aria-label="When the search ended">
          <li>
            {others === 0
              ? 'Nobody else was in the queue.'
              : `${others} other ${others === 1 ? 'lobby' : 'lobbies'} waited; ${eligible} could play with it.`}
          </li>
          {most !== undefined && (
            <li>
              Rejected most: <strong>{most.rule}</strong> ({most.rejects} of {others}).
            </li>
          )}
          {near.map(({ rule, lobbyId, players, gap, limit }) => (
            <li key={rule}>
              Nearest: lobby <LobbyLink config={config} id={lobbyId} /> of{' '}
              <PlayerLink id={players[0] ?? ''} />, {rounded(gap)} apart where {rounded(limit)} was
              allowed.
            </li>
          ))}
          {obstacles.map((obstacle) => (
            <li key={obstacle}>{obstacle.charAt(0).toUpperCase() + obstacle.slice(1)}.</li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Searches({ player }: { readonly player: string }): JSX.Element {
  const [chosen, setChosen] = useState<SearchSeen | null>(null);
  const { data, refusal } = useAsked<{
    readonly items: readonly SearchSeen[];
    readonly isAll: boolean;
  }>(`GET /admin/searches?player=${encodeURIComponent(player)}`);
  return (
    <>
      <h2>Last searches</h2>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.items.length === 0 ? (
        <p class="dim">No searches in the last two days.</p>
      ) : (
        <Table
          label="Last searches"
          heads={['Queue', 'Entered', 'Wait', 'Ended', 'Match', 'Actions']}
        >
          {data.items.map((search) => {
            const { config, mode, ticketId, startedAt, ended } = search;
            return (
              <tr key={ticketId}>
                <th scope="row">
                  <QueueLink config={config} mode={mode} />
                </th>
                <td class="number">
                  <Time at={new Date(startedAt).toISOString()} />
                </td>
                <td class="number">{waited(search)}</td>
                <td>
                  {ended === null ? 'still searches' : reasonText(ended.reason)}
                  {ended !== null &&
                    ended.noGame !== null &&
                    `, no game: ${reasonText(ended.noGame)}`}
                </td>
                <td>
                  {ended !== null && ended.matchId !== null && <MatchLink id={ended.matchId} />}
                </td>
                <td>
                  <div class="actions tight">
                    {ended === null && (
                      <button
                        type="button"
                        aria-pressed={chosen === search}
                        onClick={() => setChosen(search)}
                      >
                        Explain<span class="unseen"> why it waits: {ticketId}</span>
                      </button>
                    )}
                    {ended !== null && ended.matchId === null && (
                      <button
                        type="button"
                        aria-pressed={chosen === search}
                        onClick={() => setChosen(search)}
                      >
                        Why<span class="unseen"> it ended: {ticketId}</span>
                      </button>
                    )}
                    <a href={to('configs', config, 'try', mode, String(startedAt))}>
                      What if<span class="unseen"> (search {ticketId.slice(0, 8)})</span>
                    </a>
                  </div>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {data?.isAll === false && <p class="dim">There may be older searches.</p>}
      {chosen !== null &&
        (chosen.ended === null ? (
          <Now key={chosen.ticketId} search={chosen} />
        ) : (
          <End key={chosen.ticketId} search={chosen} />
        ))}
    </>
  );
}
