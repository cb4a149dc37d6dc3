// What must always hold of the saved state of a match: it only goes forward, it launches when all
// have confirmed, and somebody drives it on.

import type { Match } from '../src/objects/match-state';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { isAborted, owedOn } from './truth';

const PHASES = ['confirming', 'launching', 'running', 'over'] as const;

export function checkMatch(
  node: Saved,
  after: Match,
  before: Match | null,
  journal: Journal,
): void {
  const { label: id } = node;
  const forward = before === null || PHASES.indexOf(after.phase) >= PHASES.indexOf(before.phase);
  journal.check(!isAborted(node.disk), () => `${id} was aborted, and opened`);
  journal.check(forward, () => `${id} went from ${before?.phase} to ${after.phase}`);
  journal.check(
    before === null || before.instanceId === after.instanceId,
    () => `${id} has two servers`,
  );
  const launches = after.phase === 'launching' || after.phase === 'running';
  if (launches && (before === null || before.phase === 'confirming')) {
    const all = after.participants.every((who) => who.confirmed || who.left);
    const asks = after.roster.rules.matchConfirmation.enabled;
    journal.check(!asks || all, () => `${id} launches without all confirmed`);
  }
  if (after.phase !== 'over') {
    const wakes = node.disk.alarm !== null || node.isAlarming;
    const driven = after.phase === 'running' || wakes || owedOn(node.disk).length > 0;
    journal.check(driven, () => `${id} is ${after.phase} with nobody driving it`);
  }
  if (after.phase === 'over' && before !== null && before.phase !== 'over') {
    journal.count(`ended: ${before.phase}, ${after.reason}`);
  }
  if (before === null) {
    journal.count('matches opened');
    kindsOf(after).forEach((kind) => journal.count(`match: ${kind}`));
  } else if (after.participants.length > before.participants.length) {
    journal.count('match: backfilled');
  }
}

/** What kind of mode a match was formed by. */
function kindsOf({ roster }: Match): readonly string[] {
  const { rules, teams, parties } = roster;
  const kinds: readonly [string, boolean][] = [
    ['confirmation', rules.matchConfirmation.enabled],
    ['no confirmation', !rules.matchConfirmation.enabled],
    ['backfill allowed', rules.allowBackfill],
    ['roles', rules.teamComposition !== null],
    ['parties', parties.some(({ players }) => players.length > 1)],
    ['one lobby', parties.length === 1],
    ['partial', teams.length < rules.teams],
    ['version', rules.useVersionFromState !== null],
    ['several rules', rules.rules.length > 1],
    ['players excluded', rules.excludedFromQueue.length > 0],
    ['onDecline requeue', rules.matchConfirmation.enabled && rules.onDecline === 'requeue'],
    ...rules.rules.map(({ type }): [string, boolean] => [`rule ${type}`, true]),
  ];
  return kinds.filter(([, holds]) => holds).map(([kind]) => kind);
}
