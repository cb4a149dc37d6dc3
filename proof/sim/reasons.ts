// Why each call, row and alarm of a 1v1 match must be: docs/costs.md prints it beside the counts. A call, row or alarm
// without a reason here fails the run, and so does a reason for what is not there any more.

/** The steps of the match, in their order, as the page names them. */
const STEPS = {
  create: 'two lobbies are created',
  queue: 'they queue and meet',
  play: 'they play',
  end: 'a host ends the game',
  leave: 'both leave',
  after: 'all is forgotten',
} as const;

const WHY: { readonly [Step in keyof typeof STEPS]: Readonly<Record<string, string>> } = {
  create: {
    'seat.claim': 'the player is in no other lobby',
    'seat put seat': 'the same, for later readers',
    'directory.allocate': 'the code is nobody else’s; browsing shows the lobby',
    'directory put row': 'the code is given out once',
    'directory alarm':
      'asks a lobby of which it hears nothing, which then waits to be idle; one for all of a minute',
    'lobby put packed': 'the lobby',
  },
  queue: {
    'queue.enter': 'the ticket',
    'lobby put packed': 'it searches; it holds; it is in game',
    'lobby alarm': 'the queue has to hear of the search; a game has an end',
    'queue put meta': 'the mode and numbers for 256 matches: once a queue',
    'queue put ticket':
      'waiting lobbies survive a restart; the second is in the row of the proposal',
    'queue alarm': 'widening, ended patience; one for all who wait',
    'lobby.hold': 'the lobby does nothing else until the match has decided',
    'queue put proposal': 'a queue that dies goes on with it',
    'match.open': 'the match decides that it takes place',
    'match put packed': 'the decision; that it is in game',
    'match alarm': 'the lobbies and the server have to hear of it',
    'server.launch': 'a server',
    'server put packed': 'the intent with its fleet, that the fleet took it: one server only',
    'server alarm': 'a launch goes on though the server’s object dies',
    'lobby.matchUpdate': 'matched and in game',
    'queue delete proposal': 'the match has decided',
    'queue delete ticket': 'it waits no more',
    'queue put journal': 'what operators may ask',
  },
  play: {
    'match.serverReport': 'the server runs',
    'server put packed': 'the server runs; the debts of that are paid',
    'match put packed': 'the server runs',
    'lobby.matchUpdate': 'where the server is',
    'lobby put packed': 'where the server is',
    'directory.put': 'browsing shows the game',
    'directory put views': 'browsing shows the game; one row for all lobbies of a moment',
    'project.serverChanged': 'the list of servers',
    'project put server': 'the list of servers',
    'server alarm': 'the fleet is asked whether the server lives',
  },
  end: {
    'match.end': 'the host’s word',
    'lobby put packed': 'both are back',
    'lobby alarm': 'the match has to hear of it',
    'server.stop': 'nobody needs the server',
    'lobby.matchUpdate': 'the other lobby is back',
    'match put packed': 'the match is over',
    'match alarm': 'the lobby and the server have to hear of it',
    'project.serverChanged': 'the list of servers',
    'server put packed': 'the server is stopped',
    'server alarm': 'the fleet has to hear of it',
  },
  leave: {
    'seat.release': 'the player may come into another lobby',
    'seat delete seat': 'the same',
    'directory.remove': 'the code may be given out again',
    'directory delete row': 'the same',
    'lobby put packed': 'the lobby is over: its history, and what it owes',
    'lobby alarm': 'others have to hear of it; the history has its time',
    'match put packed': 'everybody knows that the match is over: its record alone is left',
    'match alarm': 'the record has its time',
    'server put packed': 'the fleet has stopped the server: no debts are left',
    'server alarm': 'the server has its time',
    'project put server': 'the list of servers',
  },
  after: {
    'match clear': 'the match',
    'server clear': 'the server',
    'lobby clear': 'the lobby',
  },
};

/** The lines of a table of all that was counted. Throws for what has no reason, and for a reason of nothing. */
export function reasoned(ledger: ReadonlyMap<string, number>): readonly string[] {
  const left = new Map(ledger);
  const lines = (Object.keys(STEPS) as (keyof typeof STEPS)[]).flatMap((step) =>
    Object.entries(WHY[step]).map(([what, why]) => {
      const line = `${step} | ${what}`;
      const count = left.get(line);
      left.delete(line);
      if (count === undefined) {
        throw new Error(`a reason for what is not there: ${line}`);
      }
      return `| ${STEPS[step]} | \`${what}\` | ${count} | ${why} |`;
    }),
  );
  if (left.size > 0) {
    throw new Error(`without a reason: ${[...left.keys()].join('; ')}`);
  }
  return lines;
}
