// One match: its players, why they met, how it went, and its server.

import type { JSX } from 'preact';
import { useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import { History, reasonText } from './history';
import type { Match as MatchView } from '../packages/js/src/journal-types.ts';
import { LobbyLink, PlayerLink, Players, QueueLink, ServerLink } from './links';
import { Danger, Mistake, span, Status, Time, Title, Waiting } from './parts';
import { to } from './place';
import { stateOf } from '../src/fleet/block';
import { RatingMove } from './rating-move';
import { Table } from './table';
import { ranksOf } from '../src/lobby/rating';

const LOOK_MS = 5_000;

function ServerFact({ server }: { readonly server: MatchView['server'] }): JSX.Element {
  if (server === null) {
    return <span class="dim">none</span>;
  }
  const { id, exitCode, signal, detail } = server;
  return (
    <>
      <ServerLink id={id} /> <Status of={stateOf(server)} />
      {detail === null ? (
        <>
          {exitCode !== null && ` exit code ${exitCode}`}
          {signal !== null && `${exitCode === null ? '' : ','} signal ${signal}`}
        </>
      ) : (
        <span class="bad"> {detail}</span>
      )}
    </>
  );
}

function QualityFact({ quality }: { readonly quality: MatchView['quality'] }): JSX.Element | null {
  if (quality === undefined) {
    return null;
  }
  const { win, gap, ping, waits } = quality;
  const percents = win?.map((chance) => Math.round(100 * chance)) ?? [];
  // 54.5 and 45.5 are 55 and 45, and not 46.
  const chances = percents.length === 2 ? [percents[0], 100 - (percents[0] ?? 0)] : percents;
  const parts = [
    ...(win === undefined ? [] : [`chances ${chances.join(' to ')}`]),
    ...(gap === undefined ? [] : [`teams ${gap} apart`]),
    ...(ping === undefined ? [] : [`${ping.worst} ms at worst, ${ping.mean} on average`]),
    `median wait ${span(waits.p50)}, longest ${span(waits.max)}`,
  ];
  return (
    <>
      <dt>Quality</dt>
      <dd>{parts.join('; ')}</dd>
    </>
  );
}

/** How many bots each team began with. */
function BotsFact({
  match: { bots = [], teams },
}: {
  readonly match: MatchView;
}): JSX.Element | null {
  const parts = bots.map(
    ({ team, role, count }) =>
      `${teams[team]?.name ?? `Team ${team + 1}`}: ${count}${role === undefined ? '' : ` ${role}`}`,
  );
  return parts.length === 0 ? null : (
    <>
      <dt>Began with bots</dt>
      <dd>{parts.join(', ')}</dd>
    </>
  );
}

/** What players said of the result. */
function VotesFact({ votes }: { readonly votes: MatchView['votes'] }): JSX.Element | null {
  return votes === undefined ? null : (
    <>
      <dt>Result by players</dt>
      <dd>
        {votes.same} of {votes.players} said the same, {votes.voted} said one
      </dd>
    </>
  );
}

/** As the players say it. */
function Connections({ match: { links = [] } }: { readonly match: MatchView }): JSX.Element | null {
  return links.length === 0 ? null : (
    <>
      <h2>Connections between players</h2>
      <Table label="Connections" heads={['Player', 'With', 'Way', 'Round trip']}>
        {links.map(({ from, to: other, isRelayed, ms }) => (
          <tr key={`${from} ${other}`}>
            <th scope="row">
              <PlayerLink id={from} />
            </th>
            <td>
              <PlayerLink id={other} />
            </td>
            <td>{isRelayed ? 'relayed' : 'direct'}</td>
            <td class="number">{ms} ms</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

const ENDED: Readonly<Partial<Record<MatchView['outcome'], string>>> = {
  failed: 'Failed',
  crashed: 'Crashed',
};

function Facts({ match }: { readonly match: MatchView }): JSX.Element {
  const { outcome, reason, detail, config, mode, formedAt, runningAt, endedAt, quality } = match;
  const times = [
    ['Formed', formedAt],
    ['Running since', runningAt],
    [ENDED[outcome] ?? 'Ended', endedAt],
  ] as const;
  return (
    <dl class="facts">
      <dt>Outcome</dt>
      <dd>
        <Status of={outcome} />
        {reason !== null && (
          <span class={outcome === 'failed' ? 'bad' : ''}>
            {' '}
            {reasonText(reason)}
            {detail !== null && `: ${detail}`}
          </span>
        )}
      </dd>
      <dt>{mode === '' ? 'Config' : 'Queue'}</dt>
      <dd>
        {mode === '' ? `${config}, started by its host` : <QueueLink config={config} mode={mode} />}
      </dd>
      <dt>Server</dt>
      <dd>
        <ServerFact server={match.server} />
      </dd>
      <QualityFact quality={quality} />
      <BotsFact match={match} />
      <VotesFact votes={match.votes} />
      {times.map(
        ([label, at]) =>
          at !== null && (
            <>
              <dt>{label}</dt>
              <dd>
                <Time at={at} />
              </dd>
            </>
          ),
      )}
      <dt>Id</dt>
      <dd>
        <code>{match.id}</code>
      </dd>
    </dl>
  );
}

function LeftAt({ at }: { readonly at: string | undefined }): JSX.Element | null {
  return at === undefined ? null : <Time at={at} />;
}

function Teams({ match }: { readonly match: MatchView }): JSX.Element {
  const { config, teams, rules, result } = match;
  const changes = new Map(match.rating?.changes.map((change) => [change.id, change]));
  const heads = [
    'Player',
    'Team',
    'Role',
    'Lobby',
    'Waited',
    ...(changes.size > 0 ? ['Rating'] : []),
    'Left',
  ];
  const left = new Map(
    match.history.flatMap(({ kind, playerId, at }) => (kind === 'left' ? [[playerId, at]] : [])),
  );
  const ranks = ranksOf(result?.teams ?? []);
  const nameOf = (team: number): string => teams[team]?.name ?? `Team ${team + 1}`;
  const lobbies = teams.flatMap(({ lobbies: of }, team) => of.map((lobby) => ({ ...lobby, team })));
  return (
    <>
      <h2>Players</h2>
      <Table label="Players" heads={heads}>
        {lobbies.flatMap(({ team, lobbyId, waitedSeconds, players }) =>
          players.map(({ id, role, stays }) => (
            <tr key={lobbyId + id}>
              <th scope="row">
                <PlayerLink id={id} />
              </th>
              {/* A player who left and came back has several stays. */}
              <td>{(stays ?? [{ team }]).map((stay) => nameOf(stay.team)).join(', ')}</td>
              <td>{role ?? ''}</td>
              <td>
                <LobbyLink config={config} id={lobbyId} />
              </td>
              <td class="number">{span(waitedSeconds)}</td>
              {changes.size > 0 && (
                <td class="number">
                  <RatingMove of={changes.get(id)} />
                </td>
              )}
              <td class="number">
                <LeftAt at={left.get(id)} />
              </td>
            </tr>
          )),
        )}
      </Table>
      {result !== undefined && (
        <>
          <h2>Result</h2>
          <Table label="Result" heads={['Team', 'Rank', 'Score', 'Left early']}>
            {result.teams.map(({ team, score, players = [] }, index) => (
              <tr key={team}>
                <th scope="row">{nameOf(team)}</th>
                <td class="number">{ranks[index]}</td>
                <td class="number">{score ?? ''}</td>
                <td>
                  <Players ids={players.flatMap(({ id, abandoned }) => (abandoned ? [id] : []))} />
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
      {rules.length > 0 && (
        <>
          <h2>What the rules saw</h2>
          <Table label="Rules" heads={['Rule', 'Value of each lobby']}>
            {rules.map(({ rule, values }, index) => (
              <tr key={index}>
                <th scope="row">{rule}</th>
                <td>
                  {values.every((value) => value === null)
                    ? ''
                    : values.map((value) => value ?? 'missing').join(', ')}
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

function playersOf({ teams }: MatchView): ReadonlyMap<string, readonly string[]> {
  const lobbies = teams.flatMap((team) => team.lobbies);
  return new Map(lobbies.map(({ lobbyId, players }) => [lobbyId, players.map(({ id }) => id)]));
}

export function MatchPage({ id }: { readonly id: string }): JSX.Element {
  const {
    data: match,
    refusal,
    again,
  } = useAsked<MatchView>(`GET /matches${pathOf(id)}`, {
    every: (seen) => ((seen?.endedAt ?? null) === null ? LOOK_MS : undefined),
  });
  const acting = useActing();
  return (
    <>
      <p class="crumbs">
        <a href={to('matches')}>Matches</a>
      </p>
      <Title>Match {id.slice(0, 8)}</Title>
      <Mistake text={acting.error} />
      {match === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          <Facts match={match} />
          <Teams match={match} />
          <Connections match={match} />
          <h2>History</h2>
          <History config={match.config} items={match.history} playersOf={playersOf(match)} />
          {match.endedAt === null && (
            <div class="actions">
              <Danger
                label="End the match"
                question="End the match? Its server stops, and every lobby in it goes back to waiting."
                onConfirm={async () => {
                  await acting.act(`POST /admin/matches${pathOf(id)}/end`, 'The match was ended');
                  again();
                }}
              >
                End match
              </Danger>
            </div>
          )}
        </>
      )}
    </>
  );
}
