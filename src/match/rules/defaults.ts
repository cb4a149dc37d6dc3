// What a mode is where a config does not say it (decision 27). Values alone: the dashboard shows them as well. A default
// that is not here follows from other fields, or is that something is off.

export const MODE_DEFAULTS = {
  teams: 2,
  playersPerTeam: 1,
  /** Seconds. */
  timeout: 60,
  onDecline: 'return',
  /** How long places of parties that said no are offered, in seconds. */
  refillSeconds: 20,
  explainsWait: true,
  lateJoin: true,
} as const;

export const CONFIRMATION_OFF = { enabled: false, timeoutSeconds: 30 };
