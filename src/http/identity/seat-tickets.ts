// Seat tickets (record 0022) tell a game server which player may take which seat. A player's ticket is signed when
// an answer or event for that player leaves. An isolate reuses a ticket while it is young, so every ticket that is
// shown is valid for at least ten minutes.

import { importJWK, SignJWT, type CryptoKey } from 'jose';
import { logEvent } from '../../common/log';
import { Lru } from '../../common/lru';
import type { Message } from '../../common/line';
import { viewForStrangers, type LobbyView, type Seat } from '../../lobby/view';
import { SEAT_TICKET_MS, signingKey, type SeatKey } from '../../objects/contracts/secrets';
import { singleLine } from '../../common/sse';
import { SEAT_TYPE } from './player';
import { secretsOf, withSeatKeys, type Asker } from './secrets';

const RENEW_MS = 5 * 60_000;

interface Ticket {
  readonly text: string;
  readonly renewAt: number;
  readonly kid: string;
}

const tickets = new Lru<Ticket>(10_000);
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
export async function seatTicketFor(
  asker: Asker,
  { player, seat }: { readonly player: string; readonly seat: Seat },
  now: number,
): Promise<string | null> {
  const { project } = asker;
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
    const { instance, match, lobby, team, teamName, role, late } = seat;
    const issuedAt = Math.floor(now / 1000);
    const claims = { project, match, lobby, team, team_name: teamName, role, late };
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

/** The lobby as the player may see it: with the player's ticket, and without the match's data for strangers. */
export async function withTicket(
  { project, peers, player }: Asker & { readonly player: string },
  lobby: LobbyView,
  seat: Seat | null | undefined,
): Promise<LobbyView> {
  const shown = seat?.late === false ? lobby : viewForStrangers(lobby);
  const { server } = shown;
  if (seat === null || seat === undefined || server === null) {
    return shown;
  }
  const ticket = await seatTicketFor({ project, peers }, { player, seat }, Date.now());
  return ticket === null ? shown : { ...shown, server: { ...server, ticket } };
}

/** The event as the player may see it, with the player's ticket. */
export async function messageWithTicket(
  { project, peers, player }: Asker & { readonly player: string },
  said: Message,
): Promise<Message> {
  const { seat, data } = said;
  if (seat === undefined) {
    return said;
  }
  const of = seat.of as Seat;
  if (of.late) {
    const lobby = JSON.parse(data) as LobbyView;
    return { ...said, data: singleLine(await withTicket({ project, peers, player }, lobby, of)) };
  }
  const ticket = await seatTicketFor({ project, peers }, { player, seat: of }, Date.now());
  const before = data.slice(0, seat.at);
  return ticket === null
    ? said
    : { ...said, data: `${before},"ticket":${JSON.stringify(ticket)}${data.slice(seat.at)}` };
}
