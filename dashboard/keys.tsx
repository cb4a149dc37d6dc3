// The keys of the project: who may do what, and viewer keys for those who look.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { KeyPage, ViewerKey } from '../packages/js/src/identity-types.ts';
import { useActing } from './acting';
import { ask, isViewer, pathOf, saying } from './api';
import { useAsked } from './asked';
import { announce, Danger, Mistake, Time, Title, Waiting } from './parts';
import { ShownOnce } from './shown-once';
import { Table } from './table';
import { TextLine } from './text-line';

const LOOK_MS = 5_000;

const MAY = {
  client: 'what a player may',
  server: 'everything',
  viewer: 'see everything except secrets',
} as const;

function NewKey({ onMade }: { readonly onMade: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const [made, setMade] = useState<ViewerKey | null>(null);
  const [error, setError] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    try {
      const { body } = await ask<ViewerKey>('POST /projects/keys', { body: { name } });
      announce(`${name}'s key was made`);
      setMade(body);
      setName('');
      setError(null);
      onMade();
    } catch (refused) {
      setError(saying(refused));
    }
  };
  return (
    <section aria-labelledby="new-key-title">
      <h2 id="new-key-title">Make a viewer key</h2>
      {made !== null && (
        <ShownOnce
          what={`${made.name}'s key`}
          text={made.key}
          link={`${location.origin}/dashboard/#key=${made.key}`}
        />
      )}
      <div class="inline">
        <TextLine
          label="Who will use it"
          value={name}
          placeholder="anna"
          issue={error}
          onText={setName}
        />
        <button type="button" class="primary" onClick={() => void make()}>
          Make a key
        </button>
      </div>
    </section>
  );
}

export function Keys(): JSX.Element {
  const { data, refusal, again } = useAsked<KeyPage>('GET /projects/keys', {
    every: () => LOOK_MS,
  });
  const acting = useActing();
  return (
    <>
      <Title>Keys</Title>
      <p class="lead">
        Give a viewer key to people who only look. It signs in here, reads the API and the metrics,
        and changes nothing. Client and server keys come with the deployment, in{' '}
        <code>API_KEYS</code>.
      </p>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <Table label="Keys" heads={['Key', 'Kind', 'May do', 'Id', 'Made', 'Action']}>
          {data.keys.map(({ id, kind, name, createdAt, isYours }) => (
            <tr key={id}>
              <th scope="row">
                {name ?? `${kind} key`}
                {isYours && <span class="dim"> (yours)</span>}
              </th>
              <td>{kind}</td>
              <td>{MAY[kind]}</td>
              <td>
                <code>{id}</code>
              </td>
              <td>{createdAt === null ? 'with the deployment' : <Time at={createdAt} />}</td>
              <td>
                {createdAt !== null && (
                  <Danger
                    label="Revoke the key"
                    question={`Revoke ${name}'s key? It will stop working at once.`}
                    onConfirm={async () => {
                      const line = `DELETE /projects/keys${pathOf(id)}`;
                      await acting.act(line, `${name}'s key was revoked`);
                      again();
                    }}
                  >
                    Revoke<span class="unseen"> {name}</span>
                  </Danger>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {!isViewer() && <NewKey onMade={again} />}
    </>
  );
}
