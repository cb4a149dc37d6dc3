// The bracket as a page, without a script. Teams named themselves, so every text is escaped.
import { gameOf, isToPlay, ROUNDS, sidesOf } from './rules.mjs';

const STYLE = `body { font-family: sans-serif; margin: 2rem } main { display: flex; gap: 2rem }
  section { display: flex; flex-direction: column; justify-content: space-around }
  article { border: 1px solid; padding: 0.5rem; margin: 0.5rem 0; min-width: 14rem }`;

const escaped = (text) => String(text).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function stateOf(game) {
  if (isToPlay(game)) {
    return game.match === null ? 'about to begin' : 'playing';
  }
  const { over, winner, closed } = game;
  const open = closed === null ? 'to come' : `check-in until ${closed}`;
  return over === null ? open : over + (winner === null ? ': nobody came' : '');
}

function gameHtml(cup, at) {
  const game = cup.games[at];
  const sides = sidesOf(cup, at);
  const rows = (sides ?? ['?', '?']).map((team, side) => {
    const name = escaped(cup.teams[team]?.name ?? (team === null ? 'nobody' : '?'));
    const isWinner = game.winner !== null && game.winner === team;
    return `<div>${isWinner ? `<b>${name}</b>` : name}${game.checkedIn[side] ? ' ✓' : ''}</div>`;
  });
  return `<article id="game-${at}">${rows.join('')}<small>${escaped(stateOf(game))}</small></article>`;
}

/** `team`: the index of who looks, by its code. Undefined: anybody. */
export function pageOf(cup, team, now) {
  const { name } = cup.teams[team] ?? {};
  const isOpen = gameOf(cup, team, now) !== undefined;
  const button = isOpen ? '<form method="post"><button>Check in</button></form>' : '';
  const mine = name === undefined ? '' : `<p>You are ${escaped(name)}.</p>${button}`;
  const rounds = ROUNDS.map((games) => games.map((at) => gameHtml(cup, at)).join(''));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>${escaped(cup.name)}</title>
    <meta http-equiv="refresh" content="5" /><style>${STYLE}</style></head><body><h1>${escaped(cup.name)}</h1>${mine}
    <main>${rounds.map((html) => `<section>${html}</section>`).join('')}</main></body></html>`;
}
