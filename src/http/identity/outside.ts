// Asks a service outside of Muster. Tenants choose whom, so the answer is limited in time and size, without redirects.

import { bytesUpTo } from '../../common/bytes';
import { inTime } from '../../common/later';
import type { Fetching } from '../../objects/placement/env';

export type Fetch = Fetching['fetch'];

/** The service outside does not answer, or not with JSON of a plausible size. */
export class NoAnswer extends Error {}

const MAX_BYTES = 64 * 1024;
/** How long an answer may take, from the first byte that is sent to the last that is read. */
export const LIMIT_MS = 5_000;

export interface OutsideInit extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** `body`: the JSON of a 200 or 201. Other answers are not read. Throws NoAnswer, or what the network throws. */
export function askOutside(fetcher: Fetch, url: string, init: OutsideInit = {}) {
  return inTime(LIMIT_MS, (signal) => asked(fetcher, url, { ...init, signal }));
}

async function asked(fetcher: Fetch, url: string, init: OutsideInit) {
  const response = await fetcher(url, {
    ...init,
    // A redirect could lead to a URL that the project may not set.
    redirect: 'manual',
    headers: { accept: 'application/json', ...init.headers },
  });
  const { status } = response;
  if (status !== 200 && status !== 201) {
    await response.body?.cancel();
    return { status, body: undefined };
  }
  const bytes = await bytesUpTo(MAX_BYTES, response.body as ReadableStream<Uint8Array> | null);
  if (bytes === null) {
    throw new NoAnswer('more than 64 KiB');
  }
  try {
    return { status, body: JSON.parse(new TextDecoder().decode(bytes)) as unknown };
  } catch {
    throw new NoAnswer('not JSON');
  }
}
