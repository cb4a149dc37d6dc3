// The lobbies of one config, newest first; or the choice of a config.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { STATUSES } from '../src/lobby/lobby';
import type { LobbyView } from '../src/lobby/view';
import { lobbiesIn } from './overview';
import { PlayerLink } from './links';
import { useLive } from './live';
import { Age, Empty, LiveMark, Status, Title, Waiting } from './parts';
import { Pager, Table } from './table';
import { go, to } from './place';
import { TextLine } from './text-line';

/** Any name works as a config, so one can be looked at that nobody saved. */
function OtherConfig(): JSX.Element {
  const [name, setName] = useState('');
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') {
          go('lobbies', name.trim());
        }
      }}
    >
      <TextLine label="Another config" value={name} onText={setName} />
      <button type="submit">Show lobbies</button>
    </form>
  );
}

function Choose(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'overview' });
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Lobbies</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.configs.length === 0 ? (
        <Empty title="No lobbies yet">
          Create one from your game, with the <a href="/docs">API</a>, or send phantom players in
          from the <a href={to('playground')}>playground</a>.
        </Empty>
      ) : (
        <Table label="Configs" heads={['Config', 'Lobbies', 'Players', 'Matches']}>
          {data.configs.map((config) => (
            <tr key={config.name}>
              <th scope="row">
                <a href={to('lobbies', config.name)}>{config.name}</a>
              </th>
              <td class="number">{lobbiesIn(config)}</td>
              <td class="number">{config.census.players}</td>
              <td class="number">{config.census.matches}</td>
            </tr>
          ))}
        </Table>
      )}
      <OtherConfig />
    </>
  );
}

function Rows({ lobbies }: { readonly lobbies: readonly LobbyView[] }): JSX.Element {
  return (
    <Table label="Lobbies" heads={['Lobby', 'Code', 'Status', 'Players', 'Host', 'Region', 'Age']}>
      {lobbies.map((lobby) => (
        <tr key={lobby.id}>
          <th scope="row">
            <a href={to('lobbies', lobby.config, lobby.id)}>{lobby.name}</a>
          </th>
          <td>
            <code>{lobby.code}</code>
          </td>
          <td>
            <Status of={lobby.status} />
          </td>
          <td class="number">
            {lobby.currentPlayers} / {lobby.maxPlayers}
            {lobby.currentSpectators !== undefined && ` +${lobby.currentSpectators} watching`}
          </td>
          <td>
            <PlayerLink id={lobby.host} />
          </td>
          <td class="unbroken">{lobby.region}</td>
          <td class="number">
            <Age since={lobby.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function List({ config }: { readonly config: string }): JSX.Element {
  const [status, setStatus] = useState('');
  const [offset, setOffset] = useState(0);
  const { data, connection, refusal } = useLive({ view: 'lobbies', config, status, offset });
  const page = data?.page;
  return (
    <>
      <p class="crumbs">
        <a href={to('lobbies')}>Lobbies</a>
      </p>
      <Title aside={<LiveMark state={connection} />}>Lobbies in {config}</Title>
      <div class="field narrow">
        <label for="status">Status</label>
        <select
          id="status"
          value={status}
          onChange={(event) => {
            setStatus(event.currentTarget.value);
            setOffset(0);
          }}
        >
          <option value="">any</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {each.replace('_', ' ')} ({data?.census.byStatus[each] ?? 0})
            </option>
          ))}
        </select>
      </div>
      {page === undefined ? (
        <Waiting refusal={refusal} />
      ) : page.lobbies.length === 0 ? (
        <Empty
          title={status === '' ? 'No public lobbies' : `No lobby is ${status.replace('_', ' ')}`}
        >
          Lobbies show up here as players create them.
        </Empty>
      ) : (
        <>
          <Rows lobbies={page.lobbies} />
          <Pager
            offset={offset}
            shown={page.lobbies.length}
            total={page.total}
            onOffset={setOffset}
          />
        </>
      )}
      {data !== null && data.census.privates > 0 && (
        <section aria-labelledby="private">
          <h2 id="private">Private lobbies: {data.census.privates}</h2>
          <ul class="plain">
            {data.census.privateIds.map((id) => (
              <li key={id}>
                <a href={to('lobbies', config, id)}>{id}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

export function Lobbies({ config }: { readonly config: string | null }): JSX.Element {
  return config === null ? <Choose /> : <List config={config} />;
}
