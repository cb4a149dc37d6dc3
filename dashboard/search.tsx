// One search field for any id: of a player, lobby, match or server, and invite codes. A single
// result is opened at once.

import type { Hit } from '../client/src/dashboard-types';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { assertNever } from '../src/common/result';
import { ask, saying } from './api';
import { short } from './links';
import { Empty, Title } from './parts';
import { go, instead, to } from './place';
import { Table } from './table';

/** Ctrl-K and Cmd-K from anywhere, and `/` where it is no text. A dialog is answered first. */
function isForSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isInField =
    target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
  const isChord = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';
  const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isInField;
  return (isChord || isSlash) && document.querySelector('dialog[open]') === null;
}

export function SearchField(): JSX.Element {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (isForSearch(event)) {
        event.preventDefault();
        field.current?.select();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return (
    <form
      class="search"
      role="search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') {
          go('search', text.trim());
        }
      }}
    >
      <label class="unseen" for="search">
        Search for a player, lobby, code, match or server
      </label>
      <input
        id="search"
        ref={field}
        aria-keyshortcuts="/ Control+K Meta+K"
        type="search"
        placeholder="Search"
        title="Player, lobby, code, match or server (/ or Ctrl-K)"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2m3.6 8.6L14.5 14.5" />
        </svg>
        <span class="unseen">Search</span>
      </button>
    </form>
  );
}

/** The page of what was found, what that is called, and where it is. */
function shown(hit: Hit): readonly [href: string, name: string, where: string] {
  switch (hit.kind) {
    case 'lobby':
      return [to('lobbies', hit.config, hit.id), hit.name, `in ${hit.config}, ${short(hit.id)}`];
    case 'player':
      return [
        to('players', hit.id),
        hit.id,
        hit.lobbyId === null ? 'in no lobby' : `in ${hit.config}, lobby ${short(hit.lobbyId)}`,
      ];
    case 'server':
      return [to('servers', hit.id), hit.name, short(hit.id)];
    case 'match':
      return [to('matches', hit.id), short(hit.id), ''];
    default:
      return assertNever(hit);
  }
}

function Row({ hit }: { readonly hit: Hit }): JSX.Element {
  const [href, name, where] = shown(hit);
  return (
    <tr>
      <th scope="row">
        <a href={href}>{name}</a>
      </th>
      <td>{hit.kind}</td>
      <td>{where}</td>
    </tr>
  );
}

export function SearchPage({ text }: { readonly text: string }): JSX.Element {
  const [hits, setHits] = useState<readonly Hit[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    ask<{ readonly hits: readonly Hit[] }>(`GET /admin/search?q=${encodeURIComponent(text)}`, {
      signal: abort.signal,
    }).then(
      ({ body }) => {
        const pages = new Set(body.hits.map((hit) => shown(hit)[0]));
        const [only] = pages;
        if (pages.size === 1 && only !== undefined) {
          instead(only);
        } else {
          setHits(body.hits);
        }
      },
      (refused: unknown) => {
        if (!abort.signal.aborted) {
          setError(saying(refused));
        }
      },
    );
    return () => abort.abort();
  }, [text]);
  return (
    <>
      <Title>Search: {text}</Title>
      {error !== null ? (
        <p class="alert" role="alert">
          {error}
        </p>
      ) : hits === null ? (
        <p class="dim">Searching…</p>
      ) : hits.length === 0 ? (
        <Empty title="Nothing found">
          No lobby, code, match or server matches, and no player with this id was seen: none is in a
          lobby, on a ladder, banned, in a match of the journal, or has attributes.{' '}
          <a href={to('players', text)}>Ban or look up “{text}” all the same</a>
        </Empty>
      ) : (
        <Table label="Found" heads={['Name', 'Kind', 'Where']}>
          {hits.map((hit) => (
            <Row key={JSON.stringify(hit)} hit={hit} />
          ))}
        </Table>
      )}
    </>
  );
}
