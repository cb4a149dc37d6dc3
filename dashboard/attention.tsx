// What needs an operator, first on Overview: failing builds, servers that crashed, modes whose searches find no match, overload, and fleets
// that do not answer; then in a lower tone what may pass: matches that wait for room, single launches that failed, and servers
// that are late. How searches ended comes once a minute, the rest with the page's stream.

import type { AttentionView } from '../packages/js/src/attention-types';
import type { Overview } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { ONLY } from '../src/fleet/fleets';
import { type Asked, useAsked } from './asked';
import { ServerLink } from './links';
import { Age, counted, Time } from './parts';
import { to } from './place';
import { gamelessOf, type ModeLately, troubleOf } from './trouble';

const LOOK_MS = 60_000;

export function useAttention(): Asked<AttentionView> {
  return useAsked<AttentionView>('GET /admin/attention', { every: () => LOOK_MS });
}

/** Trouble of a mode. `tone`: a `note` wants no operator at night. */
function Trouble({
  of,
  text,
  tone,
}: {
  readonly of: ModeLately;
  readonly text: string | null;
  readonly tone: 'alert' | 'note';
}): JSX.Element | null {
  return text === null ? null : (
    <p class={tone}>
      <a href={to('queues', of.config, of.mode)}>
        {of.config} / {of.mode}
      </a>{' '}
      {text}
    </p>
  );
}

/** `lately`: null before the first answer. */
export function Attention({
  overview: { failing, stumbling, overload, servers },
  lately,
}: {
  readonly overview: Overview;
  readonly lately: AttentionView | null;
}): JSX.Element {
  const { modes = [], late = [], crashed = [], fleets = [], broken = [], bucket } = lately ?? {};
  const lines = servers.filter(({ state }) => state === 'waiting');
  const isCalm =
    [failing, stumbling, lines, late, crashed, fleets, broken].every(
      ({ length }) => length === 0,
    ) &&
    overload === null &&
    !bucket &&
    modes.every((mode) => troubleOf(mode) === null && gamelessOf(mode) === null);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {isCalm && (
        <p class="dim">
          Nothing: builds launch, fleets answer and have room, searches find matches, and no work
          was refused in the last hour.
        </p>
      )}
      {bucket && <p class="alert">Trouble with the {bucket}.</p>}
      {overload !== null && (
        <p class={overload.isOver ? 'note' : 'alert'}>
          Muster {overload.isOver ? 'was' : 'is'} overloaded: {overload.refused} requests were
          refused since <Time at={new Date(overload.since).toISOString()} />.
        </p>
      )}
      {broken.map(({ at, actor, id, which, rows }) => (
        <div class="alert" key={`${at} ${id}`}>
          <p>
            A fault of Muster: at <Time at={at} /> it refused to save the {actor} <code>{id}</code>,
            because {which.join(', and ')} would no longer hold. Please report it with these rows.
          </p>
          <details>
            <summary>Rows</summary>
            <pre>{rows}</pre>
          </details>
        </div>
      ))}
      {fleets.map(({ name, detail, until, drains }) => (
        <p class={drains ? 'note' : 'alert'} key={name}>
          The fleet{name === ONLY ? '' : ` ${name}`}{' '}
          {until === undefined ? (
            `${drains ? 'is draining' : 'does not answer'}, so it launches no servers`
          ) : (
            <>
              is asked last until <Time at={until} />
            </>
          )}
          : {detail}
        </p>
      ))}
      {failing.map(({ name, failure, failingSince }) => (
        <p class="alert" key={name}>
          The build <a href={to('servers', 'build', name, 'failed')}>{name}</a>{' '}
          {failingSince === undefined ? (
            'is failing'
          ) : (
            <>
              has been failing since <Time at={failingSince} />
            </>
          )}
          {failure === undefined ? '.' : `: ${failure}`}
        </p>
      ))}
      {crashed.map(({ id, build, detail }) => (
        <p class="alert" key={id}>
          <ServerLink id={id} /> of the build {build} ended in the middle of a game. {detail}
        </p>
      ))}
      {modes.map((mode) => (
        <Trouble key={keyOf(mode)} of={mode} text={troubleOf(mode)} tone="alert" />
      ))}
      {lines.map(({ build, region, count, since }) => (
        <p class="note" key={`${build} ${region}`}>
          <a href={to('servers')}>{counted(count, 'match waits', 'matches wait')}</a> for room for a
          server of the build {build} in {region}
          {since !== undefined && (
            <>
              , the first for <Age since={since} />
            </>
          )}
          .
        </p>
      ))}
      {stumbling.map(({ name, failure }) => (
        <p class="note" key={name}>
          The last launch of the build <a href={to('servers', 'build', name, 'failed')}>{name}</a>{' '}
          failed: {failure}
        </p>
      ))}
      {late.map(({ id, build, detail }) => (
        <p class="note" key={id}>
          The server <ServerLink id={id} /> of the build {build} is late: {detail}
        </p>
      ))}
      {modes.map((mode) => (
        <Trouble key={keyOf(mode)} of={mode} text={gamelessOf(mode)} tone="note" />
      ))}
    </section>
  );
}

function keyOf({ config, mode }: ModeLately): string {
  return JSON.stringify([config, mode]);
}
