// The dashboard's phantom players use a config name of their own with the rules of the real config: `arena~playground`
// reads the saved config `arena`. No config can be saved under such a name, and no client key may use it (record 0021).
// Lobbies, codes, seats and queues are found by the config's name, so phantom players never meet real ones.

/** A character that no name of a config may contain (shape.ts: nameProblem). */
const MARK = '~playground';

export function isPlayground(config: string): boolean {
  return config.endsWith(MARK);
}

/** The config name under which this config's phantom players play. */
export function playgroundOf(config: string): string {
  return isPlayground(config) ? config : config + MARK;
}

/** The config whose rules apply under that name. */
export function ruledBy(config: string): string {
  return isPlayground(config) ? config.slice(0, -MARK.length) : config;
}
