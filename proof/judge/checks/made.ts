// Matches that somebody makes: by a ref, of lobbies and players that an order names, and rematches.

import { fieldsOf, textOf, type Match } from '../api.ts';
import { maySearch, namesIn, type Case } from '../case.ts';

/** A match that somebody heard of. `records`: as the server key read it, newest last. */
interface HeardOf {
  readonly id: string;
  readonly told: readonly Match[];
  readonly records: readonly Match[];
}

/** Of a match that somebody makes: one by its ref, for one order alone, of all lobbies and players that the order names. */
function madeOnce(of: Case, known: readonly HeardOf[]): void {
  const made = of.asked.flatMap((call) => {
    const { ref, id } = fieldsOf(call.answer);
    const isMade = call.kind === 'make' && call.outcome === 'done';
    return isMade ? [{ call, ref: String(ref), id: String(id) }] : [];
  });
  const read = known.flatMap(({ id, records }) =>
    records.flatMap(({ ref }) => (ref === undefined ? [] : [{ call: null, ref, id }])),
  );
  for (const [ref, all] of Map.groupBy([...made, ...read], (each) => each.ref)) {
    const ids = new Set(all.map(({ id }) => id));
    const orders = new Set(all.flatMap(({ call }) => (call ? [textOf(call.fields)] : [])));
    of.findings.check(
      'made once',
      ids.size === 1 && orders.size <= 1,
      () => `${ref} is the matches ${[...ids].join(', ')}, by ${orders.size} orders`,
    );
  }
  for (const { call, ref } of made) {
    const { teams } = fieldsOf(call.answer);
    const text = JSON.stringify(teams);
    const missing = namesIn(call).filter((name) => !text.includes(JSON.stringify(name)));
    of.findings.check(
      'made once',
      missing.length === 0,
      () => `${ref} was made without ${missing.join(', ')}`,
    );
  }
}

/** Each lobby of a rematch has asked for one, unless it came into it later: as often as it is in one. */
function rematches(of: Case, known: readonly HeardOf[]): void {
  const lobbiesOf = ({ teams = [] }: Partial<Match> = {}): readonly string[] =>
    teams.flatMap(({ lobbies }) => lobbies.map(({ lobbyId }) => lobbyId));
  const last = new Map(known.map(({ id, told, records }) => [id, [...told, ...records].at(-1)]));
  const all = [...last].filter(([, match]) => match?.made_by === 'rematch');
  const pairs = all.flatMap(([id, match]) =>
    lobbiesOf(match).map((lobby) => ({ id, match, lobby })),
  );
  for (const [lobby, its] of Map.groupBy(pairs, (each) => each.lobby)) {
    const story = [...of.stories.values()].find(({ id }) => id === lobby);
    const everAsked = story ? maySearch(of, story, { from: -Infinity, to: Infinity }) : [];
    const asks = everAsked.filter(({ kind }) => kind === 'rematch').length;
    const queued = everAsked.some(({ kind }) => kind === 'queue');
    const own = its.filter(({ match }) => {
      const before = last.get(match?.ref ?? '');
      return !queued || before === undefined || lobbiesOf(before).includes(lobby);
    });
    of.findings.check(
      'rematch',
      story === undefined || own.length <= asks,
      () =>
        `lobby ${lobby} asked for ${asks} rematches, and is in ${its.map(({ id }) => id).join()}`,
    );
  }
}

export function checkMade(of: Case, known: readonly HeardOf[]): void {
  madeOnce(of, known);
  rematches(of, known);
}
