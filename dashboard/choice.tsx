// Controls that choose what a page shows: one of a list, and the last hour or day.

import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** A labelled list of options, one of which is chosen. */
export function Choice<Value extends string | number>({
  label,
  value,
  options,
  onChoice,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChoice: (value: Value) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget: { selectedIndex } }) =>
          onChoice(options[selectedIndex]?.[0] ?? value)
        }
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Buttons for the last hour and the last day. */
export function HourOrDay({
  hours,
  onChoice,
}: {
  readonly hours: number;
  readonly onChoice: (hours: 1 | 24) => void;
}): JSX.Element {
  return (
    <div class="actions">
      {([1, 24] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={hours === each}
          onClick={() => onChoice(each)}
        >
          {each === 1 ? 'Last hour' : 'Last day'}
        </button>
      ))}
    </div>
  );
}
