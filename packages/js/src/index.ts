// @muster/client: lobbies, matchmaking and game servers, for games in browsers and in Node.
// For operators there is @muster/client/admin.

export {
  type ErrorCode,
  isMusterError,
  type Issue,
  MusterError,
  type ServiceCode,
} from './errors.ts';
export type * from './finding-types.ts';
export type { FollowOptions, StreamState } from './following.ts';
export type { CallOptions, Fetch, ServiceOptions } from './http.ts';
export type { LoggedIn } from './identity-types.ts';
export { login } from './login.ts';
export { addressOf } from './match.ts';
export type { Address, Match, MatchOptions, PlayOptions } from './playing.ts';
export { MusterPlayer } from './player.ts';
export type { PlayerOptions } from './player-options.ts';
export type { Ladder, LadderQuery } from './rating-types.ts';
export type { MeasureOptions } from './regions.ts';
export type * from './types.ts';
