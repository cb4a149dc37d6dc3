// Builds: what lobbies and matches may launch, by name.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import type { Build } from '../src/fleet/build';
import type { ServerBlock } from '../src/fleet/port';
import { ask, isViewer, pathOf, saying } from './api';
import { BuildForm } from './build-form';
import { PortsOf } from './build-ports';
import type { Checked } from './draft';
import { fleetsSay, LaunchCheck } from './launch-check';
import { useLive } from './live';
import { go, to } from './place';
import { announce, Danger, Json, LiveMark, Status, Time, Title, Waiting } from './parts';
import { WarmOnes } from './servers';
import { Table } from './table';
import { TextLine } from './text-line';

function NewBuild({ onName }: { readonly onName: (name: string) => void }): JSX.Element {
  const [name, setName] = useState('');
  return (
    <form
      class="inline"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') {
          onName(name.trim());
          setName('');
        }
      }}
    >
      <TextLine label="Name of the new build" value={name} onText={setName} />
      <button type="submit" class="primary">
        New build
      </button>
    </form>
  );
}

/** How long a test server lives at most. */
const TEST_SECONDS = 600;

const LIVE_SERVERS = {
  view: 'servers',
  state: 'live',
  build: '',
  region: '',
  fleet: '',
  offset: 0,
} as const;

export function Builds(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'project' });
  const servers = useLive(LIVE_SERVERS);
  const [edited, setEdited] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [checked, setChecked] = useState<{
    readonly name: string;
    readonly said: readonly string[];
    /** Another one at each check: fleets may say the same again, after they had nothing to say. */
    readonly at: number;
  } | null>(null);
  const builds: readonly Build[] = Object.values(data?.builds ?? {});
  const initial = builds.find(({ name }) => name === edited) ?? { status: 'ready' };
  const remove = async (name: string): Promise<void> => {
    try {
      await ask(`DELETE /builds${pathOf(name)}`);
      announce(`Build ${name} was removed`);
      setError(null);
    } catch (refused) {
      setError(saying(refused));
    }
  };
  const check = async (name: string): Promise<void> => {
    try {
      const { body } = await ask<Partial<Checked>>(`GET /builds${pathOf(name)}?check=true`);
      const said = fleetsSay(body);
      setChecked({ name, said, at: performance.now() });
      if (said.length === 0) {
        announce(`Build ${name} can be launched`);
      }
    } catch (refused) {
      setError(saying(refused));
    }
  };
  const start = async (name: string): Promise<void> => {
    try {
      const order = { name: 'test', ttl: TEST_SECONDS, version_tag: name };
      const { body } = await ask<ServerBlock>('POST /servers/start', { body: order });
      announce('A server was started');
      go('servers', body.instance_id);
    } catch (refused) {
      setError(saying(refused));
    }
  };
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Builds</Title>
      <p class="lead">
        A build is a version of your game server. If a match needs a build that is not ready, the
        match fails and its lobbies go back to waiting.
      </p>
      {error !== null && (
        <p class="alert" role="alert">
          {error}
        </p>
      )}
      {checked !== null && (
        <LaunchCheck key={checked.at} name={checked.name} first={checked.said} />
      )}
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <Table
          label="Builds"
          heads={['Build', 'Version', 'Label', 'Status', 'Launch', 'Ports', 'Actions']}
        >
          {builds.map((build) => (
            <tr key={build.name}>
              <th scope="row">{build.name}</th>
              <td>{build.version}</td>
              <td>{build.label}</td>
              <td>
                <Status of={build.status} />
                {build.failing === true && (
                  <>
                    {' '}
                    <Status of="failing" />
                    <div class="bad">
                      Its last three launches failed
                      {build.failingSince !== undefined && (
                        <>
                          , since <Time at={build.failingSince} />
                        </>
                      )}
                      . <a href={to('servers', 'build', build.name, 'failed')}>See its servers</a>
                    </div>
                  </>
                )}
                {build.failure !== undefined && (
                  <div class="bad">The last launch failed: {build.failure}</div>
                )}
              </td>
              <td>
                {Object.keys(build.launch).length === 0 ? (
                  <span class="dim">no program: npm start runs a sample server</span>
                ) : (
                  <Json value={build.launch} />
                )}
              </td>
              <td>
                <PortsOf build={build} />
              </td>
              <td>
                <div class="actions">
                  {!isViewer() && (
                    <button type="button" onClick={() => setEdited(build.name)}>
                      Edit<span class="unseen"> {build.name}</span>
                    </button>
                  )}
                  {!isViewer() && build.launch.image !== undefined && (
                    <button type="button" onClick={() => void check(build.name)}>
                      Check<span class="unseen"> {build.name}</span>
                    </button>
                  )}
                  {!isViewer() && build.status === 'ready' && (
                    <button type="button" onClick={() => void start(build.name)}>
                      Start a test server<span class="unseen"> of {build.name}</span>
                    </button>
                  )}
                  <a href={to('builds', build.name, 'history')}>
                    History<span class="unseen"> of {build.name}</span>
                  </a>
                  <Danger
                    label="Remove the build"
                    question={
                      build.name === 'default'
                        ? 'Restore the built-in build, which starts no program of yours?'
                        : `Remove ${build.name}? Matches that need it will fail.`
                    }
                    onConfirm={() => remove(build.name)}
                  >
                    Remove<span class="unseen"> {build.name}</span>
                  </Danger>
                </div>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <WarmOnes groups={servers.data?.groups ?? []} />
      {isViewer() ? null : edited === null ? (
        <NewBuild onName={setEdited} />
      ) : (
        <BuildForm
          key={edited}
          name={edited}
          initial={initial as unknown as JsonObject}
          onDone={(said) => {
            setChecked({ name: edited, said, at: performance.now() });
            setEdited(null);
          }}
        />
      )}
    </>
  );
}
