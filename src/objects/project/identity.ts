// How the secrets of a project change, in a row apart from the document that operators read. Pure: new keys are arguments.

import { SEAT_TICKET_MS, signingKey } from '../contracts/secrets';
import type { ProjectKeys, ProjectSecrets, SeatKey, SecretsChange } from '../contracts/secrets';
import { own, without } from '../../common/named';
import { assertNever } from '../../common/result';

export const NO_SECRETS: ProjectSecrets = { revision: 0, tokens: [], seats: [] };

/** Secrets that are valid at a time. A backend can switch to a new one while tokens of the old one are in use. */
export const MAX_TOKEN_SECRETS = 2;
/** Every request with a viewer key is compared with all of them. */
export const MAX_VIEWERS = 50;
/** Isolates still sign with a retired key for some seconds, and clocks differ. */
const RETIRING_MS = 2 * 60_000;

export function publicKeys(secrets: ProjectSecrets): ProjectKeys {
  const { revision, tokens, seats, hooks } = secrets;
  const providers = Object.entries(secrets.logins ?? {});
  const logins = providers.map(([provider, { savedAt }]) => ({ provider, savedAt }));
  return {
    revision,
    ...(logins.length > 0 && { logins }),
    ...(hooks && { hooks: shownHook(hooks) }),
    tokens: tokens.map(({ id, createdAt }) => ({ id, createdAt })),
    seats: seats.map(({ kid, x, createdAt, retiredAt }) => ({ kid, x, createdAt, retiredAt })),
  };
}

function shownHook({ url, format, savedAt }: ProjectSecrets['hooks'] & {}) {
  return format === undefined ? { url, savedAt } : { url: new URL(url).origin, savedAt, format };
}

/** The secrets after the change. The same object if nothing changes. */
export function secretsAfter(
  before: ProjectSecrets,
  change: SecretsChange,
  now: number,
): ProjectSecrets {
  const revision = before.revision + 1;
  switch (change.act) {
    case 'add token': {
      const { tokens } = before;
      const { secret, onlyFirst } = change;
      const isThere = tokens.some(({ id }) => onlyFirst || id === secret.id);
      const next = [secret, ...tokens].slice(0, MAX_TOKEN_SECRETS);
      return isThere ? before : { ...before, revision, tokens: next };
    }
    case 'remove token': {
      const tokens = before.tokens.filter(({ id }) => id !== change.id);
      return tokens.length === before.tokens.length ? before : { ...before, revision, tokens };
    }
    case 'first seats':
      return before.seats.length > 0 ? before : { ...before, revision, seats: change.keys };
    case 'rotate seats': {
      const { key } = change;
      const isThere = before.seats.some(({ kid }) => kid === key.kid);
      return isThere ? before : { ...before, revision, seats: rotated(before.seats, key, now) };
    }
    case 'set login': {
      const login = { settings: change.settings, savedAt: now };
      return { ...before, revision, logins: { ...before.logins, [change.provider]: login } };
    }
    case 'remove login': {
      const { logins = {} } = before;
      const isThere = own(logins, change.provider) !== undefined;
      return isThere ? { ...before, revision, logins: without(logins, change.provider) } : before;
    }
    case 'set hooks':
      return { ...before, revision, hooks: { ...change.hook, savedAt: now } };
    case 'remove hooks': {
      const { hooks, ...others } = before;
      return hooks === undefined ? before : { ...others, revision };
    }
    case 'add viewer': {
      const { viewers = [] } = before;
      const isThere = viewers.some(({ sha256 }) => sha256 === change.viewer.sha256);
      return isThere ? before : { ...before, revision, viewers: [...viewers, change.viewer] };
    }
    case 'remove viewer': {
      const { viewers = [] } = before;
      const left = viewers.filter(({ id }) => id !== change.id);
      return left.length === viewers.length ? before : { ...before, revision, viewers: left };
    }
    default:
      return assertNever(change);
  }
}

/** Retires the key that signs now, and drops keys whose tickets have all expired. */
function rotated(seats: readonly SeatKey[], key: SeatKey, now: number): readonly SeatKey[] {
  const signing = signingKey(seats);
  return [...seats, key]
    .map((each) => (each.kid === signing?.kid ? { ...each, retiredAt: now } : each))
    .filter(({ retiredAt: at }) => at === null || now < at + SEAT_TICKET_MS + RETIRING_MS);
}
