// Which page stands at which address: `#/lobbies/arena/0c1d…` is the page `lobbies` with two parts.

import type { JSX } from 'preact';
import { isViewer } from './api';
import { Audit } from './audit';
import { BansPage } from './bans';
import { Builds } from './builds';
import { ConfigEditor } from './config-editor';
import { Configs } from './configs';
import { Keys } from './keys';
import { LadderPage } from './ladder';
import { Lobbies } from './lobbies';
import { LobbyPage } from './lobby';
import { MatchPage } from './match';
import { Matches } from './matches';
import { Overview } from './overview';
import { Title } from './parts';
import { type Place, to } from './place';
import { PlayerPage } from './player';
import { Players } from './players';
import { Playground } from './playground';
import { QueuePage } from './queue';
import { Queues } from './queues';
import { Revisions } from './revisions';
import { SearchPage } from './search';
import { ServerPage } from './server';
import { Settings } from './settings';
import { Servers } from './servers';

/** What the navigation leads to. */
const PAGES = [
  ['', 'Overview'],
  ['lobbies', 'Lobbies'],
  ['queues', 'Queues'],
  ['players', 'Players'],
  ['matches', 'Matches'],
  ['servers', 'Servers'],
  ['builds', 'Builds'],
  ['configs', 'Configs'],
  ['playground', 'Playground'],
  ['bans', 'Bans'],
  ['settings', 'Settings'],
  ['keys', 'Keys'],
  ['audit', 'Audit'],
] as const;

/** Who looks cannot play. */
export function shownPages(): readonly (typeof PAGES)[number][] {
  return PAGES.filter(([page]) => page !== 'playground' || !isViewer());
}

type Show = (first?: string, second?: string, third?: string, fourth?: string) => JSX.Element;

const SHOWN: Readonly<Record<string, Show>> = {
  '': () => <Overview />,
  lobbies: (config, id) =>
    config !== undefined && id !== undefined ? (
      <LobbyPage config={config} id={id} />
    ) : (
      <Lobbies config={config ?? null} />
    ),
  queues: (config, mode) =>
    config !== undefined && mode !== undefined ? (
      <QueuePage config={config} mode={mode} />
    ) : (
      <Queues />
    ),
  /** One, by its id; those of a queue, by config and mode; or all. */
  matches: (first, mode) =>
    first !== undefined && mode === undefined ? (
      <MatchPage id={first} />
    ) : (
      <Matches config={first ?? null} mode={mode ?? null} />
    ),
  /** The best first, or the places around a player. */
  ladder: (config, mode, player) =>
    config === undefined || mode === undefined ? (
      <NotFound />
    ) : (
      <LadderPage config={config} mode={mode} player={player} />
    ),
  /** One, by its id; or who is in the lobbies of a config. */
  players: (id) => (id === undefined ? <Players config={null} /> : <PlayerPage id={id} />),
  in: (config) => <Players config={config ?? null} />,
  /** One, by its id; those of a build (`build`, its name, a status); or all. */
  servers: (first, build, state) =>
    first === undefined || build !== undefined ? (
      <Servers build={build} state={state} />
    ) : (
      <ServerPage id={first} />
    ),
  builds: (name, part) =>
    name !== undefined && part === 'history' ? <Revisions of="builds" name={name} /> : <Builds />,
  /** All; one; its history; or `try`, a mode and the hour to try changes of it on. */
  configs: (name, part, mode, at) =>
    name === undefined ? (
      <Configs />
    ) : part === 'history' ? (
      <Revisions of="configs" name={name} />
    ) : (
      <ConfigEditor
        name={name}
        tried={part === 'try' && mode !== undefined ? { mode, at: Number(at) } : null}
      />
    ),
  playground: (config, mode) =>
    isViewer() ? <Unseen /> : <Playground config={config ?? null} mode={mode ?? null} />,
  bans: () => <BansPage />,
  settings: () => <Settings />,
  keys: () => <Keys />,
  /** All, or what was done to a thing. */
  audit: (on) => <Audit on={on} />,
  search: (text = '') => <SearchPage text={text} />,
};

function Unseen(): JSX.Element {
  return (
    <>
      <Title>Playground</Title>
      <p>Phantoms play, so the playground needs the server key.</p>
    </>
  );
}

function NotFound(): JSX.Element {
  return (
    <>
      <Title>Page not found</Title>
      <p>
        <a href={to('')}>Go to the overview</a>
      </p>
    </>
  );
}

/** Give it a key of the whole place: another place is another page. */
export function Page({ place }: { readonly place: Place }): JSX.Element {
  const show = Object.hasOwn(SHOWN, place.page) ? SHOWN[place.page] : undefined;
  return show?.(...place.parts) ?? <NotFound />;
}
