// Links that bring a friend into a lobby (record 0062): what a config says of them, and the addresses that follow. Pure.

import * as z from 'zod';
import { isPlayground } from './playground';

const PLACES = /\{(code|config|project)\}/g;
/**
 * The scheme is written out: https, or one of the game's own or of its shop. Nobody can list those, so whatever browsers and
 * systems know themselves is none: it runs something, reads files, or leads to other schemes.
 */
const LINK =
  /^(?!(?:about|blob|content|data|dav|edge|feed|file|filesystem|ftp|intent|jar|javascript|livescript|mailto|mhtml|mocha|moz-\w+|chrome[\w-]*|ms-[\w.-]+|opera|pcast|res|resource|search-ms|shell|smb|sms|ssh|tel|telnet|urn|vbscript|view-source|wss?|wyciwyg):)[a-z][a-z0-9+.-]*:(?:[!-z|~]|\{(?:code|config|project)\})+$/i;
const WEB = /^(?:https:\/\/[^/?#]|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]|$))/i;
const ADVICE =
  'must be a URL that runs nothing; its only placeholders are {code}, {config} and {project}';

const link = z
  .string('must be a string')
  .max(512, 'must be at most 512 characters long')
  .regex(LINK, ADVICE);

/** How the page of an invitation opens the game: `url` the one that is installed, `web` the one in a browser. */
export const inviteSchema = z
  .object(
    { url: z.exactOptional(link), web: z.exactOptional(link.regex(WEB, 'must be https')) },
    'must be an object',
  )
  .refine(({ url, web }) => (url ?? web) !== undefined, 'must have url or web');

export type Invited = Readonly<Record<'project' | 'config' | 'code', string>>;

export function linkTo(template: string, to: Invited): string {
  return template.replaceAll(PLACES, (_, place: keyof Invited) => encodeURIComponent(to[place]));
}

/** The page of the invitation, under the service's address. Null: that is not known, or phantom players would invite. */
export function inviteUrl(base: string, isAlone: boolean, to: Invited): string | null {
  const page = `${base.replace(/\/$/, '')}/join/{config}/{code}${isAlone ? '' : '?project={project}'}`;
  return base === '' || isPlayground(to.config) ? null : linkTo(page, to);
}
