// The rules of a mode, by their type.

export type Rule =
  | {
      readonly type: 'difference';
      readonly field: string;
      readonly maxDifference: number;
      /** What it has widened to at the timeout; twice the maximum if absent. */
      readonly widenTo?: number;
      /** How it widens, by hand: seconds of wait and the difference from then on. */
      readonly curve?: readonly (readonly [seconds: number, difference: number])[];
      /** Each lobby reaches further by the number in the state field `<field>Uncertainty`. */
      readonly uncertainty?: boolean;
    }
  | { readonly type: 'equals'; readonly field: string }
  | { readonly type: 'not_equals'; readonly field: string }
  | { readonly type: 'region'; readonly minOverlap: number }
  | { readonly type: 'expression'; readonly cel: string }
  | {
      /** Even teams, by the means of a field, or by points of the chance to win from even. `widenTo`: at the anchor's timeout. */
      readonly type: 'balance';
      readonly field: string;
      readonly maxDifference?: number;
      readonly win?: number;
      readonly widenTo?: number;
      /** How it widens, by hand: seconds that the anchor has waited, and the bound from then on. */
      readonly curve?: readonly (readonly [seconds: number, bound: number])[];
    }
  | {
      /** A region near enough for everybody: `field` is a record such as `{"eu-west": 23}`, in ms. */
      readonly type: 'latency';
      readonly field: string;
      readonly maxMs: number;
      readonly widenTo?: number;
      /** How it widens, by hand: seconds that the lobby has waited, and the ms from then on. */
      readonly curve?: readonly (readonly [seconds: number, ms: number])[];
    }
  | {
      /** Players who avoid each other: `field` is a list of player ids, in a state or the lobby's settings. */
      readonly type: 'avoid';
      readonly field: string;
      /** How long both wait before they may be opponents. */
      readonly afterSeconds?: number;
    };
