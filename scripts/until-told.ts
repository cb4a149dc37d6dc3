// How every program here that runs the service reacts to a signal to end: it stops the service once and
// gracefully, even if its terminal is gone.

import { log } from '../agent/log.ts';

/** How often it is looked whether npm still runs. */
const NPM_POLL_MS = 500;

/**
 * Begins something, and ends it on Ctrl-C, SIGTERM, a closed terminal, or the end of the npm that runs us. `told` aborts then, so
 * that what is still starting need not be waited for. Resolves with what was started, and never if it was told to end before.
 */
export async function endWhenTold<T extends { stop(): Promise<void> }>(
  begin: (told: AbortSignal) => Promise<T>,
): Promise<T> {
  const told = new AbortController();
  const starting = begin(told.signal);
  const end = (): void => {
    if (!told.signal.aborted) {
      told.abort();
      log('muster', 'info', 'stopping', 'stopping');
      void starting
        .then(
          (running) => running.stop(),
          () => undefined,
        )
        .then(() => process.exit(0));
    }
  };
  for (const output of [process.stdout, process.stderr]) {
    // If nobody reads the output any more, the program must not crash.
    output.on('error', () => undefined);
  }
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  if (process.env['npm_lifecycle_event'] !== undefined) {
    // An npm that is killed passes nothing on, and the service would hold its port and folder unseen.
    const npm = process.ppid;
    setInterval(() => process.ppid !== npm && end(), NPM_POLL_MS).unref();
  }
  await starting.catch(() => undefined);
  if (told.signal.aborted) {
    await new Promise<never>(() => undefined);
  }
  return starting;
}

/** Settings of the service that come from the environment, wherever it runs. */
export const SERVICE_SETTINGS = [
  'ALLOWED_HOSTS',
  'API_KEYS',
  'CLIENT_ADDRESS_HEADER',
  'CORS_ORIGINS',
  'GAME_LIMIT_SECONDS',
  'ICE_CLOUDFLARE_KEY',
  'ICE_CLOUDFLARE_TOKEN',
  'ICE_STUN',
  'ICE_TURN',
  'ICE_TURN_SECRET',
  'JOURNAL_HOURS',
  'METRICS_KEY',
  'ID_KEY',
  'LIMITS',
  'OPERATOR_ORIGINS',
  'OTLP_HEADERS',
  'OTLP_SAMPLE',
  'OTLP_URL',
  'PRIVATE_PROVIDERS',
  'PUBLIC_URL',
] as const;

/** Our own environment variables with those names, to pass them to the service. */
export function passedOn(names: readonly string[]): Readonly<Record<string, string>> {
  const given = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** PORT of our environment. Throws if it is no port. */
export function portOf({ PORT = '8787' }: Readonly<Record<string, string | undefined>>): number {
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) {
    throw new Error(`PORT must be a number from 0 to 65535, not "${PORT}"`);
  }
  return port;
}
