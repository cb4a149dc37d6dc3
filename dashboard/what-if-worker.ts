// Reads a queue's journal and plays it again under another mode, aside from the page: a day is many
// megabytes and takes seconds, in which the page must go on answering.

import type { Mode } from '../src/match/rules/mode';
import { whatIf, type WhatIf } from './replay/what-if';

export interface Order {
  /** Of `GET /v3/admin/journal`, with what it asks for. */
  readonly journal: string;
  readonly key: string;
  readonly mode: Mode;
  /** The period that is replayed, epoch ms. Absent: all. */
  readonly part?: { readonly since: number; readonly until: number } | undefined;
}

export type Told =
  | { readonly k: 'read'; readonly bytes: number }
  /** That part of the work is done: 0 to 1. */
  | { readonly k: 'played'; readonly part: number }
  | { readonly k: 'done'; readonly found: WhatIf }
  | { readonly k: 'failed'; readonly code: string; readonly message: string };

const tell = (told: Told): void => postMessage(told);

async function read({ journal, key }: Order): Promise<string> {
  const answer = await fetch(journal, { headers: { 'api-key': key } });
  if (!answer.ok || answer.body === null) {
    throw Object.assign(new Error(), await answer.json());
  }
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { value } = await reader.read();
    parts.push(decoder.decode(value, { stream: value !== undefined }));
    if (value === undefined) {
      return parts.join('');
    }
    bytes += value.length;
    tell({ k: 'read', bytes });
  }
}

addEventListener('message', (event: MessageEvent<Order>) => {
  const { data: order } = event;
  read(order)
    .then((text) => whatIf(text, order.mode, (part) => tell({ k: 'played', part }), order.part))
    .then(
      (found) => tell({ k: 'done', found }),
      (error: Error & { readonly code?: string; readonly detail?: string }) =>
        tell({ k: 'failed', code: error.code ?? '', message: error.detail ?? error.message }),
    );
});
