// Links that bring a friend into a lobby (record 0062): what a config says of them, and the addresses that follow. Pure.

import * as z from 'zod';
import { object } from '../common/shape';
import { isPlayground } from './playground';

const PLACES = /\{(code|config|project)\}/g;
/** Words that browsers and systems know, and that may be followed by a path. They run something, read files or show settings. */
const SYSTEM =
  'about|afp|android|blob|brave|chrome|content|data|dav|davs|edge|facetime|feed|file|filesystem|finger|firefox|ftp|ftps|git|gopher|help|imap|intent|irc|itms|jar|javascript|ldap|ldaps|livescript|magnet|mailto|mhtml|mocha|news|nfs|nntp|onenote|opera|pcast|podcast|pop|powershell|rdp|res|resource|rlogin|rtsp|safari|sftp|shell|shortcuts|sip|sips|smb|sms|snmp|ssh|svn|tel|telnet|tftp|urn|vbscript|vivaldi|vnc|webcal|ws|wss|wyciwyg|xmpp';
/**
 * Two shapes of a scheme are allowed, both with a slash behind: one word of letters and digits (`https`, `mygame`), or a domain that is
 * reversed (`com.studio.game`; RFC 7595, 3.8). So none with a hyphen at its beginning (`ms-…`, `view-source`) or a plus passes, and
 * none without a path (`about:`, `data:`). The words above have that shape too.
 */
const LINK = new RegExp(
  `^(?!(?:${SYSTEM}):)[a-z][a-z0-9]+(?:\\.[a-z0-9-]+)*:/(?:[!-z|~]|\\{(?:code|config|project)\\})+$`,
  'i',
);
const WEB = /^(?:https:\/\/[^/?#]|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:[/?#]|$))/i;
const ADVICE =
  'must be https, or a scheme of your game as mygame://… or com.studio.game:/…; its only placeholders are {code}, {config} and {project}';

const link = z
  .string('must be a string')
  .max(512, 'must be at most 512 characters long')
  .regex(LINK, ADVICE);

/** How the page of an invitation opens the game: `url` the one that is installed, `web` the one in a browser. */
export const inviteSchema = object({
  url: z.exactOptional(link),
  web: z.exactOptional(link.regex(WEB, 'must be https')),
}).refine(({ url, web }) => (url ?? web) !== undefined, 'must have url or web');

export type Invited = Readonly<Record<'project' | 'config' | 'code', string>>;

export function linkTo(template: string, to: Invited): string {
  return template.replaceAll(PLACES, (_, place: keyof Invited) => encodeURIComponent(to[place]));
}

/** The page of the invitation, under the service's address. Null: that is not known, or phantom players would invite. */
export function inviteUrl(base: string, isAlone: boolean, to: Invited): string | null {
  const page = `${base.replace(/\/$/, '')}/join/{config}/{code}${isAlone ? '' : '?project={project}'}`;
  return base === '' || isPlayground(to.config) ? null : linkTo(page, to);
}
