// Game servers: where to connect, how long they run, and how to stop one.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ServerBlock } from '../src/fleet/port';
import { ask, pathOf, saying } from './api';
import { useLive } from './live';
import { Age, announce, Danger, Empty, LiveMark, Status, Table, Title, Waiting } from './parts';
import { to } from './place';

export function Ports({ server }: { readonly server: ServerBlock }): JSX.Element {
  return server.network_ports.length === 0 ? (
    <span class="dim">no ports yet</span>
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
      ended <Age since={stopped} /> ago
    </>
  );
}

function Row({
  server,
  onStop,
}: {
  readonly server: ServerBlock;
  readonly onStop: (server: ServerBlock) => Promise<void>;
}): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {server.name}
        <br />
        <code class="dim">{server.instance_id}</code>
      </th>
      <td>
        <Status of={server.status} />
      </td>
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
            onConfirm={() => onStop(server)}
          >
            Stop
          </Danger>
        )}
      </td>
    </tr>
  );
}

/** A server of its own, to see that the fleet can start one. */
function Start({ onError }: { readonly onError: (text: string | null) => void }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask('POST /servers/start', { body: { name: 'trial', ttl: 600 } });
      announce('A server was started');
      onError(null);
    } catch (error) {
      onError(saying(error));
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={busy} onClick={() => void start()}>
      Start a trial server
    </button>
  );
}

export function Servers(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'servers', offset: 0 });
  const [error, setError] = useState<string | null>(null);
  const [withStopped, setWithStopped] = useState(false);
  const stop = async (server: ServerBlock): Promise<void> => {
    try {
      await ask(`DELETE /servers${pathOf(server.instance_id)}`);
      announce(`${server.name} was stopped`);
      setError(null);
    } catch (refused) {
      setError(saying(refused));
    }
  };
  const all = data?.servers ?? [];
  const shown = withStopped ? all : all.filter(({ status }) => status !== 'stopped');
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Servers</Title>
      {error !== null && (
        <p class="alert" role="alert">
          {error}
        </p>
      )}
      <div class="actions">
        <Start onError={setError} />
        <label class="check">
          <input
            type="checkbox"
            checked={withStopped}
            onChange={(event) => setWithStopped(event.currentTarget.checked)}
          />
          Show those that ended within the hour ({all.length - all.filter(live).length})
        </label>
      </div>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : shown.length === 0 ? (
        <Empty title="No servers are up">
          One is started when a host starts a game or a match is found: queue two lobbies, or let{' '}
          <a href={to('playground')}>the playground</a> do it. A trial server shows that your fleet
          works.
        </Empty>
      ) : (
        <Table
          label="Servers"
          heads={['Server', 'Status', 'Address', 'Region', 'Build', 'Age', 'Action']}
        >
          {shown.map((server) => (
            <Row key={server.instance_id} server={server} onStop={stop} />
          ))}
        </Table>
      )}
      {data?.has_more === true && (
        <p class="dim">
          The newest {all.length} of {data.total}.
        </p>
      )}
    </>
  );
}

function live({ status }: ServerBlock): boolean {
  return status !== 'stopped';
}
