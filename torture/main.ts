// `npm run torture -- --kills 200 --seed 1`: see torture.ts. Exits with 1 on a violation, after
// printing each with the time line of its lobbies and players.
//   --players N   in each config (30)      --pause MS   mean pause of a player (250)
//   --round N     kills between two rests (25)
//   --worker PATH a bundle that was made before
//   --placement P `box` (the default) or `objects`

import { parseArgs } from 'node:util';

import { placementOf } from '../scripts/service.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    players: { type: 'string', default: '30' },
    pause: { type: 'string', default: '250' },
    round: { type: 'string', default: '25' },
    worker: { type: 'string' },
    placement: { type: 'string', default: 'box' },
  },
});

console.log(`torture: seed ${values.seed}, ${values.kills} kills, placement ${values.placement}`);
const report = await torture({
  kills: Number(values.kills),
  seed: Number(values.seed),
  players: Number(values.players),
  pauseMs: Number(values.pause),
  killsPerRound: Number(values.round),
  placement: placementOf(values.placement),
  ...(values.worker === undefined ? {} : { worker: values.worker }),
  tell: (line) => console.log(line),
});

const { tally, violations } = report;
const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .map(([name, count]) => `${name} ${count}`)
    .toSorted((a, b) => a.localeCompare(b))
    .join(', ');
console.log(`answers: ${list(report.answers)}`);
console.log(`logged: ${list(report.logged)}`);
for (const { what, timeline } of violations) {
  console.log(`\nVIOLATION (seed ${report.seed}): ${what}`);
  timeline.forEach((line) => console.log(line));
}
console.log(`
torture: seed ${report.seed}, ${report.seconds} s
  kills            ${tally.kills} of the service, ${tally.serverKills} of game servers
  requests         ${tally.asked}: ${tally.done} accepted, ${tally.refused} refused, ${tally.lost} in doubt
  streams          ${tally.streams} opened, ${tally.events} events
  lobbies          ${report.lobbies}
  matches          ${report.matches} launched; ${report.proved} searches traced to their match
  readings judged  ${report.judged}, values compared ${report.compared}
  slowest rest     ${report.slowestRestMs} ms
  violations       ${violations.length}`);
if (violations.length > 0) {
  console.log(`  data kept in     ${report.dataDir}`);
}
process.exit(violations.length > 0 ? 1 : 0);
