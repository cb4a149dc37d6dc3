// The page of an invitation: what it shows to friends and chats, what it never lets through, and how it counts guesses.

import { describe, expect, it } from 'vitest';
import template from '../../dashboard/join/index.html?raw';
import type { Env } from '../../src/objects/placement/env';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  joinLobby,
  openUnder,
  saveConfig,
} from './support';

const ASSETS = {
  fetch: async (request: Request): Promise<Response> =>
    new URL(request.url).pathname === '/join.html'
      ? new Response(template)
      : new Response(null, { status: 404 }),
};
const INVITE = {
  url: 'mygame://join/{config}/{code}',
  web: 'https://play.example.com/?code={code}&of={project}',
};

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

async function open(path: string, settings: Partial<Env> = {}, from?: string): Promise<Page> {
  const headers = from === undefined ? {} : { 'x-real-ip': from };
  const all = { ASSETS, CLIENT_ADDRESS_HEADER: 'x-real-ip', ...settings };
  const response = await openUnder(all, `GET /join/${path}`, { key: null, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** A config with links, and the code of a lobby of it. */
async function invited(lobby: object = {}): Promise<readonly [config: string, code: string]> {
  const config = freshConfig();
  await saveConfig(config, { invite: INVITE, matchmaking: { modes: { Duel: {} } } });
  const { code } = await createLobby(config, 'ann', { name: "Ann's lobby", ...lobby });
  return [config, code];
}

const tag = (html: string, name: string): string | undefined =>
  new RegExp(`(?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

describe('the page of an invitation', () => {
  it('says who invites to what, shows the code, and opens the game', async () => {
    const [config, code] = await invited({ isPrivate: true });
    await joinLobby(config, 'ben', code);
    const { status, html } = await open(`${config}/${code}`);
    expect(status).toBe(200);
    expect(html).toContain('<h1><bdi>Ann&#39;s lobby</bdi></h1>');
    expect(html).toContain(`2 of 4 players, ${config}`);
    expect(html).toContain(`<code>${code}</code>`);
    expect(html).toContain(`<a href="mygame://join/${config}/${code}">`);
    expect(html).toContain(`<a href="https://play.example.com/?code=${code}&#38;of=dev">`);
    expect(html).not.toContain('{{');
  });

  it('has the tags that chats show', async () => {
    const [config, code] = await invited();
    const { html } = await open(`${config}/${code}`);
    const tags = ['description', 'og:title', 'og:description', 'twitter:card', 'twitter:title'];
    const places = `1 of 4 players, ${config}`;
    const title = 'Ann&#39;s lobby';
    expect(tags.map((name) => tag(html, name))).toEqual([places, title, places, 'summary', title]);
    expect(tag(html, 'robots')).toBe('noindex');
  });

  it('says which mode is searched, and that nobody comes in now', async () => {
    const [config, code] = await invited();
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'Duel' } });
    expect((await open(`${config}/${code}`)).html).toContain(
      '1 of 4 players, Duel. It takes nobody right now.',
    );
  });

  it('runs nothing, is kept by nobody, and tells nobody where it was', async () => {
    const [config, code] = await invited();
    const { headers, html } = await open(`${config}/${code}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html).not.toContain('<script');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each([
    ['</title><script>alert(1)</script>', '&#60;/title&#62;&#60;script&#62;'],
    [`" onload="alert(1)" '`, '&#34; onload=&#34;alert(1)&#34; &#39;'],
    ['{{ways}} $& $1', '<bdi>{{ways}} $&#38; $1</bdi>'],
    ['Ann\u202e\u2066 \u0007lobby', '<bdi>Ann    lobby</bdi>'],
  ])('shows the name %j as text', async (name, shown) => {
    const [config, code] = await invited({ name });
    const { html } = await open(`${config}/${code}`);
    expect(html).toContain(shown);
    expect(html).not.toContain(name);
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  it('is found by a code as people send it', async () => {
    const [config, code] = await invited();
    const typed = code.toLowerCase().replace('-', '\u2013\u200b');
    expect((await open(`${config}/${encodeURIComponent(typed)}`)).status).toBe(200);
  });

  it('needs the name of the project where the service has several', async () => {
    const [config, code] = await invited();
    const of = (project: string) => ({ project, kind: 'server', sha256: '0'.repeat(64) });
    const API_KEYS = JSON.stringify([of('dev'), of('other')]);
    const statuses = ['', '?project=dev', '?project=other', '?project=none'].map((query) =>
      open(`${config}/${code}${query}`, { API_KEYS }).then(({ status }) => status),
    );
    expect(await Promise.all(statuses)).toEqual([404, 200, 404, 404]);
  });

  it('is not there where the service runs without its files', async () => {
    const [config, code] = await invited();
    const none = { fetch: async () => new Response(null, { status: 404 }) };
    expect((await open(`${config}/${code}`, { ASSETS: none })).status).toBe(404);
  });
});

describe('a link that leads nowhere', () => {
  it('looks the same for a wrong code, another config, one without links, and phantom players', async () => {
    const [config, code] = await invited();
    const plain = freshConfig();
    await saveConfig(plain, {});
    const { code: hidden } = await createLobby(plain, 'ann');
    const off = freshConfig();
    await saveConfig(off, { invite: INVITE, enabled: false });
    const { code: closed } = await createLobby(off, 'ann');
    const paths = [
      `${config}/WRONG-234567`,
      `none/${code}`,
      `${plain}/${hidden}`,
      `${off}/${closed}`,
      `${config}~playground/${code}`,
      `${config}/${'A'.repeat(200)}`,
    ];
    const pages = await Promise.all(paths.map((path) => open(path)));
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
    expect(pages[0]?.html).toContain('This invitation is over');
  });

  it('counts as a guess of its address, as a code that is joined by does', async () => {
    const [config, code] = await invited();
    const few = { LIMITS: JSON.stringify({ wrongCodes: { address: '3/6000s' } }) };
    const at = (path: string, from: string) => open(`${config}/${path}`, few, from);
    const join = (from: string, body: object) =>
      askUnder({ ...few, CLIENT_ADDRESS_HEADER: 'x-real-ip' }, `POST lobbies/${config}/join`, {
        player: 'eve',
        body,
        headers: { 'x-real-ip': from },
      });
    const [guesser, friend] = ['203.0.113.7', '203.0.113.8'];
    expect((await at('WRONG-1', guesser)).status).toBe(404);
    expect((await at('WRONG-2', guesser)).status).toBe(404);
    expect((await join(guesser, { code: 'WRONG-3' })).status).toBe(404);
    const { status, html } = await at(code, guesser);
    expect(status).toBe(429);
    expect(html).toContain('Too many wrong links');
    expect(html).not.toContain(code);
    expect((await join(guesser, { code })).status).toBe(429);
    expect((await at(code, friend)).status).toBe(200);
  });

  it('is limited by address, whatever it asks for', async () => {
    const [config, code] = await invited();
    const few = { LIMITS: JSON.stringify({ requests: { address: '10/6000s' } }) };
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      statuses.push((await open(`${config}/${code}`, few, '203.0.113.9')).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });
});
