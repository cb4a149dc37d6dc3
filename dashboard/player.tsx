// One player: where it is now, in each config, and its last matches.

import type { JSX } from 'preact';
import { useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import type { PlayerSeen } from '../packages/js/src/journal-types.ts';
import { BannedNow, Bans } from './bans';
import { LadderLinks } from './ladder';
import { LobbyLink } from './links';
import { MatchTable } from './matches';
import { Danger, Mistake, Status, Title, Waiting } from './parts';
import { to } from './place';
import { Searches } from './searches';
import { Table } from './table';

const LOOK_MS = 5_000;

/** How the matches that are listed went: `2 won, 1 lost, 3 without a result`. */
function recordText(matches: PlayerSeen['matches']): string {
  const count = (outcome: string | undefined): number =>
    matches.filter(({ result }) => result?.outcome === outcome).length;
  const drawn = count('drawn');
  const open = count(undefined);
  return [
    `${count('won')} won`,
    `${count('lost')} lost`,
    ...(drawn > 0 ? [`${drawn} drawn`] : []),
    ...(open > 0 ? [`${open} without a result`] : []),
  ].join(', ');
}

export function PlayerPage({ id }: { readonly id: string }): JSX.Element {
  const { data, refusal, again } = useAsked<PlayerSeen>(`GET /players${pathOf(id)}`, {
    every: () => LOOK_MS,
  });
  const attributes = Object.entries(data?.attributes ?? {});
  const acting = useActing();
  return (
    <>
      <Title>Player {id}</Title>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          <h2>Now</h2>
          <BannedNow player={id} />
          {data.places.length === 0 ? (
            <p class="dim">This player is in no lobby right now.</p>
          ) : (
            <Table label="Lobbies" heads={['Config', 'Lobby', 'Status', 'Event stream', 'Action']}>
              {data.places.map(({ config, lobbyId, lobbyStatus, streaming }) => (
                <tr key={config}>
                  <th scope="row">
                    <a href={to('lobbies', config)}>{config}</a>
                  </th>
                  <td>
                    <LobbyLink config={config} id={lobbyId} />
                  </td>
                  <td>
                    <Status of={lobbyStatus} />
                  </td>
                  <td>{streaming ? 'open' : 'not open'}</td>
                  <td>
                    <Danger
                      label="Kick the player"
                      question={`Kick ${id} from their lobby in ${config}?`}
                      onConfirm={async () => {
                        const line = `POST /admin/lobbies${pathOf(config, lobbyId)}/kick`;
                        await acting.act(line, `${id} was kicked`, { playerId: id });
                        again();
                      }}
                    >
                      Kick
                    </Danger>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          {attributes.length > 0 && (
            <>
              <h2>Attributes</h2>
              <Table label="Attributes" heads={['Key', 'Value']}>
                {attributes.map(([key, value]) => (
                  <tr key={key}>
                    <th scope="row">{key}</th>
                    <td>{JSON.stringify(value)}</td>
                  </tr>
                ))}
              </Table>
            </>
          )}
          <LadderLinks player={id} />
          <Bans player={id} />
          <p>
            <a href={to('audit', id)}>What operators did to {id}</a>
          </p>
          <Searches player={id} />
          <h2>Last matches</h2>
          {data.matches.length === 0 ? (
            <p class="dim">
              No match in the journal. It keeps a day, unless JOURNAL_HOURS says otherwise.
            </p>
          ) : (
            <>
              <p>{recordText(data.matches)}</p>
              <MatchTable matches={data.matches} label="Last matches" isPlayers />
            </>
          )}
        </>
      )}
    </>
  );
}
