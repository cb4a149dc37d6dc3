// What rules that widen have in common: `widenTo`, a straight line until the timeout, or a `curve` by hand (decision 55).

import * as z from 'zod';
import { listOf } from '../../common/shape';
import type { Curve } from './reach';

/** More points than a curve by hand needs. */
const MAX_POINTS = 16;

const seconds = z
  .number('must be a number')
  .min(0, 'must not be negative')
  .describe('Seconds of wait.');

/** The field `curve`, of points with such a reach. */
export function curveOf(reach: z.ZodNumber) {
  return z.exactOptional(
    listOf(z.tuple([seconds, reach]), MAX_POINTS).describe(
      'How far it has widened, by hand: straight between the points, level after the last.',
    ),
  );
}

interface Widening {
  readonly widenTo?: number;
  readonly curve?: Curve;
}

/** A check of how a rule widens. `begins`: the name and value of the field from which it does. */
export function widening<R extends Widening>(begins: (rule: R) => readonly [string, number]) {
  return ({ value, issues }: z.core.ParsePayload<R>): void => {
    const [name, from] = begins(value);
    const { widenTo = from, curve = [] } = value;
    const isBoth = value.widenTo !== undefined && value.curve !== undefined;
    const begin = value.curve === undefined ? [0, from] : curve[0];
    const isRising = curve.every(([at], index) => at > (curve[index - 1]?.[0] ?? -1));
    const isFalling = curve.some(([, reach], index) => reach < (curve[index - 1]?.[1] ?? 0));
    const wrong: readonly (readonly [isWrong: boolean, path: keyof Widening, message: string])[] = [
      [widenTo < from, 'widenTo', `must not be below ${name}`],
      [isBoth, 'curve', 'widenTo and curve say the same: give one of them'],
      [!isRising, 'curve', 'the seconds must rise from point to point'],
      [isFalling, 'curve', 'must never fall'],
      [begin?.[0] !== 0 || begin[1] !== from, 'curve', `must begin with [0, ${name}]`],
    ];
    for (const [isWrong, path, message] of wrong) {
      if (isWrong) {
        issues.push({ code: 'custom', path: [path], message, input: value });
      }
    }
  };
}

/** From `from` along the curve, or straight to `widenTo` at the timeout; level if it has neither. */
export function curveFrom(from: number, { widenTo, curve }: Widening, timeout: number): Curve {
  return (
    curve ?? [
      [0, from],
      [Math.max(timeout, 1), widenTo ?? from],
    ]
  );
}
