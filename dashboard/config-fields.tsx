// The fields of a lobby config that are not about matchmaking.

import type { JSX } from 'preact';
import { useAsked } from './asked';
import { type Path, useDraftHere } from './draft';
import {
  IssueOf,
  JsonField,
  ListField,
  NumberField,
  Section,
  SelectField,
  TextField,
  Toggle,
} from './fields';
import { to } from './place';

function Finding(): JSX.Element {
  return (
    <Section title="Finding a lobby">
      <ListField
        path={['browseBy']}
        label="Settings by which players find a lobby"
        placeholder="none"
        help="Comma-separated, such as map, difficulty"
      />
    </Section>
  );
}

function InviteCodes(): JSX.Element {
  const draft = useDraftHere();
  const path = ['inviteCodeConfig'];
  const own = (draft.at(path) ?? null) !== null;
  return (
    <Section title="Invite codes">
      <label class="check">
        <input
          type="checkbox"
          checked={own}
          onChange={(event) =>
            draft.set(
              path,
              event.currentTarget.checked ? { type: 'alphanumeric', length: 6 } : undefined,
            )
          }
        />
        Use a custom format instead of codes like MEOW-7K2QXD
      </label>
      <IssueOf path={path} />
      {own && (
        <div class="grid">
          <SelectField
            path={[...path, 'type']}
            label="Characters"
            options={[
              ['alphanumeric', 'letters and digits'],
              ['numeric', 'digits'],
              ['alphabetic', 'letters'],
            ]}
          />
          <NumberField
            path={[...path, 'length']}
            label="Length"
            help="1 to 16, without the prefix"
          />
          <TextField path={[...path, 'prefix']} label="Prefix" optional placeholder="none" />
        </div>
      )}
    </Section>
  );
}

function Invitations(): JSX.Element {
  const draft = useDraftHere();
  const path = ['invite'];
  const has = (draft.at(path) ?? null) !== null;
  return (
    <Section title="Invite links">
      <label class="check">
        <input
          type="checkbox"
          checked={has}
          onChange={(event) =>
            draft.set(
              path,
              event.currentTarget.checked ? { url: 'mygame://join/{code}' } : undefined,
            )
          }
        />
        Each lobby has a link, whose page opens the game
      </label>
      <IssueOf path={path} />
      {has && (
        <div class="grid">
          <TextField
            path={[...path, 'url']}
            label="Opens the installed game"
            optional
            placeholder="mygame://join/{code}"
            help="{code}, {config} and {project} are filled in"
          />
          <TextField
            path={[...path, 'web']}
            label="Opens the game in a browser"
            optional
            placeholder="https://play.example.com/?code={code}"
          />
        </div>
      )}
    </Section>
  );
}

function ClosedFields(): JSX.Element {
  const draft = useDraftHere();
  const path = ['closed'];
  const isClosed = (draft.at(path) ?? null) !== null;
  return (
    <Section title="Closed">
      <label class="check">
        <input
          type="checkbox"
          checked={isClosed}
          onChange={(event) =>
            draft.set(
              path,
              event.currentTarget.checked ? { message: 'Closed for an update' } : undefined,
            )
          }
        />
        Nobody can create a lobby, start a game or search; what is under way goes on
      </label>
      <IssueOf path={path} />
      {isClosed && (
        <div class="grid">
          <TextField path={[...path, 'message']} label="Message for players" />
          <TextField
            path={[...path, 'until']}
            label="Open again at"
            optional
            placeholder="2026-11-24T10:00:00Z"
            help="Empty: until you save this config open"
          />
        </div>
      )}
    </Section>
  );
}

function Trusted(): JSX.Element {
  const draft = useDraftHere();
  const { written } = draft;
  return (
    <Section title="Trusted fields">
      <ListField
        path={['trusted']}
        label="State fields that players cannot write"
        placeholder="none"
        help="Comma-separated, such as mmr: set with PUT /players/{id}/attributes"
      />
      {written.length > 0 && (
        <p class="note">Players can write {written.join(', ')}, which a rule reads.</p>
      )}
    </Section>
  );
}

const BUILD: Path = ['serverSettings', 'gameBuild'];

