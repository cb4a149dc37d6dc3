// Forms that are made of the table of fields.

import { Fragment, type JSX } from 'preact';
import { type Path, useDraftHere } from './draft';
import type { FieldRow, Parts, Rows } from './field-table/row';
import { Field, type FieldProps, isThere, Section } from './fields';

/** The controls that a form brings itself, by path: instead of the field, and of a switch below it while it is on. */
type Own = Readonly<Record<string, (props: FieldProps) => JSX.Element>>;

interface Where {
  /** Of the object that has the fields. */
  readonly at?: Path;
  readonly own?: Own;
}

/** They stand in a line of a row of their own. */
const ALONE: ReadonlySet<FieldRow['kind']> = new Set(['flag', 'json', 'switch', 'own']);

/** Fields one below the other, small ones side by side. */
export function Fields({ rows, at = [], own = {} }: Where & { readonly rows: Rows }): JSX.Element {
  const draft = useDraftHere();
  const pathOf = (name: string): Path => [...at, ...name.split('.')];
  const isOn = (name: string): boolean => isThere(draft, pathOf(name));
  const all = Object.entries(rows).filter(([, { kind }]) => kind !== 'within');
  const off = all.filter(([name, { kind }]) => kind === 'switch' && !isOn(name));
  const shown = all.filter(
    ([name, { unless }]) =>
      (unless === undefined || !isOn(unless)) &&
      !off.some(([outer]) => name.startsWith(`${outer}.`)),
  );
  const groups: (readonly [name: string, row: FieldRow])[][] = [];
  for (const entry of shown) {
    const before = groups.at(-1)?.at(-1)?.[1];
    if (before === undefined || ALONE.has(before.kind) || ALONE.has(entry[1].kind)) {
      groups.push([]);
    }
    groups.at(-1)?.push(entry);
  }
  const fieldOf = ([name, row]: readonly [string, FieldRow]): JSX.Element => {
    const Own = own[name];
    const props = { path: pathOf(name), row };
    return Own === undefined ? (
      <Field key={name} {...props} />
    ) : (
      <Fragment key={name}>
        {row.kind === 'switch' && <Field {...props} />}
        {(row.kind !== 'switch' || isOn(name)) && <Own {...props} />}
      </Fragment>
    );
  };
  return (
    <>
      {groups.map((group) => {
        const [[name, { kind }] = ['', { kind: 'own' as const }], ...more] = group;
        // A single list is as wide as its words.
        return ALONE.has(kind) || (kind === 'list' && more.length === 0) ? (
          group.map(fieldOf)
        ) : (
          <div class="grid" key={name}>
            {group.map(fieldOf)}
          </div>
        );
      })}
    </>
  );
}

/** All parts of a form, each with its title. */
export function Sections({
  parts,
  at = [],
  own = {},
}: Where & { readonly parts: Parts }): JSX.Element {
  return (
    <>
      {Object.entries(parts).map(([title, rows]) => (
        <Section key={title} path={at} title={title}>
          <Fields rows={rows} at={at} own={own} />
        </Section>
      ))}
    </>
  );
}
