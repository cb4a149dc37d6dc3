// What happened to a lobby or a match, oldest first, in words.

import type { JSX } from 'preact';
import { LobbyLink, MatchLink, PlayerLink, Players, ServerLink } from './links';
import { serviceNow, useNow } from './live';
import type { Happening } from '../packages/js/src/journal-types.ts';
import { span, Time } from './parts';
import { spansOf } from './spans';
import { Table } from './table';

const WORDS: Readonly<Record<string, string>> = {
  created: 'Lobby created',
  joined: 'Joined',
  left: 'Left',
  kicked: 'Kicked',
  host_changed: 'New host',
  moved: 'Moved to another config',
  entered: 'Entered the queue',
  left_queue: 'Left the queue',
  match_found: 'Match found',
  matched: 'Matched',
  confirmed: 'Accepted',
  started: 'Game started by the host',
  launched: 'In game',
  running: 'Server running',
  returned: 'Back to waiting',
  deleted: 'Lobby deleted',
  formed: 'Match formed',
  launching: 'Server requested',
  server_launching: 'Server launching',
  server_running: 'Server running',
  server_stopped: 'Server stopped',
  result: 'Result reported',
  no_result: 'No result',
  ended: 'Match ended',
  failed: 'Match failed',
};

const REASONS: Readonly<Record<string, string>> = {
  timeout: 'no match in time',
  unmatchable: 'the party can never fit the mode',
  cancelled: 'cancelled',
  player_left: 'a player left',
  away: 'everyone in the party had disconnected',
  declined: 'declined',
  confirm_timeout: 'not accepted in time',
  launch_failed: 'the game server did not start',
  config_changed: 'the mode was changed',
  game_ended: 'the game ended',
  matched: 'matched',
};

/** A reason in words. An unknown reason is shown without its underscores. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

function kindText(kind: string): string {
  const plain = kind.replaceAll('_', ' ');
  return WORDS[kind] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** `player:ann`, or `operator:` and the name or fingerprint of a key. */
function By({ by }: { readonly by: string }): JSX.Element {
  const [kind, ...rest] = by.split(':');
  const id = rest.join(':');
  return kind === 'player' ? (
    <PlayerLink id={id} />
  ) : (
    <span title="The server key's name, or the first digits of its SHA-256">operator {id}</span>
  );
}

/** Why, in words; a game server that is named leads to its page. */
function Details({ reason, detail }: Pick<Happening, 'reason' | 'detail'>): JSX.Element {
  const [, server] = /^server (\S+)$/.exec(detail ?? '') ?? [];
  const words = [reason === null ? null : reasonText(reason), detail];
  return server === undefined ? (
    <>{words.filter((text) => text !== null).join(': ')}</>
  ) : (
    <>
      server <ServerLink id={server} />
    </>
  );
}

/** Each span as wide as it lasted. */
function TimeLine({ items }: { readonly items: readonly Happening[] }): JSX.Element | null {
  const spans = spansOf(items, Math.max(useNow(), serviceNow()));
  return spans.length === 0 ? null : (
    <ol class="time-line" aria-label="Time line">
      {spans.map(({ doing, from, to }) => {
        const text = `${doing} ${span((to - from) / 1000)}`;
        return (
          <li
            key={from}
            class={`is-${doing.replace(' ', '-')}`}
            style={{ flexGrow: to - from }}
            title={text}
          >
            {text}
          </li>
        );
      })}
    </ol>
  );
}

export function History({
  config,
  items,
  playersOf,
}: {
  readonly config: string;
  readonly items: readonly Happening[];
  /** The players of each lobby, where an entry about the lobby is about all of them. */
  readonly playersOf?: ReadonlyMap<string, readonly string[]>;
}): JSX.Element {
  return (
    <>
      <TimeLine items={items} />
      <Table label="History" heads={['What', 'When', 'Who', 'By', 'Details']}>
        {items.map((item, index) => {
          const { at, kind, by, lobbyId, playerId, matchId, reason, detail } = item;
          const who = playerId === null ? (playersOf?.get(lobbyId ?? '') ?? []) : [playerId];
          return (
            <tr
              key={index}
              class={
                kind === 'failed' || reason === 'launch_failed' || reason === 'server_crashed'
                  ? 'failed'
                  : ''
              }
            >
              <th scope="row">{kindText(kind)}</th>
              <td class="number">
                <Time at={at} />
              </td>
              <td>
                <Players ids={who} />
                {lobbyId !== null && (
                  <>
                    {' '}
                    lobby <LobbyLink config={config} id={lobbyId} />
                  </>
                )}
                {matchId !== null && (
                  <>
                    {' '}
                    match <MatchLink id={matchId} />
                  </>
                )}
              </td>
              <td>{by !== null && <By by={by} />}</td>
              <td>
                <Details reason={reason} detail={detail} />
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}
