// A labelled line of text outside of a form of the table of fields.

import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface TextLineProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  /** The text counts once the field is left, and not with each letter. */
  readonly isLate?: boolean;
  /** Enter does this, and does not send the form. */
  readonly onEnter?: () => void;
  readonly id?: string;
  readonly type?: 'datetime-local' | 'number' | 'password';
  readonly placeholder?: string;
  readonly help?: string | undefined;
  /** What is wrong with it. */
  readonly issue?: string | null;
  readonly isNarrow?: boolean;
}

export function TextLine({
  label,
  value,
  onText,
  isLate = false,
  onEnter,
  type,
  placeholder,
  help,
  issue = null,
  isNarrow = false,
  ...given
}: TextLineProps): JSX.Element {
  const own = useId();
  const id = given.id ?? own;
  const described = [issue !== null && `${id}-issue`, help !== undefined && `${id}-help`];
  const read = (event: { readonly currentTarget: HTMLInputElement }): void =>
    onText(event.currentTarget.value);
  const marks = {
    ...(type === undefined ? {} : { type }),
    ...(isLate ? { onChange: read } : { onInput: read }),
    ...(issue === null ? {} : { 'aria-invalid': true }),
  };
  return (
    <div class={isNarrow ? 'field narrow' : 'field'}>
      <label for={id}>{label}</label>
      <input
        {...marks}
        id={id}
        value={value}
        placeholder={placeholder}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        spellcheck={false}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
        onKeyDown={(event) => {
          if (onEnter !== undefined && event.key === 'Enter') {
            event.preventDefault();
            onEnter();
          }
        }}
      />
      {issue !== null && (
        <p class="issue" id={`${id}-issue`} role="alert">
          {issue}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
