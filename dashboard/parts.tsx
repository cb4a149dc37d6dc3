// Small parts that all pages use. A colour never carries a meaning alone: a word or shape says the
// same.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, isViewer } from './api';
import { type Connection, serviceNow, useNow } from './live';

/** Announces a text to screen readers. Its place is in the frame of the page. */
export function announce(text: string): void {
  const region = document.getElementById('announcer');
  if (region !== null) {
    region.textContent = text;
  }
}

export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 24V9l9 9 9-9v15" />
    </svg>
  );
}

/** A page's title, which takes the focus when one comes to the page. */
export function Title({
  children,
  aside,
}: {
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${heading.current?.textContent ?? ''} - Muster`;
  });
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {aside}
    </div>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Reconnecting',
};

export function LiveMark({ state }: { readonly state: Connection }): JSX.Element {
  return (
    <span class={`mark mark-${state}`} role="status">
      {CONNECTIONS[state]}
    </span>
  );
}

/** The placeholder for data: why there is none, or that it is loading. */
export function Waiting({ refusal }: { readonly refusal: ApiError | null }): JSX.Element {
  return refusal === null ? (
    <p class="dim">Loading…</p>
  ) : (
    <p class="alert" role="alert">
      {refusal.message}
    </p>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <div>{children}</div>
    </div>
  );
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  waiting: 'waiting',
  in_queue: 'in queue',
  starting: 'starting',
  matched: 'matched',
  match_found: 'match found',
  confirming: 'waiting to be accepted',
  in_game: 'in game',
  not_ready: 'not ready',
};

/** A status as word, shape and colour. */
export function Status({ of }: { readonly of: string }): JSX.Element {
  return <span class={`status status-${of}`}>{STATUS_WORDS[of] ?? of}</span>;
}

/** Seconds in words. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  return whole < 86_400
    ? `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
    : `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** A relative time that keeps counting. */
export function Age({ since }: { readonly since: number | string }): JSX.Element {
  const now = useNow();
  const at = typeof since === 'number' ? since : Date.parse(since);
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {span((Math.max(now, serviceNow()) - at) / 1000)}
    </time>
  );
}

/** When: the time of day, with the date where that is another one. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(serviceNow()).toDateString();
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {isToday ? date.toLocaleTimeString() : date.toLocaleString()}
    </time>
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A text of the service; the instants in it are shown like all others. */
export function Told({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(INSTANT);
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <Time key={at} at={part} />))}</>;
}

/** A number of things: `1 queue`, `2 queues`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A number in a table. Zeros are quiet. */
export function Count({ of }: { readonly of: number }): JSX.Element {
  return <td class={of === 0 ? 'number zero' : 'number'}>{of}</td>;
}

/** The error of an action. */
export function Mistake({ text }: { readonly text: string | null }): JSX.Element | null {
  return text === null ? null : (
    <p class="alert" role="alert">
      {text}
    </p>
  );
}

/** A button that asks first. It is red unless `isKind`: nothing is lost by it. A viewer has none. */
export function Danger({
  label,
  question,
  isKind = false,
  children,
  onConfirm,
}: {
  readonly label: string;
  readonly question: string;
  readonly isKind?: boolean;
  readonly children: ComponentChildren;
  readonly onConfirm: () => Promise<unknown>;
}): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const tone = isKind ? undefined : 'danger';
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    dialog.current?.close();
  };
  return isViewer() ? null : (
    <>
      <button type="button" class={tone} onClick={() => dialog.current?.showModal()}>
        {children}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <p>{question}</p>
        <div class="actions">
          <button
            type="button"
            class={isKind ? 'primary' : 'danger solid'}
            disabled={busy}
            onClick={() => void confirm()}
          >
            {label}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  );
}

/** JSON for reading, which breaks between its entries where the line is short. */
export function Json({ value }: { readonly value: unknown }): JSX.Element {
  const lines = JSON.stringify(value, null, 1);
  const text = lines.replaceAll(/(?<=[{[])\n *|\n *(?=[}\]])/g, '').replaceAll(/\n */g, ' ');
  return <code class="json">{text}</code>;
}

/** A value before or after a change. */
export function Value({ value }: { readonly value: unknown }): JSX.Element {
  return value === undefined ? <span class="dim">not set</span> : <Json value={value} />;
}
