// Bans: those of one player on its page, those of all players on a page of their own, and a form for one more.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Ban, BanPage } from '../packages/js/src/identity-types.ts';
import { type Acting, useActing } from './acting';
import { isViewer, pathOf } from './api';
import { type Asked, useAsked } from './asked';
import { PlayerLink } from './links';
import { Danger, Empty, Mistake, Time, Title, Waiting } from './parts';
import { Pager, Table } from './table';
import { TextLine } from './text-line';

const LOOK_MS = 5_000;
const HOUR_MS = 3_600_000;
const PAGE = 50;

interface Doing {
  readonly acting: Acting;
  /** Something was done. */
  readonly again: () => void;
}

function Row({ ban, acting, again, isOfAll }: Doing & { ban: Ban; isOfAll: boolean }): JSX.Element {
  const { playerId, config, until, reason, createdAt, by } = ban;
  const lift = async (): Promise<void> => {
    const query = config === null ? '' : `?config=${encodeURIComponent(config)}`;
    await acting.act(`DELETE /bans${pathOf(playerId)}${query}`, `${playerId} may play again`);
    again();
  };
  const from = config ?? 'all configs';
  return (
    <tr>
      {isOfAll && (
        <th scope="row">
          <PlayerLink id={playerId} />
        </th>
      )}
      {isOfAll ? <td>{from}</td> : <th scope="row">{from}</th>}
      <td>{until === null ? 'further notice' : <Time at={until} />}</td>
      <td>{reason ?? '–'}</td>
      <td class="unbroken">
        <Time at={createdAt} />
      </td>
      <td>{by}</td>
      <td>
        {!isViewer() && (
          <button type="button" onClick={() => void lift()}>
            {config === null ? 'Lift all' : 'Lift'}
            {isOfAll && <span class="unseen"> of {playerId}</span>}
          </button>
        )}
      </td>
    </tr>
  );
}

const HEADS = ['From', 'Until', 'Reason', 'Since', 'By', 'Action'];

function BanTable({
  bans,
  isOfAll = false,
  ...doing
}: Doing & { readonly bans: readonly Ban[]; readonly isOfAll?: boolean }): JSX.Element {
  return (
    <Table label="Bans" heads={isOfAll ? ['Player', ...HEADS] : HEADS}>
      {bans.map((ban) => (
        <Row key={JSON.stringify([ban.playerId, ban.config])} {...doing} {...{ ban, isOfAll }} />
      ))}
    </Table>
  );
}

/** Without a player, it asks for one. */
function BanForm({
  player,
  acting,
  again,
}: Doing & { readonly player: string | null }): JSX.Element | null {
  const [named, setNamed] = useState('');
  const [reason, setReason] = useState('');
  const [config, setConfig] = useState('');
  const [hours, setHours] = useState('');
  const id = player ?? named;
  if (isViewer()) {
    return null;
  }
  const ban = async (): Promise<void> => {
    const until = hours === '' ? null : new Date(Date.now() + Number(hours) * HOUR_MS);
    const body = { config: config || null, reason: reason || null, until };
    if (await acting.act(`PUT /bans${pathOf(id)}`, `${id} is banned`, body)) {
      setNamed('');
      setReason('');
      setConfig('');
      setHours('');
    }
    again();
  };
  return (
    <>
      <div class="grid">
        {player === null && <TextLine label="Player's id" value={named} onText={setNamed} />}
        <TextLine label="Reason for the player" value={reason} onText={setReason} />
        <TextLine label="Config (empty: all)" value={config} onText={setConfig} />
        <TextLine
          label="Hours (empty: until lifted)"
          type="number"
          value={hours}
          onText={setHours}
        />
      </div>
      <div class="actions">
        {id === '' ? (
          <p class="dim">Type the id of the player to ban.</p>
        ) : (
          <Danger
            label="Ban the player"
            question={`Ban ${id} from ${config === '' ? 'all configs' : config}? They will be removed from their lobbies.`}
            onConfirm={ban}
          >
            Ban
          </Danger>
        )}
      </div>
    </>
  );
}

function useBans(player: string): Asked<BanPage> {
  const line = `GET /bans?playerId=${encodeURIComponent(player)}`;
  return useAsked<BanPage>(line, { every: () => LOOK_MS });
}

/** From what the player is banned, in a sentence. */
export function BannedNow({ player }: { readonly player: string }): JSX.Element | null {
  const bans = useBans(player).data?.bans ?? [];
  return bans.length === 0 ? null : (
    <p class="note">
      Banned from{' '}
      {bans.map(({ config, until }, index) => (
        <span key={config}>
          {index > 0 && ', '}
          {config ?? 'all configs'}
          {until !== null && (
            <>
              {' until '}
              <Time at={until} />
            </>
          )}
        </span>
      ))}
    </p>
  );
}

/** Of one player. */
export function Bans({ player }: { readonly player: string }): JSX.Element {
  const { data, again } = useBans(player);
  const acting = useActing();
  const bans = data?.bans ?? [];
  return (
    <section aria-labelledby="bans">
      <h2 id="bans">Bans</h2>
      <Mistake text={acting.error} />
      {bans.length === 0 ? (
        <p class="dim">This player is not banned.</p>
      ) : (
        <BanTable {...{ bans, acting, again }} />
      )}
      <BanForm {...{ player, acting, again }} />
    </section>
  );
}

/** Of all players. */
export function BansPage(): JSX.Element {
  const [offset, setOffset] = useState(0);
  const line = `GET /bans?limit=${PAGE}&offset=${offset}`;
  const { data, refusal, again } = useAsked<BanPage>(line, { every: () => LOOK_MS });
  const acting = useActing();
  return (
    <>
      <Title>Bans</Title>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.total === 0 ? (
        <Empty title="Nobody is banned">
          A banned player cannot create or join lobbies, or search for matches.
        </Empty>
      ) : (
        <>
          <BanTable bans={data.bans} isOfAll {...{ acting, again }} />
          <Pager offset={offset} shown={data.bans.length} total={data.total} onOffset={setOffset} />
        </>
      )}
      {!isViewer() && <h2>Ban a player</h2>}
      <BanForm player={null} {...{ acting, again }} />
    </>
  );
}
