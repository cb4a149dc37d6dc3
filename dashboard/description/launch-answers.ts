// What an answer says of how a build is launched.

import * as z from 'zod';

export function launchShape() {
  const text = z.string().exactOptional();
  return z.object({
    command: text,
    args: z.array(z.string()).exactOptional(),
    image: text,
    memory: z.int().exactOptional(),
    cpus: z.number().exactOptional(),
    fleet: text,
    host: z.literal('players').exactOptional(),
    fleets: z.array(z.string()).exactOptional(),
    fleetName: text,
    capacitySeconds: z.int().exactOptional(),
    warm: z.record(z.string(), z.int()).exactOptional(),
    env: z.record(z.string(), z.string()).exactOptional(),
    files: z.record(z.string(), z.string()).exactOptional(),
    keep: z.string().exactOptional(),
    ownFolder: z.boolean().exactOptional(),
    roster: z.boolean().exactOptional(),
    ready: z.union([z.enum(['port', 'report']), z.object({ line: z.string() })]).exactOptional(),
  });
}
