// The matchmaking modes of a config: sizes, waits, rules, roles.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { Composition } from './composition-editor';
import { fieldId, type Path, pathText, useDraftHere } from './draft';
import { MODE_FIELDS } from './field-table/mode';
import { isThere, IssueOf, Jumps } from './fields';
import { Sections } from './form-parts';
import { to } from './place';
import { Rules } from './rule-editor';
import { Trials, trials } from './trials';
import { TextLine } from './text-line';

export const MODES: Path = ['matchmaking', 'modes'];

const OWN = { teamComposition: Composition, rules: Rules };

interface ModeProps {
  readonly config: string;
  readonly name: string;
  readonly open: boolean;
  readonly at?: number | undefined;
}

function ModeForm({ config, name, open, at }: ModeProps): JSX.Element {
  const draft = useDraftHere();
  const path = [...MODES, name];
  const prefix = pathText(path);
  const parts = [...Object.keys(MODE_FIELDS), ...trials()];
  const [wasOpen] = useState(open);
  const wrong = draft.issues.filter((issue) => issue.path.startsWith(prefix)).length;
  return (
    <details class="mode" id={fieldId(path)} open={wasOpen} tabIndex={-1}>
      <summary>
        <h3>{name}</h3>
        {wrong > 0 && <span class="count">{wrong === 1 ? '1 problem' : `${wrong} problems`}</span>}
      </summary>
      <IssueOf path={path} />
      <Jumps label={`Parts of ${name}`} to={parts.map((title) => [title, [...path, title]])} />
      <Sections parts={MODE_FIELDS} at={path} own={OWN} />
      <Trials config={config} name={name} path={path} at={at} />
      <div class="actions">
        <a href={to('queues', config, name)}>View queue</a>
        {isThere(draft, [...path, 'rating']) && (
          <a href={to('ladder', config, name)}>View ladder</a>
        )}
        <a href={to('playground', config, name)}>Try it out in the playground</a>
        <button type="button" class="danger" onClick={() => draft.set(path, undefined)}>
          Remove mode {name}
        </button>
      </div>
    </details>
  );
}

/** What-if of a mode at an hour, to which a page leads. */
export interface Tried {
  readonly mode: string;
  /** Epoch ms. */
  readonly at: number;
}

export function Modes({
  config,
  tried,
}: {
  readonly config: string;
  readonly tried: Tried | null;
}): JSX.Element {
  const draft = useDraftHere();
  const [name, setName] = useState('');
  const [added, setAdded] = useState('');
  const [error, setError] = useState<string | null>(null);
  const names = Object.keys((draft.at(MODES) ?? {}) as JsonObject);
  const add = (): void => {
    const wanted = name.trim();
    if (!/^[A-Za-z0-9_. -]{1,64}$/.test(wanted)) {
      setError('Use 1 to 64 letters, digits, spaces, _ - or .');
    } else if (names.includes(wanted)) {
      setError('There is already a mode with this name');
    } else {
      draft.set([...MODES, wanted], {});
      setAdded(wanted);
      setName('');
      setError(null);
    }
  };
  return (
    <section aria-labelledby={fieldId(MODES)}>
      <h2 id={fieldId(MODES)} tabIndex={-1}>
        Matchmaking modes
      </h2>
      <IssueOf path={MODES} />
      {names.length === 0 && (
        <p class="dim">
          None yet. Lobbies can start their own games without a mode, but need one to queue.
        </p>
      )}
      {names.map((each) => (
        <ModeForm
          key={each}
          config={config}
          name={each}
          open={names.length === 1 || each === added || each === tried?.mode}
          at={each === tried?.mode ? tried.at : undefined}
        />
      ))}
      <div class="inline">
        <TextLine
          label="Name of the new mode"
          value={name}
          placeholder="ranked"
          issue={error}
          onText={setName}
          onEnter={add}
        />
        <button type="button" onClick={add}>
          Add mode
        </button>
      </div>
    </section>
  );
}
