// What a build wants besides open ports before its server counts as running (`launch.ready`).

import type { BuildLaunch } from '../src/fleet/port.ts';
import { openPlain } from './plain-file.ts';

export type Ready = NonNullable<BuildLaunch['ready']>;

export interface Readiness {
  /** Whether the server has said so. */
  readonly isSaid: () => Promise<boolean>;
  /** Whether that is enough, whatever its ports are: the service has already told the players. */
  readonly isEnough: boolean;
  /** What has not happened, for messages. */
  readonly missing: string;
}

/** `logPath`: the server's output. `isReported`: whether the service knows from the server itself that it runs. */
export function readinessOf(
  ready: Ready | undefined,
  logPath: string,
  isReported: () => boolean,
): Readiness {
  if (ready === 'report') {
    const missing = 'the server did not report that it runs';
    return { isSaid: async () => isReported(), isEnough: true, missing };
  }
  if (ready === undefined || ready === 'port') {
    return { isSaid: async () => true, isEnough: false, missing: '' };
  }
  const missing = `the line ${JSON.stringify(ready.line)} was not printed`;
  return { isSaid: printed(logPath, Buffer.from(ready.line)), isEnough: false, missing };
}

/** Whether the text has been printed since the start. It may come in parts, and the log may be moved meanwhile (output.ts). */
function printed(path: string, text: Buffer): () => Promise<boolean> {
  let at = 0;
  let last: Buffer = Buffer.alloc(0);
  let isFound = false;
  const search = (bytes: Buffer): void => {
    const whole = Buffer.concat([last, bytes]);
    isFound ||= whole.includes(text);
    last = whole.subarray(Math.max(0, whole.length - text.length + 1));
  };
  return async () => {
    if (!isFound) {
      const now = await from(path, at);
      if (now.size < at) {
        last = Buffer.alloc(0);
        search((await from(`${path}.1`, 0)).bytes);
      }
      search(now.bytes);
      at = now.size < at ? now.bytes.length : at + now.bytes.length;
    }
    return isFound;
  };
}

/** The bytes of the file from there on, all of them if it is shorter. A file that cannot be read counts as empty. */
async function from(path: string, at: number): Promise<{ size: number; bytes: Buffer }> {
  const file = await openPlain(path).catch(() => null);
  if (file === null) {
    return { size: 0, bytes: Buffer.alloc(0) };
  }
  try {
    const { size } = await file.stat();
    const begin = size < at ? 0 : at;
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(size - begin),
      0,
      size - begin,
      begin,
    );
    return { size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}
