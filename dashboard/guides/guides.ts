// The script of the guides: search, copying, the address of this service in samples, and links to parts that moved.
// The pages read well without it.

import { copyable, fillIn } from './code';
import { find, type Index } from './find';
import './guides.css';

fillIn({ origin: location.origin });
copyable();

/** A link to a part that is another page now. */
function follow(): void {
  const place = document.getElementById(location.hash.slice(1));
  const moved = place?.matches('.parts [id]') === true ? place.querySelector('a') : null;
  if (moved !== null) {
    location.replace(moved.href);
  }
}

addEventListener('hashchange', follow);
follow();

// On a narrow screen the contents stand above the text.
if (matchMedia('(width < 75rem)').matches) {
  document.querySelector('.contents details')?.removeAttribute('open');
}
const guides = document.querySelector('.guides');
const here = guides?.querySelector<HTMLElement>('[aria-current]');
if (guides && here) {
  guides.scrollTop = here.offsetTop - guides.clientHeight / 2;
}

const search = document.querySelector<HTMLElement>('search');
const input = search?.querySelector('input');
const panel = search?.querySelector<HTMLElement>('.results');
if (search && input && panel) {
  let index: Promise<Index> | null = null;
  search.hidden = false;
  // Pages name each other within their folder. Only the one that a wrong address shows can be anywhere, and names it.
  const folder = (search.dataset['index'] ?? '').replace(/[^/]*$/, '');

  const show = async (): Promise<void> => {
    index ??= fetch(search.dataset['index'] ?? '').then((answer) => answer.json());
    const asked = input.value.trim();
    const found = find(await index, asked);
    if (asked !== input.value.trim()) {
      return;
    }
    panel.hidden = asked === '';
    const [says, list] = [panel.querySelector('p'), panel.querySelector('ul')];
    if (says && list) {
      says.textContent = found.length === 0 ? `Nothing has “${asked}”` : '';
      list.replaceChildren(
        ...found.map(({ href, title, says: begin }) => {
          const [row, link, text] = ['li', 'a', 'span'].map((tag) => document.createElement(tag));
          link?.setAttribute('href', href.startsWith('/') ? href : `${folder}${href}`);
          link?.append(title);
          text?.append(begin);
          row?.append(link ?? '', text ?? '');
          return row ?? '';
        }),
      );
    }
  };

  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape' && search.contains(document.activeElement)) {
      input.value = '';
      panel.hidden = true;
      input.focus();
    } else if (event.key === 'Enter' && event.target === input) {
      void show().then(() => panel.querySelector('a')?.click());
    } else if (event.key.startsWith('Arrow') && search.contains(document.activeElement)) {
      move(event, [input, ...panel.querySelectorAll('a')]);
    }
  });
  document.addEventListener('click', ({ target }) => {
    panel.hidden ||= target instanceof Node && !search.contains(target);
  });
}

/** Up and down go through the results. */
function move(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = stops.findIndex((each) => each === document.activeElement);
  if (step !== undefined && at !== -1) {
    event.preventDefault();
    stops[at + step]?.focus();
  }
}
