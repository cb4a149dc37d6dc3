// The limits of the service by name (decision 5 and spec: Limits). Requests beyond a limit get a clear 400 or 413.

export const MAX_PLAYERS = 100;
/** Of one lobby. */
export const MAX_SPECTATORS = 200;
export const MAX_SPECTATOR_DELAY_SECONDS = 600;
export const DEFAULT_MAX_PLAYERS = 2;
export const MAX_NAME_LENGTH = 100;
export const MAX_PLAYER_ID_LENGTH = 128;
export const MAX_CONFIG_NAME_LENGTH = 64;
export const MAX_SETTINGS_BYTES = 16 * 1024;
export const MAX_STATE_BYTES = 16 * 1024;
/** What a backend may say of one player. */
export const MAX_ATTRIBUTES_BYTES = 2 * 1024;
/** Records that one request may change. */
export const MAX_ATTRIBUTES_AT_ONCE = 500;
/** State keys that a config, and a project besides, may name as trusted. */
export const MAX_TRUSTED = 32;
export const MAX_TRUSTED_LENGTH = 64;
/** Settings by which the lobbies of a config are found. */
export const MAX_BROWSE_KEYS = 8;
/** What one commit of a box writes at most: the cluster mode of `workerd` may lose one of more than 2 MB. */
export const MAX_COMMIT_BYTES = 1_000_000;
/** Largest lobby in answers and events, including the escapes in events. */
export const MAX_LOBBY_BYTES = 512 * 1024;
/** Largest page of lobbies. A lobby that would exceed it begins the next page. */
export const MAX_PAGE_BYTES = 1024 * 1024;
/** Most missed updates that a client is sent, in bytes. If there are more, it only gets the newest state. */
export const MAX_MISSED_BYTES = 64 * 1024;
/** New work is refused if work waits longer than this before it is done. */
export const NEW_WORK_LIMIT_MS = 800;
export const MAX_BODY_BYTES = 64 * 1024;
/** The JSON that one player may send to others in a signal. */
export const MAX_SIGNAL_BYTES = 4 * 1024;
/** Time limit for a request's body. A slower client is slow on purpose. */
export const BODY_LIMIT_MS = 10_000;
export const MAX_CONFIGS = 20;
export const MAX_BUILDS = 200;
export const MAX_MODES = 10;
export const MAX_RULES = 20;
export const MAX_MATCH_LOBBIES = 100;
/** Total size of the states that a lobby's players without a place bring into a match. */
export const MAX_ASIDE_BYTES = 32 * 1024;
export const MAX_INVITE_SUFFIX = 16;
export const BROWSE_LIMIT_DEFAULT = 50;
export const BROWSE_LIMIT_MAX = 100;
/** The build that exists from the start (decision 34). */
export const DEFAULT_BUILD = 'default';
/** The form of a region (decision 43). It becomes an argument of game servers, so it must not look like an option. */
export const REGION = /^[a-z0-9][a-z0-9-]{0,31}$/;
export const REGION_FORM =
  'must be 1 to 32 lower-case letters, digits and hyphens, and not begin with a hyphen';
/** A container image: host, path, tag, digest. It becomes an argument of a program, so it looks like no option. */
export const IMAGE =
  /^([A-Za-z0-9][A-Za-z0-9.-]*(:\d{1,5})?\/)?[a-z0-9]+((\.|__?|-+)[a-z0-9]+)*(\/[a-z0-9]+((\.|__?|-+)[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;
export const DEFAULT_REGION = 'us-east';
export const IN_GAME_LIMIT_MS = 2 * 60 * 60 * 1000;
/** How long an ended server is remembered. */
export const SERVER_KEPT_MS = 60 * 60_000;
/** How many ended servers are remembered. Beyond this, only the newest are. */
export const SERVERS_KEPT = 2_000;
/** How long an ended server is remembered at least. */
export const SERVER_KEPT_LEAST_MS = 10 * 60_000;
export const QUEUE_STATS_INTERVAL_MS = 10_000;
export const SWEEP_INTERVAL_MS = 60_000;
/** Longest player token in characters. Those of identity providers have some two thousand. */
export const MAX_PLAYER_TOKEN_LENGTH = 8 * 1024;
/** How far the clock of a token's signer may differ from ours. */
export const CLOCK_SKEW_MS = 60_000;

/** Upper bounds of the bins of a histogram of waits, in seconds. The last bin has none. */
export const WAIT_BINS = [1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

/** Modes that one search may have, and how much later than the first a further one may begin. */
export const MAX_MODES_SEARCHED = 4;
export const MAX_AFTER_SECONDS = 3_600;

/** After so many launches in a row that failed, a build is failing, and its next matches are held back (record 0089). */
export const FAILING_LAUNCHES = 3;
