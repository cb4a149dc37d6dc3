// The secrets of the project, each saved by itself: what signs player tokens and seat tickets, logins, and webhooks.
// The page knows that they are set and since when. Their values are written here, and never come back.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TokenSecret } from '../packages/js/src/identity-types.ts';
import type { Json } from '../src/common/json';
import type { ProjectKeys } from '../src/objects/contracts/secrets';
import { useActing } from './acting';
import { ask, isViewer, pathOf, saying } from './api';
import { Choice } from './choice';
import { useLive } from './live';
import { announce, counted, Danger, Mistake, Time } from './parts';
import { ShownOnce } from './shown-once';
import { Table } from './table';
import { TextLine } from './text-line';

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** What only an operator is offered. */
function Offered({ children }: { readonly children: ComponentChildren }): JSX.Element | null {
  return isViewer() ? null : <div class="inline offered">{children}</div>;
}

function Tokens({ tokens }: Pick<ProjectKeys, 'tokens'>): JSX.Element {
  const acting = useActing();
  const [own, setOwn] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const add = async (): Promise<void> => {
    try {
      const body = own === '' ? {} : { secret: own };
      const { body: saved } = await ask<TokenSecret>('POST /projects/token-secrets', { body });
      announce('The secret was added');
      setMade(own === '' ? saved.secret : null);
      setOwn('');
      setError(null);
    } catch (refused) {
      setError(saying(refused));
    }
  };
  const oldest = tokens.length > 1 ? ' The older of the two that are set ends.' : '';
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Secrets of player tokens</h2>
      <Mistake text={error ?? acting.error} />
      {made !== null && <ShownOnce what="The new secret" text={made} />}
      {tokens.length === 0 ? (
        <p class="dim">None yet. A secret is created with the first token.</p>
      ) : (
        <Table label="Secrets of player tokens" heads={['Id', 'Secret', 'Since', 'Action']}>
          {tokens.map(({ id, createdAt }, index) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>
              </th>
              <td>{index === 0 ? 'set; signs' : 'set; still accepted'}</td>
              <td>
                <Time at={iso(createdAt)} />
              </td>
              <td>
                <Danger
                  label="Delete the secret"
                  question="Delete it? Tokens that it signed are refused, and streams that they opened end."
                  onConfirm={() =>
                    acting.act(`DELETE /projects/token-secrets${pathOf(id)}`, 'It was deleted')
                  }
                >
                  Delete<span class="unseen"> {id}</span>
                </Danger>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Offered>
        <TextLine
          label="Your own (empty: a new one is made)"
          value={own}
          type="password"
          onText={setOwn}
        />
        <Danger
          label="Add the secret"
          isKind
          question={`Add a secret? It signs from now on.${oldest}`}
          onConfirm={add}
        >
          Add a secret
        </Danger>
      </Offered>
    </section>
  );
}

function SeatKeys({ seats }: Pick<ProjectKeys, 'seats'>): JSX.Element {
  const acting = useActing();
  const signing = seats.find(({ retiredAt }) => retiredAt === null);
  return (
    <section aria-labelledby="seats">
      <h2 id="seats">Keys of seat tickets</h2>
      <Mistake text={acting.error} />
      {signing === undefined ? (
        <p class="dim">There are none yet. The first server that starts makes them.</p>
      ) : (
        <p>
          {counted(seats.length, 'key')} published. <code>{signing.kid}</code> signs; it was made{' '}
          <Time at={iso(signing.createdAt)} />.
        </p>
      )}
      <Offered>
        <Danger
          label="Change the key"
          isKind
          question="Change the key? The next one, which is published already, signs from now on. Tickets that players have stay good."
          onConfirm={() => acting.act('POST /projects/seat-keys', 'The next key signs')}
        >
          Change the key
        </Danger>
      </Offered>
    </section>
  );
}

const PROVIDERS = [
  'anonymous',
  'discord',
  'epic',
  'firebase',
  'nakama',
  'playfab',
  'steam',
  'supabase',
  'unity',
] as const;

function Logins({ logins = [] }: Pick<ProjectKeys, 'logins'>): JSX.Element {
  const acting = useActing();
  const [provider, setProvider] = useState<string>('steam');
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const set = async (): Promise<void> => {
    let body: Json;
    try {
      body = JSON.parse(text.trim() === '' ? '{}' : text) as Json;
    } catch {
      setError('The settings must be a JSON object');
      return;
    }
    setError(null);
    if (await acting.act(`PUT /projects/logins${pathOf(provider)}`, `${provider} is set`, body)) {
      setText('');
    }
  };
  const isSet = logins.some((each) => each.provider === provider);
  return (
    <section aria-labelledby="logins">
      <h2 id="logins">Logins</h2>
      <Mistake text={error ?? acting.error} />
      {logins.length === 0 ? (
        <p class="dim">No login is set.</p>
      ) : (
        <Table label="Logins" heads={['Provider', 'Settings', 'Since', 'Action']}>
          {logins.map(({ provider: name, savedAt }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>set</td>
              <td>
                <Time at={iso(savedAt)} />
              </td>
              <td>
                <Danger
                  label="End these logins"
                  question={`End logins with ${name}? Tokens that players have stay good until they expire.`}
                  onConfirm={() =>
                    acting.act(`DELETE /projects/logins${pathOf(name)}`, `${name} was removed`)
                  }
                >
                  Remove<span class="unseen"> {name}</span>
                </Danger>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Offered>
        <Choice
          label="Provider"
          value={provider}
          options={PROVIDERS.map((each) => [each, each] as const)}
          onChoice={setProvider}
        />
        <TextLine
          label="Its settings, JSON object"
          type="password"
          value={text}
          placeholder='{"publisherKey": "…", "appId": 480}'
          onText={setText}
        />
        <Danger
          label="Set the login"
          isKind
          question={
            isSet ? `Replace all settings of ${provider}?` : `Let players log in with ${provider}?`
          }
          onConfirm={set}
        >
          Set the login
        </Danger>
      </Offered>
    </section>
  );
}

/** Who takes what the webhook tells: a backend events, a chat sentences. */
const FORMATS = [
  ['backend', 'your backend'],
  ['discord', 'a channel of Discord'],
  ['slack', 'a channel of Slack'],
] as const;

function Webhook({ hooks }: Pick<ProjectKeys, 'hooks'>): JSX.Element {
  const acting = useActing();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [format, setFormat] = useState<(typeof FORMATS)[number][0]>('backend');
  const isChat = format !== 'backend';
  const set = async (): Promise<void> => {
    const hook = isChat ? { url, format } : { url, secret };
    if (await acting.act('PUT /projects/hooks', 'The webhook is set', hook)) {
      setUrl('');
      setSecret('');
    }
  };
  return (
    <section aria-labelledby="hooks">
      <h2 id="hooks">Webhook</h2>
      <p class="dim">
        The bell: <code>queue.waiting</code> where a mode has a bell, <code>lobby.open</code> where
        a config has one.
      </p>
      <Mistake text={acting.error} />
      {hooks === undefined ? (
        <p class="dim">No webhook is set.</p>
      ) : (
        <>
          <p>
            <code>{hooks.url}</code>{' '}
            {hooks.format === undefined
              ? 'gets matches and the bell'
              : `(${hooks.format}) gets the bell`}
            , since <Time at={iso(hooks.savedAt)} />. Its secret is set.
          </p>
          <div class="actions">
            <Danger
              label="Remove the webhook"
              question={`Stop sending to ${hooks.url}? Events that it has not received are dropped.`}
              onConfirm={() => acting.act('DELETE /projects/hooks', 'The webhook was removed')}
            >
              Remove the webhook
            </Danger>
          </div>
        </>
      )}
      <Offered>
        <Choice label="Recipient" value={format} options={FORMATS} onChoice={setFormat} />
        <TextLine
          label="Address"
          value={url}
          {...(isChat ? { type: 'password' } : {})}
          onText={setUrl}
        />
        {!isChat && (
          <TextLine
            label="Secret, at least 32 characters"
            value={secret}
            type="password"
            onText={setSecret}
          />
        )}
        <Danger
          label="Set the webhook"
          isKind
          question={
            hooks === undefined
              ? `Tell ${isChat ? format : url} about ${isChat ? 'waiting players' : 'new matches'} from now on?`
              : `Tell ${isChat ? format : url} instead of ${hooks.url}?`
          }
          onConfirm={set}
        >
          Set the webhook
        </Danger>
      </Offered>
    </section>
  );
}

export function Secrets(): JSX.Element | null {
  const { data } = useLive({ view: 'project' });
  if (data === null) {
    return null;
  }
  const { tokens = [], seats = [], logins, hooks } = data.keys ?? {};
  return (
    <>
      <Tokens tokens={tokens} />
      <Logins {...(logins === undefined ? {} : { logins })} />
      <Webhook {...(hooks === undefined ? {} : { hooks })} />
      <SeatKeys seats={seats} />
    </>
  );
}
