// Teams of named roles: for each team, how many of each role.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { fieldId, type Path, pathText, useDraftHere } from './draft';
import { IssueOf, NumberField } from './fields';

/** A name and a button: adds an entry of that name. */
function Add({
  path,
  what,
  value,
}: {
  readonly path: Path;
  readonly what: string;
  readonly value: JsonObject | number;
}): JSX.Element {
  const draft = useDraftHere();
  const [name, setName] = useState('');
  const id = `${fieldId(path)}-new`;
  const add = (): void => {
    const wanted = name.trim();
    if (wanted !== '' && draft.at([...path, wanted]) === undefined) {
      draft.set([...path, wanted], value);
      setName('');
    }
  };
  return (
    <div class="inline">
      <div class="field">
        <label for={id}>New {what}</label>
        <input
          id={id}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              add();
            }
          }}
        />
      </div>
      <button type="button" onClick={add}>
        Add {what}
      </button>
    </div>
  );
}

function Team({ path, name }: { readonly path: Path; readonly name: string }): JSX.Element {
  const draft = useDraftHere();
  const roles = Object.keys((draft.at(path) ?? {}) as JsonObject);
  return (
    <fieldset>
      <legend>Team {name}</legend>
      <IssueOf path={path} />
      <div class="grid">
        {roles.map((role) => (
          <div class="with-button" key={role}>
            <NumberField path={[...path, role]} label={`${role}: players`} />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove role ${role} of team ${name}`}
              onClick={() => draft.set([...path, role], undefined)}
            >
              Remove
            </button>
          </div>
        ))}
      </div>
      <Add path={path} what={`role of ${name}`} value={1} />
      <button type="button" class="quiet" onClick={() => draft.set(path, undefined)}>
        Remove team {name}
      </button>
    </fieldset>
  );
}

export function Composition({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  const teams = Object.keys((draft.at(path) ?? {}) as JsonObject);
  return (
    <div class="stack">
      <p class="help">
        Players name their roles in the state field <code>role</code>: one role, or a list with the
        favourite first. <code>fill</code> means any role.
      </p>
      <IssueOf path={path} />
      {teams.map((team) => (
        <Team key={pathText([...path, team])} path={[...path, team]} name={team} />
      ))}
      <Add path={path} what="team" value={{ any: 1 }} />
    </div>
  );
}
