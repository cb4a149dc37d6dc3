// Form fields bound to a path of the draft around them: label, control, what is wrong, and help.
// Empty means "the default", which the field shows as its placeholder.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../src/common/json';
import type { Warning } from './api';
import { fieldId, type Path, pathText, useDraftHere } from './draft';

export interface FieldProps {
  readonly path: Path;
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly placeholder?: string;
}

interface FrameProps extends FieldProps {
  readonly wide?: boolean;
  /** The control, given what it must carry to be told apart and described. */
  readonly children: (marks: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  }) => JSX.Element;
}

function Frame({ path, label, help, wide, children }: FrameProps): JSX.Element {
  const draft = useDraftHere();
  const issue = draft.issueAt(path);
  const warnings = draft.warningsAt(path);
  const id = fieldId(path);
  const described = [
    issue !== null && `${id}-issue`,
    warnings.length > 0 && `${id}-warning`,
    help !== undefined && `${id}-help`,
  ];
  const ids = described.filter((each) => each !== false).join(' ');
  return (
    <div class={wide === true ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
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
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
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

export function NumberField(props: FieldProps): JSX.Element {
  const [text, type] = useTyped(props.path, readNumber, plain);
  return (
    <Frame {...props}>
      {(marks) => (
        <input
          {...marks}
          inputMode="decimal"
          autocomplete="off"
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

export function TextField(props: FieldProps & { readonly optional?: boolean }): JSX.Element {
  const read = (text: string): Json | undefined =>
    text === '' && props.optional === true ? undefined : text;
  const [text, type] = useTyped(props.path, read, plain);
  return (
    <Frame {...props}>
      {(marks) => (
        <input
          {...marks}
          autocomplete="off"
          spellcheck={false}
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

/** An expression: code, over several lines, checked as one types. */
export function CodeField(props: FieldProps): JSX.Element {
  const [text, type] = useTyped(props.path, (typed) => typed, plain);
  return (
    <Frame {...props} wide>
      {(marks) => (
        <textarea
          {...marks}
          class="code"
          rows={2}
          spellcheck={false}
          autocapitalize="off"
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

/** A list of texts, written with commas. */
export function ListField(props: FieldProps): JSX.Element {
  const read = (text: string): Json | undefined => {
    const entries = text.split(',').map((entry) => entry.trim());
    const named = entries.filter((entry) => entry !== '');
    return named.length === 0 ? undefined : named;
  };
  const write = (value: Json | undefined): string =>
    Array.isArray(value) ? (value as readonly Json[]).map(plain).join(', ') : plain(value);
  const [text, type] = useTyped(props.path, read, write);
  return (
    <Frame {...props}>
      {(marks) => (
        <input
          {...marks}
          autocomplete="off"
          spellcheck={false}
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

/** Any JSON; text that is none goes as text, and the service says that it must be an object. */
export function JsonField(props: FieldProps): JSX.Element {
  const read = (text: string): Json | undefined => {
    if (text.trim() === '') {
      return undefined;
    }
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  };
  const write = (value: Json | undefined): string =>
    value === undefined ? '' : JSON.stringify(value, null, 2);
  const [text, type] = useTyped(props.path, read, write);
  return (
    <Frame {...props} wide>
      {(marks) => (
        <textarea
          {...marks}
          class="code"
          rows={4}
          spellcheck={false}
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

export function SelectField({
  options,
  onChoose,
  ...props
}: FieldProps & {
  readonly options: readonly (readonly [value: string, label: string])[];
  /** On a row of its own, because its options are long. */
  readonly wide?: boolean;
  /** Instead of setting the value at the path. */
  readonly onChoose?: (value: string) => void;
}): JSX.Element {
  const draft = useDraftHere();
  const choose = onChoose ?? ((chosen: string): void => draft.set(props.path, chosen));
  const value = draft.at(props.path);
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

export function Toggle({
  path,
  label,
  help,
  initial = false,
}: FieldProps & { readonly initial?: boolean }): JSX.Element {
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
          checked={typeof value === 'boolean' ? value : initial}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={(event) => draft.set(path, event.currentTarget.checked)}
        />
        {label}
      </label>
      {issue !== null && <p class="issue">{issue}</p>}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
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
