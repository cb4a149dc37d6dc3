// Joins pictures into one animated PNG, which every browser and GitHub plays. The file holds only the parts of each
// picture that differ from the one before. The pictures must be as Chromium takes them: 8 bits a channel, RGB or
// RGBA, not interlaced.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Frame {
  /** A PNG. All pictures have the same size. */
  readonly png: Buffer;
  /** How long the picture is shown. */
  readonly ms: number;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly pixels: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 3;

function* chunksOf(png: Buffer): Generator<readonly [type: string, data: Buffer]> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** What the line's filter added to each byte, from the bytes to the left, above, and above left. */
function predicted(filter: number, a: number, b: number, c: number): number {
  return [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
}

function decoded(png: Buffer): Picture {
  const chunks = [...chunksOf(png)];
  const header = chunks[0]?.[1] ?? Buffer.alloc(13);
  const [width, height, channels] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[9] === 6 ? 4 : RGB,
  ];
  const raw = inflateSync(
    Buffer.concat(chunks.filter(([type]) => type === 'IDAT').map(([, data]) => data)),
  );
  const stride = width * channels;
  const lines = Buffer.alloc(stride * height);
  const pixels = Buffer.alloc(width * height * RGB);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const a = x < channels ? 0 : (lines[at - channels] ?? 0);
      const b = y === 0 ? 0 : (lines[at - stride] ?? 0);
      const c = x < channels || y === 0 ? 0 : (lines[at - stride - channels] ?? 0);
      lines[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, a, b, c);
    }
    for (let x = 0; x < width; x += 1) {
      lines.copy(
        pixels,
        (y * width + x) * RGB,
        y * stride + x * channels,
        y * stride + x * channels + RGB,
      );
    }
  }
  return { width, height, pixels };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box around all pixels that differ. One pixel if none does. */
function changed(now: Picture, before: Picture): Box {
  let [left, top, right, bottom] = [now.width, now.height, -1, -1];
  for (let y = 0; y < now.height; y += 1) {
    for (let x = 0; x < now.width; x += 1) {
      const at = (y * now.width + x) * RGB;
      if (now.pixels.compare(before.pixels, at, at + RGB, at, at + RGB) !== 0) {
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
      }
    }
  }
  return right < 0
    ? { left: 0, top: 0, width: 1, height: 1 }
    : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** For each line, the filter with the smallest sum of bytes, which usually compresses best. */
function encoded({ width, pixels }: Picture, box: Box): Buffer {
  const stride = box.width * RGB;
  const out = Buffer.alloc((stride + 1) * box.height);
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 ? 0 : (pixels[((y + box.top) * width + box.left) * RGB + x] ?? 0);
  for (let y = 0; y < box.height; y += 1) {
    let least = Infinity;
    for (const filter of [0, 1, 2, 4]) {
      const line = Buffer.alloc(stride);
      let sum = 0;
      for (let x = 0; x < stride; x += 1) {
        const guess = predicted(filter, at(x - RGB, y), at(x, y - 1), at(x - RGB, y - 1));
        const rest = (at(x, y) - guess) & 0xff;
        line[x] = rest;
        sum += rest < 128 ? rest : 256 - rest;
      }
      if (sum < least) {
        least = sum;
        out[y * (stride + 1)] = filter;
        line.copy(out, y * (stride + 1) + 1);
      }
    }
  }
  return deflateSync(out, { level: 9 });
}

function chunk(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([numbers(4, body.length - 4), body, numbers(4, crc32(body))]);
}

function numbers(bytes: 2 | 4, ...values: readonly number[]): Buffer {
  const out = Buffer.alloc(bytes * values.length);
  values.forEach((value, index) => out.writeUIntBE(value, index * bytes, bytes));
  return out;
}

/** The animation repeats for ever. Programs that do not animate show the first picture. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  let sequence = 0;
  let before: Picture | null = null;
  const parts: Buffer[] = [];
  for (const { png, ms } of frames) {
    const now = decoded(png);
    const whole = { left: 0, top: 0, width: now.width, height: now.height };
    const box: Box = before === null ? whole : changed(now, before);
    if (before === null) {
      parts.push(
        chunk('IHDR', numbers(4, now.width, now.height), Buffer.from([8, 2, 0, 0, 0])),
        chunk('acTL', numbers(4, frames.length, 0)),
      );
    }
    const control = numbers(4, sequence, box.width, box.height, box.left, box.top);
    parts.push(chunk('fcTL', control, numbers(2, ms, 1000), Buffer.from([0, 0])));
    sequence += 1;
    const data = encoded(now, box);
    parts.push(before === null ? chunk('IDAT', data) : chunk('fdAT', numbers(4, sequence), data));
    sequence += before === null ? 0 : 1;
    before = now;
  }
  return Buffer.concat([SIGNATURE, ...parts, chunk('IEND')]);
}
