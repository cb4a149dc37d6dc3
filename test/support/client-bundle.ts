// A script for a page that uses the client, bundled as the build of a game would.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const CLIENT = fileURLToPath(new URL('../../packages/js/src', import.meta.url).href);

export async function clientBundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: CLIENT },
    bundle: true,
    write: false,
    format: 'esm',
    alias: {
      '@muster/client/peers': join(CLIENT, 'peers.ts'),
      '@muster/client': join(CLIENT, 'index.ts'),
    },
  });
  return outputFiles[0]?.text ?? '';
}
