// The rules of a mode: every one must let two lobbies pass.

import type { JSX } from 'preact';
import type { Json, JsonObject } from '../src/common/json';
import { type Path, useDraftHere } from './draft';
import { choice } from './field-table/row';
import { Field, IssueOf } from './fields';
import { RULE_FORMS, type RuleForm } from './rule-forms';

const TYPE = choice('Type', {
  options: Array.from(RULE_FORMS, ([type, { label }]) => [type, `${type}: ${label}`] as const),
});

function formOf(type: Json | undefined): RuleForm | undefined {
  return typeof type === 'string' ? RULE_FORMS.get(type) : undefined;
}

/** A new rule of that type; the field stays if both have one. */
function fresh(type: string, before: JsonObject): JsonObject {
  const begun = Object.entries(formOf(type)?.fields ?? {})
    .filter(([, field]) => field.fresh !== null)
    .map(([name, field]) => [name, name === 'field' ? (before[name] ?? field.fresh) : field.fresh]);
  return { type, ...(Object.fromEntries(begun) as JsonObject) };
}

function RuleFields({ path, index }: { readonly path: Path; readonly index: number }): JSX.Element {
  const draft = useDraftHere();
  const rule = (draft.at(path) ?? {}) as JsonObject;
  return (
    <li class="rule">
      <fieldset>
        <legend>Rule {index + 1}</legend>
        <IssueOf path={path} />
        <div class="grid">
          <Field
            path={[...path, 'type']}
            row={TYPE}
            wide
            onChoose={(chosen) => draft.set(path, fresh(chosen, rule))}
          />
          {Object.entries(formOf(rule['type'])?.fields ?? {}).map(([name, row]) => (
            <Field key={name} path={[...path, name]} row={row} />
          ))}
        </div>
        <button type="button" class="quiet" onClick={() => draft.set(path, undefined)}>
          Remove rule {index + 1}
        </button>
      </fieldset>
    </li>
  );
}

export function Rules({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  const rules = (draft.at(path) ?? []) as readonly Json[];
  return (
    <>
      <IssueOf path={path} />
      {rules.length === 0 ? (
        <p class="dim">No rules: any two lobbies in this mode can play each other.</p>
      ) : (
        <ol class="plain">
          {rules.map((_, index) => (
            <RuleFields key={index} path={[...path, index]} index={index} />
          ))}
        </ol>
      )}
      <button
        type="button"
        onClick={() => draft.set([...path, rules.length], fresh('difference', {}))}
      >
        Add rule
      </button>
    </>
  );
}
