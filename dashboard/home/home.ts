// The first page of a service: a match of two players, with every call and event as it happens.
//
// The address may name what is played: ?config=arena&mode=duel&key=client_...

import { isMusterError } from '@muster/client';
import { copyable, fillIn } from '../guides/code';
import { type Line, playMatch, type Step, type View, type Who } from './match';
import './home.css';

const asked = new URLSearchParams(location.search);
const CONFIG = asked.get('config') ?? 'arena';
const MODE = asked.get('mode') ?? 'duel';
/** Accepted where the service runs on the reader's own machine (decision 8). */
const DEV_KEY = 'client_dev_key';

const STATES: Readonly<Record<string, string>> = {
  waiting: 'in a lobby',
  in_queue: 'searching',
  match_found: 'match found',
  matched: 'matched',
  starting: 'starting',
  in_game: 'in game',
};

function one<T extends Element>(selector: string, kind: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${selector}`);
  }
  return found;
}

const playButton = one('#play', HTMLButtonElement);
const endButton = one('#end', HTMLButtonElement);
const keyForm = one('#ask', HTMLFormElement);
const keyInput = one('#key', HTMLInputElement);
const said = one('#said', HTMLElement);
const steps = [...document.querySelectorAll<HTMLElement>('#steps li')];

let key = asked.get('key') ?? sessionStorage.getItem('client-key') ?? DEV_KEY;

function part(who: Who, selector: string): HTMLElement {
  return one(`[aria-labelledby="${who}-name"] ${selector}`, HTMLElement);
}

const view: View = {
  say(text) {
    said.textContent = text;
  },
  step(now: Step) {
    const at = steps.findIndex(({ dataset }) => dataset['step'] === now);
    for (const [index, item] of steps.entries()) {
      item.classList.toggle('done', index < at);
      item.toggleAttribute('aria-current', index === at);
      if (index === at) {
        item.setAttribute('aria-current', 'step');
      }
    }
  },
  lobby(who, lobby, address) {
    const state = part(who, '.state');
    state.dataset['status'] = lobby?.status ?? 'none';
    state.textContent = lobby === null ? 'not in a lobby' : (STATES[lobby.status] ?? lobby.status);
    part(who, '.code').textContent = lobby?.code ?? '–';
    part(who, '.address').textContent = address ?? '–';
  },
  line(who, { text, note, kind }: Line) {
    const log = part(who, '.log');
    const [item, words, end] = ['li', 'b', 'span'].map((tag) => document.createElement(tag));
    if (item !== undefined && words !== undefined && end !== undefined) {
      item.className = kind;
      words.textContent = text;
      end.textContent = note;
      item.append(words, end);
      log.append(item);
      log.scrollTop = log.scrollHeight;
    }
  },
};

/** What went wrong, and what to do. */
function explain(error: unknown): string {
  if (isMusterError(error, 'NO_MATCHMAKING_MODES') || isMusterError(error, 'MODE_NOT_FOUND')) {
    return `The config “${CONFIG}” has no mode “${MODE}” yet. Add it in the dashboard under Configs, then play.`;
  }
  return isMusterError(error)
    ? error.detail
    : error instanceof Error
      ? error.message
      : String(error);
}

function askForKey(): void {
  keyForm.hidden = false;
  keyInput.focus();
  view.say('This service takes no development key. Enter one of its client keys to play.');
}

async function play(): Promise<void> {
  playButton.disabled = true;
  for (const who of ['ann', 'ben'] as const) {
    part(who, '.log').replaceChildren();
  }
  const ended = new Promise<void>((resolve) => {
    endButton.addEventListener('click', () => resolve(), { once: true });
  });
  try {
    await playMatch({ url: location.origin, key, config: CONFIG, mode: MODE }, view, async () => {
      endButton.hidden = false;
      endButton.focus();
      await ended;
      endButton.hidden = true;
    });
    playButton.textContent = 'Play again';
  } catch (error) {
    if (isMusterError(error, 'UNAUTHORIZED')) {
      askForKey();
    } else {
      view.say(explain(error));
    }
  } finally {
    endButton.hidden = true;
    playButton.disabled = false;
  }
}

keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  key = keyInput.value.trim();
  sessionStorage.setItem('client-key', key);
  fillIn({ key });
  keyForm.hidden = true;
  void play();
});
playButton.addEventListener('click', () => void play());
playButton.disabled = false;

fillIn({ origin: location.origin, config: CONFIG, mode: MODE, key });
copyable();
