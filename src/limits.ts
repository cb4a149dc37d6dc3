// Every bound of the service by name (decision 5 and spec: Limits). Beyond one: a clear 400 or 413.

export const MAX_PLAYERS = 100;
export const DEFAULT_MAX_PLAYERS = 2;
export const MAX_NAME_LENGTH = 100;
export const MAX_PLAYER_ID_LENGTH = 128;
export const MAX_CONFIG_NAME_LENGTH = 64;
export const MAX_SETTINGS_BYTES = 16 * 1024;
export const MAX_STATE_BYTES = 16 * 1024;
/** Of a lobby as answers and events show it, escapes of events included. */
export const MAX_LOBBY_BYTES = 512 * 1024;
/** Of one page of lobbies; the lobby that would exceed it begins the next. */
export const MAX_PAGE_BYTES = 1024 * 1024;
/** Of the missed updates a client is sent; where they are more, it gets the newest state alone. */
export const MAX_MISSED_BYTES = 64 * 1024;
/** Beyond it new work is refused: work waits for so long before it is done. */
export const NEW_WORK_LIMIT_MS = 800;
export const MAX_BODY_BYTES = 64 * 1024;
/** Whoever sends a body slower than this sends it for the sake of slowness. */
export const BODY_LIMIT_MS = 10_000;
export const MAX_CONFIGS = 20;
export const MAX_BUILDS = 200;
export const MAX_MODES = 10;
export const MAX_RULES = 20;
export const MAX_MATCH_LOBBIES = 100;
/** Of the states that those of a lobby who take no place bring into a match, all together. */
export const MAX_ASIDE_BYTES = 32 * 1024;
export const MAX_INVITE_SUFFIX = 16;
export const BROWSE_LIMIT_DEFAULT = 50;
export const BROWSE_LIMIT_MAX = 100;
export const DEFAULT_LOBBY_TIMEOUT_SECONDS = 300;
/** The build that exists from the start (decision 34). */
export const DEFAULT_BUILD = 'default';
/** How everybody writes a region (decision 43): it becomes an argument of game servers. */
export const REGION = /^[a-z0-9-]{1,32}$/;
export const DEFAULT_REGION = 'us-east';
export const IN_GAME_LIMIT_MS = 2 * 60 * 60 * 1000;
/** A server that has ended is remembered for so long, */
export const SERVER_KEPT_MS = 60 * 60_000;
/** and, beyond so many, only the newest of them; */
export const SERVERS_KEPT = 2_000;
/** but each for so long at least. */
export const SERVER_KEPT_LEAST_MS = 10 * 60_000;
export const QUEUE_STATS_INTERVAL_MS = 10_000;
export const SWEEP_INTERVAL_MS = 60_000;
/** A player token is a header of so many characters; identity providers write some two thousand. */
export const MAX_PLAYER_TOKEN_LENGTH = 8 * 1024;
/** Clocks of those who sign tokens and ours may be so far apart. */
export const CLOCK_SKEW_MS = 60_000;
