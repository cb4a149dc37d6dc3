// What an answer says of how a build is launched.

import * as z from 'zod';

export function launchShape() {
  const text = z.string().exactOptional();
  return z
    .object({
      command: text.describe('Program of a local process.'),
      args: z.array(z.string()).exactOptional(),
      image: text.describe('Container image, instead of a command.'),
      memory: z.int().exactOptional().describe('Limit of a container, in MB.'),
      cpus: z.number().exactOptional().describe('Limit of a container, in processors.'),
      fleet: text,
      host: z.literal('players').exactOptional(),
      fleets: z
        .array(z.string())
        .exactOptional()
        .describe('Several of these, first choice first, instead of `fleet`.'),
      fleetName: text,
      capacitySeconds: z
        .int()
        .exactOptional()
        .describe('How long a match waits in line if no fleet has room; absent or 0: it fails.'),
      warm: z
        .record(z.string(), z.int())
        .exactOptional()
        .describe('Region -> how many servers are started before a match needs them.'),
      env: z.record(z.string(), z.string()).exactOptional(),
      files: z
        .record(z.string(), z.string())
        .exactOptional()
        .describe("Path in the server's folder -> text, written before it starts."),
      keep: z
        .string()
        .exactOptional()
        .describe("A folder that outlives the build's servers; one uses it at a time."),
      ownFolder: z
        .boolean()
        .exactOptional()
        .describe('Whether a local process runs in a folder of its own.'),
      roster: z
        .boolean()
        .exactOptional()
        .describe("Whether the local agent keeps the match's roster in a file."),
      ready: z
        .union([z.enum(['port', 'report']), z.object({ line: z.string() })])
        .exactOptional()
        .describe('What a local server runs by: its ports, its own report, or a text it prints.'),
    })
    .describe('What fleets need to start it.');
}
