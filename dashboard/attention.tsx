// What needs an operator, first on Overview: failing builds, modes whose searches find no match, overload, and fleets
// that do not answer. How searches ended comes once a minute, the rest with the page's stream.

import type { JSX } from 'preact';
import { ONLY } from '../src/fleet/fleets';
import type { AttentionView, Overview } from '../src/http/operators/readings';
import { type Asked, useAsked } from './asked';
import { Time } from './parts';
import { to } from './place';
import { type ModeLately, troubleOf } from './trouble';

const LOOK_MS = 60_000;

export function useAttention(): Asked<AttentionView> {
  return useAsked<AttentionView>('GET /admin/attention', { every: () => LOOK_MS });
}

function Trouble({ of }: { readonly of: ModeLately }): JSX.Element | null {
  const trouble = troubleOf(of);
  return trouble === null ? null : (
    <p class="alert">
      <a href={to('queues', of.config, of.mode)}>
        {of.config} / {of.mode}
      </a>{' '}
      {trouble}
    </p>
  );
}

/** `lately`: null before the first answer. */
export function Attention({
  overview: { failing, overload },
  lately,
}: {
  readonly overview: Overview;
  readonly lately: AttentionView | null;
}): JSX.Element {
  const { modes = [], said = [], fleets = [] } = lately ?? {};
  const lastOf = (name: string) => said.find(({ build }) => build === name)?.line;
  const isCalm =
    failing.length + fleets.length === 0 &&
    overload === null &&
    modes.every((mode) => troubleOf(mode) === null);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {isCalm && (
        <p class="dim">
          Nothing: builds launch, fleets answer, searches find matches, and no work was refused in
          the last hour.
        </p>
      )}
      {overload !== null && (
        <p class={overload.isOver ? 'note' : 'alert'}>
          Muster {overload.isOver ? 'was' : 'is'} overloaded: {overload.refused} requests were
          refused since <Time at={new Date(overload.since).toISOString()} />.
        </p>
      )}
      {fleets.map(({ name, detail }) => (
        <p class="alert" key={name}>
          The fleet{name === ONLY ? '' : ` ${name}`} does not answer, so it launches no servers:{' '}
          {detail}
        </p>
      ))}
      {failing.map(({ name, failure, failingSince }) => (
        <p class="alert" key={name}>
          The build <a href={to('servers', 'build', name, 'failed')}>{name}</a> fails
          {failingSince !== undefined && (
            <>
              {' '}
              since <Time at={failingSince} />
            </>
          )}
          {failure === undefined ? '.' : `: ${failure}`}
          {lastOf(name) !== undefined && (
            <>
              . Its last words: <code>{lastOf(name)}</code>
            </>
          )}
        </p>
      ))}
      {modes.map((mode) => (
        <Trouble key={JSON.stringify([mode.config, mode.mode])} of={mode} />
      ))}
    </section>
  );
}
