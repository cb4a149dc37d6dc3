// The settings of the project: who players are, which fields are the backend's, and what signs and tells of matches. A
// save shows first what it changes. Secrets are written, and never read.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProjectSettings } from '../packages/js/src/admin-types.ts';
import type { Json, JsonObject } from '../src/common/json';
import { ApiError, ask, isViewer, saying } from './api';
import { Problems } from './config-editor';
import { DraftContext, useDraft } from './draft';
import { SETTINGS_FIELDS } from './field-table/settings';
import { focusField } from './fields';
import { Sections } from './form-parts';
import { announce, Title, Waiting } from './parts';
import { Secrets } from './secrets';
import { Changes } from './warnings';

interface Loaded {
  readonly settings: JsonObject;
  readonly etag: string | null;
}

/** What this page edits of the settings. Fields that are null are empty. */
function edited({
  playerAuth,
  publicPlayerIds,
  playerTokens,
  trusted,
}: ProjectSettings): JsonObject {
  const rules = Object.entries(playerTokens).filter(([, value]) => value !== null);
  const named = (trusted ?? []).length === 0 ? {} : { trusted: trusted as Json };
  return { playerAuth, publicPlayerIds, playerTokens: Object.fromEntries(rules), ...named };
}

async function load(): Promise<Loaded> {
  const { body, etag } = await ask<ProjectSettings>('GET /projects/settings');
  return { settings: edited(body), etag };
}

/** The service checks a save, and answers where the problems are. */
const UNCHECKED = () => Promise.resolve({ issues: [], warnings: [] });

function Form({
  loaded,
  onReload,
}: {
  readonly loaded: Loaded;
  readonly onReload: () => void;
}): JSX.Element {
  const draft = useDraft({ saved: loaded.settings }, UNCHECKED);
  const [etag, setEtag] = useState(loaded.etag);
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setError(null);
    try {
      // A setting that is left out would stay as it is.
      const { trusted = [], playerTokens = {} } = draft.value;
      const { body, etag: next } = await ask<ProjectSettings>('POST /projects/settings', {
        body: { ...draft.value, trusted, playerTokens },
        headers: etag === null ? {} : { 'if-match': etag },
      });
      setEtag(next);
      draft.reset(edited(body));
      announce('The settings were saved');
    } catch (refused) {
      if (refused instanceof ApiError && refused.issues.length > 0) {
        draft.refused(refused.issues);
        const [first] = refused.issues;
        setTimeout(() => focusField(first?.path ?? ''));
      } else {
        const isOld = refused instanceof ApiError && refused.code === 'PRECONDITION_FAILED';
        const old = 'Somebody else has saved since you opened this page. Discard to see it.';
        setError(isOld ? old : saying(refused));
      }
    }
  };
  return (
    <DraftContext.Provider value={draft}>
      <form noValidate onSubmit={(event) => event.preventDefault()}>
        <fieldset class="whole" disabled={isViewer()}>
          <Sections parts={SETTINGS_FIELDS} />
        </fieldset>
        {!isViewer() && (
          <div class="save-bar">
            {draft.issues.length > 0 && <Problems issues={draft.issues} of="The settings" />}
            {error !== null && (
              <p class="alert" role="alert">
                {error}
              </p>
            )}
            <Changes />
            <button type="button" class="primary" onClick={() => void save()}>
              Save settings
            </button>
            {draft.dirty && (
              <button type="button" onClick={onReload}>
                Discard
              </button>
            )}
            <span class="dim" role="status">
              {draft.dirty ? 'Unsaved changes' : 'All saved'}
            </span>
          </div>
        )}
      </form>
    </DraftContext.Provider>
  );
}

export function Settings(): JSX.Element {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setLoaded(null);
    load().then(setLoaded, (error: unknown) => setRefusal(error as ApiError));
  }, [round]);
  return (
    <>
      <Title>Project settings</Title>
      {loaded === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <Form key={round} loaded={loaded} onReload={() => setRound(round + 1)} />
      )}
      <Secrets />
    </>
  );
}
