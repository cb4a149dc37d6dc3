// Performs an action on the service by a button: shows errors, and announces success.

import { useState } from 'preact/hooks';
import { ask, saying } from './api';
import { announce } from './parts';

export interface Acting {
  /** The error of the last action. Null after a success. */
  readonly error: string | null;
  /** `line` is as in `ask`. True: it succeeded. */
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
