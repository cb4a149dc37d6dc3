// Runs parts of the service's own source here, whose imports carry no extension, so they are bundled first.

import { build } from 'esbuild';

import { PROJECT } from './bundle.ts';

/** Throws if the module cannot be bundled, or throws itself. */
async function imported<T>(entry: string): Promise<T> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: PROJECT,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as T;
}

/** The text of openapi.json. Throws if a route is not described. */
export async function apiDescription(): Promise<string> {
  const { openApi } = await imported<{ openApi: () => unknown }>('reference/openapi.ts');
  return JSON.stringify(openApi());
}

/** What the dashboard shows of each rule type, as JSON. */
export async function ruleForms(): Promise<string> {
  const made = await imported<{ ruleForms: () => unknown }>('src/match/rules/registry.ts');
  return JSON.stringify(made.ruleForms());
}

/** The lines of each proxy sample that say which requests it lets in from anywhere. */
export async function proxyLines(): Promise<
  Readonly<Record<'forNginx' | 'forCaddy', readonly string[]>>
> {
  const made =
    await imported<Record<'forNginx' | 'forCaddy', () => readonly string[]>>(
      'reference/proxies.ts',
    );
  return { forNginx: made.forNginx(), forCaddy: made.forCaddy() };
}
