// A field of a form: its row of the table, bound to a path of the draft around it. It shows label, control, what is wrong,
// and help. Empty means "the default", which the field shows as its placeholder.

import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../src/common/json';
import type { Warning } from './api';
import { type Draft, fieldId, type Path, pathText, useDraftHere } from './draft';
import type { FieldRow } from './field-table/row';

export interface FieldProps {
  readonly path: Path;
  readonly row: FieldRow;
  /** Beside the help of the row. */
  readonly also?: ComponentChildren;
  /** On a row of its own, because its options are long. */
  readonly wide?: boolean;
  /** Instead of setting the value at the path. */
  readonly onChoose?: (value: string) => void;
}

interface FrameProps extends FieldProps {
  /** The control, given what it must carry to be told apart and described. */
  readonly children: (marks: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  }) => JSX.Element;
}

function Frame({ path, row, also, wide = false, children }: FrameProps): JSX.Element {
  const draft = useDraftHere();
  const issue = draft.issueAt(path);
  const warnings = draft.warningsAt(path);
  const id = fieldId(path);
  const hasHelp = row.help !== undefined || also !== undefined;
  const described = [
    issue !== null && `${id}-issue`,
    warnings.length > 0 && `${id}-warning`,
    hasHelp && `${id}-help`,
  ];
  const ids = described.filter((each) => each !== false).join(' ');
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>{row.label}</label>
      {children({
        id,
        'aria-invalid': issue !== null,
        'aria-describedby': ids === '' ? undefined : ids,
      })}
      <p class="issue" id={`${id}-issue`} aria-live="polite">
        {issue}
      </p>
      <p class="warning" id={`${id}-warning`}>
        {warnings
          .map((each) => (each.path === pathText(path) ? '' : `${each.path}: `) + inWords(each))
          .join('; ')}
      </p>
      {hasHelp && (
        <p class="help" id={`${id}-help`}>
          {withCode(row.help ?? '')}
          {also !== undefined && <> {also}</>}
        </p>
      )}
    </div>
  );
}

/** Text between backticks is code. */
function withCode(text: string): ComponentChildren {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}

/** The warning without its path. */
export function inWords({ message, didYouMean }: Warning): string {
  return message + (didYouMean === null ? '' : `; did you mean ${didYouMean}?`);
}

