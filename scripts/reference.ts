// Makes the API description and its page (src/http/reference.ts) while the site is made: their
// source is the service's own, whose imports carry no extension, so it is bundled to be run here.

import { build } from 'esbuild';

interface Made {
  referenceFiles(): Promise<readonly { readonly path: string; readonly text: string }[]>;
}

/** By their paths below the site's folder. Throws when a route is not described. */
export async function referenceFiles(project: string): ReturnType<Made['referenceFiles']> {
  const { outputFiles } = await build({
    entryPoints: ['src/http/reference.ts'],
    absWorkingDir: project,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const made = (await import(`data:text/javascript;base64,${code}`)) as Made;
  return made.referenceFiles();
}
