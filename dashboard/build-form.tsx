// The form of a build.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { ApiError, ask, pathOf, saying } from './api';
import { type Checked, DraftContext, fieldId, useDraft } from './draft';
import { BUILD_FIELDS } from './field-table/build';
import { Fields } from './form-parts';
import { fleetsSay } from './launch-check';
import { announce } from './parts';
import { Changes, Warnings } from './warnings';

export function BuildForm({
  name,
  initial,
  onDone,
}: {
  readonly name: string;
  readonly initial: JsonObject;
  readonly onDone: (warnings: readonly string[]) => void;
}): JSX.Element {
  const draft = useDraft(
    { saved: initial },
    async (build) =>
      (await ask<Checked>('POST /admin/check-build', { body: { name, build } })).body,
  );
  const [error, setError] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is below all builds.
  useLayoutEffect(() => heading.current?.focus(), []);
  const save = async (): Promise<void> => {
    try {
      if (!(await draft.maySave())) {
        return;
      }
      const { body } = await ask<Pick<Checked, 'warnings'>>(`PUT /builds${pathOf(name)}`, {
        body: draft.value,
      });
      announce(`Build ${name} was saved`);
      // Other warnings were shown before.
      onDone(fleetsSay(body));
    } catch (refused) {
      const issues = refused instanceof ApiError ? refused.issues : [];
      draft.refused(issues);
      setError(saying(refused));
      const [first] = issues;
      setTimeout(() => document.getElementById(fieldId(first?.path ?? ''))?.focus());
    }
  };
  return (
    <DraftContext.Provider value={draft}>
      <form
        noValidate
        class="card"
        aria-label={`Build ${name}`}
        onSubmit={(event) => event.preventDefault()}
      >
        <h2 ref={heading} tabIndex={-1}>
          Build {name}
        </h2>
        {error !== null && (
          <p class="alert" role="alert">
            {error}
          </p>
        )}
        {Object.entries(BUILD_FIELDS).map(([part, rows]) => (
          <Fields key={part} rows={rows} />
        ))}
        <Warnings />
        <Changes />
        <div class="actions">
          <button type="button" class="primary" onClick={() => void save()}>
            Save build
          </button>
          <button type="button" onClick={() => onDone([])}>
            Cancel
          </button>
        </div>
      </form>
    </DraftContext.Provider>
  );
}
