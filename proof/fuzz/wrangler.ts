// What the proxy of `wrangler dev` does by itself (docs/internals/gotchas.md). It is no fault of the service.

import type { Answer } from './wire.ts';

/** Answers to requests that never came to the Worker, and lines of the log about them. */
export const OF_WRANGLER =
  /^(Internal Server Error|Error: (Network connection lost|Promise will never complete)\.)|Invalid URL string/;

interface Request {
  readonly isHead: boolean;
  /** A GET or HEAD that announces a body. */
  readonly isReadWithBody: boolean;
}

export function isOfWrangler(request: Request, { status, head, body, isHung }: Answer): boolean {
  // The Worker answers without reading the body. The proxy then sends the request again, but the body is used up.
  if (request.isReadWithBody && (status === 0 || isHung)) {
    return true;
  }
  // An answer to HEAD has no body to know it by. What the Worker throws is in the log.
  const isKnown = request.isHead
    ? !/^content-type: application\//im.test(head)
    : OF_WRANGLER.test(body);
  return status === 500 && isKnown;
}
