import { describe, expect, it } from 'vitest';
import { Buckets, rateOf, waitMs } from '../../../src/common/buckets';
import { addressesUnknown } from '../../../scripts/addresses.ts';
import { addressOf } from '../../../src/http/gate/address';
import { codeSpace } from '../../../src/lobby/codes';
import { quotasOf, readQuotas } from '../../../src/common/quotas';

describe('a bucket', () => {
  const limit = { most: 10, perMs: 1_000 };

  it('holds so many, and fills again as time passes', () => {
    const buckets = new Buckets(10);
    for (let index = 0; index < 10; index += 1) {
      expect(buckets.left('ann', limit, 0)).toBe(10 - index);
      buckets.take('ann', limit, 0);
    }
    expect([buckets.left('ann', limit, 0), buckets.left('bob', limit, 0)]).toEqual([0, 10]);
    expect(buckets.left('ann', limit, 250)).toBe(2.5);
    expect(buckets.left('ann', limit, 9_000)).toBe(10);
    expect([waitMs(limit, 0.5), waitMs(limit, 3), waitMs(limit, 1, 5)]).toEqual([50, 0, 400]);
    expect(rateOf(limit, 2.5)).toEqual({ limit: 10, remaining: 2, resetSeconds: 1 });
  });

  it('gains nothing from a clock that goes back', () => {
    const buckets = new Buckets(10);
    buckets.take('ann', limit, 5_000);
    expect(buckets.left('ann', limit, 1_000)).toBe(9);
  });

  it('lets off who was not counted for longest, however many there are', () => {
    const buckets = new Buckets(2);
    for (const name of ['ann', 'bob', 'cy']) {
      buckets.take(name, limit, 0);
    }
    expect(['ann', 'bob', 'cy'].map((name) => buckets.left(name, limit, 0))).toEqual([10, 9, 9]);
  });
});

describe('LIMITS', () => {
  const two = '[{"project":"a"},{"project":"b"},{"project":"a"}]';

  it('limits keys and projects only where several projects share the service', () => {
    expect(Object.keys(quotasOf({}).rates.requests)).toEqual(['player', 'address', 'server']);
    expect(quotasOf({ API_KEYS: '[{"project":"a"},{"project":"a"}]' }).held.servers).toEqual({});
    const shared = quotasOf({ API_KEYS: two });
    expect(Object.keys(shared.rates.creates)).toEqual(['player', 'address', 'key', 'project']);
    expect(shared.held.servers).toEqual({ project: 32 });
  });

  it('says otherwise, cell by cell', () => {
    const said = {
      requests: { player: '5/1s', address: null, server: '4/1s' },
      streams: { key: 7 },
    };
    const { rates, held } = quotasOf({ LIMITS: JSON.stringify(said) });
    expect(rates.requests).toEqual({
      player: { most: 5, perMs: 1_000 },
      server: { most: 4, perMs: 1_000 },
    });
    expect(held.streams).toEqual({ player: 10, address: 1_000, key: 7 });
    expect(rates.wrongCodes.player).toEqual({ most: 20, perMs: 60_000 });
  });

  it('off limits nothing', () => {
    const { rates, held } = quotasOf({ LIMITS: 'off', API_KEYS: two });
    expect([...Object.values(rates), ...Object.values(held)]).toEqual(
      Array.from({ length: 11 }, () => ({})),
    );
  });

  it.each([
    ['{', 'LIMITS is neither JSON nor off'],
    ['[]', 'LIMITS must be an object'],
    ['{"toString":{}}', 'LIMITS.toString is unknown'],
    ['{"requests":{"config":"1/1s"}}', 'LIMITS.requests.config is unknown'],
    ['{"requests":{"playr":"1/1s"}}', 'LIMITS.requests.playr is unknown; did you mean player?'],
    ['{"requests":{"player":5}}', 'LIMITS.requests.player must be like "600/10s"'],
    ['{"requests":{"player":"0/1s"}}', 'LIMITS.requests.player must be like "600/10s"'],
    ['{"requests":{"player":"1/0s"}}', 'LIMITS.requests.player must be like "600/10s"'],
    ['{"streams":{"player":"1/1s"}}', 'LIMITS.streams.player must be a whole number'],
  ])('that is %s is told, and the defaults count', (text, told) => {
    const read = readQuotas(text, false);
    expect(read).toEqual({ ok: false, refusal: expect.stringContaining(told) });
    expect(quotasOf({ LIMITS: text })).toEqual(quotasOf({}));
  });
});

