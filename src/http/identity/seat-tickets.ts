// Seat tickets (record 0022) tell a game server which player may take which seat. They are signed when an answer or event
// for the player leaves. An isolate reuses young ones, so every ticket is valid for at least ten minutes.

import { importJWK, SignJWT, type CryptoKey } from 'jose';
import type { LobbyChange } from '../../../packages/js/src/change-types';
import { logEvent } from '../../common/log';
import { Lru } from '../../common/lru';
import type { Message } from '../../common/line';
import { viewForStrangers, type LobbyView, type Seat } from '../../lobby/view';
import { SEAT_TICKET_MS, signingKey, type SeatKey } from '../../objects/contracts/secrets';
import { singleLine } from '../../common/sse';
import { nameOfTerm } from '../../lobby/hosting';
import { signerOf } from '../../common/signed';
import type { Call } from '../wire/call';
import { SEAT_TYPE } from './player';
import { secretsOf, withSeatKeys, type Asker } from './secrets';

const RENEW_MS = 5 * 60_000;

const tickets = new Lru<{ readonly text: string; readonly renewAt: number; kid: string }>(10_000);
const keys = new Lru<CryptoKey>(200);

async function imported({ kid, x, d }: SeatKey): Promise<CryptoKey> {
  const known = keys.get(kid);
  if (known !== undefined) {
    return known;
  }
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x, d }, 'EdDSA');
  keys.set(kid, key);
  return key;
}

/** The ticket for the player's own seat. Null while no key is available. */
async function ticketFor(asker: Asker, player: string, seat: Seat): Promise<string | null> {
  const { project } = asker;
  const now = Date.now();
  try {
    const document = await withSeatKeys(asker);
    const kid = signingKey(document.keys?.seats ?? [])?.kid;
    const cacheKey = JSON.stringify([project, player, seat]);
    const known = tickets.get(cacheKey);
    if (known !== undefined && now < known.renewAt && known.kid === kid) {
      return known.text;
    }
    const key = signingKey((await secretsOf(asker, document)).seats);
    if (key === null) {
      return null;
    }
    const { instance, match, lobby, team, teamName, role, late, spectator } = seat;
    const issuedAt = Math.floor(now / 1000);
    const place = { project, match, lobby, team, team_name: teamName, role, late };
    const claims = spectator ? { ...place, spectator } : place;
    const text = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: SEAT_TYPE, kid: key.kid })
      .setIssuer('muster')
      .setSubject(player)
      .setAudience(instance)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SEAT_TICKET_MS / 1000)
      .sign(await imported(key));
    tickets.set(cacheKey, { text, renewAt: now + RENEW_MS, kid: key.kid });
    return text;
  } catch (error) {
    // The lobby is shown without a ticket, and the next answer may have one.
    const about = { project, playerId: player, lobbyId: seat.lobby };
    logEvent('ticket_unsigned', { ...about, error: String(error) });
    return null;
  }
}

type ForPlayer = Asker & Pick<Call, 'env'> & { readonly player: string };

/** What only the player's own server block has: the ticket, and for the host the token of the term (record 0069). */
async function ownOf({ project, peers, player, env }: ForPlayer, seat: Seat) {
  const ticket = await ticketFor({ project, peers }, player, seat);
  const { hosts: term, instance } = seat;
  return {
    ...(ticket !== null && { ticket }),
    ...(term && { host_token: signerOf(env).token(instance, nameOfTerm(term, player)) }),
  };
}

/** The lobby as the player may see it: with the player's ticket, and without the match's data for strangers. */
export async function withTicket(
  asker: ForPlayer,
  lobby: LobbyView,
  seat: Seat | null | undefined,
): Promise<LobbyView> {
  const shown = seat?.late === false ? lobby : viewForStrangers(lobby);
  const { server } = shown;
  if (seat === null || seat === undefined || server === null) {
    return shown;
  }
  return { ...shown, server: { ...server, ...(await ownOf(asker, seat)) } };
}

/** The same of a change whose last operation replaces the server. */
async function changeWithTicket(asker: ForPlayer, change: LobbyChange, seat: Seat) {
  const last = change.ops.at(-1);
  const shown = { server: last && 'value' in last ? last.value : null } as unknown as LobbyView;
  const { server } = await withTicket(asker, shown, seat);
  return { ...change, ops: [...change.ops.slice(0, -1), { ...last, value: server }] };
}

/** The event as the player may see it, with the player's ticket. */
export async function messageWithTicket(asker: ForPlayer, said: Message): Promise<Message> {
  const { seat, data } = said;
  if (seat === undefined || seat.at === null) {
    return said;
  }
  const of = seat.of as Seat;
  if (of.late) {
    const shown = JSON.parse(data) as LobbyView | LobbyChange;
    const own = 'ops' in shown ? changeWithTicket(asker, shown, of) : withTicket(asker, shown, of);
    return { ...said, data: singleLine(await own) };
  }
  const own = singleLine(await ownOf(asker, of)).slice(1, -1);
  const [before, after] = [data.slice(0, seat.at), data.slice(seat.at)];
  return own === '' ? said : { ...said, data: `${before},${own}${after}` };
}
