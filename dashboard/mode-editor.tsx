// The matchmaking modes of a config: sizes, waits, rules, roles.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { Composition } from './composition-editor';
import { Confirmation } from './confirmation-editor';
import { fieldId, type Path, pathText, useDraftHere } from './draft';
import {
  IssueOf,
  JsonField,
  Jumps,
  ListField,
  NumberField,
  Section,
  TextField,
  Toggle,
} from './fields';
import { to } from './place';
import { RematchField, Rules } from './rule-editor';
import { Trials, trials } from './trials';

export const MODES: Path = ['matchmaking', 'modes'];

function Sizes({ path }: { readonly path: Path }): JSX.Element {
  const draft = useDraftHere();
  const roles = [...path, 'teamComposition'];
  const byRoles = (draft.at(roles) ?? null) !== null;
  const change = (on: boolean): void => {
    // One of the two says the sizes; the other follows from it.
    for (const field of [
      'teams',
      'playersPerTeam',
      'minPlayersPerTeam',
      'minTeams',
      'steps',
      'sameSize',
      'maxPartySize',
    ]) {
      draft.set([...path, field], undefined);
    }
    draft.set(roles, on ? { attackers: { any: 1 }, defenders: { any: 1 } } : undefined);
  };
  return (
    <Section path={path} title="Teams">
      <label class="check">
        <input
          type="checkbox"
          checked={byRoles}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        Teams with named roles (asymmetric)
      </label>
      {byRoles ? (
        <Composition path={roles} />
      ) : (
        <div class="grid">
          <NumberField path={[...path, 'teams']} label="Teams" placeholder="2" />
          <NumberField
            path={[...path, 'playersPerTeam']}
            label="Players per team"
            placeholder="1"
          />
        </div>
      )}
      <div class="grid">
        <NumberField
          path={[...path, 'minPlayersPerTeam']}
          label="Minimum players per team"
          placeholder="a full team"
          help="Less than a full team allows partial matches"
        />
        <NumberField
          path={[...path, 'minTeams']}
          label="Minimum teams"
          placeholder="all teams"
          help="For modes with many teams"
        />
        <NumberField
          path={[...path, 'maxPartySize']}
          label="Largest party"
          placeholder="a full team"
          help="Larger lobbies cannot queue"
        />
        <JsonField
          path={[...path, 'steps']}
          label="Minimums that fall with the wait"
          placeholder='[{"afterSeconds": 15, "minPlayersPerTeam": 3}, {"afterSeconds": 30, "bots": true}]'
          help="A list of steps: after so many seconds, a smaller match is enough, and last, bots fill the teams"
        />
      </div>
      <Toggle
        path={[...path, 'sameSize']}
        label="Teams of a match have equally many players"
        help="For matches that start with less than full teams"
      />
    </Section>
  );
}

function Flow({ path }: { readonly path: Path }): JSX.Element {
  return (
    <Section path={path} title="Waiting and starting">
      <div class="grid">
        <NumberField
          path={[...path, 'timeout']}
          label="Longest wait, seconds"
          placeholder="60"
          help="Then the search ends. Until then, what a difference rule allows grows to twice its value"
        />
        <NumberField
          path={[...path, 'targetWait']}
          label="Target wait, seconds"
          placeholder="none"
          help="Needs a difference rule. Common players then wait about this long too, for a closer opponent"
        />
        <RematchField path={[...path, 'rematch']} />
        <NumberField
          path={[...path, 'bellSeconds']}
          label="Bell, seconds"
          placeholder="none"
          help="The webhook hears that a party has waited so long, at most once in five minutes"
        />
        <NumberField
          path={[...path, 'reconnectSeconds']}
          label="Time to come back, seconds"
          placeholder="none"
          help="How long the place of a player who drops out of a running game is kept"
        />
      </div>
      <Confirmation path={path} />
      <Toggle path={[...path, 'allowBackfill']} label="Fill open places in games in progress" />
      <Toggle
        path={[...path, 'lateJoin']}
        label="Players may join lobbies during their games"
        help="They have no team: the game server sees them as late in their seat tickets"
        initial
      />
      <Toggle
        path={[...path, 'explainsWait']}
        label="Players see why they still wait"
        help="Which rule holds them back, and how many others wait"
        initial
      />
      <div class="grid">
        <ListField
          path={[...path, 'excludedFromQueue']}
          label="Roles that do not play"
          placeholder="none"
          help="Comma-separated, such as spectator: they come along without taking a place"
        />
        <TextField
          path={[...path, 'useVersionFromState']}
          label="State field that selects the build"
          optional
          placeholder="none"
          help="Needs an equals rule on the same field"
        />
      </div>
    </Section>
  );
}

