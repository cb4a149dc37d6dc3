// The API description and the reference page made of it, for anybody, without a key.
// Both are made when first asked for, and kept: they change with a deployment only.

import { openApi } from './openapi';
import { referencePage } from './reference-page';
import { SCRIPT, STYLE } from './reference-look';
import { open, type Route } from './route';

const CACHE = 'public, max-age=300';

let description: string | null = null;
let page: { readonly text: string; readonly policy: string } | null = null;

function describe(): Promise<Response> {
  description ??= JSON.stringify(openApi());
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': CACHE,
    'x-content-type-options': 'nosniff',
  };
  return Promise.resolve(new Response(description, { headers }));
}

/** A source expression that allows exactly this inline text. */
async function allowed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** Nothing from elsewhere, and nothing inline but our own two texts. */
async function policyOfPage(): Promise<string> {
  const [style, script] = await Promise.all([allowed(STYLE), allowed(SCRIPT)]);
  return [
    "default-src 'none'",
    `style-src ${style}`,
    `script-src ${script}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function show(): Promise<Response> {
  page ??= {
    text: referencePage(openApi(), { style: STYLE, script: SCRIPT }),
    policy: await policyOfPage(),
  };
  return new Response(page.text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': CACHE,
      'content-security-policy': page.policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Outside the versioned API, like the health check. */
export const REFERENCE: readonly Route[] = [
  open('GET /openapi.json', describe),
  open('GET /docs', show),
];
