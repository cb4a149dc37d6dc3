// The dashboard: sign-in, the frame with its navigation, and which page stands in it.

import { type JSX, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { savedKey, saveKey } from './api';
import './app.css';
import './status.css';
import './tables.css';
import './forms.css';
import { Builds } from './builds';
import { ConfigEditor } from './config-editor';
import { Configs } from './configs';
import { Lobbies } from './lobbies';
import { LobbyPage } from './lobby';
import { Overview } from './overview';
import { Logo, Title } from './parts';
import { type Place, to, usePlace } from './place';
import { Playground } from './playground';
import { QueuePage } from './queue';
import { Queues } from './queues';
import { SearchField, SearchPage } from './search';
import { ServerPage } from './server';
import { Servers } from './servers';
import { SignIn } from './sign-in';

const PAGES = [
  ['', 'Overview'],
  ['lobbies', 'Lobbies'],
  ['queues', 'Queues'],
  ['servers', 'Servers'],
  ['builds', 'Builds'],
  ['configs', 'Configs'],
  ['playground', 'Playground'],
] as const;

function Page({ place }: { readonly place: Place }): JSX.Element {
  const { page, parts } = place;
  const [first, second] = parts;
  const key = JSON.stringify(place);
  if (page === '') {
    return <Overview />;
  }
  if (page === 'lobbies') {
    return first !== undefined && second !== undefined ? (
      <LobbyPage key={key} config={first} id={second} />
    ) : (
      <Lobbies key={key} config={first ?? null} />
    );
  }
  if (page === 'queues') {
    return first !== undefined && second !== undefined ? (
      <QueuePage key={key} config={first} mode={second} />
    ) : (
      <Queues />
    );
  }
  if (page === 'configs') {
    return first === undefined ? <Configs /> : <ConfigEditor key={key} name={first} />;
  }
  if (page === 'servers') {
    return first === undefined ? <Servers /> : <ServerPage key={key} id={first} />;
  }
  if (page === 'builds') {
    return <Builds />;
  }
  if (page === 'search') {
    return <SearchPage key={key} text={first ?? ''} />;
  }
  if (page === 'playground') {
    return <Playground config={first ?? null} mode={second ?? null} />;
  }
  return (
    <>
      <Title>Page not found</Title>
      <p>
        <a href={to('')}>Go to the overview</a>
      </p>
    </>
  );
}

function Frame({ onLeave }: { readonly onLeave: () => void }): JSX.Element {
  const place = usePlace();
  const shown = useRef(place);
  useEffect(() => {
    // Whoever comes by a link starts reading at the new page's title.
    if (shown.current !== place) {
      shown.current = place;
      document.querySelector('h1')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }, [place]);
  return (
    <div class="frame">
      <header>
        <a class="brand" href={to('')}>
          <Logo />
          Muster
        </a>
        <SearchField />
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([page, label]) => (
              <li key={page}>
                <a href={to(page)} aria-current={place.page === page ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="aside">
          <a href="/docs">API reference</a>
          <button type="button" class="quiet" onClick={onLeave}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main">
        <Page place={place} />
      </main>
    </div>
  );
}

function App(): JSX.Element {
  const [key, setKey] = useState(savedKey());
  const change = (next: string | null): void => {
    saveKey(next);
    setKey(next);
  };
  return (
    <>
      <div id="announcer" class="unseen" role="status" aria-live="polite" />
      {key === null ? (
        <SignIn onSignedIn={change} />
      ) : (
        <>
          <a class="skip" href="#main" onClick={skip}>
            Skip to the page
          </a>
          <Frame onLeave={() => change(null)} />
        </>
      )}
    </>
  );
}

/** The address names the page, so the link must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector('h1')?.focus();
}

const root = document.getElementById('app');
if (root !== null) {
  render(<App />, root);
}
