// Runs parts of the service's source here. They are bundled first, because their imports have no extensions.

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
  const { openApi } = await imported<{ openApi: () => unknown }>(
    'dashboard/description/openapi.ts',
  );
  return JSON.stringify(openApi());
}

/** The lines of each proxy sample that list the requests it accepts from anywhere. */
export async function proxyLines(): Promise<
  Readonly<Record<'forNginx' | 'forCaddy', readonly string[]>>
> {
  const made = await imported<Record<'forNginx' | 'forCaddy', () => readonly string[]>>(
    'dashboard/description/proxies.ts',
  );
  return { forNginx: made.forNginx(), forCaddy: made.forCaddy() };
}

/** The tables of docs/endpoints.md. */
export async function endpointTables(): Promise<string> {
  const made = await imported<{ endpointTables: (description: unknown) => string }>(
    'dashboard/description/endpoints.ts',
  );
  return made.endpointTables(JSON.parse(await apiDescription()));
}
