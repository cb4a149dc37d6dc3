// A lobby config, every field of it. The service checks it as one types, and says where.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../src/json';
import { ApiError, ask, type Issue, pathOf, saying } from './api';
import { DraftContext, fieldId, useDraft, useDraftHere } from './draft';
import { IssueOf, JsonField, NumberField, SelectField, TextField, Toggle } from './fields';
import { Modes } from './mode-editor';
import { announce, Danger, Title, Waiting } from './parts';
import { go, to } from './place';

interface Loaded {
  readonly config: JsonObject;
  /** Null: nobody has saved this config yet. */
  readonly etag: string | null;
}

/** Of the list: to ask for one that is not there yet would be an error. */
async function load(name: string): Promise<Loaded> {
  type Saved = JsonObject & { readonly name: string };
  const { body, etag } = await ask<{ lobby_configs: readonly Saved[] }>('GET /lobby-configs');
  const config = body.lobby_configs.find((each) => each.name === name);
  return config === undefined ? { config: {}, etag: null } : { config, etag };
}

function InviteCodes(): JSX.Element {
  const draft = useDraftHere();
  const path = ['inviteCodeConfig'];
  const own = (draft.at(path) ?? null) !== null;
  return (
    <fieldset>
      <legend>Invite codes</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={own}
          onChange={(event) =>
            draft.set(
              path,
              event.currentTarget.checked ? { type: 'alphanumeric', length: 6 } : undefined,
            )
          }
        />
        A form of its own; otherwise codes look like MEOW-7K2QXD
      </label>
      <IssueOf path={path} />
      {own && (
        <div class="grid">
          <SelectField
            path={[...path, 'type']}
            label="Characters"
            options={[
              ['alphanumeric', 'letters and digits'],
              ['numeric', 'digits'],
              ['alphabetic', 'letters'],
            ]}
          />
          <NumberField
            path={[...path, 'length']}
            label="Length"
            help="1 to 16, without the prefix"
          />
          <TextField path={[...path, 'prefix']} label="Prefix" optional placeholder="none" />
        </div>
      )}
    </fieldset>
  );
}

function General(): JSX.Element {
  return (
    <>
      <fieldset>
        <legend>Lobbies</legend>
        <Toggle
          path={['enabled']}
          label="Enabled"
          initial
          help="A disabled config reads as none: defaults apply, and nobody can queue"
        />
        <div class="grid">
          <NumberField
            path={['timeout']}
            label="Idle timeout, seconds"
            placeholder="300"
            help="A waiting lobby without activity is deleted after it"
          />
          <SelectField
            path={['hostLeaveBehavior']}
            label="When the host leaves"
            options={[
              ['promote', 'the next player becomes host'],
              ['delete', 'the lobby is deleted'],
            ]}
          />
        </div>
        <Toggle
          path={['heartbeat']}
          label="Players must send heartbeats"
          help="An open event stream counts as one"
        />
        <div class="grid">
          <NumberField
            path={['heartbeatTimeout']}
            label="Heartbeat timeout, seconds"
            placeholder="60"
            help="Who is silent for longer is removed"
          />
        </div>
      </fieldset>
      <InviteCodes />
      <fieldset>
        <legend>Game servers</legend>
        <div class="grid">
          <TextField
            path={['serverSettings', 'serverSize']}
            label="Server size"
            optional
            placeholder="small"
          />
          <TextField
            path={['serverSettings', 'gameBuild']}
            label="Build"
            optional
            placeholder="default"
            help={
              <>
                By name, see <a href={to('builds')}>builds</a>; a mode may choose by version
              </>
            }
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Custom properties</legend>
        <JsonField
          path={['customProperties']}
          label="JSON object"
          placeholder="{}"
          help="Shown to players in every lobby, never read by the service"
        />
      </fieldset>
    </>
  );
}

