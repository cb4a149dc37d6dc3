// The setting of a project by which its backend hears of matches.

import { expect, it } from 'vitest';
import { ask, CLIENT, SERVER } from './support';

const HOOKS = {
  url: 'https://api.example.com/muster',
  secret: 'a secret of 32 characters or more',
};

it('hooks are set, shown without the secret, replaced and taken away', async () => {
  const set = await ask('PUT projects/hooks', { key: SERVER, body: HOOKS });
  expect([set.status, set.body]).toEqual([200, { status: 'hooks_set', url: HOOKS.url }]);
  const shown = await ask('GET projects/settings', { key: SERVER });
  expect(shown.body).toMatchObject({ hooks: { url: HOOKS.url } });
  expect(JSON.stringify(shown.body)).not.toContain(HOOKS.secret);
  const deleted = await ask('DELETE projects/hooks', { key: SERVER });
  expect(deleted.body).toEqual({ status: 'hooks_deleted' });
  expect((await ask('GET projects/settings', { key: SERVER })).body).toMatchObject({ hooks: null });
  const again = await ask('DELETE projects/hooks', { key: SERVER });
  expect([again.status, again.body.code]).toEqual([404, 'NOT_FOUND']);
});

it('a chat needs no secret, and nothing shows its address, with which anybody could write in it', async () => {
  const url = 'https://discord.com/api/webhooks/1/s3cr3t';
  const set = await ask('PUT projects/hooks', { key: SERVER, body: { url, format: 'discord' } });
  expect(set.status).toBe(200);
  const { body } = await ask<{ hooks: object }>('GET projects/settings', { key: SERVER });
  expect(body.hooks).toMatchObject({ url: 'https://discord.com', format: 'discord' });
  const audit = await ask('GET audit', { key: SERVER });
  expect(JSON.stringify([body, audit.body])).not.toContain('s3cr3t');
  await ask('DELETE projects/hooks', { key: SERVER });
});

it.each([
  [{ url: 'http://api.example.com/', secret: HOOKS.secret }, 'url'],
  [{ url: 'https://10.0.0.7/', secret: HOOKS.secret }, 'url'],
  [{ url: 'https://user:word@api.example.com/', secret: HOOKS.secret }, 'url'],
  [{ url: HOOKS.url, secret: 'short' }, 'secret'],
  [{ url: HOOKS.url }, 'secret'],
  [{ ...HOOKS, events: [] }, 'events'],
  [{ url: HOOKS.url, format: 'irc' }, 'format'],
  [{ url: 'http://discord.com/', format: 'discord' }, 'url'],
])('%j is refused, and names the field', async (body, field) => {
  const { status, body: told } = await ask('PUT projects/hooks', { key: SERVER, body });
  expect(status).toBe(400);
  expect(JSON.stringify(told)).toContain(field);
});

it('the client key cannot set them', async () => {
  const { status } = await ask('PUT projects/hooks', { key: CLIENT, body: HOOKS });
  expect(status).toBe(403);
});
