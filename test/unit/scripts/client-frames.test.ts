// The guard finds frame headers, however a connection splits the bytes.

import { describe, expect, it } from 'vitest';
import { Frames } from '../../../scripts/socket-guard.ts';
import { frame } from '../../support/raw-websocket.ts';

function taken(frames: Frames, bytes: Buffer, each: number): number | null {
  for (let at = 0; at < bytes.length; at += each) {
    const fault = frames.take(bytes.subarray(at, at + each));
    if (fault !== null) {
      return fault[0];
    }
  }
  return null;
}

describe.each([1, 2, 3, 5, 100_000])('frames that come %i bytes at a time', (each) => {
  it('pass up to 256 bytes, and not one more', () => {
    const short = [0, 1, 125, 126, 255, 256].map((length) => frame('x'.repeat(length)));
    expect(taken(new Frames(() => 0), Buffer.concat(short), each)).toBeNull();
    for (const length of [257, 65_535, 65_536]) {
      const long = Buffer.concat([...short, frame('x'.repeat(length))]);
      expect(taken(new Frames(() => 0), long, each)).toBe(1009);
    }
  });

  it('pass ten in ten seconds, and ten more afterwards', () => {
    let now = 1_000;
    const frames = new Frames(() => now);
    const ten = Buffer.concat(Array.from({ length: 10 }, () => frame('here')));
    expect(taken(frames, ten, each)).toBeNull();
    now += 10_000;
    expect(taken(frames, ten, each)).toBeNull();
    now += 9_999;
    expect(taken(frames, frame(''), each)).toBe(1008);
  });
});