/** All that is wrong after a save was refused, each leading to its field. */
function Problems({ issues }: { readonly issues: readonly Issue[] }): JSX.Element {
  return (
    <div class="alert" role="alert">
      <p>
        Nothing was saved: {issues.length === 1 ? 'one thing is' : `${issues.length} things are`}{' '}
        wrong.
      </p>
      <ul>
        {issues.map(({ path, message }) => (
          <li key={path + message}>
            <button type="button" class="link" onClick={() => focusField(path)}>
              {path === '' ? 'The config' : path}
            </button>
            : {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A field in a mode that is folded up is unfolded first. */
function focusField(path: string): void {
  const field = document.getElementById(fieldId(path));
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

interface FormProps {
  readonly name: string;
  readonly loaded: Loaded;
  readonly onReload: () => void;
}

function Form({ name, loaded, onReload }: FormProps): JSX.Element {
  const draft = useDraft(loaded.config, async (config) => {
    const { body } = await ask<{ issues: readonly Issue[] }>('POST /admin/check-config', {
      body: { name, config },
    });
    return body.issues;
  });
  const [etag, setEtag] = useState(loaded.etag);
  const [attempted, setAttempted] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isOld, setIsOld] = useState(false);
  const save = async (): Promise<void> => {
    setError(null);
    setAttempted(false);
    try {
      const saved = await ask<JsonObject>(`PUT /lobby-configs${pathOf(name)}`, {
        body: draft.value,
        headers: etag === null ? {} : { 'if-match': etag },
      });
      setEtag(saved.etag);
      draft.reset(saved.body);
      announce(`${name} was saved`);
    } catch (refused) {
      if (refused instanceof ApiError && refused.issues.length > 0) {
        draft.refused(refused.issues);
        setAttempted(true);
        const [first] = refused.issues;
        setTimeout(() => focusField(first?.path ?? ''));
      } else {
        setIsOld(refused instanceof ApiError && refused.code === 'PRECONDITION_FAILED');
        setError(saying(refused));
      }
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await ask(`DELETE /lobby-configs${pathOf(name)}`);
      announce(`${name} was removed`);
      go('configs');
    } catch (refused) {
      setError(saying(refused));
    }
  };
  return (
    <DraftContext.Provider value={draft}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {attempted && draft.issues.length > 0 && <Problems issues={draft.issues} />}
        {error !== null && (
          <p class="alert" role="alert">
            {isOld ? 'The project has been saved elsewhere since this page was opened. ' : error}{' '}
            {isOld && (
              <button type="button" onClick={onReload}>
                Load what is saved
              </button>
            )}
          </p>
        )}
        {etag === null && (
          <p class="note">
            This config is new: what you leave empty takes its default. It exists once you save it.
          </p>
        )}
        <Modes config={name} />
        <General />
        <div class="save-bar">
          <button type="submit" class="primary">
            Save config
          </button>
          <span class="dim" role="status">
            {draft.issues.length > 0
              ? `${draft.issues.length} to mend`
              : draft.dirty
                ? 'Changes are not saved yet'
                : etag === null
                  ? 'Not saved yet'
                  : 'All saved'}
          </span>
          {etag !== null && (
            <Danger
              label="Remove the config"
              question={`Remove ${name}? Its lobbies live on under the defaults; those in a queue are sent back.`}
              onConfirm={remove}
            >
              Remove config
            </Danger>
          )}
        </div>
      </form>
    </DraftContext.Provider>
  );
}

export function ConfigEditor({ name }: { readonly name: string }): JSX.Element {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setLoaded(null);
    load(name).then(setLoaded, (error: unknown) => setRefusal(error as ApiError));
  }, [name, round]);
  return (
    <>
      <p class="crumbs">
        <a href={to('configs')}>Configs</a>
      </p>
      <Title aside={<a href={to('lobbies', name)}>Its lobbies</a>}>Config {name}</Title>
      {loaded === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <Form key={round} name={name} loaded={loaded} onReload={() => setRound(round + 1)} />
      )}
    </>
  );
}
