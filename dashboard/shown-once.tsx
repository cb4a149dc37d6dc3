// A secret that was just made, which nothing shows again.

import type { JSX } from 'preact';

export function ShownOnce({ what, text }: { readonly what: string; text: string }): JSX.Element {
  return (
    <div class="note" role="status">
      <p>{what}. Copy it now: nothing shows it again.</p>
      <p>
        <code class="once">{text}</code>
      </p>
    </div>
  );
}
