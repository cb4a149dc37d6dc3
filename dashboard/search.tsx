// One search field for any id: of a player, config, lobby, match or server, and invite codes. A single result is opened at once.
// While somebody types, it suggests configs and players who have the text in their names.

import type { Hit } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { assertNever } from '../src/common/result';
import { ask, saying } from './api';
import { short } from './links';
import { announce, counted, Empty, Title } from './parts';
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

/** From how many characters on, and how long after the last of them, results are suggested. */
const LEAST = 2;
const SUGGEST_AFTER_MS = 150;

/** Configs and players who have the text in their names, while somebody types. */
function useSuggested(text: string): readonly Hit[] {
  const [hits, setHits] = useState<readonly Hit[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      const line = `GET /admin/search?like=true&q=${encodeURIComponent(text)}`;
      const { body } = await ask<{ readonly hits: readonly Hit[] }>(line, { signal: abort.signal });
      setHits(body.hits);
      if (body.hits.length > 0) {
        announce(`${counted(body.hits.length, 'result')} below the search field`);
      }
    };
    setHits([]);
    const timer =
      text.length < LEAST
        ? undefined
        : setTimeout(() => void look().catch(() => undefined), SUGGEST_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return hits;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys go from the field into what is suggested, and back. */
function stepped(form: HTMLFormElement, event: KeyboardEvent): void {
  const stops = [...form.querySelectorAll<HTMLElement>('input, li a')];
  const at = stops.findIndex((each) => each === document.activeElement);
  const next = stops[at + (STEPS[event.key] ?? 0)];
  if (event.key in STEPS && at !== -1 && next !== undefined) {
    event.preventDefault();
    next.focus();
  }
}

export function SearchField(): JSX.Element {
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hits = useSuggested(isOpen ? text.trim() : '');
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
        setIsOpen(false);
        if (text.trim() !== '') {
          go('search', text.trim());
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          setIsOpen(false);
          field.current?.focus();
        } else {
          stepped(event.currentTarget, event);
        }
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          setIsOpen(false);
        }
      }}
    >
      <label class="unseen" for="search">
        Search for a player, config, lobby, code, match or server
      </label>
      <input
        id="search"
        ref={field}
        aria-keyshortcuts="/ Control+K Meta+K"
        type="search"
        placeholder="Search"
        title="Player, config, lobby, code, match or server (/ or Ctrl-K)"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setIsOpen(true);
        }}
      />
      <button type="submit">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2m3.6 8.6L14.5 14.5" />
        </svg>
        <span class="unseen">Search</span>
      </button>
      {hits.length > 0 && (
        <ul class="suggested" aria-label="Suggestions">
          {hits.map((hit) => {
            const [href, name, where] = shown(hit);
            return (
              <li key={JSON.stringify(hit)}>
                <a href={href} onClick={() => setIsOpen(false)}>
                  {name} <span class="dim">{where === '' ? hit.kind : where}</span>
                </a>
              </li>
            );
          })}
        </ul>
      )}
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
    case 'config':
      return [to('configs', hit.id), hit.id, ''];
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
          No config, lobby, code, match or server matches, and no player with this id was seen: none
          is in a lobby, on a ladder, banned, in a match of the journal, or has attributes. Nobody
          in a public lobby has it in the id.{' '}
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
