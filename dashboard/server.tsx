// One game server: what it was started for, where it is, how it ended and what it printed last.

import type { JSX } from 'preact';
import type { ServerRecord } from '../src/fleet/port';
import { useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import { MatchLink, short } from './links';
import { Age, Danger, Json, Mistake, Status, Title, Waiting } from './parts';
import { to } from './place';
import { stateOf } from '../src/fleet/block';
import { Ports, toneOf } from './servers';

const LOOK_MS = 5_000;

/** How it ended: its exit code and signal, as far as the fleet knows. */
function endingText({ exit_code: code, signal }: ServerRecord): string | null {
  const parts = [code !== null && `exit code ${code}`, signal !== null && `signal ${signal}`];
  const told = parts.filter((part) => part !== false);
  return told.length === 0 ? null : told.join(', ');
}

function Facts({ server }: { readonly server: ServerRecord }): JSX.Element {
  const ending = endingText(server);
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Status of={stateOf(server)} />
      </dd>
      {server.detail !== null && (
        <>
          <dt>Why</dt>
          <dd class={toneOf(server)}>{server.detail}</dd>
        </>
      )}
      {ending !== null && (
        <>
          <dt>Ended with</dt>
          <dd>{ending}</dd>
        </>
      )}
      {server.term !== undefined && (
        <>
          <dt>Host</dt>
          <dd>
            {server.host_player ?? 'nobody yet'}, term {server.term}
            <span class="dim"> {server.host_reason}</span>
          </dd>
        </>
      )}
      <dt>Address</dt>
      <dd>
        <Ports server={server} />
      </dd>
      <dt>Build</dt>
      <dd>
        <a href={to('builds')}>{server.version_tag}</a>
        {server.version !== null && `, version ${server.version}`}
      </dd>
      <dt>Match</dt>
      <dd>
        {server.match_id === null ? (
          <span class="dim">none: it was started directly</span>
        ) : (
          <MatchLink id={server.match_id} />
        )}
      </dd>
      <dt>Region</dt>
      <dd>{server.region}</dd>
      <dt>Created</dt>
      <dd>
        <Age since={server.created_at} /> ago
      </dd>
      {server.stopped_at !== null && (
        <>
          <dt>Stopped</dt>
          <dd>
            <Age since={server.stopped_at} /> ago
          </dd>
        </>
      )}
      <dt>Custom data</dt>
      <dd>
        <details>
          <summary>What the game server was told</summary>
          <Json value={server.custom_data} />
        </details>
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{server.instance_id}</code>
      </dd>
    </dl>
  );
}

interface Printed {
  readonly logs: readonly { readonly message: string }[];
}

/** What it printed last: as it was kept at its end, or else as its fleet has it now. */
function Output({ server }: { readonly server: ServerRecord }): JSX.Element {
  const { data } = useAsked<Printed>(`GET /servers${pathOf(server.instance_id)}/logs?limit=100`, {
    every: () => (server.status === 'stopped' ? undefined : LOOK_MS),
  });
  const output = server.output ?? data?.logs.map(({ message }) => message).join('\n') ?? null;
  return (
    <>
      <h2>Last output</h2>
      {output === null || output === '' ? (
        <p class="dim">{output === '' ? 'It printed nothing.' : 'Its fleet keeps no output.'}</p>
      ) : (
        <pre class="output" tabIndex={0} aria-label="Last output">
          {output}
        </pre>
      )}
    </>
  );
}

export function ServerPage({ id }: { readonly id: string }): JSX.Element {
  const asked = useAsked<ServerRecord>(`GET /servers${pathOf(id)}`, {
    every: (seen) => (seen?.status === 'stopped' ? undefined : LOOK_MS),
  });
  const { data: server, refusal, again } = asked;
  const acting = useActing();
  return (
    <>
      <p class="crumbs">
        <a href={to('servers')}>Servers</a>
      </p>
      <Title>Server {server?.name ?? short(id)}</Title>
      <Mistake text={acting.error} />
      {server === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          <Facts server={server} />
          <Output server={server} />
          {server.status !== 'stopped' && (
            <div class="actions">
              <Danger
                label="Stop the server"
                question={`Stop ${server.name}? The lobbies on it go back to waiting.`}
                onConfirm={async () => {
                  await acting.act(`DELETE /servers${pathOf(id)}`, `${server.name} was stopped`);
                  again();
                }}
              >
                Stop server
              </Danger>
            </div>
          )}
        </>
      )}
    </>
  );
}
