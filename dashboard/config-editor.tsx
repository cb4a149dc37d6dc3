// The editor of a lobby config, with every field. The service checks it while the operator types,
// and reports where the problems are.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { ApiError, ask, isViewer, type Issue, pathOf, saying } from './api';
import { General, GENERAL } from './config-fields';
import { type Checked, DraftContext, useDraft } from './draft';
import { focusField, Jumps } from './fields';
import { keepDraft, keptDraft } from './kept-drafts';
import { Modes, MODES, type Tried } from './mode-editor';
import { Age, announce, Danger, Title, Waiting } from './parts';
import { go, to } from './place';
import { Changes, Warnings } from './warnings';

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

/** All problems after a save was refused. Each links to its field. */
export function Problems({
  issues,
  of = 'The config',
}: {
  readonly issues: readonly Issue[];
  readonly of?: string;
}): JSX.Element {
  return (
    <div class="alert" role="alert">
      <p>
        Nothing was saved. Fix{' '}
        {issues.length === 1 ? 'this problem' : `these ${issues.length} problems`} first:
      </p>
      <ul>
        {issues.map(({ path, message }) => (
          <li key={path + message}>
            <button type="button" class="link" onClick={() => focusField(path)}>
              {path === '' ? of : path}
            </button>
            : {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function problems(count: number): string {
  return count === 1 ? '1 problem to fix' : `${count} problems to fix`;
}

interface FormProps {
  readonly name: string;
  readonly loaded: Loaded;
  readonly tried: Tried | null;
  readonly onReload: () => void;
}

function Form({ name, loaded, tried, onReload }: FormProps): JSX.Element {
  const [kept, setKept] = useState(() => keptDraft(name));
  const draft = useDraft({ saved: loaded.config, begun: kept?.value }, async (config) => {
    if (isViewer()) {
      return { issues: [], warnings: [] };
    }
    const asked = { body: { name, config } };
    return (await ask<Checked>('POST /admin/check-config', asked)).body;
  });
  // Edits that were kept belong to the revision they were made in: a save of them must not go over
  // what somebody else has saved since.
  const [etag, setEtag] = useState(kept === null ? loaded.etag : kept.etag);
  const { value, dirty } = draft;
  // Before the page says that there are edits: an effect after the next frame is too late for a tab
  // that is closed at once.
  useLayoutEffect(() => {
    keepDraft(name, dirty ? { value, etag, at: Date.now() } : null);
  }, [name, value, dirty, etag]);
  const modes = Object.keys((draft.at(MODES) ?? {}) as JsonObject);
  const discard = (): void => {
    draft.reset(loaded.config);
    setKept(null);
    keepDraft(name, null);
    onReload();
  };
  const [attempted, setAttempted] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isOld, setIsOld] = useState(false);
  const save = async (): Promise<void> => {
    setError(null);
    setAttempted(false);
    try {
      if (!(await draft.maySave())) {
        return;
      }
      const { body, etag: next } = await ask<JsonObject>(`PUT /lobby-configs${pathOf(name)}`, {
        body: draft.value,
        headers: etag === null ? {} : { 'if-match': etag },
      });
      const { warnings: _, ...config } = body;
      setEtag(next);
      setKept(null);
      draft.reset(config);
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
      keepDraft(name, null);
      announce(`${name} was removed`);
      go('configs');
    } catch (refused) {
      setError(saying(refused));
    }
  };
  return (
    <DraftContext.Provider value={draft}>
      <form noValidate onSubmit={(event) => event.preventDefault()}>
        {etag === null && (
          <p class="note">
            This config is new. Whatever you leave empty uses its default. Nothing exists until you
            save.
          </p>
        )}
        {kept !== null && (
          <p class="note">
            These are your unsaved edits from <Age since={kept.at} /> ago.{' '}
            <button type="button" onClick={discard}>
              Discard edits
            </button>
          </p>
        )}
        <Jumps
          label="Sections"
          to={[
            ['Modes', MODES],
            ...modes.map((mode) => [mode, [...MODES, mode]] as const),
            ...GENERAL.map((title) => [title, [title]] as const),
          ]}
        />
        <fieldset class="whole" disabled={isViewer()}>
          <Modes config={name} tried={tried} />
          <General />
        </fieldset>
        {!isViewer() && (
          <div class="save-bar">
            {attempted && draft.issues.length > 0 && <Problems issues={draft.issues} />}
            {error !== null && (
              <p class="alert" role="alert">
                {isOld ? 'Somebody else has saved a config since you opened this page. ' : error}{' '}
                {isOld && (
                  <button type="button" onClick={discard}>
                    Load the saved version
                  </button>
                )}
              </p>
            )}
            <Warnings />
            <Changes />
            <button type="button" class="primary" onClick={() => void save()}>
              Save config
            </button>
            {dirty && (
              <button type="button" onClick={discard}>
                Discard
              </button>
            )}
            <span class="dim" role="status">
              {draft.issues.length > 0
                ? problems(draft.issues.length)
                : draft.dirty
                  ? 'Unsaved changes'
                  : etag === null
                    ? 'Not saved yet'
                    : 'All saved'}
            </span>
            {etag !== null && (
              <Danger
                label="Remove the config"
                question={`Remove ${name}? Its lobbies carry on with the defaults; those in a queue go back to waiting.`}
                onConfirm={remove}
              >
                Remove config
              </Danger>
            )}
          </div>
        )}
      </form>
    </DraftContext.Provider>
  );
}

export function ConfigEditor({
  name,
  tried = null,
}: {
  readonly name: string;
  readonly tried?: Tried | null;
}): JSX.Element {
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
      <Title
        aside={
          <>
            <a href={to('lobbies', name)}>View lobbies</a>
            <a href={to('configs', name, 'history')}>History</a>
          </>
        }
      >
        Config {name}
      </Title>
      {loaded === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <Form
          key={round}
          name={name}
          loaded={loaded}
          tried={tried}
          onReload={() => setRound(round + 1)}
        />
      )}
    </>
  );
}
