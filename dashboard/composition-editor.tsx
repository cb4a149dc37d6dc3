// Teams of named roles: for each team, how many of each role.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { type Path, pathText, useDraftHere } from './draft';
import { Choice } from './choice';
import { number } from './field-table/row';
import { Field, IssueOf } from './fields';
import { RECIPES, rolesOf } from './roles';
import { TextLine } from './text-line';

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
  const add = (): void => {
    const wanted = name.trim();
    if (wanted !== '' && draft.at([...path, wanted]) === undefined) {
      draft.set([...path, wanted], value);
      setName('');
    }
  };
  return (
    <div class="inline">
      <TextLine label={`New ${what}`} value={name} onText={setName} onEnter={add} />
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
            <Field path={[...path, role]} row={number(`${role}: players`, { required: true })} />
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

/** Gives all teams the same roles: those of a recipe, or of a line of text. */
function EveryTeam({
  path,
  teams,
}: {
  readonly path: Path;
  readonly teams: readonly string[];
}): JSX.Element {
  const draft = useDraftHere();
  const [text, setText] = useState('');
  const fill = (roles: string): void =>
    draft.set(path, Object.fromEntries(teams.map((team) => [team, rolesOf(roles)])));
  const add = (): void => {
    if (Object.keys(rolesOf(text)).length > 0) {
      fill(text);
    }
  };
  return (
    <div class="inline">
      <Choice
        label="Recipe for every team"
        value={RECIPES.includes(text) ? text : ''}
        options={[['', 'choose one'], ...RECIPES.map((recipe) => [recipe, recipe] as const)]}
        onChoice={(recipe) => {
          setText(recipe);
          fill(recipe);
        }}
      />
      <TextLine
        label="Roles of every team"
        value={text}
        placeholder="tank 1, damage 2, support 2"
        onText={setText}
        onEnter={add}
      />
      <button type="button" onClick={add}>
        Use for every team
      </button>
    </div>
  );
}

export function Composition({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  const teams = Object.keys((draft.at(path) ?? {}) as JsonObject);
  const last = (draft.at([...path, teams.at(-1) ?? '']) ?? { any: 1 }) as JsonObject;
  return (
    <div class="stack">
      <p class="help">
        Players name their roles in the state field <code>role</code>: one role, or a list with the
        favourite first. <code>fill</code> means any role.
      </p>
      {teams.length > 0 && <EveryTeam path={path} teams={teams} />}
      {teams.map((team) => (
        <Team key={pathText([...path, team])} path={[...path, team]} name={team} />
      ))}
      <Add path={path} what="team" value={last} />
      {teams.length > 0 && <p class="help">A new team has the roles of the team above it.</p>}
    </div>
  );
}
