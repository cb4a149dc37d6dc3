// Lines of an object that sleeps: a socket each, which the platform holds while the object is out of
// memory, and hands back to it when it wakes. What must be known of one is attached to it.

import { readHeard, written, type Heard } from '../../line';
import { refusal, type Reply } from '../../lobby/refusals';
import type { FarEnd, Line, Lines } from '../kit/ports';

/** Attached to the object's end. */
interface Attached {
  /** Null: of nobody in particular, who watches. */
  readonly player: string | null;
  /** Of the line: the same player may have another by now. */
  readonly id: string;
  /** Its actor has said farewell. */
  readonly ended?: boolean;
}

function attached(socket: WebSocket): Attached {
  return socket.deserializeAttachment() as Attached;
}

/** The player whose line it is; null: of no player, or the actor ended it. */
function playerOf(socket: WebSocket): string | null {
  const { player, ended = false } = attached(socket);
  return ended ? null : player;
}

/** Whose line has closed with this socket; null: the actor need not be told. */
export function closedBy(ctx: DurableObjectState, socket: WebSocket): string | null {
  const player = playerOf(socket);
  const { id } = attached(socket);
  const hasOther = ctx
    .getWebSockets()
    .some((other) => attached(other).id !== id && playerOf(other) === player);
  return hasOther ? null : player;
}

function say(socket: WebSocket, heard: Heard): void {
  try {
    socket.send(written(heard));
  } catch {
    // The relay hung up: the platform tells so in an event of its own.
  }
}

function lineOf(socket: WebSocket): Line {
  const known = attached(socket);
  return {
    player: known.player ?? '',
    say: (message) => say(socket, message),
    end: (why) => {
      say(socket, why);
      socket.serializeAttachment({ ...known, ended: true } satisfies Attached);
      socket.close(1000, why);
    },
  };
}

/** By the tag those who watch are found without a look at the lines of players. */
const WATCHES = 'watches';

export function socketLines(ctx: DurableObjectState): Lines {
  const open = (player: string | null): { readonly near: WebSocket; readonly far: FarEnd } => {
    const { 0: far, 1: near } = new WebSocketPair();
    // Never `accept`: that would keep the object awake for as long as the socket is open.
    ctx.acceptWebSocket(near, player === null ? [WATCHES] : []);
    near.serializeAttachment({ player, id: crypto.randomUUID() } satisfies Attached);
    return { near, far: new SocketEnd(far) };
  };
  return {
    open: (player) => {
      const { near, far } = open(player);
      return { line: lineOf(near), far };
    },
    watch: () => open(null).far,
    watchers: () =>
      ctx.getWebSockets(WATCHES).map((socket) => ({ say: (message) => say(socket, message) })),
    all: () =>
      ctx
        .getWebSockets()
        .filter((socket) => playerOf(socket) !== null)
        .map(lineOf),
  };
}

/** The relay's end. It reads as fast as it comes; what its client does not take is the relay's. */
class SocketEnd implements FarEnd {
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.socket.addEventListener('message', ({ data }) => {
      const heard = readHeard(String(data));
      if (heard !== null) {
        hear(heard);
      }
    });
    this.socket.addEventListener('close', broken);
    this.socket.addEventListener('error', broken);
    this.socket.accept();
  }

  async hangUp(): Promise<void> {
    try {
      this.socket.close(1000);
    } catch {
      // It is closed already.
    }
  }
}

/** An actor's answer to a question for a line, as the response to an upgrade. */
export function asResponse(reply: Reply<FarEnd>): Response {
  return reply.ok && reply.value instanceof SocketEnd
    ? new Response(null, { status: 101, webSocket: reply.value.socket })
    : Response.json(reply);
}

/** The same on the other side. */
export async function fromResponse(response: Response): Promise<Reply<FarEnd>> {
  if (response.webSocket !== null) {
    return { ok: true, value: new SocketEnd(response.webSocket) };
  }
  const reply = await response.json<Reply<FarEnd>>();
  return reply.ok ? refusal('UNAVAILABLE', 'no connection was opened') : reply;
}

/** A question for a line: sockets do not travel over RPC. */
export interface Upgrade {
  readonly method: string;
  readonly args: readonly unknown[];
}

export function upgradeTo(asked: Upgrade): Request {
  const headers = { upgrade: 'websocket', asked: encodeURIComponent(JSON.stringify(asked)) };
  return new Request('http://actor/', { headers });
}

export function readUpgrade(request: Request): Upgrade {
  return JSON.parse(decodeURIComponent(request.headers.get('asked') ?? '')) as Upgrade;
}
