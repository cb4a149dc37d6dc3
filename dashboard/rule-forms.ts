// How the editor shows each rule type: its label in the list of types, and a control for each of its fields. A curve is
// written as source.

import type { Rule } from '../src/match/rules/registry';
import type { FieldRow } from './field-table/row';

interface RuleField extends FieldRow {
  readonly kind: 'text' | 'number' | 'code' | 'flag';
  /** What a new rule begins with; null for nothing. */
  readonly fresh: string | number | boolean | null;
}

interface FormOf<R> {
  readonly label: string;
  readonly fields: { readonly [Field in Exclude<keyof R, 'type' | 'curve'>]-?: RuleField };
}

function stateField(sample: string): RuleField {
  return { kind: 'text', label: 'State field', required: true, sample, fresh: '' };
}

const FORMS: { readonly [Type in Rule['type']]: FormOf<Extract<Rule, { type: Type }>> } = {
  difference: {
    label: 'numbers close together',
    fields: {
      field: stateField('mmr'),
      maxDifference: {
        kind: 'number',
        label: 'Maximum difference',
        required: true,
        fresh: 100,
      },
      widenTo: {
        kind: 'number',
        label: 'Widens to',
        otherwise: 'twice as much',
        help: "At the mode's longest wait",
        fresh: null,
      },
      uncertainty: {
        kind: 'flag',
        label: 'Reach further by the uncertainty',
        help: 'The number in the state field with the same name and `Uncertainty` behind it',
        fresh: false,
      },
    },
  },
  equals: { label: 'same value', fields: { field: stateField('map') } },
  not_equals: { label: 'different values', fields: { field: stateField('clan') } },
  region: {
    label: 'shared regions',
    fields: {
      minOverlap: {
        kind: 'number',
        label: 'Minimum shared regions',
        default: 1,
        help: "From the state field `regions`, a list; otherwise the lobby's region",
        fresh: 1,
      },
    },
  },
  expression: {
    label: 'CEL',
    fields: {
      cel: {
        kind: 'code',
        label: 'Expression',
        sample: 'a.state.map == b.state.map || a.waitSeconds > 30.0',
        help:
          '`a` is the anchor of the match, `b` another lobby; either may have waited longer. Each has `state`, `partySize`, ' +
          '`waitSeconds`, `region`, `acceptableRegions`, `metadata`; `ctx` is the mode',
        fresh: '',
      },
    },
  },
  balance: {
    label: 'even teams',
    fields: {
      field: stateField('mmr'),
      maxDifference: {
        kind: 'number',
        label: 'Maximum difference of the teams',
        help: 'Compares the means of their players. Leave it empty if you set the chance to win',
        fresh: 50,
      },
      win: {
        kind: 'number',
        label: 'Chance to win, points from even',
        help: 'By ladder ratings: `10` allows 40 to 60',
        fresh: null,
      },
      widenTo: {
        kind: 'number',
        label: 'Widens to',
        help: "At the mode's longest wait. Empty: it does not widen",
        fresh: null,
      },
    },
  },
  latency: {
    label: 'a region near enough',
    fields: {
      field: stateField('ping'),
      maxMs: {
        kind: 'number',
        label: 'Maximum latency, ms',
        required: true,
        help: 'From a state field such as `{"eu-west": 23}`. Players without one are judged by `regions`',
        fresh: 60,
      },
      widenTo: {
        kind: 'number',
        label: 'Widens to, ms',
        help: "At the mode's longest wait. Empty: it does not widen",
        fresh: null,
      },
    },
  },
  avoid: {
    label: 'players who avoid each other',
    fields: {
      field: {
        ...stateField('avoid'),
        help: "A list of player ids, in a player's state or the lobby's settings",
      },
      afterSeconds: {
        kind: 'number',
        label: 'Opponents after, seconds',
        otherwise: 'as the mode says',
        help: 'Once both have waited this long. Empty: the target wait, or half of the longest wait',
        fresh: null,
      },
    },
  },
};

export interface RuleForm {
  readonly label: string;
  readonly fields: Readonly<Record<string, RuleField>>;
}

/** By type, in the order of the list. */
export const RULE_FORMS: ReadonlyMap<string, RuleForm> = new Map(Object.entries(FORMS));
