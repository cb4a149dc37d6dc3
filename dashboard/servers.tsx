// Game servers: where to connect, how long they run, and how to stop one.

import type { ServerGroup } from '../packages/js/src/dashboard-types';
import { Fragment, type JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { stateOf } from '../src/fleet/block';
import type { ServerBlock, ServerRecord } from '../src/fleet/port';
import { type Acting, useActing } from './acting';
import { isViewer, pathOf } from './api';
import { Choice } from './choice';
import { useLive } from './live';
import { MatchLink } from './links';
import { Age, counted, Danger, Empty, LiveMark, Mistake, Status, Title, Waiting } from './parts';
import { Pager, Table } from './table';
import { to } from './place';

export function Ports({ server }: { readonly server: ServerBlock }): JSX.Element {
  // A server that never ran had no open port.
  return server.network_ports.length === 0 || (!live(server) && server.started_at === null) ? (
    <span class="dim">{live(server) ? 'no ports yet' : 'none'}</span>
  ) : (
    <>
      {server.network_ports.map((port, index) => (
        <Fragment key={port.name}>
          {index > 0 && ' '}
          <code title={port.name}>
            {port.path === undefined
              ? `${port.host}:${port.external_port}/${port.protocol}`
              : `wss://${port.host}:${port.external_port}${port.path}`}
          </code>
        </Fragment>
      ))}
    </>
  );
}

/** An end that was asked for is no trouble. */
export function toneOf({ asked }: ServerRecord): string {
  return asked === true ? 'dim' : 'bad';
}

/** From its start to now, or to its end. */
function Lifetime({ server }: { readonly server: ServerBlock }): JSX.Element {
  const { created_at: created, stopped_at: stopped } = server;
  return stopped === null ? (
    <Age since={created} />
  ) : (
    <>
      stopped <Age since={stopped} /> ago
    </>
  );
}

function Row({
  server,
  acting,
}: {
  readonly server: ServerRecord;
  readonly acting: Acting;
}): JSX.Element {
  const { instance_id: id, match_id: match } = server;
  return (
    <tr>
      <th scope="row">
        <a href={to('servers', id)} title={id}>
          {server.name}
        </a>
      </th>
      <td>
        <Status of={stateOf(server)} />
        {server.detail !== null && <div class={toneOf(server)}>{server.detail}</div>}
      </td>
      <td>{match === null ? '' : <MatchLink id={match} />}</td>
      <td>
        <Ports server={server} />
      </td>
      <td class="unbroken">{server.region}</td>
      <td>{server.version_tag}</td>
      <td class="number">
        <Lifetime server={server} />
      </td>
      <td>
        {server.status !== 'stopped' && (
          <Danger
            label="Stop the server"
            question={`Stop ${server.name}? The lobbies on it go back to waiting.`}
            onConfirm={() =>
              acting.act(`DELETE /servers${pathOf(id)}`, `${server.name} was stopped`)
            }
          >
            Stop<span class="unseen"> {server.name}</span>
          </Danger>
        )}
      </td>
    </tr>
  );
}

/** A server that belongs to no match, to see that the fleet can start one. */
function Start({ acting }: { readonly acting: Acting }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    await acting.act('POST /servers/start', 'A server was started', { name: 'test', ttl: 600 });
    setBusy(false);
  };
  return (
    <button type="button" disabled={busy} onClick={() => void start()}>
      Start a test server
    </button>
  );
}

const STATES = [
  ['live', 'live'],
  ['launching', 'launching'],
  ['running', 'running'],
  ['stopped', 'stopped within the last hour'],
  ['failed', 'failed within the last hour'],
  ['all', 'all'],
] as const;

type State = (typeof STATES)[number][0];

function isIn(state: State, group: ServerGroup): boolean {
  const isStopped = group.state === 'stopped' || group.state === 'failed';
  // A match in line has no server yet, and warm ones are among those that run.
  return (
    group.state !== 'waiting' &&
    group.state !== 'warm' &&
    (state === 'all' ||
      state === group.state ||
      (state === 'live' && !isStopped) ||
      (state === 'stopped' && isStopped))
  );
}

