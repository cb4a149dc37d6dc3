// Where `npm run engines` keeps game engines that no package of npm brings, and tests find them.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

/** Outside the project: half a GB. */
export const ENGINES = env['MUSTER_ENGINES'] ?? join(tmpdir(), 'muster-engines');

/** By the name of the program in its package. */
export const GODOT = {
  godot: join(ENGINES, 'godot'),
  'godot-template-release': join(ENGINES, 'godot-template-release'),
} as const;
