// The current page: the part of the address after `#`, so that every page has an address and Back
// works.

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Place {
  readonly page: string;
  readonly parts: readonly string[];
}

function read(): Place {
  const [page = '', ...parts] = location.hash
    .replace(/^#\/?/, '')
    .split('/')
    // A slash at the end names nothing.
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  return { page, parts };
}

/** The address of a page, for links. */
export function to(page: string, ...parts: readonly string[]): string {
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}`;
}

export function go(page: string, ...parts: readonly string[]): void {
  location.hash = to(page, ...parts);
}

/** The page stands in the place of this one: Back leads past it. */
export function instead(address: string): void {
  location.replace(address);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(read);
  // Before the page is drawn: who follows a link at once would not be heard by an effect after it.
  useLayoutEffect(() => {
    const moved = (): void => setPlace(read());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return place;
}
