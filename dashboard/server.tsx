// One game server: what it was started for, where it is, how it ended and what it printed last.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ServerRecord } from '../src/fleet/port';
import { useActing } from './acting';
import { type ApiError, ask, pathOf } from './api';
import { MatchLink } from './links';
import { Age, Danger, Json, Mistake, Status, Title, Waiting } from './parts';
import { to } from './place';
import { Ports } from './servers';

const LOOK_MS = 3_000;

/** How it ended: its exit code and signal, as far as the fleet knows. */
export function endingText({ exit_code: code, signal }: ServerRecord): string | null {
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
        <Status of={server.detail === null ? server.status : 'failed'} />
      </dd>
      {server.detail !== null && (
        <>
          <dt>Why</dt>
          <dd class="bad">{server.detail}</dd>
        </>
      )}
      {ending !== null && (
        <>
          <dt>Ended with</dt>
          <dd>{ending}</dd>
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
async function printed(server: ServerRecord): Promise<string | null> {
  if (server.output !== null) {
    return server.output;
  }
  try {
    const { body } = await ask<Printed>(`GET /servers${pathOf(server.instance_id)}/logs?limit=100`);
    return body.logs.map(({ message }) => message).join('\n');
  } catch {
    return null;
  }
}

interface Seen {
  readonly server: ServerRecord;
  readonly output: string | null;
}

/** Asked for again and again, since servers have no stream of their own. */
function useServer(id: string): readonly [Seen | null, ApiError | null] {
  const [seen, setSeen] = useState<Seen | null>(null);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  useEffect(() => {
    let isOld = false;
    const look = async (): Promise<void> => {
      try {
        const { body: server } = await ask<ServerRecord>(`GET /servers${pathOf(id)}`);
        const output = await printed(server);
        if (!isOld) {
          setSeen({ server, output });
        }
      } catch (error) {
        if (!isOld) {
          setRefusal(error as ApiError);
        }
      }
    };
    void look();
    const timer = setInterval(() => {
      if (!document.hidden) {
        void look();
      }
    }, LOOK_MS);
    return () => {
      isOld = true;
      clearInterval(timer);
    };
  }, [id]);
  return [seen, refusal];
}

export function ServerPage({ id }: { readonly id: string }): JSX.Element {
  const [seen, refusal] = useServer(id);
  const acting = useActing();
  return (
    <>
      <p class="crumbs">
        <a href={to('servers')}>Servers</a>
      </p>
      <Title>{seen?.server.name ?? 'Server'}</Title>
      <Mistake text={acting.error} />
      {seen === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <>
          <Facts server={seen.server} />
          <h2>Last output</h2>
          {seen.output === null || seen.output === '' ? (
            <p class="dim">
              {seen.output === '' ? 'It printed nothing.' : 'Its fleet keeps no output.'}
            </p>
          ) : (
            <pre class="output" tabIndex={0} aria-label="Last output">
              {seen.output}
            </pre>
          )}
          {seen.server.status !== 'stopped' && (
            <div class="actions">
              <Danger
                label="Stop the server"
                question={`Stop ${seen.server.name}? The lobbies on it go back to waiting.`}
                onConfirm={() =>
                  acting.act(`DELETE /servers${pathOf(id)}`, `${seen.server.name} was stopped`)
                }
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
