// Doing something to the service by a button: what went wrong is shown, what was done is announced.

import { useState } from 'preact/hooks';
import { ask, saying } from './api';
import { announce } from './parts';

export interface Acting {
  /** Of the last act; null once one went well. */
  readonly error: string | null;
  /** `line` as `ask` has it. True: it was done. */
  act(line: string, done: string, body?: unknown): Promise<boolean>;
}

export function useActing(): Acting {
  const [error, setError] = useState<string | null>(null);
  return {
    error,
    act: async (line, done, body) => {
      try {
        await ask(line, body === undefined ? {} : { body });
        announce(done);
        setError(null);
        return true;
      } catch (refused) {
        setError(saying(refused));
        return false;
      }
    },
  };
}
