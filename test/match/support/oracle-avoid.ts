// Who avoids whom, and until when two of them may not be in one match, written from docs/internals/design.md A22 with no code
// of the rules.

import type { OpenMatch } from '../../../src/match/pool';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';

type Party = Pick<Ticket, 'players' | 'avoids'>;

export function areFoes(one: Party, other: Party): boolean {
  const names = (a: Party, b: Party): boolean => {
    const list = new Set<string>(a.avoids ?? []);
    return b.players.some((id) => list.has(id));
  };
  return names(one, other) || names(other, one);
}

/** How long both wait, in ms; null if the mode keeps nobody apart. */
export function apartMs(mode: Mode): number | null {
  const rule = mode.rules.find(({ type }) => type === 'avoid');
  if (rule?.type !== 'avoid' && mode.rematch === undefined) {
    return null;
  }
  const after = rule?.type === 'avoid' ? rule.afterSeconds : undefined;
  return mode.teams === 1 ? Infinity : 1000 * (after ?? mode.targetWait ?? mode.timeout / 2);
}

/** When two that avoid each other may be in one match; Infinity for never, or if they do not. */
export function meetAt(mode: Mode, one: Ticket, other: Ticket): number {
  const ms = apartMs(mode);
  return ms !== null && areFoes(one, other)
    ? Math.ceil(Math.max(one.startedAt, other.startedAt) + ms)
    : Infinity;
}

/** Two of them may not be in one match at that instant. */
export function isAnyApart(mode: Mode, all: readonly Ticket[], at: number): boolean {
  const ms = apartMs(mode);
  return (
    ms !== null &&
    all.some((one, index) =>
      all
        .slice(index + 1)
        .some((other) => areFoes(one, other) && at < Math.max(one.startedAt, other.startedAt) + ms),
    )
  );
}

/** The teams of the game with foes of the party; `coming`: who is on the way, by team. */
export function foeTeams(
  party: Party,
  { open }: OpenMatch,
  coming: readonly { readonly team: number; readonly who: Party }[],
): readonly boolean[] {
  return open.map(({ here }, team) => {
    const there = coming.filter((each) => each.team === team).map(({ who }) => who);
    return [...there, ...(here === undefined ? [] : [here])].some((who) => areFoes(party, who));
  });
}
