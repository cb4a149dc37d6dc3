// The program `muster` of this package: its commands; and without any, the service, where the package `muster` is installed too.
// npm gives both packages' programs the same name, and only one of them gets it.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The program of the package `muster` in this project; null: it is not installed. */
function serviceHere(): string | null {
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve('muster/muster.cjs');
  } catch {
    return null;
  }
}

const service = process.argv.length > 2 ? null : serviceHere();
void (service === null ? import('./main.ts') : import(pathToFileURL(service).href));
