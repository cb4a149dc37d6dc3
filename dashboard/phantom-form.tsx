// The settings of phantom players: how many, how skilled, in which roles, how reluctant.

import type { JSX } from 'preact';
import type { Json, JsonObject } from '../src/common/json';
import type { Mode } from '../src/match/rules/mode';
import { TextLine } from './text-line';

export const MAX_PHANTOMS = 60;

export interface Wishes {
  readonly count: string;
  readonly field: string;
  readonly mean: string;
  readonly spread: string;
  readonly roles: string;
  readonly decline: string;
  readonly play: string;
  readonly extra: string;
}

/** What the mode's own rules ask for, as far as it shows. */
export function wishesFor(mode: Mode | undefined): Wishes {
  const skill = mode?.rules.find((rule) => rule.type === 'difference');
  const roles = Object.values(mode?.teamComposition ?? {}).flatMap((team) => Object.keys(team));
  const same = (mode?.rules ?? []).flatMap((rule) => (rule.type === 'equals' ? [rule.field] : []));
  const extra = Object.fromEntries(same.map((field) => [field, 'a']));
  return {
    count: '8',
    field: skill?.field ?? 'skill',
    mean: '1500',
    spread: String(skill === undefined ? 200 : Math.max(1, skill.maxDifference)),
    roles: [...new Set(roles)].join(', '),
    decline: mode?.matchConfirmation.enabled === true ? '10' : '0',
    play: '10',
    extra: same.length === 0 ? '' : JSON.stringify(extra),
  };
}

/** Normally distributed, by the sum of uniform draws. */
function around(mean: number, spread: number): number {
  const sum = Array.from({ length: 12 }, () => Math.random()).reduce((a, b) => a + b, 0);
  return Math.round(mean + (sum - 6) * spread);
}

export function extraOf(text: string): JsonObject | null {
  if (text.trim() === '') {
    return {};
  }
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

export function stateOf(wishes: Wishes, extra: JsonObject): JsonObject {
  const roles = wishes.roles.split(',').map((role) => role.trim());
  const role = roles[Math.floor(Math.random() * roles.length)] ?? '';
  const skill = around(Number(wishes.mean) || 0, Number(wishes.spread) || 0);
  return {
    ...(wishes.field === '' ? {} : { [wishes.field]: skill }),
    ...(role === '' ? {} : { role }),
    ...extra,
  };
}

interface Fields {
  readonly name: keyof Wishes;
  readonly label: string;
  readonly help?: string;
}

const FIELDS: readonly Fields[] = [
  {
    name: 'count',
    label: 'Phantom players',
    help: `1 to ${MAX_PHANTOMS}; each opens its own lobby`,
  },
  { name: 'field', label: 'Skill field' },
  { name: 'mean', label: 'Average skill' },
  {
    name: 'spread',
    label: 'Skill spread',
    help: 'Standard deviation; 0 gives everyone the same skill',
  },
  { name: 'roles', label: 'Roles', help: 'Comma-separated; each phantom picks one' },
  { name: 'decline', label: 'Decline rate, %', help: 'For modes where players accept matches' },
  { name: 'play', label: 'Seconds in game' },
  { name: 'extra', label: 'Extra state, JSON', help: 'Given to every phantom: {"map": "dunes"}' },
];

export function PhantomForm({
  wishes,
  running,
  onChange,
  onStart,
  onStop,
}: {
  readonly wishes: Wishes;
  readonly running: boolean;
  readonly onChange: (wishes: Wishes) => void;
  readonly onStart: () => void;
  readonly onStop: () => void;
}): JSX.Element {
  return (
    <form
      noValidate
      class="card"
      aria-label="Phantom players"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <div class="grid">
        {FIELDS.map(({ name, label, help }) => (
          <TextLine
            key={name}
            label={label}
            value={wishes[name]}
            help={help}
            onText={(text) => onChange({ ...wishes, [name]: text })}
          />
        ))}
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          Start phantoms
        </button>
        <button type="button" disabled={!running} onClick={onStop}>
          Stop all
        </button>
      </div>
    </form>
  );
}
