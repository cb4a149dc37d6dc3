// What a config says of links that bring friends in, and the addresses that follow from it.

import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/lobby/config';
import { inviteUrl, linkTo } from '../../src/lobby/invite';
import { playgroundOf } from '../../src/lobby/playground';

const TO = { project: 'studio', config: 'night arena', code: 'MEOW-7K2QXD' };

const issuesOf = (body: object): readonly string[] => {
  const read = parseConfig('arena', body);
  return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
};

describe('the addresses of a config', () => {
  it.each([
    { url: 'mygame://join/{code}' },
    { url: 'steam://run/480//+connect%20{code}' },
    { url: 'MyGame2://{project}/{config}/{code}', web: 'https://play.example.com/?code={code}' },
    { url: 'com.my-studio.game:/join/{code}' },
    { web: 'https://{config}.example.com/#{code}' },
    { web: 'http://localhost:8787/examples/browser-lobby/?config={config}&code={code}' },
    { web: 'http://127.0.0.1/{code}' },
  ])('may be %j', (invite) => {
    const read = parseConfig('arena', { invite });
    expect(read).toMatchObject({ ok: true, value: { invite } });
  });

  it.each([
    [{ url: 'javascript:alert(1)' }, 'invite.url'],
    [{ url: 'JavaScript:alert(1)' }, 'invite.url'],
    [{ url: ' javascript:alert(1)' }, 'invite.url'],
    [{ url: 'java\nscript:alert(1)' }, 'invite.url'],
    [{ url: 'data:text/html,x' }, 'invite.url'],
    [{ url: 'vbscript:x' }, 'invite.url'],
    [{ url: 'file:///etc/passwd' }, 'invite.url'],
    [{ url: 'blob:https://example.com/1' }, 'invite.url'],
    [{ url: '{code}:alert(1)' }, 'invite.url'],
    [{ url: 'mygame://{player}' }, 'invite.url'],
    [{ url: 'mygame://{code' }, 'invite.url'],
    [{ url: 'mygame://a b' }, 'invite.url'],
    [{ url: '/join/{code}' }, 'invite.url'],
    [{ url: `mygame://${'a'.repeat(600)}` }, 'invite.url'],
    [{ url: 7 }, 'invite.url'],
    [{ web: 'http://play.example.com/{code}' }, 'invite.web'],
    [{ web: 'http://localhost.example.com/{code}' }, 'invite.web'],
    [{ web: 'http://localhost:80@example.com/{code}' }, 'invite.web'],
    [{ web: 'mygame://join/{code}' }, 'invite.web'],
    [{}, 'invite: must have url or web'],
    ['mygame://', 'invite: must be an object'],
  ])('may not be %j', (invite, told) => {
    expect(issuesOf({ invite }).join()).toContain(told);
  });

  const known =
    'view-source jar feed filesystem about JavaScript data vbscript blob file intent ms-settings ms-word ms-windows.store search-ms chrome ws moz-extension chrome-extension web+mygame x-apple.systempreferences smb tel';
  it.each(known.split(' '))('have no scheme of browsers and systems: %s', (scheme) => {
    for (const rest of ['https://example.com/{code}', '//join/{code}', '/{code}', '{code}']) {
      expect(issuesOf({ invite: { url: `${scheme}:${rest}` } }).join()).toContain('invite.url');
    }
  });

  it('need codes that a path can hold', () => {
    const invite = { url: 'mygame://{code}' };
    const codes = (prefix: string) => ({ type: 'numeric', length: 4, prefix });
    expect(issuesOf({ invite, inviteCodeConfig: codes('A-') })).toEqual([]);
    for (const prefix of ['a/b', 'a\\b']) {
      expect(issuesOf({ invite, inviteCodeConfig: codes(prefix) }).join()).toContain('slash');
      expect(issuesOf({ inviteCodeConfig: codes(prefix) })).toEqual([]);
    }
  });
});

describe('a link', () => {
  it('has what the placeholders stand for, encoded, each time', () => {
    const hostile = { ...TO, code: '"><script>{config}&#?/' };
    expect(linkTo('a:{code}/{code}?{config}&{project}', hostile)).toBe(
      'a:%22%3E%3Cscript%3E%7Bconfig%7D%26%23%3F%2F/%22%3E%3Cscript%3E%7Bconfig%7D%26%23%3F%2F?night%20arena&studio',
    );
  });

  it('names the project only where there are several', () => {
    const page = 'https://play.example.com/join/night%20arena/MEOW-7K2QXD';
    expect(inviteUrl('https://play.example.com', true, TO)).toBe(page);
    expect(inviteUrl('https://play.example.com/', false, TO)).toBe(`${page}?project=studio`);
  });

  it('is none where the service knows no address of its own, or for phantom players', () => {
    expect(inviteUrl('', true, TO)).toBeNull();
    const config = playgroundOf('arena');
    expect(inviteUrl('https://play.example.com', true, { ...TO, config })).toBeNull();
  });
});
