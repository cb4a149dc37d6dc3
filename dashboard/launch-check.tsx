// Why a build cannot be launched, as its fleets say after a save. While they say something new, such as how far they
// are with its image, they are asked again.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, pathOf } from './api';
import type { Checked } from './draft';
import { announce } from './parts';

const AGAIN_MS = 2_000;

/** The messages among the warnings of a build that fleets gave. */
export function fleetsSay({ warnings = [] }: Partial<Checked>): readonly string[] {
  return warnings.filter(({ path }) => path === 'launch').map(({ message }) => message);
}

export function LaunchCheck({
  name,
  first,
}: {
  readonly name: string;
  /** What they said to the save. */
  readonly first: readonly string[];
}): JSX.Element | null {
  const [said, setSaid] = useState(first);
  useEffect(() => {
    if (said.length === 0) {
      return undefined;
    }
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      const line = `GET /builds${pathOf(name)}?check=true`;
      const { body } = await ask<Partial<Checked>>(line, { signal: abort.signal });
      const now = fleetsSay(body);
      if (now.length === 0) {
        announce(`Build ${name} can be launched`);
      }
      // The same words as before change nothing, and nobody asks again.
      setSaid((before) => (before.join('\n') === now.join('\n') ? before : now));
    };
    // Whoever could not be asked is asked again.
    const again = (): void => setSaid((before) => (abort.signal.aborted ? before : [...before]));
    const timer = setTimeout(() => void look().catch(again), AGAIN_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [name, said]);
  return said.length === 0 ? null : (
    <div class="alert" role="alert">
      <p>Build {name} is saved, and its fleets warn:</p>
      <ul>
        {said.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );
}
