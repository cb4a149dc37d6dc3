// The rules of a mode: every one must let two lobbies pass.

import type { JSX } from 'preact';
import type { Json, JsonObject } from '../src/json';
import { type Path, useDraftHere } from './draft';
import { CodeField, IssueOf, NumberField, SelectField, TextField } from './fields';

const TYPES = [
  ['difference', 'difference: numbers close together'],
  ['equals', 'equals: same value'],
  ['not_equals', 'not_equals: different values'],
  ['region', 'region: shared regions'],
  ['expression', 'expression: CEL'],
] as const;

/** What a rule of that type begins with; the field stays when both have one. */
function fresh(type: string, before: JsonObject): JsonObject {
  const field = typeof before['field'] === 'string' ? before['field'] : '';
  switch (type) {
    case 'difference':
      return { type, field, maxDifference: 100 };
    case 'region':
      return { type, minOverlap: 1 };
    case 'expression':
      return { type, cel: '' };
    default:
      return { type, field };
  }
}

function Fields({
  path,
  type,
}: {
  readonly path: Path;
  readonly type: Json | undefined;
}): JSX.Element {
  switch (type) {
    case 'region':
      return (
        <NumberField
          path={[...path, 'minOverlap']}
          label="Minimum shared regions"
          placeholder="1"
          help="From the state field regions, a list; otherwise the lobby's region"
        />
      );
    case 'expression':
      return (
        <CodeField
          path={[...path, 'cel']}
          label="Expression"
          placeholder="a.state.map == b.state.map || a.waitSeconds > 30.0"
          help={
            <>
              <code>a</code> is the lobby that has waited longer, <code>b</code> the other. Each has{' '}
              <code>state</code>, <code>partySize</code>, <code>waitSeconds</code>,{' '}
              <code>region</code>, <code>acceptableRegions</code>, <code>metadata</code>;{' '}
              <code>ctx</code> is the mode
            </>
          }
        />
      );
    case 'difference':
      return (
        <>
          <TextField path={[...path, 'field']} label="State field" placeholder="mmr" />
          <NumberField
            path={[...path, 'maxDifference']}
            label="Maximum difference"
            help="Grows to twice this value over the mode's longest wait"
          />
        </>
      );
    default:
      return <TextField path={[...path, 'field']} label="State field" placeholder="map" />;
  }
}

function RuleForm({ path, index }: { readonly path: Path; readonly index: number }): JSX.Element {
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

export function Rules({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  const rules = (draft.at(path) ?? []) as readonly Json[];
  return (
    <fieldset>
      <legend>Rules</legend>
      <IssueOf path={path} />
      {rules.length === 0 ? (
        <p class="dim">No rules: any two lobbies in this mode can play each other.</p>
      ) : (
        <ol class="plain">
          {rules.map((_, index) => (
            <RuleForm key={index} path={[...path, index]} index={index} />
          ))}
        </ol>
      )}
      <button
        type="button"
        onClick={() => draft.set([...path, rules.length], fresh('difference', {}))}
      >
        Add rule
      </button>
    </fieldset>
  );
}
