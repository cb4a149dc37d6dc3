// One lobby: its players and their state, its match and server, and its end.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LobbyView } from '../src/lobby/view';
import { ask, pathOf, saying } from './api';
import { useLive } from './live';
import {
  Age,
  announce,
  Danger,
  Empty,
  Json,
  LiveMark,
  Status,
  Table,
  Title,
  Waiting,
} from './parts';
import { go, to } from './place';
import { Ports } from './servers';

function Players({ lobby }: { readonly lobby: LobbyView }): JSX.Element {
  return (
    <Table label="Players" heads={['Player', 'Host', 'State']}>
      {lobby.players.map((player) => (
        <tr key={player.id}>
          <th scope="row">{player.id}</th>
          <td>{player.isHost ? 'host' : ''}</td>
          <td>
            {player.state === null ? (
              <span class="dim">none set</span>
            ) : (
              <Json value={player.state} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Matchmaking({ lobby }: { readonly lobby: LobbyView }): JSX.Element | null {
  const { matchmaking, config } = lobby;
  if (matchmaking === null) {
    return null;
  }
  const { mode, startedAt, confirmation } = matchmaking;
  return (
    <>
      <dt>Matchmaking</dt>
      <dd>
        <a href={to('queues', config, mode)}>{mode}</a>, for <Age since={startedAt} />
        {confirmation !== undefined &&
          (confirmation.confirmed ? ', accepted' : ', not accepted yet')}
      </dd>
    </>
  );
}

function Facts({ lobby }: { readonly lobby: LobbyView }): JSX.Element {
  const { server } = lobby;
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Status of={lobby.status} />
      </dd>
      <dt>Invite code</dt>
      <dd>
        <code>{lobby.code}</code>
        {lobby.isPrivate && ' (private)'}
      </dd>
      <dt>Players</dt>
      <dd>
        {lobby.currentPlayers} of {lobby.maxPlayers}
        {lobby.allowLateJoin ? ', late join allowed' : ', no late join'}
      </dd>
      <dt>Region</dt>
      <dd>{lobby.region}</dd>
      <Matchmaking lobby={lobby} />
      {lobby.matchId !== null && (
        <>
          <dt>Match</dt>
          <dd>
            <code>{lobby.matchId}</code>
          </dd>
        </>
      )}
      <dt>Server</dt>
      <dd>
        {server === null ? (
          <span class="dim">none</span>
        ) : (
          <>
            <Status of={server.status} /> <Ports server={server} />
          </>
        )}
      </dd>
      <dt>Settings</dt>
      <dd>
        <Json value={lobby.settings} />
      </dd>
      <dt>Created</dt>
      <dd>
        <Age since={lobby.createdAt} /> ago; revision {lobby.revision}
      </dd>
    </dl>
  );
}

export function LobbyPage({
  config,
  id,
}: {
  readonly config: string;
  readonly id: string;
}): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'lobby', config, lobby: id });
  const [error, setError] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    try {
      await ask(`DELETE /lobbies${pathOf(config, id)}`);
      announce('The lobby was deleted');
      go('lobbies', config);
    } catch (refused) {
      setError(saying(refused));
    }
  };
  const lobby = data?.lobby ?? null;
  return (
    <>
      <p class="crumbs">
        <a href={to('lobbies')}>Lobbies</a> / <a href={to('lobbies', config)}>{config}</a>
      </p>
      <Title aside={<LiveMark state={connection} />}>{lobby?.name ?? 'Lobby'}</Title>
      {error !== null && (
        <p class="alert" role="alert">
          {error}
        </p>
      )}
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : lobby === null ? (
        <Empty title="This lobby is gone">
          Its last player left, it was idle too long, or it was deleted.{' '}
          <a href={to('lobbies', config)}>Back to the lobbies of {config}</a>
        </Empty>
      ) : (
        <>
          <Facts lobby={lobby} />
          <h2>Players</h2>
          <Players lobby={lobby} />
          <div class="actions">
            <Danger
              label="Delete the lobby"
              question={`Delete “${lobby.name}”? Its ${lobby.currentPlayers} players are put out, its search and its server end.`}
              onConfirm={remove}
            >
              Delete lobby
            </Danger>
          </div>
        </>
      )}
    </>
  );
}
