// The ladder of a rated mode: the best first, or the places around a player; and the end of a season.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LobbyConfig } from '../src/lobby/config';
import type { LadderPage as Told } from '../src/objects/contracts/ratings';
import { useActing } from './acting';
import { isViewer } from './api';
import { useAsked } from './asked';
import { Choice } from './choice';
import { PlayerLink } from './links';
import { useLive } from './live';
import { Danger, Empty, Mistake, Title, Waiting } from './parts';
import { go, to } from './place';
import { Pager, Table } from './table';
import { TextLine } from './text-line';

const SHOWN = 50;

/** Links to the ladders of the project, one for each rated field. */
export function LadderLinks({ player }: { readonly player: string }): JSX.Element | null {
  const { data } = useLive({ view: 'project' });
  const ladders = new Map(
    Object.values(data?.configs ?? {})
      .flatMap(({ name, matchmaking }: LobbyConfig) =>
        Object.entries(matchmaking.modes).map(([mode, { rating }]) => ({ name, mode, rating })),
      )
      .flatMap(({ rating, ...where }) =>
        rating === undefined ? [] : [[rating.field, where] as const],
      ),
  );
  return ladders.size === 0 ? null : (
    <p>
      Ladder:
      {Array.from(ladders, ([field, { name, mode }]) => (
        <span key={field}>
          {' '}
          <a href={to('ladder', name, mode, player)}>{field}</a>
        </span>
      ))}
    </p>
  );
}

function Around({
  config,
  mode,
  player,
}: {
  readonly config: string;
  readonly mode: string;
  readonly player: string;
}): JSX.Element {
  const [text, setText] = useState(player);
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        go('ladder', config, mode, ...(wanted === '' ? [] : [wanted]));
      }}
    >
      <TextLine label="Around the player" value={text} placeholder="a player id" onText={setText} />
      <button type="submit">Show</button>
      {player !== '' && <a href={to('ladder', config, mode)}>The best first</a>}
    </form>
  );
}

function EndSeason({
  config,
  mode,
  season,
  onEnded,
}: {
  readonly config: string;
  readonly mode: string;
  readonly season: number;
  readonly onEnded: () => void;
}): JSX.Element {
  const [factor, setFactor] = useState('0.5');
  const acting = useActing();
  return (
    <section aria-labelledby="season">
      <h2 id="season">End the season</h2>
      <Mistake text={acting.error} />
      <div class="inline">
        <TextLine
          label="Reset toward the starting rating, 0 to 1"
          value={factor}
          onText={setFactor}
        />
        <Danger
          label={`End season ${season}`}
          question={`End season ${season}? Its ladder is kept. Every rating moves ${factor} of the way to the starting rating. This cannot be undone.`}
          onConfirm={async () => {
            const body = { config, mode, season, factor: Number(factor) };
            await acting.act('POST /ratings/seasons', `Season ${season} has ended`, body);
            onEnded();
          }}
        >
          End season {season}
        </Danger>
      </div>
    </section>
  );
}

export function LadderPage({
  config,
  mode,
  player = '',
}: {
  readonly config: string;
  readonly mode: string;
  readonly player?: string | undefined;
}): JSX.Element {
  const [offset, setOffset] = useState(0);
  const [season, setSeason] = useState(0);
  const query = new URLSearchParams({
    config,
    mode,
    limit: String(SHOWN),
    ...(player === '' ? { offset: String(offset) } : { around: player }),
    ...(season === 0 ? {} : { season: String(season) }),
  });
  const { data, refusal, again } = useAsked<Told>(`GET /ratings?${query}`);
  /** The season that runs: an older page says its own. */
  const [running, setRunning] = useState(1);
  if (season === 0 && data !== null && data.season !== running) {
    setRunning(data.season);
  }
  return (
    <>
      <p class="crumbs">
        <a href={to('configs', config)}>{config}</a> /{' '}
        <a href={to('queues', config, mode)}>{mode}</a>
      </p>
      <Title>
        Ladder {config} / {mode}
      </Title>
      <Around key={player} config={config} mode={mode} player={player} />
      {running > 1 && (
        <div class="inline">
          <Choice
            label="Season"
            value={season}
            options={[
              [0, `${running} (current)`],
              ...Array.from({ length: running - 1 }, (_, index) => {
                const each = running - 1 - index;
                return [each, String(each)] as const;
              }),
            ]}
            onChoice={(value) => {
              setSeason(value);
              setOffset(0);
            }}
          />
        </div>
      )}
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.total === 0 ? (
        <Empty title="Nobody is on the ladder yet">
          Players appear here after the first result of a match they played in.
        </Empty>
      ) : (
        <>
          <Table label="Ladder" heads={['Place', 'Player', 'Rating', 'Uncertainty', 'Games']}>
            {data.players.map((each) => (
              <tr key={each.place} aria-current={each.player === player ? 'true' : undefined}>
                <th scope="row">{each.place}</th>
                <td>
                  <PlayerLink id={each.player} />
                </td>
                <td class="number">{each.rating}</td>
                <td class="number">{each.uncertainty}</td>
                <td class="number">{each.games}</td>
              </tr>
            ))}
          </Table>
          {player === '' ? (
            <Pager
              offset={offset}
              shown={data.players.length}
              total={data.total}
              words={['Previous', 'Next']}
              onOffset={setOffset}
            />
          ) : (
            <p class="dim">
              {data.players.every((each) => each.player !== player) &&
                `${player} is not rated yet: a new player would stand here. `}
              {data.total} {data.total === 1 ? 'player' : 'players'} on the ladder.
            </p>
          )}
        </>
      )}
      {season === 0 && data !== null && !isViewer() && (
        <EndSeason config={config} mode={mode} season={data.season} onEnded={again} />
      )}
    </>
  );
}
