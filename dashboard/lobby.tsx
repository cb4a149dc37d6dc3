// One lobby: its players and their state, its match and server, and the actions of an operator.

import type { JSX } from 'preact';
import type { LobbyView } from '../src/lobby/view';
import { type Acting, useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import { History, reasonText } from './history';
import type { Happening } from '../packages/js/src/journal-types.ts';
import { MatchLink, PlayerLink, ServerLink } from './links';
import { useLive } from './live';
import { Age, Danger, Empty, Json, LiveMark, Mistake, Status, Title, Waiting } from './parts';
import { go, to } from './place';
import { Ports } from './servers';
import { Table } from './table';

function actionOn({ config, id }: LobbyView, what: string): string {
  return `POST /admin/lobbies${pathOf(config, id)}/${what}`;
}

interface Parts {
  readonly lobby: LobbyView;
  readonly acting: Acting;
}

function Players({ lobby, acting }: Parts): JSX.Element {
  return (
    <Table label="Players" heads={['Player', 'Host', 'State', 'Action']}>
      {lobby.players.map(({ id, isHost, state }) => (
        <tr key={id}>
          <th scope="row">
            <PlayerLink id={id} />
          </th>
          <td>{isHost ? 'host' : ''}</td>
          <td>{state === null ? <span class="dim">none</span> : <Json value={state} />}</td>
          <td>
            <Danger
              label="Kick the player"
              question={
                lobby.players.length === 1
                  ? `Kick ${id}? Nobody else is in the lobby, so it is deleted.`
                  : `Kick ${id} from “${lobby.name}”?`
              }
              onConfirm={() =>
                acting.act(actionOn(lobby, 'kick'), `${id} was kicked`, { playerId: id })
              }
            >
              Kick<span class="unseen"> {id}</span>
            </Danger>
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
  const { mode, startedAt, confirmation, modes = [{ mode, since: startedAt }] } = matchmaking;
  return (
    <>
      <dt>Queue</dt>
      <dd>
        {modes.map((each, at) => (
          <>
            {at > 0 && '; '}
            <a href={to('queues', config, each.mode)}>{each.mode}</a>
            {Date.parse(each.since) > Date.now() ? (
              `, from ${new Date(each.since).toLocaleTimeString()}`
            ) : (
              <>
                , for <Age since={each.since} />
              </>
            )}
          </>
        ))}
        {confirmation !== undefined &&
          (confirmation.confirmed ? ', accepted' : ', not accepted yet')}
        {confirmation?.accepted !== undefined &&
          `, ${confirmation.accepted} of ${confirmation.needed} players`}
        {confirmation?.refill !== undefined && `, looking for ${confirmation.refill.players} more`}
      </dd>
    </>
  );
}

function Facts({ lobby }: { readonly lobby: LobbyView }): JSX.Element {
  const { server, matchId, returned } = lobby;
  const line = lobby.matchmaking?.waiting_for_server;
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Status of={lobby.status} />
        {returned !== undefined && (
          <span class={/launch_failed|server_crashed/.test(returned.reason) ? 'bad' : 'dim'}>
            {returned.mode === '' ? ' after a start: ' : ` after a search in ${returned.mode}: `}
            {reasonText(returned.reason)}
          </span>
        )}
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
      {lobby.spectators !== undefined && (
        <>
          <dt>Spectators</dt>
          <dd>
            {lobby.spectators.length}:{' '}
            {lobby.spectators.map(({ id }, at) => (
              <>
                {at > 0 && ', '}
                <PlayerLink id={id} />
              </>
            ))}
          </dd>
        </>
      )}
      <dt>Region</dt>
      <dd>{lobby.region}</dd>
      <Matchmaking lobby={lobby} />
      {line !== undefined && (
        <>
          <dt>Waits for room</dt>
          <dd>
            place {line.position} in line, for <Age since={line.since} />
          </dd>
        </>
      )}
      {matchId !== null && (
        <>
          <dt>Match</dt>
          <dd>
            <MatchLink id={matchId} />
          </dd>
        </>
      )}
      <dt>Server</dt>
      <dd>
        {server === null ? (
          <span class="dim">none</span>
        ) : (
          <>
            <ServerLink id={server.instance_id} /> <Status of={server.status} />{' '}
            <Ports server={server} />
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
      <dt>Id</dt>
      <dd>
        <code>{lobby.id}</code>
      </dd>
    </dl>
  );
}

function Actions({ lobby, acting }: Parts): JSX.Element {
  const { name, config, status, matchId, currentPlayers } = lobby;
  return (
    <div class="actions">
      {status === 'in_queue' && (
        <Danger
          label="Take out of the queue"
          isKind
          question={`Take “${name}” out of the queue? Its players are told that the search was cancelled.`}
          onConfirm={() => acting.act(actionOn(lobby, 'leave-queue'), 'The lobby left the queue')}
        >
          Take out of the queue
        </Danger>
      )}
      {matchId !== null && (
        <Danger
          label="End the match"
          question="End the match? Its server stops, and every lobby in it goes back to waiting."
          onConfirm={() =>
            acting.act(`POST /admin/matches${pathOf(matchId)}/end`, 'The match was ended')
          }
        >
          End match
        </Danger>
      )}
      {matchId === null && status === 'in_game' && (
        <Danger
          label="End the game"
          question={`End the game in “${name}”? Its server stops.`}
          onConfirm={() => acting.act(actionOn(lobby, 'end-game'), 'The game was ended')}
        >
          End game
        </Danger>
      )}
      <Danger
        label="Delete the lobby"
        question={`Delete “${name}”? Its players (${currentPlayers}) are removed, and any search or game ends.`}
        onConfirm={async () => {
          if (await acting.act(actionOn(lobby, 'delete'), 'The lobby was deleted')) {
            go('lobbies', config);
          }
        }}
      >
        Delete lobby
      </Danger>
    </div>
  );
}

/** It is read for a day after the lobby itself is gone; without it nothing is shown. */
function Past({
  config,
  id,
  lobby,
}: {
  readonly config: string;
  readonly id: string;
  /** As it is now: with every change of it something has happened. */
  readonly lobby: LobbyView | null;
}): JSX.Element | null {
  const { data } = useAsked<{ readonly items: readonly Happening[] }>(
    `GET /lobbies${pathOf(config, id)}/history`,
    { when: lobby },
  );
  return data === null ? null : (
    <>
      <h2>History</h2>
      <History config={config} items={data.items} />
    </>
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
  const acting = useActing();
  const lobby = data?.lobby ?? null;
  return (
    <>
      <p class="crumbs">
        <a href={to('lobbies')}>Lobbies</a> / <a href={to('lobbies', config)}>{config}</a>
      </p>
      <Title aside={<LiveMark state={connection} />}>{lobby?.name ?? 'Lobby'}</Title>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : lobby === null ? (
        <Empty title="This lobby no longer exists">
          Its last player left, it was idle for too long, or somebody deleted it.{' '}
          <a href={to('lobbies', config)}>Back to the lobbies of {config}</a>
        </Empty>
      ) : (
        <>
          <Facts lobby={lobby} />
          <h2>Players</h2>
          <Players lobby={lobby} acting={acting} />
          <Actions lobby={lobby} acting={acting} />
        </>
      )}
      <Past config={config} id={id} lobby={lobby} />
    </>
  );
}
