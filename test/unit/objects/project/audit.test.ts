// The audit list of a project: bounded, in order, and never without its change.

import { expect, it, vi } from 'vitest';
import { Audit } from '../../../../src/objects/project/audit';
import { fakePorts } from '../../../fleet/ports';

const ANY = { by: null, kind: null, on: null, until: Infinity, limit: 100_000 } as const;
const by = 'operator:alice' as const;

function anAudit() {
  const { ports } = fakePorts({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  return { ports, audit: new Audit(ports) };
}

it('a project that has just woken goes on after its last entry, also where the clock stands', () => {
  const { ports, audit } = anAudit();
  audit.note({ kind: 'kicked', by, on: 'ann' });
  audit.note({ kind: 'unbanned', by, on: 'ann' });
  const woken = new Audit(ports);
  woken.note({ kind: 'banned', by, on: 'ann' });
  const found = woken.find(ANY);
  expect(found.map(({ kind }) => kind)).toEqual(['banned', 'unbanned', 'kicked']);
  expect(new Set(found.map(({ at }) => at)).size).toBe(3);
});

it('keeps what is done in 90 days at 400 deeds a day, and not much more', () => {
  const { audit } = anAudit();
  for (let at = 0; at < 70_000; at += 1) {
    audit.note({ kind: 'kicked', by, on: `player-${at}`, detail: 'arena' });
  }
  const found = audit.find(ANY);
  expect(found.length).toBeGreaterThan(90 * 400);
  expect(found.length).toBeLessThan(50_000);
  expect(found[0]?.on).toBe('player-69999');
});

it('keeps 10,000 entries of any length', () => {
  const { audit } = anAudit();
  for (let at = 0; at < 20_000; at += 1) {
    audit.note({ kind: 'config_saved', by, on: 'c'.repeat(64), detail: 'x'.repeat(10_000) });
  }
  const found = audit.find(ANY);
  expect(found.length).toBeGreaterThan(10_000);
  expect(found[0]?.detail).toBe('x'.repeat(200));
});

it('notes nothing that no operator did', () => {
  const { audit } = anAudit();
  audit.note({ kind: 'secrets_changed', by: undefined, on: null });
  expect(audit.find(ANY)).toEqual([]);
});

it('tells the log as well', () => {
  const { ports, audit } = anAudit();
  const log = vi.spyOn(ports, 'log');
  audit.note({ kind: 'kicked', by, on: 'ann', detail: 'from arena' });
  audit.note({ kind: 'settings_saved', by, on: null });
  expect(log.mock.calls).toEqual([
    ['operator_acted', { kind: 'kicked', by, on: 'ann', detail: 'from arena' }],
    ['operator_acted', { kind: 'settings_saved', by }],
  ]);
});
