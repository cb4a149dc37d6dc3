// The units of ops/ start what is there, without rights that it does not need.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const units = readdirSync(join(ROOT, 'ops')).filter((name) => name.endsWith('.service'));
const named = [...read('agent/settings.ts').matchAll(/'(AGENT_[A-Z_]+)'/g)].map(([, name]) => name);

it('there is one for Muster and one for an agent of its own', () => {
  expect(units).toEqual(['muster-agent.service', 'muster.service']);
});

it('a stop of Muster is told to its starter alone', () => {
  const modes = read('ops/muster.service')
    .split('\n')
    .filter((line) => /^#?KillMode=/.test(line));
  // Of two that are set, the last holds.
  expect(modes).toEqual(['KillMode=mixed', '#KillMode=process']);
});

describe.each(units)('ops/%s', (name) => {
  const lines = read(`ops/${name}`).split('\n');
  const valueOf = (key: string): string =>
    lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';

  it('starts a script of the project, by the Node of the project', () => {
    const [node = '', script = '', ...rest] = valueOf('ExecStart').split(' ');
    expect(node).toBe(`${valueOf('WorkingDirectory')}/node_modules/.bin/node`);
    expect(existsSync(join(ROOT, script)), script).toBe(true);
    expect(rest).toEqual([]);
  });

  it('can gain no rights, and writes to nothing but its own folders', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        'NoNewPrivileges=true',
        'ProtectSystem=strict',
        'ProtectHome=true',
        'PrivateTmp=true',
        'PrivateDevices=true',
        'RestrictNamespaces=true',
        'SystemCallFilter=@system-service',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('ReadWritePaths='))).toEqual([]);
    expect(lines.some((line) => line.startsWith('CapabilityBoundingSet='))).toBe(true);
  });

  it('sets what the agent reads', () => {
    const set = lines
      .filter((line) => /^(#   |Environment=)/.test(line))
      .flatMap((line) => line.match(/AGENT_[A-Z_]+(?==)/g) ?? []);
    expect(set.filter((each) => !named.includes(each))).toEqual([]);
  });

  it('is not root unless it starts programs as another user', () => {
    expect([valueOf('User'), /AGENT_USER=\w/.test(lines.join('\n'))]).toEqual(
      name === 'muster.service' ? ['muster', false] : ['', true],
    );
  });
});
