// Which file is made for which package.

import type { OpenApi } from '../../dashboard/description/document.ts';
import { csharp } from './csharp.ts';
import { gdscript } from './gdscript.ts';
import { go } from './go.ts';
import { lua } from './lua.ts';
import { forGames, modelOf } from './model.ts';
import { python } from './python.ts';

/** The text of each file by its path below `packages`. */
export function filesOf(document: OpenApi): Readonly<Record<string, string>> {
  const model = modelOf(document);
  const games = forGames(model);
  return {
    'python/muster/api.py': python(model),
    'go/api.go': go(model),
    'lua/muster.lua': lua(games),
    'unity/Core/Generated.cs': csharp(games),
    'godot/addons/muster/muster_api.gd': gdscript(games),
  };
}
