// What is said beside the button that saves a form: what looks like a mistake, which the first save waits for, and what
// the save would change.

import type { JSX } from 'preact';
import { configDiff } from './config-diff';
import { useDraftHere } from './draft';
import { focusField, inWords } from './fields';
import { Value } from './parts';

function FieldLink({ path }: { readonly path: string }): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => focusField(path)}>
      {path}
    </button>
  );
}

export function Warnings(): JSX.Element | null {
  const { warnings, isHeld } = useDraftHere();
  if (warnings.length === 0) {
    return null;
  }
  return (
    <div class={isHeld ? 'alert' : 'note'} role={isHeld ? 'alert' : 'status'}>
      <p>
        {isHeld
          ? 'Nothing was saved yet, because this looks like a mistake. Save again to save it as it is.'
          : 'This looks like a mistake:'}
      </p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.path}>
            <FieldLink path={warning.path} />: {inWords(warning)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a save would change, field by field. */
export function Changes(): JSX.Element | null {
  const { saved, value } = useDraftHere();
  const changes = configDiff(saved, value);
  if (changes.length === 0) {
    return null;
  }
  const title = `A save changes ${changes.length === 1 ? 'one field' : `${changes.length} fields`}`;
  return (
    <section class="changes" aria-label={title} tabIndex={0}>
      <p>{title}:</p>
      <ul>
        {changes.map(({ path, before, after }) => (
          <li key={path}>
            <FieldLink path={path} />: <Value value={before} /> → <Value value={after} />
          </li>
        ))}
      </ul>
    </section>
  );
}
