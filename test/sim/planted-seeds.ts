// Where the search for a planted bug begins: at a seed that shows it, for bugs that few seeds show. When the simulation changes, other
// seeds do. The search then goes on from here, as long as it would from the first seed. `npm run sim -- --bugs` says which
// seed catches a bug.

import type { Placement } from '../../proof/sim/parts';

type Seeds = Readonly<Partial<Record<Placement | 'judge', number>>>;

const SEEDS: Readonly<Record<string, Seeds>> = {
  'skip the fence': { box: 28, objects: 18, judge: 99 },
  'two modes both win': { box: 28, objects: 28, judge: 99 },
  'leave a ticket behind': { box: 11, objects: 125 },
  'move without the seats': { box: 34, objects: 34, judge: 34 },
  'give away the seat of a spectator': { box: 24, objects: 24, judge: 24 },
  'two rooms': { box: 7, objects: 21 },
  'lose an owed message': { box: 96, objects: 46, judge: 8 },
  'skip a lobby after one that fails': { box: 135, objects: 394, judge: 135 },
  'tell the backend before saving': { box: 8, objects: 10, judge: 72 },
  'forget what the backend is owed': { box: 77, objects: 102, judge: 356 },
  'forget what browsing shows': { judge: 21 },
  'compare with an anchor that left': { box: 1_732, objects: 259 },
  'commit twice': { judge: 8 },
  'rate an aborted match': { objects: 10, judge: 29 },
  'promise a place twice': { box: 321, objects: 6_191 },
  'hold a released seat': { box: 61, objects: 19 },
  'a kept place given away': { box: 150, objects: 120 },
  'keep a kicked player': { box: 39, objects: 235, judge: 20 },
  'believe an old term': { box: 81, objects: 81 },
  'elect two hosts': { box: 43, objects: 81 },
  'take the word of one': { judge: 429 },
  'the vote of who left': { box: 525, objects: 287 },
  'two fleets for one match': { box: 19, objects: 773 },
  'jump the line': { box: 235, objects: 159 },
  'count an outage as silence': { box: 59 },
  'tell before the bucket has it': { box: 3 },
  'count an outage as a no': { box: 10 },
  'forget who stands in line': { box: 235, objects: 466 },
  'make a match of some': { box: 398, objects: 974, judge: 974 },
  'a rematch that one lobby wants': { box: 152, objects: 78, judge: 78 },
  'make a match twice': { box: 116, objects: 15, judge: 15 },
};

export function seedFor(bug: string, where: keyof Seeds): number {
  return SEEDS[bug]?.[where] ?? 1;
}
