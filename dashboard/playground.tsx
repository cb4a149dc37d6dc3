// Phantom players for a mode, and their results.

import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LobbyConfig } from '../src/lobby/config';
import type { Mode } from '../src/match/rules/mode';
import { playgroundOf } from '../src/lobby/playground';
import { objectProblem } from './json-problem';
import { useLive } from './live';
import { announce, Empty, LiveMark, Title, Waiting } from './parts';
import { isOver, type Phantom, PhantomPlayer } from './phantom';
import { extraOf, MAX_PHANTOMS, PhantomForm, stateOf, wishesFor } from './phantom-form';
import { PhantomResults } from './phantom-results';
import { go, to } from './place';

/** Phantoms come one after another, as players do. */
const COMING_MS = 120;

/** The phantoms of this visit, which end with it. */
function useCrowd(): {
  readonly phantoms: readonly Phantom[];
  readonly send: (players: readonly ((tell: (now: Phantom) => void) => PhantomPlayer)[]) => void;
  readonly stop: () => void;
} {
  const [phantoms, setPhantoms] = useState<readonly Phantom[]>([]);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const tell = (now: Phantom): void =>
    setPhantoms((before) =>
      before.some(({ id }) => id === now.id)
        ? before.map((each) => (each.id === now.id ? now : each))
        : [...before, now],
    );
  return {
    phantoms,
    send: (players) => {
      const { signal } = abort.current;
      for (const [index, make] of players.entries()) {
        setTimeout(() => {
          if (!signal.aborted) {
            void make(tell).run(signal);
          }
        }, index * COMING_MS);
      }
    },
    stop: () => {
      abort.current.abort();
      abort.current = new AbortController();
    },
  };
}

function Crowd({
  config,
  mode,
  saved,
}: {
  readonly config: string;
  readonly mode: string;
  readonly saved: Mode | undefined;
}): JSX.Element {
  const [wishes, setWishes] = useState(() => wishesFor(saved));
  const [error, setError] = useState<string | null>(null);
  const { phantoms, send, stop } = useCrowd();
  const round = useRef(0);
  const start = (): void => {
    const extra = extraOf(wishes.extra);
    const count = Math.floor(Number(wishes.count));
    if (!(count >= 1 && count <= MAX_PHANTOMS)) {
      setError(`Choose 1 to ${MAX_PHANTOMS} phantom players`);
    } else if (extra === null) {
      setError(`Extra state: ${objectProblem(wishes.extra) ?? 'This must be a JSON object'}`);
    } else {
      setError(null);
      round.current += 1;
      const tag = `phantom-${Math.random().toString(36).slice(2, 6)}`;
      send(
        Array.from({ length: count }, (_, index) => (tell) => {
          const plan = {
            config,
            mode,
            state: stateOf(wishes, extra),
            declineRate: (Number(wishes.decline) || 0) / 100,
            playSeconds: Number(wishes.play) || 0,
          };
          return new PhantomPlayer(`${tag}-${index + 1}`, plan, tell);
        }),
      );
      announce(`${count} phantom players are queueing for ${config}, ${mode}`);
    }
  };
  return (
    <>
      <PhantomForm
        wishes={wishes}
        running={phantoms.some((each) => !isOver(each))}
        onChange={setWishes}
        onStart={start}
        onStop={stop}
      />
      {error !== null && (
        <p class="alert" role="alert">
          {error}
        </p>
      )}
      <p>
        Watch <a href={to('queues', playgroundOf(config), mode)}>the phantoms' queue</a> and{' '}
        <a href={to('lobbies', playgroundOf(config))}>their lobbies</a> in another tab: phantoms
        stop when you leave this page.
      </p>
      {phantoms.length === 0 ? (
        <Empty title="No phantoms yet">
          Each phantom is a real client. It opens a lobby, queues for {mode}, accepts or declines,
          plays on a real server in your fleet and leaves. Phantoms have their own queue, so they
          never meet your players.
        </Empty>
      ) : (
        <PhantomResults phantoms={phantoms} field={wishes.field} />
      )}
    </>
  );
}

function modesOf(configs: readonly LobbyConfig[]): readonly (readonly [string, string, Mode])[] {
  return configs.flatMap(({ name, enabled, matchmaking }) =>
    enabled
      ? Object.entries(matchmaking.modes).map(([mode, saved]) => [name, mode, saved] as const)
      : [],
  );
}

export function Playground({
  config,
  mode,
}: {
  readonly config: string | null;
  readonly mode: string | null;
}): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'project' });
  const modes = useMemo(() => modesOf(Object.values(data?.configs ?? {})), [data]);
  const chosen = modes.find(([name, each]) => name === config && each === mode) ?? modes[0];
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Playground</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : chosen === undefined ? (
        <Empty title="No mode to play">
          Phantoms queue for a matchmaking mode. <a href={to('configs')}>Open a config</a> and add
          one first.
        </Empty>
      ) : (
        <>
          <div class="field narrow">
            <label for="p-mode">Mode</label>
            <select
              id="p-mode"
              value={JSON.stringify(chosen.slice(0, 2))}
              onChange={(event) => {
                const [name = '', each = ''] = JSON.parse(event.currentTarget.value) as string[];
                go('playground', name, each);
              }}
            >
              {modes.map(([name, each]) => (
                <option key={`${name}/${each}`} value={JSON.stringify([name, each])}>
                  {name} / {each}
                </option>
              ))}
            </select>
          </div>
          <Crowd
            key={`${chosen[0]}/${chosen[1]}`}
            config={chosen[0]}
            mode={chosen[1]}
            saved={chosen[2]}
          />
        </>
      )}
    </>
  );
}
