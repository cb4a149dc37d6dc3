// Writes the tables of docs/endpoints.md, as the API description has them (dashboard/description/endpoints.ts).

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROJECT } from './bundle.ts';
import { commandLine } from './flags.ts';
import { endpointTables } from './reference.ts';
import { withWritten } from './written.ts';

commandLine({
  command: 'npm run endpoints --',
  about: 'Writes into docs/endpoints.md which endpoints there are, and who may call them.',
  flags: {},
});
const page = join(PROJECT, 'docs', 'endpoints.md');
const made = await endpointTables();
await writeFile(page, withWritten(await readFile(page, 'utf8'), 'npm run endpoints', `\n${made}`));
