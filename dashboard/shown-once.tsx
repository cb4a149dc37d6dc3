// A secret that was just made and cannot be shown again.

import type { JSX } from 'preact';
import { announce } from './parts';

/** Browsers have no clipboard for pages that came over plain HTTP from another machine. */
function Copy({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return navigator.clipboard === undefined ? (
    <></>
  ) : (
    <button
      type="button"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(() => announce(`Copied: ${name}`))
      }
    >
      Copy<span class="unseen"> {name}</span>
    </button>
  );
}

interface Props {
  readonly what: string;
  readonly text: string;
  /** An address that signs in with it. */
  readonly link?: string;
}

export function ShownOnce({ what, text, link }: Props): JSX.Element {
  return (
    <div class="note" role="status">
      <p>{what}. Copy it now: it will not be shown again.</p>
      <p>
        <code class="once">{text}</code> <Copy name="the key" text={text} />
      </p>
      {link !== undefined && (
        <p>
          This link signs in with it: <code class="once">{link}</code>{' '}
          <Copy name="the link" text={link} />
        </p>
      )}
    </div>
  );
}
