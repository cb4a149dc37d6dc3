// The files that a build brings along, and the folder of it that outlives its servers: what their names may be. It imports
// nothing, because the agent runs it as it is.

const MAX_PATH = 200;
/** What the agent itself has in a server's folder. `game` is the folder of `ownFolder`, in which files may be. */
const OF_AGENT =
  /^((muster|playflow|roster|lease)\.json|server\.log|exit|env)(\.[a-z0-9.]+)?$|^told(\/|$)|^game$/i;

/** Why no file of a build may have that path. Null: it may. */
export function pathProblem(path: string): string | null {
  const isInside = path
    .split('/')
    .every((step) => /^[^\p{Cc}\\:]+$/u.test(step) && !/^(\.|\.\.|__proto__)$/.test(step));
  if (!isInside || path.length > MAX_PATH) {
    return 'must be a path inside of the folder, such as server.cfg or config/server.cfg';
  }
  return OF_AGENT.test(path) ? 'is a file name that the agent uses itself' : null;
}

/** The name of a kept folder. */
export const KEEP = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