describe('the address of a request', () => {
  const BOX = {} as DurableObjectNamespace;
  const from = (headers: Record<string, string>, clientIp?: string): Request => {
    const request = new Request('http://muster.test/', { headers });
    return Object.assign(request, { cf: clientIp === undefined ? undefined : { clientIp } });
  };

  const named = { CLIENT_ADDRESS_HEADER: 'x-forwarded-for', BOX };
  const chain = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };

  it('is what the named header says last, the platform tells, or the socket shows', () => {
    expect(addressOf(from(chain, '10.0.0.1:99'), named)).toBe('203.0.113.9');
    expect(addressOf(from({}, '10.0.0.1:99'), named)).toBe(null);
    expect(addressOf(from({ 'cf-connecting-ip': '203.0.113.7' }), {})).toBe('203.0.113.7');
    expect(addressOf(from({ 'cf-connecting-ip': '203.0.113.7' }), { BOX })).toBe(null);
    expect(addressOf(from(chain, '203.0.113.1:99'), { BOX })).toBe('203.0.113.1');
  });

  it.each([
    ['127.0.0.1', null],
    ['::1', null],
    ['not an address', null],
    ['', null],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['::ffff:203.0.113.4', '203.0.113.4'],
    ['203.0.113.4:51234', '203.0.113.4'],
    ['[2001:db8:1:2::5]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::5]', '2001:db8:1:2::/64'],
    ['[::ffff:203.0.113.4]:80', '203.0.113.4'],
    ['127.0.0.1:80', null],
    ['203.0.113.4:', null],
    // Of a header one may believe it.
    ['10.1.2.3', '10.1.2.3'],
  ])('%s counts as %s', (text, counted) => {
    const named = { CLIENT_ADDRESS_HEADER: 'x-real-ip', BOX };
    expect(addressOf(from({ 'x-real-ip': text }), named)).toBe(counted);
  });

  it.each(['10.1.2.3:80', '192.168.0.4:80', '172.20.0.1:1', '[fd00::1]:80', '127.0.0.1:5'])(
    'of the socket %s tells nothing: a proxy speaks for all',
    (socket) => {
      expect(addressOf(from({}, socket), { BOX })).toBe(null);
      expect(addressOf(from(chain, socket), named)).toBe('203.0.113.9');
    },
  );

  it.each(['203.0.113.1:99', '8.8.8.8:1', '172.32.0.1:5', '[2001:db8::1]:99'])(
    'of the socket %s is its own, whatever headers say: no proxy of ours is there',
    (socket) => {
      const own = addressOf(from({}, socket), { BOX });
      expect(own).not.toBe(null);
      expect(addressOf(from(chain, socket), named)).toBe(own);
      const edge = { 'cf-connecting-ip': '203.0.113.7' };
      expect(addressOf(from(edge, socket), {})).toBe(own);
    },
  );
});

it('a code of the default form has more than 32 bits of guesses', () => {
  expect(Math.log2(codeSpace(null))).toBeGreaterThan(32);
});

describe('at the start', () => {
  const listens = '127.0.0.1:8787';

  const within = '127.0.0.1 localhost ::1 [::1] 10.1.2.3 172.16.0.1 100.64.0.1 169.254.1.1';

  it.each([...within.split(' '), 'fd00::1', '[fd00::1]', 'fe80::1'])(
    'who listens on %s and reads no header says that addresses are unknown, and what follows',
    (host) => {
      expect(addressesUnknown({ host, listens }, {})).toMatch(/nothing is limited by address/);
      const env = { CLIENT_ADDRESS_HEADER: 'x-real-ip' };
      expect(addressesUnknown({ host, listens }, env)).toBe(null);
    },
  );

  it('who listens to all says so only where few files may be open', () => {
    expect(addressesUnknown({ host: '0.0.0.0', listens: '0.0.0.0:8787' }, {})).toBe(null);
    expect(addressesUnknown({ host: '0.0.0.0', listens: 'unix:http.sock' }, {})).not.toBe(null);
  });
});
