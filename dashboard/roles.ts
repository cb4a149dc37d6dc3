// The roles of a team as one line of text: `tank 1, damage 2, support 2`. Pure.

/** Teams that many games have. */
export const RECIPES: readonly string[] = [
  'tank 1, damage 2, support 2',
  'tank 1, healer 1, damage 3',
  'top 1, jungle 1, mid 1, bot 1, support 1',
  'goalkeeper 1, defender 2, striker 2',
];

/** How many of each role. The number may stand before or after the role, and is one if there is none. */
export function rolesOf(text: string): Readonly<Record<string, number>> {
  const roles = new Map<string, number>();
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, before, role = entry, after] = /^(?:(\d+)\s+)?(.*?\S)(?:\s+(\d+))?$/.exec(entry) ?? [];
    if (role !== '') {
      roles.set(role, (roles.get(role) ?? 0) + Number(after ?? before ?? 1));
    }
  }
  return Object.fromEntries(roles);
}
