// Loaded before every command: says what to do where the installation cannot run TypeScript, since Node says only
// ERR_UNKNOWN_FILE_EXTENSION. Any Node reads this file, so it is plain JavaScript without imports of ours.

'use strict';

const { existsSync } = require('node:fs');
const path = require('node:path');

const modules = path.join(__dirname, '..', 'node_modules');

function problem() {
  if (!existsSync(path.join(modules, 'workerd'))) {
    return 'Muster is not installed yet: run `npm ci` in its folder first';
  }
  if (process.features.typescript) {
    return null;
  }
  const found = `this needs Node 22.18 or newer, and found ${process.versions.node}`;
  return existsSync(path.join(modules, '.bin', 'node'))
    ? `${found}: start it by \`npm run\`, which takes the Node 24 that \`npm ci\` has installed`
    : `${found}: run \`npm ci\` without --ignore-scripts, which installs a Node 24 for Muster, or install Node 24 yourself`;
}

const found = problem();
if (found !== null) {
  console.error(`muster: ${found}.`);
  process.exit(1);
}