export function countOf(groups: readonly ServerGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

export function liveIn(groups: readonly ServerGroup[]): number {
  return countOf(groups.filter((group) => isIn('live', group)));
}

/** The matches for which no fleet has room. */
function Lines({ groups }: { readonly groups: readonly ServerGroup[] }): JSX.Element | null {
  const lines = groups.filter(({ state }) => state === 'waiting');
  return lines.length === 0 ? null : (
    <Table label="Waiting for room" heads={['Line', 'Build', 'Region', 'The first for']}>
      {lines.map(({ build, region, count, since }) => (
        <tr key={`${build} ${region}`}>
          <th scope="row">{counted(count, 'match waits', 'matches wait')} for room</th>
          <td>{build}</td>
          <td>{region}</td>
          <td class="number">{since !== undefined && <Age since={since} />}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The servers that builds keep ready. */
export function WarmOnes({
  groups,
}: {
  readonly groups: readonly ServerGroup[];
}): JSX.Element | null {
  const all = groups.flatMap(({ warm, ...group }) => (warm ? { ...group, ...warm } : []));
  return all.length === 0 ? null : (
    <Table label="Warm servers" heads={['Warm servers', 'Region', 'Ready', 'Starting', 'Wanted']}>
      {all.map(({ build, region, count, starting, wanted, failed }) => (
        <tr key={`${build} ${region}`}>
          <th scope="row">{build}</th>
          <td>{region}</td>
          <td class="number">{count}</td>
          <td class="number">
            {starting}
            {failed > 0 && <div class="bad">The last {counted(failed, 'server')} ended soon</div>}
          </td>
          <td class="number">{wanted}</td>
        </tr>
      ))}
    </Table>
  );
}

const FILTERS = ['build', 'region', 'fleet'] as const;
type Filter = (typeof FILTERS)[number];

/** `build`, `state`: what the page shows first. */
export function Servers({
  build = '',
  state: first = 'live',
}: {
  readonly build?: string | undefined;
  readonly state?: string | undefined;
}): JSX.Element {
  const known = STATES.find(([each]) => each === first)?.[0] ?? 'live';
  const [state, setState] = useState<State>(known);
  const [where, setWhere] = useState<Readonly<Record<Filter, string>>>({
    build,
    region: '',
    fleet: '',
  });
  const [offset, setOffset] = useState(0);
  const { data, connection, refusal } = useLive({ view: 'servers', state, ...where, offset });
  const acting = useActing();
  // The filters stay while another page of the list is on its way.
  const last = useRef<readonly ServerGroup[]>([]);
  last.current = data?.groups ?? last.current;
  const groups = last.current;
  const fits = (group: ServerGroup, but?: Filter): boolean =>
    FILTERS.every((each) => each === but || where[each] === '' || group[each] === where[each]);
  const optionsOf = (filter: Filter): readonly (readonly [string, string])[] => {
    const names = new Set([where[filter], ...groups.map((group) => group[filter] ?? '')]);
    names.delete('');
    return [['', 'any'], ...[...names].toSorted().map((name) => [name, name] as const)];
  };
  const ofBuild = liveIn(groups.filter((group) => group.build === where.build));
  const page = data?.page;
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Servers</Title>
      <Mistake text={acting.error} />
      <Lines groups={groups} />
      <WarmOnes groups={groups} />
      <div class="inline">
        <Choice
          label="Status"
          value={state}
          options={STATES.map(([each, label]) => [
            each,
            `${label} (${countOf(groups.filter((group) => fits(group) && isIn(each, group)))})`,
          ])}
          onChoice={(value) => {
            setState(value);
            setOffset(0);
          }}
        />
        {FILTERS.map((filter) => (
          <Choice
            key={filter}
            label={filter.charAt(0).toUpperCase() + filter.slice(1)}
            value={where[filter]}
            options={optionsOf(filter)}
            onChoice={(value) => {
              setWhere({ ...where, [filter]: value });
              setOffset(0);
            }}
          />
        ))}
      </div>
      <div class="actions">
        {!isViewer() && <Start acting={acting} />}
        {where.build !== '' && ofBuild > 0 && (
          <Danger
            label="Stop all servers of this build"
            question={`Stop ${counted(ofBuild, 'server')} of ${where.build}? The lobbies on them go back to waiting.`}
            onConfirm={() =>
              acting.act('POST /admin/servers/stop', `The servers of ${where.build} were stopped`, {
                build: where.build,
              })
            }
          >
            Stop all {ofBuild} of this build
          </Danger>
        )}
      </div>
      {page === undefined ? (
        <Waiting refusal={refusal} />
      ) : page.servers.length === 0 && offset === 0 ? (
        <Empty title={liveIn(groups) === 0 ? 'No servers are running' : 'No server fits'}>
          A server starts when a host starts a game or a match is found. Queue two lobbies, or use{' '}
          <a href={to('playground')}>the playground</a>. A test server shows whether your fleet
          works.
        </Empty>
      ) : (
        <>
          <Table
            label="Servers"
            heads={['Server', 'Status', 'Match', 'Address', 'Region', 'Build', 'Age', 'Action']}
          >
            {page.servers.map((server) => (
              <Row key={server.instance_id} server={server} acting={acting} />
            ))}
          </Table>
          <Pager
            offset={offset}
            shown={page.servers.length}
            total={page.total}
            onOffset={setOffset}
          />
        </>
      )}
    </>
  );
}

function live({ status }: ServerBlock): boolean {
  return status !== 'stopped';
}
