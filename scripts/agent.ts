// `npm run agent`: the agent of the local fleet, on a machine of its own.

import { commandLine } from './flags.ts';

commandLine({
  command: 'npm run agent --',
  about:
    'Starts game servers on this machine for a Muster elsewhere. Settings are variables: docs/fleets.md.',
  flags: {},
});
await import('../agent/agent.ts');
