// Where `npm run engines` keeps game engines that no package of npm brings, and tests find them.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

/** Outside the project: half a GB. */
export const ENGINES = env['MUSTER_ENGINES'] ?? join(tmpdir(), 'muster-engines');

/** The programs and libraries as Debian packs them. */
export const ENGINE_ROOT = join(ENGINES, 'root');

/** The editor's program, which needs no window. */
export const GODOT = join(ENGINES, 'godot');

/** What runs exported games, which is not told where its game is: it lies beside the program. */
export const GODOT_RELEASE = join(ENGINE_ROOT, 'usr/bin/godot-template-release');

/** The loader of the suite, and what it has to be told before the program. */
export const LOADER = join(ENGINE_ROOT, 'usr/lib64/ld-linux-x86-64.so.2');
const LIBRARIES = join(ENGINE_ROOT, 'usr/lib/x86_64-linux-gnu');
export const LOADED = ['--library-path', `${LIBRARIES}:${LIBRARIES}/pulseaudio`];
