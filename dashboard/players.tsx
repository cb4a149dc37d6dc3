// The players who are in a lobby of a config now, newest lobbies first, and what each of them does there.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LobbyView } from '../src/lobby/view';
import { Choice } from './choice';
import { LobbyLink, PlayerLink, QueueLink } from './links';
import { serviceNow, useLive } from './live';
import { Age, counted, Empty, LiveMark, Status, Title, Waiting } from './parts';
import { go, to } from './place';
import { Pager, Table } from './table';
import { TextLine } from './text-line';

function Doing({ lobby }: { readonly lobby: LobbyView }): JSX.Element {
  const { matchmaking, config, status } = lobby;
  return (
    <>
      <Status of={status} />
      {matchmaking !== null &&
        status === 'in_queue' &&
        (matchmaking.modes ?? [{ mode: matchmaking.mode, since: matchmaking.startedAt }])
          .filter(({ since }) => Date.parse(since) <= serviceNow())
          .map(({ mode, since }, index) => (
            <span key={mode}>
              {index === 0 ? ' ' : ', '}
              <QueueLink config={config} mode={mode} />, for <Age since={since} />
            </span>
          ))}
    </>
  );
}

/** A page of lobbies, with their players. */
function List({ config }: { readonly config: string }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [part, setPart] = useState('');
  const { data, refusal } = useLive({ view: 'lobbies', config, offset });
  if (data === null) {
    return <Waiting refusal={refusal} />;
  }
  const { page, census } = data;
  const wanted = part.trim().toLowerCase();
  const seen = page.lobbies.flatMap((lobby) =>
    lobby.players
      .filter(({ id }) => id.toLowerCase().includes(wanted))
      .map((player) => ({ lobby, player })),
  );
  return page.lobbies.length === 0 && offset === 0 ? (
    <Empty title="Nobody is in a public lobby">
      Players show up here as they create and join lobbies in {config}. Search finds others by their
      id.
    </Empty>
  ) : (
    <>
      <TextLine label="Part of an id, on this page" value={part} isNarrow onText={setPart} />
      {seen.length === 0 ? (
        <p class="dim">
          No player id on this page contains that. The search field looks on all pages.
        </p>
      ) : (
        <Table label="Players" heads={['Player', 'Status', 'Lobby', 'Host', 'Region', 'Lobby age']}>
          {seen.map(({ lobby, player: { id, isHost } }) => (
            <tr key={lobby.id + id}>
              <th scope="row">
                <PlayerLink id={id} />
              </th>
              <td>
                <Doing lobby={lobby} />
              </td>
              <td>
                <LobbyLink config={config} id={lobby.id} />
              </td>
              <td>{isHost ? 'host' : ''}</td>
              <td class="unbroken">{lobby.region}</td>
              <td class="number">
                <Age since={lobby.createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <p class="dim">
        {counted(census.players, 'player')} in public lobbies
        {census.privates > 0 &&
          `, and ${counted(census.privates, 'private lobby', 'private lobbies')}`}
        . A page has the players of 50 lobbies.
      </p>
      <Pager offset={offset} shown={page.lobbies.length} total={page.total} onOffset={setOffset} />
    </>
  );
}

export function Players({ config }: { readonly config: string | null }): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'overview' });
  const configs = data?.configs ?? [];
  const fullest = configs.toSorted((a, b) => b.census.players - a.census.players)[0]?.name;
  const chosen = config ?? fullest;
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Players</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : chosen === undefined ? (
        <Empty title="Nobody is here yet">
          Players show up here as they create and join lobbies.{' '}
          <a href={to('bans')}>Banned players</a> have a page of their own.
        </Empty>
      ) : (
        <>
          <div class="inline">
            <Choice
              label="Config"
              value={chosen}
              options={configs.map(({ name, census }) => [name, `${name} (${census.players})`])}
              onChoice={(name) => go('in', name)}
            />
          </div>
          <List key={chosen} config={chosen} />
        </>
      )}
    </>
  );
}
