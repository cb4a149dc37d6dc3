// GET /health: the Worker answers. No key, no object: what it says is only that it is there.

import { json } from './problem';

export function health(): Promise<Response> {
  return Promise.resolve(json({ status: 'ok' }));
}
