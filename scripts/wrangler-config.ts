// Reads the settings in wrangler.toml that a plain workerd needs too: the top of the file and its base tables
// (`[env.*]` is for deployments). wrangler has a reader of its own, but loading wrangler takes seconds at each
// start.

import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import * as z from 'zod';

export interface WorkerConfig {
  readonly main: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  /** Static files, from the folder of wrangler.toml. */
  readonly assets?: { readonly binding: string; readonly directory: string };
}

const wrangler = z.object({
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  vars: z.record(z.string(), z.string()).default({}),
  durable_objects: z
    .object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) })
    .default({ bindings: [] }),
  assets: z.object({ binding: z.string(), directory: z.string() }).optional(),
});

/** Throws if the file is no TOML or lacks a required setting. */
export async function readWorkerConfig(path: string): Promise<WorkerConfig> {
  const read = wrangler.safeParse(parse(await readFile(path, 'utf8')));
  if (!read.success) {
    throw new Error(`${path}: ${z.prettifyError(read.error)}`);
  }
  const { main, vars, assets } = read.data;
  return {
    main,
    compatibilityDate: read.data.compatibility_date,
    compatibilityFlags: read.data.compatibility_flags,
    vars,
    objects: read.data.durable_objects.bindings.map(({ name, class_name }) => ({
      binding: name,
      className: class_name,
    })),
    ...(assets === undefined ? {} : { assets }),
  };
}
