// The dashboard: the sign-in, the frame with its navigation, and the current page.

import { type JSX, render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { version as VERSION } from '../package.json';
import type { DiskNotice } from '../src/objects/kit/disk';
import { isViewer, savedKey, saveKey, type SignedIn, takeOfferedKey } from './api';
import './app.css';
import './status.css';
import './tables.css';
import './forms.css';
import { useDisk } from './live';
import { Logo } from './parts';
import { Page, shownPages } from './pages';
import { to, usePlace } from './place';
import { SearchField } from './search';
import { SignIn } from './sign-in';

const DISK: Readonly<Record<DiskNotice['level'], string>> = {
  filling: 'Make room before Muster has to refuse new work.',
  low: 'Muster refuses new lobbies, joins, starts and searches until there is room.',
  full: 'Until there is room, Muster only lets lobbies, searches and games end.',
  spent: 'Muster can save nothing until there is room.',
};

function DiskAlert(): JSX.Element | null {
  const disk = useDisk();
  return disk === null ? null : (
    <p class="alert" role="alert">
      The service’s disk is {disk.usedPercent} % full. {DISK[disk.level]}
    </p>
  );
}

function Frame({ onLeave }: { readonly onLeave: () => void }): JSX.Element {
  const place = usePlace();
  const shown = useRef(place);
  const ways = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // After a link, reading starts at the title of the new page. An effect after drawing could take the focus from who types already.
    if (shown.current !== place) {
      shown.current = place;
      document.querySelector('h1')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }, [place]);
  useLayoutEffect(() => {
    const [strip, link] = [ways.current, ways.current?.querySelector('a[aria-current]')];
    if (strip !== null && link instanceof HTMLElement) {
      strip.scrollLeft = link.offsetLeft - strip.clientWidth / 2;
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
        <div class="ways" ref={ways}>
          <nav aria-label="Pages">
            <ul>
              {shownPages().map(([page, label]) => (
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
            <a href="/guides">Guides</a>
            <button type="button" class="quiet" onClick={onLeave}>
              Sign out
            </button>
            <span class="dim">Muster {VERSION}</span>
          </div>
        </div>
      </header>
      <main id="main">
        <DiskAlert />
        {isViewer() && (
          <p class="note">
            You are signed in with a viewer key: you see everything except secrets, and change
            nothing.
          </p>
        )}
        <Page key={JSON.stringify(place)} place={place} />
      </main>
    </div>
  );
}

function App(): JSX.Element {
  const [offered, setOffered] = useState(takeOfferedKey);
  const [key, setKey] = useState(() => (offered === null ? savedKey() : null));
  const change = (next: SignedIn | null): void => {
    saveKey(next);
    setKey(next?.key ?? null);
    setOffered(null);
  };
  return (
    <>
      <div id="announcer" class="unseen" role="status" aria-live="polite" />
      {key === null ? (
        <SignIn offered={offered} onSignedIn={change} />
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
