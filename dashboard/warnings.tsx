// What looks like a mistake in a form, shown before it is saved. The first save waits for it to be read.

import type { JSX } from 'preact';
import { useDraftHere } from './draft';

export function Warnings(): JSX.Element | null {
  const { warnings, isHeld } = useDraftHere();
  if (warnings.length === 0) {
    return null;
  }
  return (
    <div class={isHeld ? 'alert' : 'note'} role={isHeld ? 'alert' : 'status'}>
      <p>
        {isHeld
          ? 'Nothing was saved yet, because this looks like a mistake. Save again to save it as it is.'
          : 'This looks like a mistake:'}
      </p>
      <ul>
        {warnings.map(({ path, message, didYouMean }) => (
          <li key={path}>
            {path}: {message}
            {didYouMean !== null && `; did you mean ${didYouMean}?`}
          </li>
        ))}
      </ul>
    </div>
  );
}
