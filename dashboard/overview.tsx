// The whole project at a glance: what lives now and lately first, then each queue and config, the busiest first.

import type { ConfigOverview, Overview as Reading } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { STATUSES } from '../src/lobby/lobby';
import { Attention, useAttention } from './attention';
import { useLive } from './live';
import { announce, Count, counted, Empty, LiveMark, Time, Title, Waiting } from './parts';
import { countOf, liveIn } from './servers';
import { Table } from './table';
import { Trends } from './trends';
import type { ModeLately } from './trouble';
import { to } from './place';

const TELL_EVERY_MS = 10_000;

function total(configs: readonly ConfigOverview[], of: (config: ConfigOverview) => number): number {
  return configs.reduce((sum, config) => sum + of(config), 0);
}

export function lobbiesIn({ census }: ConfigOverview): number {
  const publics = Object.values(census.byStatus).reduce((sum, count) => sum + count, 0);
  return publics + census.privates;
}

function searching({ modes }: ConfigOverview): number {
  return modes.reduce((sum, { stats }) => sum + stats.playersSearching, 0);
}

/** Says the numbers to who listens, now and then, and only when they have changed. */
function useTold(text: string): void {
  const told = useRef({ text: '', at: 0 });
  useEffect(() => {
    if (text === '' || text === told.current.text) {
      return undefined;
    }
    const wait = Math.max(0, told.current.at + TELL_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      told.current = { text, at: Date.now() };
      announce(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
}

function Tile({
  label,
  value,
  href,
  note,
}: {
  readonly label: string;
  readonly value: number;
  readonly href: string;
  readonly note: string;
}): JSX.Element {
  return (
    <a class="tile" href={href}>
      <span class="tile-label">{label}</span>
      <span class="tile-value">{value}</span>
      <span class="tile-note">{note}</span>
    </a>
  );
}

function Tiles({ reading }: { readonly reading: Reading }): JSX.Element {
  const { configs, servers } = reading;
  const launching = countOf(servers.filter(({ state }) => state === 'launching'));
  const running = liveIn(servers) - launching;
  const players = total(configs, ({ census }) => census.players);
  const queued = total(configs, searching);
  const matches = total(configs, ({ census }) => census.matches);
  const lobbies = total(configs, lobbiesIn);
  const privates = total(configs, ({ census }) => census.privates);
  useTold(
    [
      counted(lobbies, 'lobby', 'lobbies'),
      `${counted(queued, 'player')} in queue`,
      counted(matches, 'match', 'matches'),
      `${counted(running, 'server')} running`,
    ].join(', '),
  );
  return (
    <div class="tiles">
      <Tile
        label="Lobbies"
        value={lobbies}
        href={to('lobbies')}
        note={counted(players, 'player') + (privates === 0 ? '' : `, ${privates} private`)}
      />
      <Tile
        label="In queue"
        value={queued}
        href={to('queues')}
        note={`players, across ${counted(
          total(configs, ({ modes }) => modes.length),
          'queue',
        )}`}
      />
      <Tile label="Matches" value={matches} href={to('matches')} note="forming or in progress" />
      <Tile
        label="Servers"
        value={running}
        href={to('servers')}
        note={launching === 0 ? 'running' : `running, ${launching} launching`}
      />
    </div>
  );
}

/** Those with the most first, then by their order. */
function busiest<Each>(all: readonly Each[], of: (each: Each) => number): readonly Each[] {
  return all.toSorted((a, b) => of(b) - of(a));
}

function ByStatus({ configs }: { readonly configs: readonly ConfigOverview[] }): JSX.Element {
  return (
    <Table
      label="Lobbies by status"
      heads={[
        'Config',
        ...STATUSES.map((status) => status.replace('_', ' ')),
        'private',
        'players',
      ]}
    >
      {busiest(configs, lobbiesIn).map(({ name, census, saved, enabled, closed }) => (
        <tr key={name}>
          <th scope="row">
            <a href={to('lobbies', name)}>{name}</a>
            {!saved && <span class="dim"> (not saved)</span>}
            {!enabled && <span class="dim"> (disabled)</span>}
            {closed !== null && <span class="dim"> (closed)</span>}
          </th>
          {STATUSES.map((status) => (
            <Count key={status} of={census.byStatus[status] ?? 0} />
          ))}
          <Count of={census.privates} />
          <Count of={census.players} />
        </tr>
      ))}
    </Table>
  );
}

/** What is left of what was under way when a config was closed. */
function Draining({ configs }: { readonly configs: readonly ConfigOverview[] }): JSX.Element {
  const closed = configs.filter((config) => config.closed !== null);
  const left = ({ census }: ConfigOverview, ...of: readonly (typeof STATUSES)[number][]): number =>
    of.reduce((sum, status) => sum + (census.byStatus[status] ?? 0), 0);
  return (
    <>
      {closed.map((config) => (
        <p class="note" key={config.name}>
          <a href={to('configs', config.name)}>{config.name}</a> is closed
          {config.closed?.until && (
            <>
              {' '}
              until <Time at={config.closed.until} />
            </>
          )}
          : “{config.closed?.message}”. Left: {left(config, 'in_queue')} searching,{' '}
          {left(config, 'match_found', 'matched', 'starting')} forming, {left(config, 'in_game')} in
          game.
        </p>
      ))}
    </>
  );
}

/** `lately`: null before it is known. */
export function QueueTable({
  configs,
  lately,
}: {
  readonly configs: readonly ConfigOverview[];
  readonly lately: readonly ModeLately[] | null;
}): JSX.Element {
  const rows = configs.flatMap((config) =>
    config.modes.map((mode) => ({ config: config.name, ...mode })),
  );
  if (rows.length === 0) {
    return (
      <Empty title="No matchmaking modes yet">
        Every matchmaking mode has a queue. <a href={to('configs')}>Open a config</a> and add a mode
        to get started.
      </Empty>
    );
  }
  return (
    <Table label="Queues" heads={['Queue', 'Lobbies', 'Players', 'Average wait', 'Last hour']}>
      {busiest(rows, ({ stats }) => stats.playersSearching).map(({ config, name, stats }) => (
        <tr key={`${config}/${name}`}>
          <th scope="row">
            <a href={to('queues', config, name)}>
              {config} / {name}
            </a>
          </th>
          <Count of={stats.lobbiesInQueue} />
          <Count of={stats.playersSearching} />
          <td class={stats.lobbiesInQueue === 0 ? 'number zero' : 'number'}>
            {stats.avgWaitSeconds.toFixed(1)} s
          </td>
          <td>
            <LastHour
              of={lately?.find((each) => each.config === config && each.mode === name)}
              tryOut={to('playground', config, name)}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function LastHour({
  of,
  tryOut,
}: {
  readonly of: ModeLately | undefined;
  readonly tryOut: string;
}): JSX.Element {
  const { ended = 0, unmatched = 0, noGame = 0 } = of?.hour ?? {};
  return ended > 0 ? (
    <>
      {Math.max(0, ended - unmatched - noGame)} of {ended} searches matched
      {noGame > 0 && `, ${noGame} had a match that never got a game`}
    </>
  ) : (
    <>
      no search ended, <a href={tryOut}>try it out</a>
    </>
  );
}

export function Overview(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'overview' });
  const { data: lately } = useAttention();
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Overview</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          <Attention overview={data} lately={lately} />
          <Tiles reading={data} />
          <Draining configs={data.configs} />
          <Trends />
          <section aria-labelledby="queues">
            <h2 id="queues">Queues</h2>
            <QueueTable configs={data.configs} lately={lately?.modes ?? null} />
          </section>
          <section aria-labelledby="by-status">
            <h2 id="by-status">Lobbies by status</h2>
            {data.configs.length === 0 ? (
              <Empty title="No configs and no lobbies yet">
                <a href={to('configs')}>Save a config</a> to set how the lobbies of a game behave
                and match. Lobbies also work without one: create one with the client, and it shows
                up here.
              </Empty>
            ) : (
              <ByStatus configs={data.configs} />
            )}
          </section>
        </>
      )}
    </>
  );
}
