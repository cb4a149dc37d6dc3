// What operators did, newest first, by who, what and on what.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditPage } from '../packages/js/src/journal-types.ts';
import type { Deed as Done } from '../src/objects/contracts/audit';
import { useAsked } from './asked';
import { Choice } from './choice';
import { LobbyLink, MatchLink, PlayerLink, ServerLink } from './links';
import { Empty, Time, Title, Told, Waiting } from './parts';
import { to } from './place';
import { CursorPager, Table } from './table';
import { TextLine } from './text-line';

const LOOK_MS = 5_000;
const SHOWN = 50;

type Deed = AuditPage['items'][number];
type Show = (on: string, detail: string | null) => JSX.Element;

const config: Show = (on) => <a href={to('configs', on, 'history')}>{on}</a>;
const build: Show = (on) => <a href={to('builds', on, 'history')}>{on}</a>;
const player: Show = (on) => <PlayerLink id={on} />;
const lobby: Show = (on, detail) => <LobbyLink config={detail ?? ''} id={on} />;
const server: Show = (on) => <ServerLink id={on} />;
const plain: Show = (on) => <>{on}</>;

/** Each kind in words, and the thing that it was done to. */
const KINDS: Readonly<Record<Done['kind'], readonly [words: string, on: Show]>> = {
  config_saved: ['Config saved', config],
  config_deleted: ['Config deleted', config],
  settings_saved: ['Project settings saved', plain],
  build_saved: ['Build saved', build],
  build_deleted: ['Build deleted', build],
  secrets_changed: ['Secrets changed', plain],
  banned: ['Player banned', player],
  unbanned: ['Ban lifted', player],
  kicked: ['Player kicked', player],
  left_queue: ['Lobby removed from its queue', lobby],
  game_ended: ['Game ended', lobby],
  match_ended: ['Match ended', (on) => <MatchLink id={on} />],
  lobby_deleted: ['Lobby deleted', lobby],
  lobby_moved: ['Lobby moved to another config', lobby],
  server_restarted: ['Server restarted', server],
  server_stopped: ['Server stopped', server],
  servers_stopped: ['A build’s servers stopped', build],
  attributes_deleted: ['Attributes deleted', player],
  season_ended: ['Ladder season ended', config],
  ratings_imported: ['Ratings imported', config],
};

function Row({ deed: { at, kind, by, on, detail } }: { readonly deed: Deed }): JSX.Element {
  // The service and this page are always of one version.
  const [words, shown] = KINDS[kind as Done['kind']];
  return (
    <tr>
      <th scope="row">{words}</th>
      <td>{on !== null && shown(on, detail)}</td>
      <td class="number">
        <Time at={at} />
      </td>
      <td>{by.slice(by.indexOf(':') + 1)}</td>
      <td>{detail !== null && <Told text={detail} />}</td>
    </tr>
  );
}

export function Audit({ on: first = '' }: { readonly on?: string | undefined }): JSX.Element {
  const [filters, setFilters] = useState({ by: '', kind: '', on: first });
  const [turned, setTurned] = useState<readonly string[]>([]);
  const { by, kind, on } = filters;
  const query = new URLSearchParams({
    limit: String(SHOWN),
    ...(by === '' ? {} : { by: `operator:${by}` }),
    ...(kind === '' ? {} : { kind }),
    ...(on === '' ? {} : { on }),
    ...(turned.length === 0 ? {} : { until: turned.at(-1) ?? '' }),
  });
  const { data, refusal } = useAsked<AuditPage>(`GET /audit?${query}`, {
    every: () => (turned.length === 0 ? LOOK_MS : undefined),
  });
  const set = (name: keyof typeof filters, value: string): void => {
    setFilters((before) => ({ ...before, [name]: value.trim() }));
    setTurned([]);
  };
  const isFiltered = `${by}${kind}${on}` !== '';
  return (
    <>
      <Title>Audit</Title>
      <p class="dim">
        Kept for 90 days, and at least the last 10,000 entries. Times are those of this browser.
      </p>
      <div class="inline">
        <TextLine
          label="Who"
          value={by}
          placeholder="a key's name"
          isLate
          onText={(text) => set('by', text)}
        />
        <Choice
          label="What"
          value={kind}
          options={[
            ['', 'everything'],
            ...Object.entries(KINDS).map(([value, [words]]) => [value, words] as const),
          ]}
          onChoice={(value) => set('kind', value)}
        />
        <TextLine
          label="On"
          value={on}
          placeholder="a name or an id"
          isLate
          onText={(text) => set('on', text)}
        />
      </div>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.items.length === 0 && turned.length === 0 ? (
        <Empty title={isFiltered ? 'Nothing fits these filters' : 'No operator did anything yet'}>
          Saves, kicks, bans, ends and stops show up here, with the key that did them.
        </Empty>
      ) : (
        <>
          <Table label="Audit" heads={['What', 'On', 'When', 'By key', 'Outcome']}>
            {data.items.map((deed) => (
              <Row key={deed.at} deed={deed} />
            ))}
          </Table>
          <CursorPager turned={turned} next={data.next} onTurned={setTurned} />
        </>
      )}
    </>
  );
}
