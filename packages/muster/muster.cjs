#!/usr/bin/env node
// Any Node reads this file, to say what a Node that is too old lacks.

'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`muster: this needs Node 22.13 or newer, and found ${process.versions.node}.`);
  process.exit(1);
}
void import('./scripts/muster.mjs');
