// The expressions of the kinds of mode, in the language of the tests.

import type { Ticket } from '../../../src/match/ticket/ticket';
import type { Judge } from './legality';

export const judge: Judge = (cel, a, b, now) => {
  const number = (ticket: Ticket, field: string): number => Number(ticket.state[field] ?? NaN);
  const gap = number(a, 'mmr') - number(b, 'mmr');
  const both = (field: string): boolean => field in a.state && field in b.state;
  const wait = (ticket: Ticket): number => (now - ticket.startedAt) / 1000;
  if (cel.startsWith('a.state.build ==')) {
    return (
      both('build') &&
      a.state['build'] === b.state['build'] &&
      Math.abs(gap) < 150 &&
      both('clan') &&
      a.state['clan'] !== b.state['clan']
    );
  }
  if (cel.startsWith('a.state.mmr - ')) {
    return gap >= -20 && b.state['ok'] === true && a.members.length === 1;
  }
  if (cel === 'has(a.state.level)') {
    return 'level' in a.state;
  }
  if (cel.startsWith('a.state.map in')) {
    const maps = b.state['maps'];
    const ranks = both('ranks') && String(a.state['ranks']) === String(b.state['ranks']);
    return Array.isArray(maps) && maps.includes(a.state['map'] ?? '') && ranks;
  }
  if (cel.startsWith('a.partySize')) {
    return a.members.length + b.members.length < 4 || gap > 0;
  }
  if (cel.startsWith('a.waitSeconds')) {
    return wait(a) + wait(b) > 7.5;
  }
  throw new Error(`unknown expression ${cel}`);
};
