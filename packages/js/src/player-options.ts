import type { ServiceOptions } from './http.ts';

export interface PlayerOptions extends ServiceOptions {
  /** Name or id of the lobby config. */
  readonly config: string;
  /** 1 to 128 printable characters, of any script, and not `.` or `..`. Without `token`, the service trusts it. */
  readonly player: string;
  /**
   * Fetches a player token from your backend, for projects that require one. Called before the first
   * request, and again when the token has expired.
   */
  readonly token?: (() => Promise<string>) | undefined;
}
