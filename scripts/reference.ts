// Makes the API description (src/reference/openapi.ts) while the site is made: its source is the
// service's own, whose imports carry no extension, so it is bundled to be run here.

import { build } from 'esbuild';

/** The text of openapi.json. Throws when a route is not described. */
export async function apiDescription(project: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/reference/openapi.ts'],
    absWorkingDir: project,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const made = (await import(`data:text/javascript;base64,${code}`)) as { openApi(): unknown };
  return JSON.stringify(made.openApi());
}
