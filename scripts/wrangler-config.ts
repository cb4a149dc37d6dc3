// Reads from wrangler.toml what a plain workerd must be told as well, so that it is said once.
// Not a TOML reader: tables, and keys with a string or a list of strings or inline tables; the
// top of the file and its base tables only (`[env.*]` is for deployments).

import { readFile } from 'node:fs/promises';

export interface WorkerConfig {
  readonly main: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  /** Static files, from the folder of wrangler.toml. */
  readonly assets?: { readonly binding: string; readonly directory: string };
}

interface Table {
  readonly name: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Throws when the file lacks what no worker runs without. */
export async function readWorkerConfig(path: string): Promise<WorkerConfig> {
  const tables = parseTables(await readFile(path, 'utf8'));
  const top = tables.find((table) => table.name === '')?.keys ?? new Map<string, string>();
  const main = stringIn(top.get('main'));
  const compatibilityDate = stringIn(top.get('compatibility_date'));
  if (main === null || compatibilityDate === null) {
    throw new Error(`${path}: main and compatibility_date are needed`);
  }
  const vars = new Map<string, string>();
  for (const [key, text] of tables.find((table) => table.name === 'vars')?.keys ?? []) {
    vars.set(key, stringIn(text) ?? text);
  }
  return {
    main,
    compatibilityDate,
    compatibilityFlags: stringsIn(top.get('compatibility_flags') ?? ''),
    vars: Object.fromEntries(vars),
    objects: tables.flatMap(objectsIn),
    ...assetsIn(tables.find((table) => table.name === 'assets')),
  };
}

function objectsIn({ name, keys }: Table): { binding: string; className: string }[] {
  if (name === 'durable_objects.bindings') {
    const binding = stringIn(keys.get('name'));
    const className = stringIn(keys.get('class_name'));
    return binding === null || className === null ? [] : [{ binding, className }];
  }
  if (name !== 'durable_objects') {
    return [];
  }
  const inline = keys.get('bindings') ?? '';
  return [...inline.matchAll(/\{([^}]*)\}/g)].flatMap(([, body = '']) => {
    const binding = /\bname\s*=\s*["']([^"']+)["']/.exec(body)?.[1];
    const className = /\bclass_name\s*=\s*["']([^"']+)["']/.exec(body)?.[1];
    return binding === undefined || className === undefined ? [] : [{ binding, className }];
  });
}

function assetsIn(table: Table | undefined): Pick<WorkerConfig, 'assets'> {
  const binding = stringIn(table?.keys.get('binding'));
  const directory = stringIn(table?.keys.get('directory'));
  return binding === null || directory === null ? {} : { assets: { binding, directory } };
}

function parseTables(text: string): readonly Table[] {
  let keys = new Map<string, string>();
  const tables: Table[] = [{ name: '', keys }];
  let open: { key: string; value: string } | null = null;
  for (const line of text.split('\n').map(withoutComment)) {
    if (open !== null) {
      open.value += ` ${line}`;
      if (isClosed(open.value)) {
        keys.set(open.key, open.value);
        open = null;
      }
      continue;
    }
    const table = /^\[\[?\s*([^[\]]+?)\s*\]\]?$/.exec(line);
    if (table !== null) {
      keys = new Map();
      tables.push({ name: table[1] ?? '', keys });
      continue;
    }
    const [, key, value] = /^([A-Za-z0-9_-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      if (isClosed(value)) {
        keys.set(key, value);
      } else {
        open = { key, value };
      }
    }
  }
  return tables;
}

/** A list may span lines. */
function isClosed(value: string): boolean {
  return !value.startsWith('[') || value.trimEnd().endsWith(']');
}

function withoutComment(line: string): string {
  return line.replace(/^((?:[^#"']|"[^"]*"|'[^']*')*)#.*$/, '$1').trim();
}

function stringIn(text: string | undefined): string | null {
  const [, double, single] = /^(?:"([^"\\]*)"|'([^']*)')$/.exec(text ?? '') ?? [];
  return double ?? single ?? null;
}

function stringsIn(text: string): readonly string[] {
  return [...text.matchAll(/"([^"\\]*)"|'([^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );
}
