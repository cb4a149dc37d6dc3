// The page of an invitation (record 0062), for people and for chats that show a card of a link. It has no script. Anybody
// may ask, so a wrong code counts as a guess, and nothing shows whether a project or config exists. Players write its text.

import { own } from '../../common/named';
import { acceptsPlayers } from '../../lobby/members';
import { linkTo } from '../../lobby/invite';
import { isPlayground } from '../../lobby/playground';
import { quotasOf } from '../../common/quotas';
import { savedConfig } from '../../objects/caches/project';
import { projectNamed } from '../wire/access';
import { addressOf } from '../gate/address';
import { countRequest } from '../gate/rates';
import { sharing } from '../gate/turns';
import { type Call, open, type Route } from '../wire/call';
import { documentOf, retrying } from '../wire/answer';
import { file } from './site';
import { MAX_CODE_LENGTH } from '../players/lobbies';

/** `ways`: HTML with the links into the game. */
type ShownPage = readonly [status: number, title: string, says: string, ways?: string];

const OVER: ShownPage = [404, 'This invitation is over', 'Ask your friend for a new link.'];
const LATER: ShownPage = [429, 'Too many wrong links', 'Wait a minute, and open the link again.'];

/** Without what would end a line, or turn the text around it the other way. */
function escaped(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
  return plain.replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

async function invitation(
  { env, peers, params, project }: Call & { readonly project: string },
  from: string | null,
): Promise<ShownPage> {
  const { config: nameOrId = '', code: typed = '' } = params;
  if (isPlayground(nameOrId) || typed.length > MAX_CODE_LENGTH) {
    return OVER;
  }
  const saved = savedConfig(await documentOf({ peers, project }), nameOrId);
  if (saved?.enabled !== true || saved.invite === undefined) {
    return OVER;
  }
  const { name: config, invite } = saved;
  const { wrongCodes: limits } = quotasOf(env).rates;
  const guess = { code: typed, player: null, address: from, limits };
  const found = await retrying(() => peers.directory(project, config).find(guess));
  if (!found.ok) {
    return found.refusal.code === 'RATE_LIMITED' ? LATER : OVER;
  }
  const lobby = await retrying(() => peers.lobby(found.value).adminRead(project, config));
  if (lobby === null) {
    return OVER;
  }
  const { name, code, currentPlayers, maxPlayers, matchmaking } = lobby;
  const wayTo = (template: string | undefined, words: string): string =>
    template === undefined
      ? ''
      : `<a href="${escaped(linkTo(template, { project, config, code }))}">${words}</a>`;
  const ways = wayTo(invite.url, 'Open the game') + wayTo(invite.web, 'Play in the browser');
  const places = `${currentPlayers} of ${maxPlayers} players, ${matchmaking?.mode ?? config}`;
  const says = acceptsPlayers(lobby) ? places : `${places}. It takes nobody right now.`;
  const orCode = `<p>Or type this code in the game:</p><code>${escaped(code)}</code>`;
  return [200, name, says, ways + orCode];
}

export const JOIN: Route = open(
  'GET /join/:config/:code',
  async (call) => {
    const from = addressOf(call.request, call.env);
    const slow = await countRequest(JOIN, { address: from }, call.env, Date.now());
    const project = await projectNamed(call.env, call.url.searchParams.get('project'));
    const look = (): Promise<ShownPage> =>
      project === null
        ? Promise.resolve(OVER)
        : sharing(call, project, () => invitation({ ...call, project }, from));
    const [status, title, says, ways = ''] = slow === null ? await look() : LATER;
    const texts = { title: escaped(title), says: escaped(says), ways };
    const page = await file(call, '', 'join.html');
    const filled = (_: string, gap: string): string => own<string>(texts, gap) ?? '';
    const html = (await page.text()).replaceAll(/\{\{(\w+)\}\}/g, filled);
    page.headers.set('cache-control', 'no-store');
    return new Response(html, { status: page.ok ? status : 404, headers: page.headers });
  },
  { countsItself: true },
);
