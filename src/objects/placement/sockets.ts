// Lines of an object that can sleep. Each is a socket, which the platform keeps meanwhile, with the line's data attached.

import { readHeard, written, type Heard } from '../../common/line';
import { ok } from '../../common/result';
import { refusal, type Reply } from '../../lobby/refusals';
import type { FarEnd, RelayLine, Lines } from '../kit/ports';

/** The data attached to the object's end of the socket. */
interface Attached {
  /** Null: the line of a watcher, which belongs to no player. */
  readonly player: string | null;
  /** The line's id. The same player may have another line by now. */
  readonly id: string;
  /** Present if the client asked for changes. */
  readonly changes?: true;
  /** Whether the actor has said farewell. */
  readonly ended?: boolean;
}

function attached(socket: WebSocket): Attached {
  return socket.deserializeAttachment() as Attached;
}

/** The player of the line. Null: it belongs to no player, or the actor ended it. */
function playerOf(socket: WebSocket): string | null {
  const { player, ended = false } = attached(socket);
  return ended ? null : player;
}

/** The player whose last line closed with this socket. Null: the actor need not be told. */
export function closedBy(ctx: DurableObjectState, socket: WebSocket): string | null {
  const player = playerOf(socket);
  const { id } = attached(socket);
  const isOther = (other: WebSocket) => attached(other).id !== id && playerOf(other) === player;
  return ctx.getWebSockets().some(isOther) ? null : player;
}

function say(socket: WebSocket, heard: Heard): void {
  try {
    socket.send(written(heard));
  } catch {
    // The relay hung up. The platform reports that in an event of its own.
  }
}

function lineOf(socket: WebSocket): RelayLine {
  const known = attached(socket);
  return {
    player: known.player ?? '',
    changes: known.changes === true,
    say: (message) => say(socket, message),
    end: (why) => {
      say(socket, why);
      socket.serializeAttachment({ ...known, ended: true } satisfies Attached);
      socket.close(1000, why);
    },
  };
}

/** The tag that finds watchers without searching the lines of players. */
const WATCHES = 'watches';

export function socketLines(ctx: DurableObjectState): Lines {
  const open = (
    player: string | null,
    changes = false,
  ): { readonly near: WebSocket; readonly far: FarEnd } => {
    const { 0: far, 1: near } = new WebSocketPair();
    // Never call `accept`: it would keep the object awake for as long as the socket is open.
    ctx.acceptWebSocket(near, player === null ? [WATCHES] : []);
    const asked = changes && ({ changes } as const);
    near.serializeAttachment({ player, id: crypto.randomUUID(), ...asked } satisfies Attached);
    return { near, far: new SocketEnd(far) };
  };
  return {
    open: (player, changes) => {
      const { near, far } = open(player, changes);
      return { line: lineOf(near), far };
    },
    watch: () => open(null).far,
    watchers: () =>
      ctx.getWebSockets(WATCHES).map((socket) => ({ say: (message) => say(socket, message) })),
    all: () => {
      const sockets = ctx.getWebSockets();
      return sockets.filter((socket) => playerOf(socket) !== null).map(lineOf);
    },
  };
}

/** The relay's end. It reads messages as fast as they arrive. The relay handles a client that is slow to read. */
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
      // The socket is closed already.
    }
  }
}

/** An actor's reply to a request for a line, as the response to an upgrade. */
export function asResponse(reply: Reply<FarEnd>): Response {
  return reply.ok && reply.value instanceof SocketEnd
    ? new Response(null, { status: 101, webSocket: reply.value.socket })
    : Response.json(reply);
}

/** The reply that such a response carries. */
export async function fromResponse(response: Response): Promise<Reply<FarEnd>> {
  if (response.webSocket !== null) {
    return ok(new SocketEnd(response.webSocket));
  }
  const reply = await response.json<Reply<FarEnd>>();
  return reply.ok ? refusal('UNAVAILABLE', 'no connection was opened') : reply;
}

/** A request for a line. It is an upgrade, because sockets do not travel over RPC. */
export function upgradeTo(method: string, args: readonly unknown[]): Request {
  const asked = encodeURIComponent(JSON.stringify({ method, args }));
  const headers = { upgrade: 'websocket', asked };
  return new Request('http://actor/', { headers });
}

export function readUpgrade(request: Request): { method: string; args: readonly unknown[] } {
  return JSON.parse(decodeURIComponent(request.headers.get('asked') ?? '')) as never;
}
