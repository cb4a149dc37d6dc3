// Plays a queue's journal again under another mode, aside from the page: it takes seconds, in which
// the page must go on answering.

import type { Mode } from '../src/match/rules/mode';
import { whatIf, type WhatIf } from '../src/match/replay/what-if';

export interface Order {
  /** As `GET /v3/admin/journal` answers it. */
  readonly journal: string;
  readonly mode: Mode;
}

export type Outcome =
  | { readonly ok: true; readonly value: WhatIf }
  | { readonly ok: false; readonly message: string };

function played({ journal, mode }: Order): Outcome {
  try {
    return { ok: true, value: whatIf(journal, mode) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener('message', (event: MessageEvent<Order>) => {
  postMessage(played(event.data));
});
