#!/usr/bin/env node
// `npm create muster my-game`: makes a folder with a game that runs. `--from FOLDER` takes the packages from tarballs there.

'use strict';

const {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const path = require('node:path');

const words = process.argv.slice(2);
const at = words.indexOf('--from');
const from = at === -1 ? null : words.splice(at, 2)[1];
const [name] = words;
if (
  from === undefined ||
  name === undefined ||
  words.length > 1 ||
  !/^[a-z0-9][a-z0-9._-]*$/.test(path.basename(name))
) {
  console.error(
    'npm create muster NAME [-- --from FOLDER]: NAME is of a-z, 0-9, ".", "_" and "-".',
  );
  process.exit(1);
}
const folder = path.resolve(name);
if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0)) {
  console.error(`${folder} is not empty, or a file: name another folder.`);
  process.exit(1);
}
cpSync(path.join(__dirname, 'template'), folder, { recursive: true });
// npm leaves out a file that is named .gitignore.
renameSync(path.join(folder, 'gitignore'), path.join(folder, '.gitignore'));
const { version } = require('./package.json');
const tarball = (start) => {
  const file = readdirSync(from).find((each) => each.startsWith(start) && each.endsWith('.tgz'));
  if (file === undefined) {
    throw new Error(`${from} has no ${start}*.tgz`);
  }
  return `file:${path.resolve(from, file)}`;
};
const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
manifest.name = path.basename(name);
manifest.dependencies = {
  '@muster/client': from === null ? `^${version}` : tarball('muster-client-'),
  muster: from === null ? `^${version}` : tarball(`muster-${version}`),
};
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${name} is there. Next:\n\n  cd ${name}\n  npm install\n  npm start`);
