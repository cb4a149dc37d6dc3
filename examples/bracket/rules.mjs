// Single elimination of eight teams: what follows from what is written down, the time, and the records of matches. Pure.
// Games 0 to 3 are the first round, 4 and 5 the second, and 6 is the final: the winners of 0 and 1 meet in 4, and so on.

export const ROUNDS = [[0, 1, 2, 3], [4, 5], [6]];
const NEW = { closed: null, attempt: 1, match: null, over: null, winner: null, problem: null };

/** A cup that nobody has played yet. `secret` makes a new one at each call. Throws if it has not eight teams. */
export function begin({ name, config, mode, teams, checkInSeconds, replaySeconds }, secret) {
  if (teams?.length !== 8) {
    throw new Error('a cup has eight teams');
  }
  return {
    id: secret(), // two cups of one name have other matches
    name,
    config,
    mode,
    checkInSeconds,
    replaySeconds,
    teams: teams.map((team) => ({ ...team, code: secret() })),
    games: ROUNDS.flat().map(() => ({ ...NEW, checkedIn: [false, false] })),
  };
}

/** Both teams of a game, by index. Null in place of a team: nobody comes. Undefined: games before it are not over. */
export function sidesOf({ games }, at) {
  if (at < 4) {
    return [2 * at, 2 * at + 1];
  }
  const before = games.slice(2 * at - 8, 2 * at - 6);
  return before.every(({ over }) => over !== null) ? before.map(({ winner }) => winner) : undefined;
}

export const isToPlay = ({ over, checkedIn }) => over === null && !checkedIn.includes(false);

/** Opens the check-in of games whose teams are known, and gives a walkover where it has closed. In order: one may follow from another. */
export function advance(cup, now) {
  cup.games.forEach((game, at) => {
    const sides = sidesOf(cup, at);
    if (sides === undefined || game.over !== null || isToPlay(game)) {
      return;
    }
    const isBye = sides.includes(null);
    if (isBye || now >= Date.parse(game.closed ?? '')) {
      const there = sides.filter((team, side) => team !== null && (isBye || game.checkedIn[side]));
      Object.assign(game, { over: 'walkover', winner: there[0] ?? null });
    } else {
      game.closed ??= new Date(now + cup.checkInSeconds * 1000).toISOString();
    }
  });
}

/** The cup, where a check-in that closed while the bracket was down opens again, for as long as at first: nobody could come. */
export function reopen(cup, now) {
  const isMissed = ({ over, closed, checkedIn }) =>
    over === null && checkedIn.includes(false) && now >= Date.parse(closed ?? '');
  return { ...cup, games: cup.games.map((it) => (isMissed(it) ? { ...it, closed: null } : it)) };
}

/** The game that the team can check in for now, or has checked in for and not played. Undefined: there is none. */
export function gameOf(cup, team, now) {
  return cup.games.find((game, at) => {
    const isOpen = game.closed !== null && (now < Date.parse(game.closed) || isToPlay(game));
    return game.over === null && isOpen && sidesOf(cup, at).includes(team);
  });
}

/** Whether the team is checked in now. */
export function checkIn(cup, team, now) {
  const game = gameOf(cup, team, now);
  if (game !== undefined) {
    game.checkedIn[sidesOf(cup, cup.games.indexOf(game)).indexOf(team)] = true;
  }
  return game !== undefined;
}

/** One match for each attempt at a game. The same request again is the same match, so everything in it must stay the same. */
export function orderOf({ id, config, mode, teams, games }, at) {
  const sides = sidesOf({ games }, at).map((team) => teams[team]);
  const named = sides.map(({ name, players }) => ({ name, players }));
  return { config, mode, ref: `${id} game ${at} attempt ${games[at].attempt}`, teams: named };
}

/** What the record of the game's match decides. A draw is played again, and so is a match that is over without a result. */
export function settle(cup, at, { id, result, endedAt }, now) {
  const game = cup.games[at];
  Object.assign(game, { match: id, problem: null });
  const points = result?.teams.map(({ team, rank, score }) => ({ team, is: score ?? -rank })) ?? [];
  const most = Math.max(...points.map(({ is }) => is));
  const best = points.filter(({ is }) => is === most);
  const isLost = endedAt !== null && now >= Date.parse(endedAt) + cup.replaySeconds * 1000;
  if (best.length === 1) {
    Object.assign(game, { over: 'played', winner: sidesOf(cup, at)[best[0].team] });
  } else if (best.length > 1 || isLost) {
    Object.assign(game, { attempt: game.attempt + 1, match: null });
  }
}
