// "Try it on the last day": what would have become of everybody who queued, under the mode as it
// stands in the form, beside the same under the saved one.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { WAIT_BINS } from '../src/common/limits';
import type { Outlook, WhatIf as Found } from './replay/what-if';
import type { Mode } from '../src/match/rules/mode';
import { ApiError, ask, type Issue, savedKey, saying } from './api';
import { Histogram } from './histogram';
import { LobbyLink, MatchLink } from './links';
import { announce, counted, Time } from './parts';
import { EvenNote, Figures } from './what-if-figures';
import type { Order, Told } from './what-if-worker';

export const WHAT_IF = 'What would these changes have done?';

const WORKER = 'what-if.js';
const NAMED = 10;
const BIN_LABELS = [...WAIT_BINS.map((end) => `<${end}`), `≥${WAIT_BINS.at(-1)}`];
const HALF_MS = 30 * 60_000;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** The page's policy asks that addresses of scripts are made in one place: this one. */
function workerAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules = { createScriptURL: (url: string) => url };
  return (trustedTypes?.createPolicy('what-if', rules) ?? rules).createScriptURL(WORKER);
}

let address: string | null = null;

/** Throws ApiError, the reason of the signal, or an Error with a message for people. */
function play(order: Order, signal: AbortSignal, progress: (told: Told) => void): Promise<Found> {
  signal.throwIfAborted();
  address ??= workerAddress();
  const worker = new Worker(address, { type: 'module' });
  return new Promise<Found>((resolve, reject) => {
    worker.addEventListener('message', ({ data: told }: MessageEvent<Told>) => {
      if (told.k === 'done') {
        resolve(told.found);
      } else if (told.k === 'failed') {
        reject(new ApiError(0, { code: told.code, detail: told.message }));
      } else {
        progress(told);
      }
    });
    worker.addEventListener('error', () => reject(new Error('The replay could not be started')));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(order, []);
  }).finally(() => worker.terminate());
}

interface Checked {
  readonly issues: readonly Issue[];
  /** With every default filled in; null where there are issues. */
  readonly config: { readonly matchmaking: { readonly modes: Record<string, Mode> } } | null;
}

/** The mode as a save would store it. Throws an Error with a message for people. */
async function modeAsSaved(name: string, mode: JsonObject, signal: AbortSignal): Promise<Mode> {
  const config = { matchmaking: { modes: { [name]: mode } } };
  const { body } = await ask<Checked>('POST /admin/check-config', {
    body: { name: 'any', config },
    signal,
  });
  const parsed = body.config?.matchmaking.modes[name];
  if (parsed === undefined) {
    const [first] = body.issues;
    throw new Error(`Fix the mode first: ${first?.path ?? ''} ${first?.message ?? ''}`);
  }
  return parsed;
}

/** The lobbies that would never have matched, each once, however often it queued. */
function Never({ config, of }: { readonly config: string; readonly of: Outlook }): JSX.Element {
  const lobbies = [...Map.groupBy(of.never, ({ lobbyId }) => lobbyId)].slice(0, NAMED);
  const more = of.neverMatched - lobbies.reduce((sum, [, searches]) => sum + searches.length, 0);
  return (
    <p>
      Would never have matched:{' '}
      {lobbies.map(([lobbyId, { length }], index) => (
        <span key={lobbyId}>
          {index > 0 && ', '}
          <LobbyLink config={config} id={lobbyId} />
          {length > 1 && ` (${length} searches)`}
        </span>
      ))}
      {more > 0 && `, and ${counted(more, 'more search', 'more searches')}`}
    </p>
  );
}

