// Who only watches: is no player meanwhile, is accepted nothing that players do, and stands in no team of a match.

import { isMatch } from '../api.ts';
import type { Case } from '../case.ts';
import { isWatchedBy, lists } from '../stories.ts';

const MAY = new Set(['join', 'read', 'leave', 'heartbeat', 'other']);

export function checkSpectators(of: Case): void {
  const { findings, stories, asked } = of;
  const most = Math.max(0, ...of.configs.map(([, { spectators }]) => maxIn(spectators)));
  for (const { id, states } of stories.values()) {
    for (const { revision, players, spectators = [] } of states) {
      const both = players.filter((player) => spectators.some((each) => each.id === player.id));
      const isOne = both.length === 0 && spectators.length <= most;
      const what = `${both.map((each) => each.id).join()} as both, and ${spectators.length} of ${most} spectators`;
      if (spectators.length > 0) {
        findings.check('only watches', isOne, () => `lobby ${id} has at ${revision} ${what}`);
      }
    }
  }
  for (const { id, who, kind, lobby } of asked.filter((each) => each.lobby?.as === 'spectator')) {
    const what = `${who} watches ${lobby?.id}, and is accepted ${kind} (call ${id})`;
    findings.check('only watches', MAY.has(kind), () => what);
  }
  const matches = asked.flatMap(({ kind, target, answer }) =>
    kind === 'match' && isMatch(answer) ? [{ target, match: answer }] : [],
  );
  for (const { target, match } of matches) {
    for (const { lobbyId, players } of match.teams.flatMap(({ lobbies }) => lobbies)) {
      const story = [...stories.values()].find((each) => each.id === lobbyId);
      const during = story?.states.filter(({ matchId }) => matchId === target) ?? [];
      for (const { id } of players) {
        // A player of the match who left it may come back to watch.
        const watched = during.filter((lobby) => isWatchedBy(lobby, id));
        const isPlayer = during.some((lobby) => lists(lobby, id)) || watched[0] !== during[0];
        const what = `${id} only watched ${lobbyId}, and is in the match ${target}`;
        findings.check('only watches', watched.length === 0 || isPlayer, () => what);
      }
    }
  }
}

function maxIn(spectators: unknown): number {
  const isObject = typeof spectators === 'object' && spectators !== null;
  return isObject && 'max' in spectators ? Number(spectators.max) : 0;
}
