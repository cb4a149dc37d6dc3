// What is told of a field that operators set: in the forms of the dashboard, in the API reference and, by a test, in the
// tables of the guides. The schemas that read the fields stay the authority: bounds are theirs alone, and a test holds each
// default to what they give.

import type { Json } from '../../src/common/json';

interface More {
  /** What shows where it takes more than the label to know what one sets; `backticks` mark code. */
  readonly help?: string;
  /** What an empty field means. */
  readonly default?: string | number | boolean;
  /** The same in words, where it follows from other fields or is nothing: `a full team`. */
  readonly otherwise?: string;
  /** Shown in the empty field instead of what it means. */
  readonly sample?: string;
  /** Of a choice: what each value means, the default first. The value '' stands for a field that is left out. */
  readonly options?: readonly (readonly [value: string, meaning: string])[];
  /** Of a part that can be switched on: what it begins with, and which fields beside it go with either. */
  readonly begins?: Json;
  readonly clears?: readonly string[];
  /** It shows while the field of that path is empty. */
  readonly unless?: string;
  /** An empty text is sent, and refused by name. */
  readonly required?: true;
}

export interface FieldRow extends More {
  /**
   * `own`: the form has a control for this one field. `within`: it is written in the JSON of the field around it. `again`:
   * another name of a field, of which the reference says no more.
   */
  readonly kind:
    | 'number'
    | 'text'
    | 'code'
    | 'list'
    | 'json'
    | 'flag'
    | 'choice'
    | 'switch'
    | 'own'
    | 'within'
    | 'again';
  readonly label: string;
}

/** By path, in the order of the form. What is below a switch shows while that is on. */
export type Rows = Readonly<Record<string, FieldRow>>;

/** The parts of a form, by their titles. */
export type Parts = Readonly<Record<string, Rows>>;

const row =
  (kind: FieldRow['kind']) =>
  (label: string, more: More = {}): FieldRow => ({ kind, label, ...more });

export const number = row('number');
export const text = row('text');
export const list = row('list');
export const json = row('json');
export const flag = row('flag');
export const choice = row('choice');
export const onOff = row('switch');
export const own = row('own');
export const within = row('within');
export const again = row('again');

/** All rows of a form. */
export function rowsOf(parts: Parts): Rows {
  return Object.assign({}, ...Object.values(parts)) as Rows;
}

/** What the reference says of the field. */
export function told({ label, help, options }: FieldRow): string {
  const meanings = (options ?? []).map(
    ([value, meaning]) => `${value === '' ? 'Absent' : `\`${value}\``}: ${meaning}`,
  );
  const sentence = [label.replace(/, JSON.*$/, ''), meanings.join('; ')].filter(Boolean).join('. ');
  return `${help === undefined ? sentence : `${sentence}. ${help}`}.`;
}
