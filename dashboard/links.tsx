// Wherever an id stands, it leads to the page of what it names. Long ids are shown by their
// beginning; the whole is in the title, and on the page itself.

import type { JSX } from 'preact';
import { to } from './place';

export function short(id: string): string {
  return id.slice(0, 8);
}

function IdLink({ href, id }: { readonly href: string; readonly id: string }): JSX.Element {
  return (
    <a href={href} title={id}>
      <code>{short(id)}</code>
    </a>
  );
}

export function PlayerLink({ id }: { readonly id: string }): JSX.Element {
  return <a href={to('players', id)}>{id}</a>;
}

/** Several players, with commas between. */
export function Players({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return (
    <>
      {ids.map((id, index) => (
        <>
          {index > 0 && ', '}
          <PlayerLink id={id} />
        </>
      ))}
    </>
  );
}

export function LobbyLink({
  config,
  id,
}: {
  readonly config: string;
  readonly id: string;
}): JSX.Element {
  return <IdLink href={to('lobbies', config, id)} id={id} />;
}

export function MatchLink({ id }: { readonly id: string }): JSX.Element {
  return <IdLink href={to('matches', id)} id={id} />;
}

export function ServerLink({ id }: { readonly id: string }): JSX.Element {
  return <IdLink href={to('servers', id)} id={id} />;
}

export function QueueLink({
  config,
  mode,
}: {
  readonly config: string;
  readonly mode: string;
}): JSX.Element {
  return (
    <a href={to('queues', config, mode)}>
      {config} / {mode}
    </a>
  );
}
