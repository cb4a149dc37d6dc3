// The saved configs, and a new one.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LobbyConfig } from '../src/lobby/config';
import { isViewer } from './api';
import { keptDraft } from './kept-drafts';
import { useLive } from './live';
import { Empty, LiveMark, Title, Waiting } from './parts';
import { Table } from './table';
import { go, to } from './place';
import { TextLine } from './text-line';

function NewConfig(): JSX.Element {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      class="inline"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (/^[A-Za-z0-9_. -]{1,64}$/.test(name.trim())) {
          go('configs', name.trim());
        } else {
          setError('Use 1 to 64 letters, digits, spaces, _ - or .');
        }
      }}
    >
      <TextLine label="Name of the new config" value={name} issue={error} onText={setName} />
      <button type="submit" class="primary">
        New config
      </button>
    </form>
  );
}

function Row({ config }: { readonly config: LobbyConfig }): JSX.Element {
  const modes = Object.keys(config.matchmaking.modes);
  return (
    <tr>
      <th scope="row">
        <a href={to('configs', config.name)}>{config.name}</a>
        {keptDraft(config.name) !== null && <span class="dim"> (unsaved edits)</span>}
      </th>
      <td>{config.enabled ? 'enabled' : 'disabled'}</td>
      <td>
        {modes.length === 0 ? <span class="dim">none</span> : null}
        {modes.map((mode, index) => (
          <span key={mode}>
            {index > 0 && ', '}
            <a href={to('queues', config.name, mode)}>{mode}</a>
          </span>
        ))}
      </td>
      <td>{config.serverSettings.gameBuild ?? 'default'}</td>
    </tr>
  );
}

export function Configs(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'project' });
  const configs = Object.values(data?.configs ?? {});
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Configs</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : configs.length === 0 ? (
        <Empty title="No configs yet">
          A config sets how the lobbies of a game, or of one part of it, behave and match. Games
          name it in every path:{' '}
          <code>
            /v3/lobbies/<i>name</i>
          </code>
          . Name your first one below.
        </Empty>
      ) : (
        <Table label="Configs" heads={['Config', 'State', 'Modes', 'Build']}>
          {configs.map((config) => (
            <Row key={config.id} config={config} />
          ))}
        </Table>
      )}
      {!isViewer() && <NewConfig />}
    </>
  );
}