/** Leads to the field of the path, or to the nearest part around it. What is folded up is unfolded first. */
export function focusField(path: string): void {
  let field: HTMLElement | null = null;
  for (let at = path; field === null && at !== ''; at = at.replace(/(?:^|[.[])[^.[]*$/, '')) {
    field = document.getElementById(fieldId(at));
  }
  field?.closest('details')?.setAttribute('open', '');
  field?.scrollIntoView({ block: field.matches('input, select, textarea') ? 'center' : 'start' });
  field?.focus({ preventScroll: true });
}

/** A part of the form, to which one can jump. */
export function Section({
  path = [],
  title,
  kind,
  children,
}: {
  /** Of the mode that it belongs to. */
  readonly path?: Path;
  readonly title: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <fieldset id={fieldId([...path, title])} class={kind} tabIndex={-1}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** Buttons that lead to parts of the form: the label of each, and its path. */
export function Jumps({
  label,
  to,
}: {
  readonly label: string;
  readonly to: readonly (readonly [label: string, path: Path])[];
}): JSX.Element {
  return (
    <nav class="jumps" aria-label={label}>
      {to.map(([text, path]) => (
        <button
          type="button"
          class="quiet"
          key={pathText(path)}
          onClick={() => focusField(pathText(path))}
        >
          {text}
        </button>
      ))}
    </nav>
  );
}

/** Text in a control whose value is not text: kept as typed, as long as it says the same. */
function useTyped(
  path: Path,
  read: (text: string) => Json | undefined,
  write: (value: Json | undefined) => string,
): readonly [text: string, type: (text: string) => void] {
  const draft = useDraftHere();
  const value = draft.at(path);
  const [typed, setTyped] = useState<string | null>(null);
  const isSame =
    typed !== null && JSON.stringify(read(typed)) === JSON.stringify(value ?? undefined);
  return [
    isSame ? typed : write(value),
    (text) => {
      setTyped(text);
      draft.set(path, read(text));
    },
  ];
}

function plain(value: Json | undefined): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

function readNumber(text: string): Json | undefined {
  const trimmed = text.trim();
  // Invalid numbers are sent as they are, and the service reports them at this field.
  return trimmed === '' ? undefined : Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

function readJson(text: string): Json | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The service says that it must be an object.
    return text;
  }
}

function readList(text: string): Json | undefined {
  const named = text.split(',').flatMap((entry) => entry.trim() || []);
  return named.length === 0 ? undefined : named;
}

interface Written {
  readonly read: (text: string, row: FieldRow) => Json | undefined;
  readonly write: (value: Json | undefined) => string;
  /** Of a text over several lines. */
  readonly lines?: number;
}

const WRITTEN = {
  number: { read: readNumber, write: plain },
  text: {
    read: (text, { required }) => (text === '' && !required ? undefined : text),
    write: plain,
  },
  /** Checked as one types. */
  code: { read: (text) => text, write: plain, lines: 2 },
  list: {
    read: readList,
    write: (value) =>
      Array.isArray(value) ? (value as readonly Json[]).map(plain).join(', ') : plain(value),
  },
  json: {
    read: readJson,
    write: (value) => (value === undefined ? '' : JSON.stringify(value, null, 2)),
    lines: 4,
  },
} satisfies Readonly<Record<string, Written>>;

function placeholderOf(row: FieldRow): string | undefined {
  const meant = row.required ? undefined : (row.default ?? row.otherwise ?? 'none');
  return row.sample ?? meant?.toString();
}

function Typed({ of, ...props }: FieldProps & { readonly of: Written }): JSX.Element {
  const { path, row } = props;
  const [value, type] = useTyped(path, (text) => of.read(text, row), of.write);
  const typed = {
    autocomplete: 'off',
    spellcheck: false,
    value,
    placeholder: placeholderOf(row),
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      type(event.currentTarget.value),
  } as const;
  return (
    <Frame {...props} wide={of.lines !== undefined}>
      {(marks) =>
        of.lines === undefined ? (
          <input {...marks} {...typed} inputMode={row.kind === 'number' ? 'decimal' : undefined} />
        ) : (
          <textarea {...marks} {...typed} class="code" autocapitalize="off" rows={of.lines} />
        )
      }
    </Frame>
  );
}

function ChoiceField(props: FieldProps): JSX.Element {
  const { path, row, onChoose } = props;
  const draft = useDraftHere();
  const { options = [] } = row;
  const choose =
    onChoose ?? ((chosen: string): void => draft.set(path, chosen === '' ? undefined : chosen));
  const value = draft.at(path);
  const chosen = typeof value === 'string' ? value : (options[0]?.[0] ?? '');
  return (
    <Frame {...props}>
      {(marks) => (
        <select {...marks} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          {options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

function Toggle({ path, row: { label, help, default: initial } }: FieldProps): JSX.Element {
  const draft = useDraftHere();
  const id = fieldId(path);
  const value = draft.at(path);
  const issue = draft.issueAt(path);
  return (
    <div class="field toggle">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={typeof value === 'boolean' ? value : initial === true}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={(event) => draft.set(path, event.currentTarget.checked)}
        />
        {label}
      </label>
      {issue !== null && <p class="issue">{issue}</p>}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {withCode(help)}
        </p>
      )}
    </div>
  );
}

/** A part that is there or not. */
function Switch({ path, row: { label, begins, clears = [] } }: FieldProps): JSX.Element {
  const draft = useDraftHere();
  return (
    <>
      <label class="check">
        <input
          id={fieldId(path)}
          type="checkbox"
          checked={isThere(draft, path)}
          onChange={(event) => {
            for (const field of clears) {
              draft.set([...path.slice(0, -1), field], undefined);
            }
            draft.set(path, event.currentTarget.checked ? begins : undefined);
          }}
        />
        {label}
      </label>
      <IssueOf path={path} />
    </>
  );
}

export function isThere(draft: Draft, path: Path): boolean {
  return (draft.at(path) ?? null) !== null;
}

export function Field(props: FieldProps): JSX.Element | null {
  const { kind } = props.row;
  switch (kind) {
    case 'flag':
      return <Toggle {...props} />;
    case 'choice':
      return <ChoiceField {...props} />;
    case 'switch':
      return <Switch {...props} />;
    case 'own':
      return <IssueOf path={props.path} />;
    case 'within':
    case 'again':
      return null;
    default:
      return <Typed {...props} of={WRITTEN[kind]} />;
  }
}

/** The issues of a part as a whole. */
export function IssueOf({ path }: { readonly path: Path }): JSX.Element | null {
  const issue = useDraftHere().issueAt(path);
  return issue === null ? null : (
    <p class="issue" role="alert">
      {issue}
    </p>
  );
}
