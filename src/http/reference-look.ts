// Style and behaviour of the reference page, files of their own beside it. The page is whole without
// the script, which only adds the filter.

export const STYLE = `
:root { color-scheme: light dark;
  --bg: light-dark(#fff, #14161a); --fg: light-dark(#1b1f24, #e4e7eb);
  --soft: light-dark(#f4f5f7, #1e2127); --line: light-dark(#d5d9df, #353a43);
  --dim: light-dark(#555d68, #a2abb8); --link: light-dark(#0b57c2, #8ab8ff);
  --get: light-dark(#0a6640, #6fd8a8); --post: light-dark(#0b57c2, #8ab8ff);
  --put: light-dark(#7a4a00, #f0bd6a); --patch: light-dark(#6b3fa0, #cfa8ff);
  --delete: light-dark(#b3261e, #ff9d95); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--bg); color: var(--fg);
  font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--bg); padding: .5rem; z-index: 1; }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 76rem; margin: auto; }
nav, main, header { padding: 1rem 1.25rem; }
nav { max-height: 45vh; overflow: auto; border-bottom: 1px solid var(--line); }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { margin: .15rem 0; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav h2 { font-size: .85rem; margin: .75rem 0 .25rem; color: var(--dim); }
label { display: block; font-weight: 600; }
input { width: 100%; font: inherit; color: inherit; background: var(--bg);
  border: 1px solid var(--dim); border-radius: 6px; padding: .4rem .6rem; }
h1 { margin: 0; font-size: 1.7rem; }
h2 { margin: 2.5rem 0 .5rem; }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
article h3 { margin: 0 0 .25rem; font-size: 1.1rem; }
h4 { margin: 1rem 0 .25rem; font-size: .95rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem; overflow: auto; max-height: 24rem; margin: .25rem 0; }
.method { font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.dim { color: var(--dim); }
ul.fields { list-style: none; margin: .25rem 0; padding: 0 0 0 .75rem;
  border-left: 2px solid var(--line); }
ul.fields li { margin: .2rem 0; }
dl { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: .2rem .75rem; margin: .25rem 0; }
dt { font-weight: 600; } dd { margin: 0; }
summary { cursor: pointer; }
@media (min-width: 60rem) {
  .frame { grid-template-columns: 17rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh;
    border: 0; }
}
`;

export const SCRIPT = `
const box = document.getElementById('filter-box');
const input = document.getElementById('filter');
const told = document.getElementById('filter-told');
const articles = [...document.querySelectorAll('article')];
const links = new Map([...document.querySelectorAll('nav a')].map((a) => [a.hash.slice(1), a]));
box.hidden = false;
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const article of articles) {
    const text = article.dataset.words;
    article.hidden = !words.every((word) => text.includes(word));
    shown += article.hidden ? 0 : 1;
    const link = links.get(article.id);
    if (link) { link.parentElement.hidden = article.hidden; }
  }
  for (const section of document.querySelectorAll('section')) {
    section.hidden = words.length > 0 && !section.querySelector('article:not([hidden])');
  }
  told.textContent = words.length > 0 ? shown + ' shown' : '';
});
`;
