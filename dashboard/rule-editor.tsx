// The rules of a mode: every one must let two lobbies pass.

import type { JSX } from 'preact';
import type { Json, JsonObject } from '../src/common/json';
import { type Path, useDraftHere } from './draft';
import { CodeField, IssueOf, NumberField, Section, SelectField, TextField, Toggle } from './fields';
import { RULE_FORMS, type RuleForm } from './rule-forms';

const TYPES = Array.from(RULE_FORMS, ([type, { label }]) => [type, `${type}: ${label}`] as const);
const CONTROLS = { text: TextField, number: NumberField, code: CodeField, flag: Toggle };

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

function Fields({
  path,
  type,
}: {
  readonly path: Path;
  readonly type: Json | undefined;
}): JSX.Element {
  return (
    <>
      {Object.entries(formOf(type)?.fields ?? {}).map(
        ([name, { kind, label, placeholder, help }]) => {
          const Control = CONTROLS[kind];
          return (
            <Control
              key={name}
              path={[...path, name]}
              label={label}
              {...(placeholder === undefined ? {} : { placeholder })}
              {...(help === undefined ? {} : { help: withCode(help) })}
            />
          );
        },
      )}
    </>
  );
}

/** Text between backticks is code. */
function withCode(text: string): JSX.Element {
  return (
    <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
  );
}

function RuleFields({ path, index }: { readonly path: Path; readonly index: number }): JSX.Element {
  const draft = useDraftHere();
  const rule = (draft.at(path) ?? {}) as JsonObject;
  const type = rule['type'];
  return (
    <li class="rule">
      <fieldset>
        <legend>Rule {index + 1}</legend>
        <IssueOf path={path} />
        <div class="grid">
          <SelectField
            path={[...path, 'type']}
            label="Type"
            wide
            options={TYPES}
            onChoose={(chosen) => draft.set(path, fresh(chosen, rule))}
          />
          <Fields path={path} type={type} />
        </div>
        <button type="button" class="quiet" onClick={() => draft.set(path, undefined)}>
          Remove rule {index + 1}
        </button>
      </fieldset>
    </li>
  );
}

export function Rules({ mode }: { readonly mode: Path }): JSX.Element {
  const path = [...mode, 'rules'];
  const draft = useDraftHere();
  const rules = (draft.at(path) ?? []) as readonly Json[];
  return (
    <Section path={mode} title="Rules">
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
    </Section>
  );
}

export function RematchField({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  return (
    <SelectField
      path={path}
      label="Rematches, in one against one"
      options={[
        ['', 'at once'],
        ['avoid', 'with the last three opponents when both have waited'],
      ]}
      onChoose={(chosen) => draft.set(path, chosen === '' ? undefined : chosen)}
    />
  );
}
