// The bans of one player: those that hold, and a form for one more.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Ban } from '../src/objects/contracts/bans';
import { useActing } from './acting';
import { isViewer, pathOf } from './api';
import { useAsked } from './asked';
import { Danger, Mistake, Time } from './parts';
import { Table } from './table';

const LOOK_MS = 5_000;
const HOUR_MS = 3_600_000;

export function Bans({ player }: { readonly player: string }): JSX.Element {
  const line = `GET /bans?playerId=${encodeURIComponent(player)}`;
  const { data, again } = useAsked<{ readonly bans: readonly Ban[] }>(line, {
    every: () => LOOK_MS,
  });
  const acting = useActing();
  const [reason, setReason] = useState('');
  const [config, setConfig] = useState('');
  const [hours, setHours] = useState('');
  const ban = async (): Promise<void> => {
    const until = hours === '' ? null : new Date(Date.now() + Number(hours) * HOUR_MS);
    const body = { config: config || null, reason: reason || null, until };
    await acting.act(`PUT /bans${pathOf(player)}`, `${player} is banned`, body);
    again();
  };
  const lift = async (from: string | null): Promise<void> => {
    const query = from === null ? '' : `?config=${encodeURIComponent(from)}`;
    await acting.act(`DELETE /bans${pathOf(player)}${query}`, `${player} may play again`);
    again();
  };
  const bans = data?.bans ?? [];
  return (
    <section aria-labelledby="bans">
      <h2 id="bans">Bans</h2>
      <Mistake text={acting.error} />
      {bans.length === 0 ? (
        <p class="dim">This player is not banned.</p>
      ) : (
        <Table label="Bans" heads={['From', 'Until', 'Reason', 'Since', 'By', 'Action']}>
          {bans.map((each) => (
            <tr key={each.config}>
              <th scope="row">{each.config ?? 'all configs'}</th>
              <td>{each.until === null ? 'lifted' : <Time at={each.until} />}</td>
              <td>{each.reason ?? '–'}</td>
              <td>
                <Time at={each.createdAt} />
              </td>
              <td>{each.by}</td>
              <td>
                {!isViewer() && (
                  <button type="button" onClick={() => void lift(each.config)}>
                    {each.config === null ? 'Lift all' : 'Lift'}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {!isViewer() && (
        <>
          <div class="grid">
            <label class="field">
              Reason for the player
              <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
            </label>
            <label class="field">
              Config (empty: all)
              <input value={config} onInput={(event) => setConfig(event.currentTarget.value)} />
            </label>
            <label class="field">
              Hours (empty: until lifted)
              <input
                type="number"
                min="1"
                value={hours}
                onInput={(event) => setHours(event.currentTarget.value)}
              />
            </label>
          </div>
          <div class="actions">
            <Danger
              label="Ban the player"
              question={`Ban ${player}? The player leaves its lobbies there.`}
              onConfirm={ban}
            >
              Ban
            </Danger>
          </div>
        </>
      )}
    </section>
  );
}
