// The sign-in with the server key or a viewer key, which is tried before it is kept.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeyPage } from '../packages/js/src/identity-types.ts';
import { saying, send, type SignedIn } from './api';
import { Logo, Title } from './parts';

export function SignIn({
  offered,
  onSignedIn,
}: {
  /** A key to try at once. */
  readonly offered: string | null;
  readonly onSignedIn: (signed: SignedIn) => void;
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    const key = field.current?.value.trim() ?? '';
    if (key === '') {
      setError('Type the server key of your project.');
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      const { body } = await send<KeyPage>('GET /projects/keys', { 'api-key': key });
      const { kind = 'server' } = body.keys.find(({ isYours }) => isYours) ?? {};
      onSignedIn({ key, kind });
    } catch (refused) {
      setError(saying(refused));
      setBusy(false);
      field.current?.focus();
    }
  };
  useEffect(() => {
    if (offered !== null) {
      void submit();
    }
  }, [offered]);
  return (
    <main class="sign-in">
      <div class="brand">
        <Logo />
        <Title>Muster dashboard</Title>
      </div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="field">
          <label for="key">Server key or viewer key</label>
          <input
            id="key"
            ref={field}
            type="password"
            defaultValue={offered ?? ''}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={error === null ? 'key-help' : 'key-error key-help'}
            aria-invalid={error !== null}
          />
          {error !== null && (
            <p class="issue" id="key-error" role="alert">
              {error}
            </p>
          )}
          <p class="help" id="key-help">
            It stays in this browser tab and is forgotten when you close it. <code>npm start</code>{' '}
            prints a link that signs you in, and keeps the key in <code>.muster/server-key</code>.
            For a deployment, <code>npm run keys</code> creates one. A viewer key signs you in to
            look.
          </p>
        </div>
        <button type="submit" class="primary" disabled={busy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
