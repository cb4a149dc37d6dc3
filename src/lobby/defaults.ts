// What a config is where it does not say it (spec: Lobby config, defaults). Values alone: the dashboard shows them as well.

export const DEFAULT_LOBBY_TIMEOUT_SECONDS = 300;
export const DEFAULT_HEARTBEAT_TIMEOUT_SECONDS = 60;
export const DEFAULT_SPECTATORS = 50;
export const DEFAULT_SPECTATOR_DELAY_SECONDS = 0;
export const DEFAULT_QUEUE_PRESENCE_SECONDS = 30;
export const HOST_GRACE_SECONDS = 5;
export const DEFAULT_SERVER_SIZE = 'small';
export const DEFAULT_HOST_LEAVES = 'promote';