function Result({
  config,
  found,
}: {
  readonly config: string;
  readonly found: Found;
}): JSX.Element {
  const { now, changed, draws, compared, failedLaunches } = found;
  return (
    <>
      <Figures found={found} />
      <div class="charts">
        <Histogram
          title="Lobbies matched, by the seconds that they waited"
          summary={BIN_LABELS.map(
            (label, bin) =>
              `${label} s: ${now.waits[bin]} today, ${changed.waits[bin]} with your changes`,
          ).join('; ')}
          bins={BIN_LABELS}
          both={[
            { label: 'today’s mode', color: '--dim', counts: now.waits },
            { label: 'with your changes', color: '--accent', counts: changed.waits },
          ]}
        />
      </div>
      <EvenNote found={found} />
      {now.left > 0 && (
        <p class="help">
          Some gave up before they had a match. How long the others would have waited is drawn from
          that {draws.now.length} times: the numbers are the middle draw, and the range of all.
        </p>
      )}
      {failedLaunches.searches > 0 && (
        <p class="help">
          {counted(failedLaunches.searches, 'search is', 'searches are')} left out, because the game
          server did not start:{' '}
          {failedLaunches.matches.slice(0, NAMED).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <MatchLink id={id} />
            </span>
          ))}
          {failedLaunches.matches.length > NAMED && ', …'}
        </p>
      )}
      {changed.never.length > 0 && <Never config={config} of={changed} />}
      <p class="help">
        As a check, the journal was also replayed with the mode as it was: {compared.differences} of{' '}
        {compared.matches} matches came out differently.
        {compared.gaps > 0 &&
          ` ${counted(compared.gaps, 'lobby', 'lobbies')} had queued before the journal begins.`}
      </p>
    </>
  );
}

const NOTHING_YET: Told = { k: 'read', bytes: 0 };

function Progress({ of }: { readonly of: Told }): JSX.Element {
  const [doing, part] =
    of.k === 'played' ? (['Replaying', of.part] as const) : (['Reading the journal', 0] as const);
  return (
    <>
      <span role="status">{doing}…</span>
      <progress aria-label={doing} value={part} />
      {of.k === 'read' && of.bytes > 0 && `${(of.bytes / 1e6).toFixed(1)} MB`}
    </>
  );
}

export function WhatIf({
  config,
  name,
  mode,
  at,
}: {
  readonly config: string;
  readonly name: string;
  readonly mode: JsonObject;
  /** The hour around this time is replayed, epoch ms. Absent: all that is kept. */
  readonly at?: number | undefined;
}): JSX.Element {
  const part = at === undefined ? undefined : { since: at - HALF_MS, until: at + HALF_MS };
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Told>(NOTHING_YET);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    setFound(null);
    setProgress(NOTHING_YET);
    const { signal } = stop.current;
    try {
      const changed = await modeAsSaved(name, mode, signal);
      const journal = `/v3/admin/journal?${new URLSearchParams({ config, mode: name })}`;
      const order = { journal, key: savedKey() ?? '', mode: changed, part };
      setFound(await play(order, signal, setProgress));
      announce('The replay has finished');
    } catch (refused) {
      const isUnknown = refused instanceof ApiError && refused.code === 'MODE_NOT_FOUND';
      setError(
        isUnknown
          ? 'Nobody has queued for this mode yet, so there is nothing to replay.'
          : saying(refused),
      );
    }
    setBusy(false);
  };
  return (
    <>
      <p class="help">
        Replays everybody who queued for this mode{' '}
        {at === undefined ? (
          'in the last day'
        ) : (
          <>
            in the hour around <Time at={new Date(at).toISOString()} />
          </>
        )}
        , in your browser. Nothing is saved, and no player notices.
      </p>
      <div class="actions">
        <button type="button" disabled={busy} onClick={() => void run()}>
          {at === undefined ? 'Try it on the last day' : 'Try it on that hour'}
        </button>
        {busy && (
          <>
            <Progress of={progress} />
            <button
              type="button"
              class="quiet"
              onClick={() => {
                stop.current.abort(new Error('Stopped'));
                stop.current = new AbortController();
              }}
            >
              Stop
            </button>
          </>
        )}
      </div>
      {error !== null && (
        <p class="verdict no" role="status">
          {error}
        </p>
      )}
      {found !== null && <Result config={config} found={found} />}
    </>
  );
}
