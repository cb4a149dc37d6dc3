// The dashboard's phantom players play under a name of their own beside a config, with the same
// rules: `arena~playground` reads the config `arena` as it is saved. No config can be saved under
// such a name and no client key may speak it (decision record 0021), so that its lobbies, codes,
// seats and queues, which are all found by the config's name, never meet those of real players.

/** In no name of a config (shape.ts: nameProblem). */
const MARK = '~playground';

export function isPlayground(config: string): boolean {
  return config.endsWith(MARK);
}

/** Where phantom players of this config play. */
export function playgroundOf(config: string): string {
  return isPlayground(config) ? config : config + MARK;
}

/** The config whose rules count there: of any other name, itself. */
export function ruledBy(config: string): string {
  return isPlayground(config) ? config.slice(0, -MARK.length) : config;
}
