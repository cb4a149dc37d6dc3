// Invite codes (spec: inviteCodeConfig; decision 11). The default is an upper-case word and a suffix, 34 bits together,
// which nobody guesses. A config may set its own prefix and kind of suffix. Codes are compared by what people can see
// and hear of them: letters and digits, without case.

import type { InviteCodeConfig } from './config';

/** Short words that are easy to say, and that do not read badly beside a player's name. */
const WORDS = `
  MEOW WOLF BEAR LYNX HAWK CROW SWAN DEER FROG TOAD NEWT MOTH WASP CRAB SEAL ORCA TUNA PIKE CARP GULL
  DOVE WREN IBIS KIWI PUMA LION YETI KELP FERN MOSS PINE PALM ROSE LILY MINT SAGE PLUM PEAR LIME FIGS
  CORN RICE OATS SOUP CAKE TART RAIN SNOW HAIL GALE WIND DUSK DAWN MOON STAR MARS LAVA SAND CLAY ROCK
  RUBY OPAL JADE GOLD
`
  .trim()
  .split(/\s+/);

/** No characters that look alike, and no vowels, so that a suffix never spells a word. */
const PLAIN = '23456789BCDFGHJKMNPQRSTVWXZ';
const PLAIN_LENGTH = 6;

const CHARACTERS = {
  numeric: '0123456789',
  alphabetic: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  alphanumeric: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
} as const satisfies Record<InviteCodeConfig['type'], string>;

/** In a space up to this size every code is tried until one is free. A larger space never gets that full. */
export const SEARCHED_SPACE = 20_000;

/** Dashes, blanks, accents and what nobody sees. On Japanese keyboards the key of the dash gives a mark of vowels. */
const PASSED_OVER = /[\p{Dash}\u30fc\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{M}]/gu;

/**
 * The form in which codes are compared. Phones correct dashes, paste invisible characters, and make `İ` of a Turkish
 * `i`, so none of that counts. Two codes of one config stay different all the same: their suffixes have letters and
 * digits alone, and the Directory gives out no code that it has in this form.
 */
export function normalCode(code: string): string {
  return code.normalize('NFKD').replace(PASSED_OVER, '').toUpperCase();
}

/** A random code. `random` is in [0, 1). */
export function randomCode(config: InviteCodeConfig | null, random: () => number): string {
  if (config === null) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    return `${word}-${drawn(PLAIN, PLAIN_LENGTH, random)}`;
  }
  return (config.prefix ?? '') + drawn(CHARACTERS[config.type], config.length, random);
}

function drawn(characters: string, length: number, random: () => number): string {
  const drawOne = (): string => characters.charAt(Math.floor(random() * characters.length));
  return Array.from({ length }, drawOne).join('');
}

export function codeSpace(config: InviteCodeConfig | null): number {
  return config === null
    ? WORDS.length * PLAIN.length ** PLAIN_LENGTH
    : CHARACTERS[config.type].length ** config.length;
}

/** The code of that number, to search a small space for a free one. Null for the default word codes. */
export function codeAt(config: InviteCodeConfig | null, index: number): string | null {
  if (config === null) {
    return null;
  }
  const characters = CHARACTERS[config.type];
  let rest = index;
  let suffix = '';
  for (let place = 0; place < config.length; place += 1) {
    suffix = characters.charAt(rest % characters.length) + suffix;
    rest = Math.floor(rest / characters.length);
  }
  return (config.prefix ?? '') + suffix;
}