/** A build that was removed since stays in the list while the config names it. */
function BuildField(): JSX.Element {
  const draft = useDraftHere();
  const { data } = useAsked<{ readonly builds: readonly { readonly name: string }[] }>(
    'GET /builds',
  );
  const known = (data?.builds ?? []).map(({ name }) => name).filter((name) => name !== 'default');
  const named = draft.at(BUILD);
  const isGone = typeof named === 'string' && named !== 'default' && !known.includes(named);
  return (
    <SelectField
      path={BUILD}
      label="Build"
      options={[
        ['default', 'default'],
        ...known.map((name) => [name, name] as const),
        ...(isGone ? [[named, data === null ? named : `${named} (there is none)`] as const] : []),
      ]}
      help={
        <>
          One of your <a href={to('builds')}>builds</a>; a mode can select one by version
        </>
      }
    />
  );
}

const HOSTING: Path = ['serverSettings', 'hosting'];
const RESULTS: Path = ['serverSettings', 'results'];
const HOST_STEERS: Path = ['serverSettings', 'hostSteers'];

function HostingField(): JSX.Element {
  const draft = useDraftHere();
  return (
    <>
      <SelectField
        path={HOSTING}
        label="Games are hosted by"
        help="A build can also set this to players"
        options={[
          ['', 'a game server'],
          ['players', 'one of its players'],
        ]}
        onChoose={(chosen) => draft.set(HOSTING, chosen === '' ? undefined : chosen)}
      />
      <NumberField
        path={['serverSettings', 'hostGraceSeconds']}
        label="Next host after, seconds"
        placeholder="5"
        help="Where players host: when the host has had no stream for this long"
      />
      <SelectField
        path={RESULTS}
        label="The result of a hosted game is reported by"
        options={[
          ['', 'the host'],
          ['majority', 'most of the players, all the same'],
        ]}
        onChoose={(chosen) => draft.set(RESULTS, chosen === '' ? undefined : chosen)}
      />
      <Toggle
        path={HOST_STEERS}
        label="A hosting player may open and free places, and remove players"
      />
      <Toggle
        path={['serverSettings', 'matchOnStart']}
        label="A game that a host starts is a match"
        help="It has a result, a roster and webhooks, but no mode"
        initial={draft.at(RESULTS) === 'majority' || draft.at(HOST_STEERS) === true}
      />
    </>
  );
}

/** The titles of the parts. */
export const GENERAL = [
  'Lobbies',
  'Closed',
  'Invite codes',
  'Invite links',
  'Trusted fields',
  'Game servers',
  'Custom properties',
];

export function General(): JSX.Element {
  return (
    <>
      <Section title="Lobbies">
        <Toggle
          path={['enabled']}
          label="Enabled"
          initial
          help="While a config is disabled, defaults apply and nobody can queue"
        />
        <div class="grid">
          <NumberField
            path={['timeout']}
            label="Idle timeout, seconds"
            placeholder="300"
            help="A waiting lobby is deleted after this long without activity"
          />
          <NumberField
            path={['maxPlayers']}
            label="Places of a lobby"
            placeholder="2"
            help="Default and maximum number of places"
          />
          <NumberField
            path={['minPlayers']}
            label="Players to start a game"
            placeholder="1"
            help="The host cannot start a game with fewer. Queues do not count by it"
          />
          <SelectField
            path={['hostLeaveBehavior']}
            label="When the host leaves"
            options={[
              ['promote', 'promote another player'],
              ['delete', 'delete the lobby'],
            ]}
          />
        </div>
        <Toggle
          path={['lobbyBell']}
          label="Call the webhook when a public lobby has room"
          help="At most once in five minutes"
        />
        <Toggle
          path={['heartbeat']}
          label="Players must send heartbeats"
          help="An open event stream counts as one"
        />
        <div class="grid">
          <NumberField
            path={['heartbeatTimeout']}
            label="Heartbeat timeout, seconds"
            placeholder="60"
            help="Players who stay silent for longer are removed"
          />
          <NumberField
            path={['queuePresenceSeconds']}
            label="Presence in a queue, seconds"
            placeholder="30"
            help="Then a lobby whose players have all disconnected leaves the queue; 0: never"
          />
        </div>
      </Section>
      <ClosedFields />
      <InviteCodes />
      <Invitations />
      <Finding />
      <Trusted />
      <Section title="Game servers">
        <div class="grid">
          <TextField
            path={['serverSettings', 'serverSize']}
            label="Server size"
            optional
            placeholder="small"
          />
          <BuildField />
          <HostingField />
        </div>
      </Section>
      <Section title="Custom properties">
        <JsonField
          path={['customProperties']}
          label="JSON object"
          placeholder="{}"
          help="Passed on to players in every lobby; the service itself ignores them"
        />
      </Section>
    </>
  );
}
