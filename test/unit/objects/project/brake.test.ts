// The brake on launches that fail in a row: when the next is tried, and what takes it off.

import { describe, expect, it } from 'vitest';
import { defaultBuild } from '../../../../src/fleet/build';
import type { ServerRow } from '../../../../src/objects/contracts/project';
import { Brakes } from '../../../../src/objects/project/brake';
import { block } from '../../../support/lobbies';

type Launch = NonNullable<ServerRow['launch']> | null;

const NOW = 1_800_000_000_000;
const GAME = { ...defaultBuild(), name: 'game', version: 2 };
const ENDED = '2026-01-01T00:00:00.000Z';
const UNKNOWN = { exit_code: null, signal: null, output: null, detail: null };

function row(launch: Launch, more: Partial<ServerRow['block']> = {}): ServerRow {
  const server = { ...block('stopped', 's'), ...UNKNOWN, version_tag: 'game', version: 2 };
  const times = { started_at: null, stopped_at: ENDED };
  return { block: { ...server, region: 'eu', ...times, ...more }, seq: 1, launch };
}

function failed(times: number, launch: Launch = 'failed', build = GAME): Brakes {
  const brakes = new Brakes();
  for (let each = 0; each < times; each += 1) {
    brakes.hear(row(launch), { game: build }, NOW);
  }
  return brakes;
}

describe('launches that fail in a row', () => {
  it('are three before more of the same wait, in that region alone', () => {
    expect(failed(2).pause('game', 'eu', true, NOW)).toBeNull();
    const brakes = failed(3);
    expect(brakes.pause('game', 'eu', true, NOW)).toBe(2_000);
    expect(brakes.pause('game', 'us', true, NOW)).toBeNull();
    expect(brakes.pause('other', 'eu', true, NOW)).toBeNull();
  });

  it('are tried one at a time, after 2 s, then 4, 8 and at most 60', () => {
    const brakes = failed(8);
    const pauses: (number | null)[] = [];
    for (let now = NOW, tries = 0; tries < 7; tries += 1) {
      const wait = brakes.pause('game', 'eu', true, now) ?? 0;
      pauses.push(wait);
      now += wait;
      expect(brakes.pause('game', 'eu', false, now)).toBe(0);
      expect(brakes.pause('game', 'eu', true, now)).toBe(0);
      brakes.hear(row('failed'), { game: GAME }, now);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('do not wait once one ran, or something was saved', () => {
    const brakes = failed(5);
    brakes.hear(row('ran', { started_at: ENDED, stopped_at: null }), { game: GAME }, NOW);
    expect(brakes.pause('game', 'eu', true, NOW)).toBeNull();
    const saved = failed(5);
    saved.clear();
    expect(saved.pause('game', 'eu', true, NOW)).toBeNull();
  });

  it('of a version before do not count, nor those of a build that is gone', () => {
    expect(failed(5, 'failed', { ...GAME, version: 3 }).pause('game', 'eu', true, NOW)).toBeNull();
    const brakes = new Brakes();
    [1, 2, 3].forEach(() => brakes.hear(row('failed'), {}, NOW));
    expect(brakes.pause('game', 'eu', true, NOW)).toBeNull();
  });

  it('for want of room are tried as soon as a server has ended, those of a broken build are not', () => {
    const end = row(null, { region: 'us', started_at: ENDED });
    const full = failed(3, 'unable');
    full.hear(end, { game: GAME }, NOW);
    expect(full.pause('game', 'eu', true, NOW)).toBe(0);
    const broken = failed(3);
    broken.hear(end, { game: GAME }, NOW);
    expect(broken.pause('game', 'eu', true, NOW)).toBe(2_000);
  });

  it('for want of room put no brake on a build whose matches wait in line', () => {
    const build = { ...GAME, launch: { ...GAME.launch, capacitySeconds: 60 } };
    expect(failed(5, 'unable', build).pause('game', 'eu', true, NOW)).toBeNull();
    expect(failed(5, 'failed', build).pause('game', 'eu', true, NOW)).toBe(2_000);
  });
});
