// How a game server comes about: what a build launches, and what a config says of it.

export interface ServerSettings {
  readonly serverSize: string;
  readonly gameBuild: string | null;
  /** `players`: a player of the game hosts it. Absent: as the build says. */
  readonly hosting?: 'players' | undefined;
  /** Seconds without a stream after which another player hosts. */
  readonly hostGraceSeconds?: number | undefined;
  /** `majority`: most players must report the same result of a game that one of them hosts. Absent: the host reports it. */
  readonly results?: 'majority' | undefined;
  /** Whether a game that a host starts has a match. Absent: where `results` or `hostSteers` needs one. */
  readonly matchOnStart?: boolean | undefined;
  /** The player who hosts may open and free places, and put players out. Absent: only the server key may. */
  readonly hostSteers?: boolean | undefined;
}

/** What fleets need to start a build. Each fleet reads its own fields. */
export interface BuildLaunch {
  /** Program of a local process. Absent: the game server that comes with the agent. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Container image, instead of a command. */
  readonly image?: string | undefined;
  /** Limit of a container, in MB. Absent: the fleet's. */
  readonly memory?: number | undefined;
  /** Limit of a container, in processors. Absent: the fleet's. */
  readonly cpus?: number | undefined;
  /** Fleet or group of fleets that launches the build. Absent: any fleet that serves the region. */
  readonly fleet?: string | undefined;
  /** `players`: nothing is launched, because a player of the game hosts it. */
  readonly host?: 'players' | undefined;
  /** Several, instead of `fleet`, in order: the next is asked if one is full, refuses or does not answer in time. */
  readonly fleets?: readonly string[] | undefined;
  /** Name of the set of servers within that fleet. On Agones it is the name of the Agones Fleet. */
  readonly fleetName?: string | undefined;
  /** How long a match waits in line if no fleet has room, in seconds. Absent or 0: it fails at once. */
  readonly capacitySeconds?: number | undefined;
  /** Region -> how many servers wait there for matches, started before anybody needs them. Absent: none. */
  readonly warm?: Readonly<Record<string, number>> | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Files that the local agent writes into the server's folder before it starts: path there -> text, with placeholders. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Name of a folder that outlives the servers of the build, which one of them has at a time. */
  readonly keep?: string | undefined;
  /** Whether a local process runs in a folder of its own, with links to the files beside the program. */
  readonly ownFolder?: boolean | undefined;
  /** Whether the local agent keeps the roster of the match in a file (`MUSTER_ROSTER`). */
  readonly roster?: boolean | undefined;
  /**
   * When the local agent calls the server running: when its ports are open (`port`, as without this), when the server itself
   * reports it (`report`), or when they are open and it has printed a text.
   */
  readonly ready?: 'port' | 'report' | { readonly line: string } | undefined;
}
