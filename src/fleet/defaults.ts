// What a build is launched with where it does not say it. Values alone: the dashboard shows them as well.

export const DEFAULT_STATUS = 'ready';
/** How long a match waits for room, in seconds: it fails at once. */
export const CAPACITY_SECONDS = 0;
/** The limits of a container: MB, and processors. */
export const CONTAINER_MEMORY = 1024;
export const CONTAINER_CPUS = 1;
