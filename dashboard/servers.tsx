// Game servers: where to connect, how long they run, and how to stop one.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ServerBlock, ServerRecord } from '../src/fleet/port';
import { type Acting, useActing } from './acting';
import { pathOf } from './api';
import { useLive } from './live';
import { MatchLink } from './links';
import { Age, Danger, Empty, LiveMark, Mistake, Status, Title, Waiting } from './parts';
import { Table } from './table';
import { to } from './place';

export function Ports({ server }: { readonly server: ServerBlock }): JSX.Element {
  // One that never ran had no open port.
  return server.network_ports.length === 0 || (!live(server) && server.started_at === null) ? (
    <span class="dim">{live(server) ? 'no ports yet' : 'none'}</span>
  ) : (
    <>
      {server.network_ports.map((port) => (
        <code key={port.name} title={port.name}>
          {port.host}:{port.external_port}/{port.protocol}
        </code>
      ))}
    </>
  );
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

/** One that has stopped and says why has failed; one that launches may be warned of. */
export function shownStatus({
  status,
  detail,
}: {
  readonly status: string;
  readonly detail: string | null;
}): string {
  return status === 'stopped' && detail !== null ? 'failed' : status;
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
        <Status of={shownStatus(server)} />
        {server.detail !== null && <div class="bad">{server.detail}</div>}
      </td>
      <td>{match === null ? '' : <MatchLink id={match} />}</td>
      <td>
        <Ports server={server} />
      </td>
      <td class="number">{server.region}</td>
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

export function Servers(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'servers', offset: 0 });
  const acting = useActing();
  const [withStopped, setWithStopped] = useState(false);
  const all = data?.servers ?? [];
  const stopped = all.filter((server) => !live(server));
  const failed = stopped.filter(({ detail }) => detail !== null).length;
  const shown = withStopped ? all : all.filter(live);
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Servers</Title>
      <Mistake text={acting.error} />
      <div class="actions">
        <Start acting={acting} />
        <label class="check">
          <input
            type="checkbox"
            checked={withStopped}
            onChange={(event) => setWithStopped(event.currentTarget.checked)}
          />
          Show servers that stopped within the last hour ({stopped.length}
          {failed > 0 && `, ${failed} of them failed`})
        </label>
      </div>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : shown.length === 0 ? (
        <Empty title="No servers are running">
          A server starts when a host starts a game or a match is found. Queue two lobbies, or use{' '}
          <a href={to('playground')}>the playground</a>. A test server shows whether your fleet
          works.
        </Empty>
      ) : (
        <Table
          label="Servers"
          heads={['Server', 'Status', 'Match', 'Address', 'Region', 'Build', 'Age', 'Action']}
        >
          {shown.map((server) => (
            <Row key={server.instance_id} server={server} acting={acting} />
          ))}
        </Table>
      )}
      {data?.has_more === true && (
        <p class="dim">
          Showing the newest {all.length} of {data.total}.
        </p>
      )}
    </>
  );
}

function live({ status }: ServerBlock): boolean {
  return status !== 'stopped';
}
