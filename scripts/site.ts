// Makes dist/site, which the binding ASSETS serves: the home page, the dashboard, the guides, the examples, the
// API description with its page, and the licences of bundled packages. wrangler runs it before it bundles
// (`[build]` in wrangler.toml). Prints the bytes that a browser loads. Whole files are moved in before others are
// deleted, because a service may be reading them.

import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import type { OutputFile } from 'esbuild';

import { guides } from './guides.ts';
import { noticesOf, packagesOf } from './notices.ts';
import { apiDescription } from './reference.ts';
import { samples } from './samples.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(PROJECT, 'dist', 'site');
/** As a game imports it. */
const CLIENT = { '@muster/client': join(PROJECT, 'packages', 'js', 'src', 'index.ts') };
const NOTICES = '/*! Licences of others: /notices.txt */';

const FOR_BROWSERS = {
  absWorkingDir: PROJECT,
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  banner: { js: NOTICES, css: NOTICES },
} as const;

type Output = Pick<OutputFile, 'path' | 'contents'>;

/** The script and the style of one page, named by their content, and then the page that links them. */
async function page(folder: string, entry: string, to: string): Promise<readonly Output[]> {
  const { outputFiles } = await build({
    ...FOR_BROWSERS,
    entryPoints: [join(folder, entry)],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: CLIENT,
    entryNames: '[name]-[hash]',
    outdir: to,
  });
  let html = await readFile(join(folder, 'index.html'), 'utf8');
  const stem = basename(entry).replace(/\.\w+$/, '');
  for (const { path } of outputFiles) {
    const name = basename(path);
    html = html.replace(`${stem}.${name.split('.').at(-1)}`, name);
  }
  return [...outputFiles, { path: join(to, 'index.html'), contents: Buffer.from(html) }];
}

/** The worker of the dashboard, which a page loads on its first use. */
async function worker(): Promise<readonly Output[]> {
  const { outputFiles } = await build({
    ...FOR_BROWSERS,
    entryPoints: { 'what-if': join(PROJECT, 'dashboard', 'what-if-worker.ts') },
    outdir: join(SITE, 'dashboard'),
  });
  return outputFiles;
}

async function examples(): Promise<readonly Output[]> {
  const from = join(PROJECT, 'examples', 'browser-lobby');
  return page(from, 'lobby.js', join(SITE, 'examples', 'browser-lobby'));
}

async function reference(): Promise<readonly Output[]> {
  const shown = await page(
    join(PROJECT, 'dashboard', 'reference'),
    'reference.ts',
    join(SITE, 'docs'),
  );
  const text = await apiDescription();
  return [...shown, { path: join(SITE, 'openapi.json'), contents: Buffer.from(text) }];
}

/** The home page. Its samples are the programs of the quickstarts. */
async function home(): Promise<readonly Output[]> {
  const made = await page(join(PROJECT, 'dashboard', 'home'), 'home.ts', join(SITE, 'home'));
  const shown = await samples(PROJECT);
  return made.map(({ path, contents }) => {
    if (basename(path) !== 'index.html') {
      return { path, contents };
    }
    const html = Buffer.from(contents)
      .toString()
      .replaceAll(/"(home-\w+\.(?:js|css))"/g, '"/home/$1"')
      .replace('<!-- samples -->', () => shown);
    return { path: join(SITE, 'index.html'), contents: Buffer.from(html) };
  });
}

/** The page of an invitation, which the service fills in. */
async function joinPage(): Promise<readonly Output[]> {
  const made = await page(join(PROJECT, 'dashboard', 'join'), 'join.css', join(SITE, 'home'));
  return made.map(({ path, contents }) => {
    const isPage = basename(path) === 'index.html';
    const html = (): string => Buffer.from(contents).toString().replace('"join-', '"/home/join-');
    return isPage
      ? { path: join(SITE, 'join.html'), contents: Buffer.from(html()) }
      : { path, contents };
  });
}

async function guidePages(): Promise<readonly Output[]> {
  const made = await guides(PROJECT, await apiDescription());
  return made.map(({ name, contents }) => ({ path: join(SITE, name), contents }));
}

/** The licences of the Worker and the pages together, so that everybody who gets one of them can read them. */
async function notices(): Promise<Output> {
  const names = await Promise.all([
    packagesOf(PROJECT, { entryPoints: ['src/worker.ts'], external: ['cloudflare:*'] }),
    packagesOf(PROJECT, {
      entryPoints: [
        'dashboard/app.tsx',
        'dashboard/what-if-worker.ts',
        'dashboard/reference/reference.ts',
        'dashboard/home/home.ts',
        'examples/browser-lobby/lobby.js',
      ],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      alias: CLIENT,
    }),
  ]);
  const text = await noticesOf(PROJECT, [...new Set(names.flat())]);
  return { path: join(SITE, 'notices.txt'), contents: Buffer.from(text) };
}

async function put({ path, contents }: Output, aside: string): Promise<void> {
  const now = await readFile(path).catch(() => null);
  if (now?.equals(contents) === true) {
    return;
  }
  const made = join(aside, relative(SITE, path).replaceAll('/', '_'));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(made, contents);
  await rename(made, path);
}

async function site(): Promise<readonly Output[]> {
  const dashboard = await page(join(PROJECT, 'dashboard'), 'app.tsx', join(SITE, 'dashboard'));
  const files = [
    ...dashboard,
    ...(await worker()),
    ...(await examples()),
    ...(await reference()),
    ...(await home()),
    ...(await joinPage()),
    ...(await guidePages()),
    await notices(),
  ];
  await mkdir(SITE, { recursive: true });
  const aside = await mkdtemp(join(PROJECT, 'dist', '.site-'));
  try {
    await Promise.all(files.map((file) => put(file, aside)));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  const kept = new Set(files.map(({ path }) => path));
  for (const entry of await readdir(SITE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path)) {
      await rm(path, { force: true });
    }
  }
  return files;
}

for (const { path, contents } of await site()) {
  const gzipped = gzipSync(contents, { level: 9 }).length;
  console.log(`${relative(PROJECT, path)}: ${contents.length} bytes, ${gzipped} gzipped`);
}
