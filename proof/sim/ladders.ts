// Ladders once all is quiet: every result of a rated match was rated, and everybody shows the newest number.

import { ratedAttributes } from '../../src/lobby/rating';
import { START } from '../../src/match/rules/skill';
import { rates } from '../../src/objects/match/state';
import { seatShare } from '../../src/objects/contracts/peers';
import type { Rated } from '../../src/objects/contracts/players';
import type { Row } from '../../src/objects/ratings/ladder';
import type { Disk } from './disk';
import type { Quiet } from './finally';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { type RatedRecord, recordOn } from './ratings';
import { RATING } from './scenario';
import { matchOn } from './truth';

function saidOf({ world }: Quiet, player: string): Rated | undefined {
  const { disk } = world.node('players', world.project, seatShare(player));
  return disk.read<RatedRecord>(`record:${player}`)?.rated?.[RATING.field];
}

/** A match with a result that no ladder has rated yet. */
function isUnrated({ kind, disk }: Saved): boolean {
  const match = kind === 'match' ? matchOn(disk) : null;
  const record = kind === 'match' ? recordOn(disk) : null;
  const { result, rating } = record ?? {};
  return (
    (match?.result !== undefined && rates(match) && match.rated === undefined) ||
    (result !== undefined && rating !== undefined && rating.changes === undefined)
  );
}

export function checkLadders(quiet: Quiet): void {
  const { world } = quiet;
  const { journal, saved, project } = world;
  const ladder = world.node('ratings', project, RATING.field).disk;
  for (const [key, row] of ladder.list<Row>('player:')) {
    const player = key.slice('player:'.length);
    const seq = saidOf(quiet, player)?.seq;
    journal.check(seq === row.seq, () => `${player} has change ${seq}, its ladder ${row.seq}`);
  }
  for (const each of saved) {
    checkErased(each, ladder, journal);
    journal.check(!isUnrated(each), () => `the result of ${each.label} was not rated`);
  }
  checkShown(quiet);
}

/** No record has a rating of a player whom the ladder does not have. */
function checkErased({ kind, disk }: Saved, ladder: Disk, journal: Journal): void {
  for (const [key, { rated = {} }] of kind === 'players' ? disk.list<RatedRecord>('record:') : []) {
    const player = key.slice('record:'.length);
    const isOn = ladder.read(`player:${player}`) !== undefined || rated[RATING.field] === undefined;
    journal.check(isOn, () => `${player} is on no ladder, and has a rating`);
  }
}

/** Who waits or searches shows the newest number. */
function checkShown(quiet: Quiet): void {
  const { world, always, scenario } = quiet;
  const isRated = scenario.config.trusted?.includes(RATING.field) === true;
  const start = ratedAttributes(RATING.field, START)[RATING.field];
  for (const { id, status, players } of isRated ? always.lobbies.values() : []) {
    for (const player of status === 'waiting' || status === 'in_queue' ? players : []) {
      // Whom no result has rated has the start, unless no mode is rated any more.
      const wanted = saidOf(quiet, player.id)?.attributes[RATING.field];
      const is = player.state?.[RATING.field];
      world.journal.check(
        is === wanted || (wanted === undefined && is === start),
        () =>
          `${player.id} shows ${JSON.stringify(is)} in ${id}, its ladder ${JSON.stringify(wanted)}`,
      );
    }
  }
}
