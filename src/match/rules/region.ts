// region: the two accept so many regions in common; an empty list accepts any (spec: Rule semantics 4).

import * as z from 'zod';
import { wholeNumber } from '../../common/shape';
import { listed } from '../ticket/ticket';
import { type RuleType, timeFree } from './rule-type';

const MAX_REGION_OVERLAP = 16;

const schema = z.object({
  type: z.literal('region'),
  minOverlap: wholeNumber(1, MAX_REGION_OVERLAP)
    .nullish()
    .transform((value) => value ?? 1)
    .pipe(z.int()),
});

type RegionRule = Readonly<z.output<typeof schema>>;

export const region: RuleType<RegionRule> = {
  type: 'region',
  schema,
  compile: ({ minOverlap }) =>
    timeFree(
      ({ acceptableRegions: a }, { acceptableRegions: b }) =>
        // Lists hold no region twice.
        a.length === 0 ||
        b.length === 0 ||
        a.filter((each) => b.includes(each)).length >= minOverlap,
    ),
  tells: ({ minOverlap }) => ({ minOverlap, isAll: true }),
  words: {
    short: ({ minOverlap }) =>
      minOverlap === 1 ? 'a region in common' : `${minOverlap} regions in common`,
    seen: (_, ticket) => listed(ticket)?.join(', ') ?? 'any',
    lacks: () => false,
  },
};
