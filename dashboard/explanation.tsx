// Why one lobby still waits: the verdict of each rule on the other lobbies in its queue.

import type { Explained, RuleRejections, WaitingTicket } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { COMPARED } from '../src/objects/contracts/reports';
import { short } from './links';
import { serviceNow, useNow } from './live';
import { Json, span } from './parts';
import { Table } from './table';

function why(explained: Explained): string {
  const { others, eligible, players, wanted, noSharedRegion, opensAt, isLookedFor, unfinished } =
    explained;
  if (isLookedFor) {
    return `The queue is not done with this lobby. It is ${unfinished ?? 'still looking'}.`;
  }
  if (others === 0) {
    return 'Nobody else is in this queue.';
  }
  const all = others === 1 ? 'the only other lobby' : `${others} other lobbies`;
  const some = (count: number): string =>
    others === 1 ? 'The only other lobby' : `${count} of ${all}`;
  if (eligible > 0) {
    return players < wanted
      ? `${some(eligible)} can play with it. Together they are ${players} players, and a match needs ${wanted}.`
      : `${some(eligible)} can play with it, but their party sizes and roles do not add up to a match yet.`;
  }
  if (noSharedRegion > 0) {
    return others === 1
      ? 'The rules allow the only other lobby, but no region works for both sides.'
      : `The rules allow ${noSharedRegion} of ${all}, but no region works for both sides.`;
  }
  const wait = opensAt === null ? null : span(Math.ceil((opensAt - serviceNow()) / 1000));
  return wait === null
    ? `The rules reject ${all}, and waiting will not change that. The table shows which rules.`
    : `The rules reject ${all} for now. They widen over time: the first can play with it in ${wait}.`;
}

/** For a rule with a distance: who was nearest, and when that one may come. */
function Nearest({ verdict }: { readonly verdict: RuleRejections }): JSX.Element | null {
  const { nearest } = verdict;
  const now = useNow();
  if (nearest === null) {
    return null;
  }
  const { gap, limit, opensAt } = nearest;
  const opens =
    opensAt === null
      ? 'not before one of them times out'
      : `allowed in ${span(Math.max(0, Math.ceil((opensAt - now) / 1000)))}`;
  return (
    <>
      {rounded(gap)} apart, {rounded(limit)} allowed now; {opens}
    </>
  );
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

export function Explanation({
  explained,
  subject,
}: {
  readonly explained: Explained;
  readonly subject: WaitingTicket | undefined;
}): JSX.Element {
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why lobby {short(explained.lobbyId)} is waiting</h2>
      {subject !== undefined && (
        <p>
          {subject.players} {subject.players === 1 ? 'player' : 'players'}, state{' '}
          <Json value={subject.state} />, regions{' '}
          {subject.acceptableRegions.length === 0 ? 'any' : subject.acceptableRegions.join(', ')}.
        </p>
      )}
      <p class="note">{why(explained)}</p>
      {explained.obstacles.length > 0 && (
        <ul class="findings" aria-label="What stands in the way">
          {explained.obstacles.map((obstacle) => (
            <li key={obstacle}>{obstacle.charAt(0).toUpperCase() + obstacle.slice(1)}.</li>
          ))}
        </ul>
      )}
      {explained.rules.length > 0 && explained.others > 0 && (
        <Table
          label="Rejections by rule"
          heads={['Rule', 'Type', 'Rejects', 'Rejected by this rule only', 'Closest of those']}
        >
          {explained.rules.map((verdict) => (
            <tr key={verdict.index}>
              <th scope="row">{verdict.rule}</th>
              <td>{verdict.type}</td>
              <td class="number">
                {verdict.rejects} of {explained.others}
                {verdict.lacking > 0 && `, ${verdict.lacking} without the field`}
              </td>
              <td class="number">{verdict.rejectsAlone}</td>
              <td>
                <Nearest verdict={verdict} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {explained.others === COMPARED && (
        <p class="dim">Compared with the {COMPARED} lobbies that have waited longest.</p>
      )}
    </section>
  );
}
