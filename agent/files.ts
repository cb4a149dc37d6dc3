// Writes the files that a build brings along (`launch.files`) into the folder of a server that has not started yet.

import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { BadSpec } from './spec.ts';

/** Returns the paths of the files and of the folders that it made, content first. Throws BadSpec for a path behind a link. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  modes: { readonly file: number; readonly folder: number },
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    for (const [index] of path.split('/').slice(0, -1).entries()) {
      const above = join(folder, ...path.split('/').slice(0, index + 1));
      const isNew = await mkdir(above, { mode: modes.folder }).then(
        () => true,
        () => false,
      );
      // With `ownFolder` there are links to the folders beside the program.
      if (!(await lstat(above)).isDirectory()) {
        throw new BadSpec(`build.launch.files.${path}: ${dirname(path)} leads out of the folder`);
      }
      made.push(...(isNew ? [above] : []));
    }
    // A link there would lead to the file that all servers of the program share.
    await rm(file, { force: true });
    const handle = await open(file, 'wx', modes.file);
    try {
      await handle.writeFile(text);
      await handle.chmod(modes.file);
    } finally {
      await handle.close();
    }
    made.push(file);
  }
  return made.toReversed();
}