function Rating({ path: mode }: { readonly path: Path }): JSX.Element {
  const path = [...mode, 'rating'];
  const draft = useDraftHere();
  const rated = (draft.at(path) ?? null) !== null;
  return (
    <Section path={mode} title="Ratings">
      <label class="check">
        <input
          type="checkbox"
          checked={rated}
          onChange={(event) => {
            const on = { field: 'mmr', system: 'openskill' };
            draft.set(path, event.currentTarget.checked ? on : undefined);
          }}
        />
        Rate players by results
      </label>
      <IssueOf path={path} />
      {rated && (
        <div class="grid">
          <TextField
            path={[...path, 'field']}
            label="Field of the ladder"
            placeholder="mmr"
            help="Modes that name the same field share a ladder. Nobody but the ladder can write it"
          />
          <JsonField
            path={[...path, 'decay']}
            label="Decay of who is away"
            placeholder='{"afterDays": 30, "sigma": 50}'
            help="Each time a player was not rated for so many days, the uncertainty grows by a step of so many points"
          />
        </div>
      )}
    </Section>
  );
}

/** The titles of the parts of a mode. */
const PARTS = ['Teams', 'Rules', 'Waiting and starting', 'Ratings'];

interface ModeProps {
  readonly config: string;
  readonly name: string;
  readonly open: boolean;
  readonly at?: number | undefined;
}

function ModeForm({ config, name, open, at }: ModeProps): JSX.Element {
  const draft = useDraftHere();
  const path = [...MODES, name];
  const prefix = pathText(path);
  const parts = [...PARTS, ...trials()];
  const [wasOpen] = useState(open);
  const wrong = draft.issues.filter((issue) => issue.path.startsWith(prefix)).length;
  return (
    <details class="mode" id={fieldId(path)} open={wasOpen} tabIndex={-1}>
      <summary>
        <h3>{name}</h3>
        {wrong > 0 && <span class="count">{wrong === 1 ? '1 problem' : `${wrong} problems`}</span>}
      </summary>
      <IssueOf path={path} />
      <Jumps label={`Parts of ${name}`} to={parts.map((title) => [title, [...path, title]])} />
      <Sizes path={path} />
      <Rules mode={path} />
      <Flow path={path} />
      <Rating path={path} />
      <Trials config={config} name={name} path={path} at={at} />
      <div class="actions">
        <a href={to('queues', config, name)}>View queue</a>
        {(draft.at([...path, 'rating']) ?? null) !== null && (
          <a href={to('ladder', config, name)}>View ladder</a>
        )}
        <a href={to('playground', config, name)}>Try it out in the playground</a>
        <button type="button" class="danger" onClick={() => draft.set(path, undefined)}>
          Remove mode {name}
        </button>
      </div>
    </details>
  );
}

/** What-if of a mode at an hour, to which a page leads. */
export interface Tried {
  readonly mode: string;
  /** Epoch ms. */
  readonly at: number;
}

export function Modes({
  config,
  tried,
}: {
  readonly config: string;
  readonly tried: Tried | null;
}): JSX.Element {
  const draft = useDraftHere();
  const [name, setName] = useState('');
  const [added, setAdded] = useState('');
  const [error, setError] = useState<string | null>(null);
  const names = Object.keys((draft.at(MODES) ?? {}) as JsonObject);
  const add = (): void => {
    const wanted = name.trim();
    if (!/^[A-Za-z0-9_. -]{1,64}$/.test(wanted)) {
      setError('Use 1 to 64 letters, digits, spaces, _ - or .');
    } else if (names.includes(wanted)) {
      setError('There is already a mode with this name');
    } else {
      draft.set([...MODES, wanted], {});
      setAdded(wanted);
      setName('');
      setError(null);
    }
  };
  return (
    <section aria-labelledby={fieldId(MODES)}>
      <h2 id={fieldId(MODES)} tabIndex={-1}>
        Matchmaking modes
      </h2>
      <IssueOf path={MODES} />
      {names.length === 0 && (
        <p class="dim">
          None yet. Lobbies can start their own games without a mode, but need one to queue.
        </p>
      )}
      {names.map((each) => (
        <ModeForm
          key={each}
          config={config}
          name={each}
          open={names.length === 1 || each === added || each === tried?.mode}
          at={each === tried?.mode ? tried.at : undefined}
        />
      ))}
      <div class="inline">
        <div class="field">
          <label for="new-mode">Name of the new mode</label>
          <input
            id="new-mode"
            value={name}
            placeholder="ranked"
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : 'new-mode-issue'}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                add();
              }
            }}
          />
          {error !== null && (
            <p class="issue" id="new-mode-issue" role="alert">
              {error}
            </p>
          )}
        </div>
        <button type="button" onClick={add}>
          Add mode
        </button>
      </div>
    </section>
  );
}
