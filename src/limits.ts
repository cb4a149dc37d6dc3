// Every bound of the service by name (decision 5 and spec: Limits). Beyond one: a clear 400 or 413.

export const MAX_PLAYERS = 100;
export const DEFAULT_MAX_PLAYERS = 2;
export const MAX_NAME_LENGTH = 100;
export const MAX_PLAYER_ID_LENGTH = 128;
export const MAX_CONFIG_NAME_LENGTH = 64;
export const MAX_SETTINGS_BYTES = 16 * 1024;
export const MAX_STATE_BYTES = 16 * 1024;
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_CONFIGS = 20;
export const MAX_MODES = 10;
export const MAX_RULES = 20;
export const MAX_MATCH_LOBBIES = 100;
export const MAX_INVITE_SUFFIX = 16;
export const BROWSE_LIMIT_DEFAULT = 50;
export const BROWSE_LIMIT_MAX = 100;
export const DEFAULT_LOBBY_TIMEOUT_SECONDS = 300;
export const DEFAULT_REGION = 'us-east';
export const IN_GAME_LIMIT_MS = 2 * 60 * 60 * 1000;
export const QUEUE_STATS_INTERVAL_MS = 10_000;
export const PING_INTERVAL_MS = 30_000;
export const SWEEP_INTERVAL_MS = 60_000;
