// The API description and the reference page made of it, as files. Made with the site, before the
// Worker is (scripts/reference.ts), from the table and schemas that serve requests; no part of the
// Worker, which only hands them out (site.ts).

import { openApi } from './openapi';
import { SCRIPT, STYLE } from './reference-look';
import { referencePage } from './reference-page';

export interface ReferenceFile {
  /** Below the folder of the site: `docs/index.html`. */
  readonly path: string;
  readonly text: string;
}

/** Named by its content, so that it may be kept for good. */
async function named(kind: 'css' | 'js', text: string): Promise<ReferenceFile> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest, 0, 4), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return { path: `docs/reference-${hex.join('').toUpperCase()}.${kind}`, text };
}

export async function referenceFiles(): Promise<readonly ReferenceFile[]> {
  const description = openApi();
  const [style, script] = await Promise.all([named('css', STYLE), named('js', SCRIPT)]);
  const page = referencePage(description, {
    style: `/${style.path}`,
    script: `/${script.path}`,
  });
  return [
    { path: 'openapi.json', text: JSON.stringify(description) },
    { path: 'docs/index.html', text: page },
    style,
    script,
  ];
}
