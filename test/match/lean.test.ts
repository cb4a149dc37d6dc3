// A ticket made of shared parts says what the ticket said.

import { describe, expect, it } from 'vitest';
import { LeanTickets, type Ticket } from '../../src/match/ticket/ticket';
import type { PlayerId } from '../../src/common/ids';
import { ticket } from './support/make';

/** As a message brings it: no part is shared. */
function received(given: Ticket): Ticket {
  return JSON.parse(JSON.stringify(given)) as Ticket;
}

describe('lean tickets', () => {
  it('say the same', () => {
    const lean = new LeanTickets();
    const plain = ticket('a', { roles: [['tank', 'fill'], [], ['["tank","fill"]']] });
    const tickets = [
      plain,
      ticket('b', { size: 2, regions: ['us-east', 'eu-west'], state: { mmr: 12.5, build: '1.2' } }),
      ticket('c', { regions: ['["us-east","eu-west"]'] }),
      { ...plain, metadata: { map: 'x' }, players: ['elsewhere' as PlayerId, ...plain.players] },
      { ...plain, players: plain.players.toReversed() },
    ];
    for (const each of [...tickets, ...tickets]) {
      expect(lean.of(received(each))).toEqual(each);
    }
  });

  it('share lists and empty settings', () => {
    const lean = new LeanTickets();
    const [one, other] = [
      ticket('a', { roles: [['tank']] }),
      ticket('b', { roles: [['tank']] }),
    ].map((each) => lean.of(received({ ...each, acceptableRegions: ['us-east'] })));
    expect(one?.acceptableRegions).toBe(other?.acceptableRegions);
    expect(one?.members[0]?.roles).toBe(other?.members[0]?.roles);
    expect(one?.metadata).toBe(other?.metadata);
  });

  it('share no more than a bounded number', () => {
    const lean = new LeanTickets();
    for (let at = 0; at < 3000; at += 1) {
      lean.of(ticket(`t${at}`, { regions: [`region-${at}`], region: `region-${at}` }));
    }
    const late = ticket('z', { regions: ['late'] });
    expect(lean.of(received(late)).acceptableRegions).not.toBe(
      lean.of(received(late)).acceptableRegions,
    );
  });
});
