// See torture.ts. Exits with 1 on a violation, after printing each with the time line of its lobbies and players.

import { choice, commandLine, given, number, word } from '../../scripts/flags.ts';
import { torture } from './torture.ts';

const { flags } = commandLine({
  command: 'npm run torture --',
  about: 'The real service, killed again and again under traffic: what was accepted must be there.',
  flags: {
    kills: number(20, 'how often it is killed'),
    seed: number(Math.floor(Math.random() * 2 ** 31), 'what chance begins with'),
    players: number(30, 'players in each config'),
    pause: number(250, 'mean pause of a player, ms'),
    round: number(25, 'kills between two rests'),
    placement: choice(
      ['box', 'objects', 'edge', 'cluster'],
      'box',
      'all actors in one object, an object each, so under wrangler dev, or a box on two instances',
    ),
    divisor: number(1, 'with --placement cluster: by how much the lease of 20 s is divided'),
    'full-disk': given('the disk fills and empties every 20 s; for root on Linux'),
    images: given('every second server in a container, where there is a Podman; for root on Linux'),
    history: word(null, 'a file for what clients saw: npm run judge'),
    worker: word(null, 'a bundle that was made before'),
  },
});

console.log(`torture: seed ${flags.seed}, ${flags.kills} kills, placement ${flags.placement}`);
const report = await torture({
  kills: flags.kills,
  seed: flags.seed,
  players: flags.players,
  pauseMs: flags.pause,
  killsPerRound: flags.round,
  placement: flags.placement,
  divisor: flags.divisor,
  fullDisk: flags['full-disk'],
  images: flags.images,
  ...(flags.history === null ? {} : { history: flags.history }),
  ...(flags.worker === null ? {} : { worker: flags.worker }),
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
  kills            ${tally.kills} of the service, ${tally.agentKills} of the agent, ${tally.serverKills} of game servers
  struck           ${list(report.struck)}
  containers       ${tally.containers} begun, ${tally.containerKills} ended from outside
  disk             ${report.fillings} times full
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
