// Whether lobbies accept their matches, and what happens if one does not.

import type { JSX } from 'preact';
import type { Path } from './draft';
import { NumberField, SelectField, Toggle } from './fields';

/** `path`: of the mode. */
export function Confirmation({ path }: { readonly path: Path }): JSX.Element {
  return (
    <>
      <Toggle
        path={[...path, 'matchConfirmation', 'enabled']}
        label="Every lobby must accept the match"
        help="Not for very large matches: a single lobby can turn down the match for everyone"
      />
      <Toggle
        path={[...path, 'matchConfirmation', 'showsAccepted']}
        label="Lobbies see how many players have accepted"
      />
      <div class="grid">
        <SelectField
          path={[...path, 'matchConfirmation', 'each']}
          label="In a party, accepted by"
          options={[
            ['party', 'one player for all'],
            ['player', 'each player'],
          ]}
        />
        <NumberField
          path={[...path, 'matchConfirmation', 'timeoutSeconds']}
          label="Time to accept, seconds"
          placeholder="30"
          help="If matches must be accepted"
        />
        <SelectField
          path={[...path, 'onDecline']}
          label="When somebody declines, those who accepted"
          options={[
            ['return', 'go back to waiting'],
            ['requeue', 'keep searching, and keep the time they have waited'],
            ['refill', 'stay, while others take the open places'],
          ]}
        />
        <NumberField
          path={[...path, 'refillSeconds']}
          label="Look for others, seconds"
          placeholder="20"
          help="If others may take the open places. After that, players who accepted keep searching"
        />
        <NumberField
          path={[...path, 'declineCooldown']}
          label="No search after a match was turned down, seconds"
          placeholder="none"
          help="For the player who declined. Twice as long each time within an hour, up to eight times"
        />
      </div>
    </>
  );
}
