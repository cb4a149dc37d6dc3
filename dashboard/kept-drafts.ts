// Edits that are not saved yet outlive their page: they are kept in this tab until they are saved or
// discarded, and closing the tab with any of them asks first.

import type { JsonObject } from '../src/common/json';

const PREFIX = 'muster.draft.';

export interface KeptDraft {
  readonly value: JsonObject;
  /** The revision that was edited, as its ETag; null: a new document. */
  readonly etag: string | null;
  /** Epoch ms. */
  readonly at: number;
}

export function keptDraft(name: string): KeptDraft | null {
  const text = sessionStorage.getItem(PREFIX + name);
  return text === null ? null : (JSON.parse(text) as KeptDraft);
}

/** Null removes it. */
export function keepDraft(name: string, draft: KeptDraft | null): void {
  if (draft === null) {
    sessionStorage.removeItem(PREFIX + name);
  } else {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  }
}

/** The names of documents with unsaved edits. */
function keptDrafts(): readonly string[] {
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

export function forgetDrafts(): void {
  keptDrafts().forEach((name) => keepDraft(name, null));
}

addEventListener('beforeunload', (event) => {
  if (keptDrafts().length > 0) {
    event.preventDefault();
  }
});
