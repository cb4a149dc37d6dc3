// Writes the types and calls of each package, as the API description has them: `npm run generate`.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { OpenApi } from '../../dashboard/description/document.ts';
import { commandLine } from '../../scripts/flags.ts';
import { apiDescription } from '../../scripts/reference.ts';
import { filesOf } from './files.ts';

commandLine({
  command: 'npm run generate --',
  about: 'Writes the types and calls of the packages for other languages from the API description.',
  flags: {},
});
const described = JSON.parse(await apiDescription()) as OpenApi;
for (const [path, text] of Object.entries(filesOf(described))) {
  const file = join(import.meta.dirname, '..', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
