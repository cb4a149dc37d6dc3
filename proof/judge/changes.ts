// The lobby that a stream's `lobby_changed` leads to, by the judge's own reading of RFC 6902.

type Tree = Record<string, unknown> | unknown[];

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Why a change leads to no lobby. */
export interface Unled {
  readonly unled: string;
}

/** The lobby after the change, or why there is none. `known`: what the stream showed before. */
export function ledBy(known: unknown, change: unknown): unknown {
  const { from, revision, ops } = change as {
    readonly from: number;
    readonly revision: number;
    readonly ops: readonly Operation[];
  };
  const before = known as { readonly revision?: unknown } | null;
  if (before?.revision !== from) {
    return {
      unled: `it begins at revision ${from}, and the stream showed ${String(before?.revision)}`,
    };
  }
  const lobby = structuredClone(known) as Tree;
  for (const op of ops) {
    const wrong = doneTo(lobby, op);
    if (wrong) {
      return { unled: `${op.op} ${op.path}: ${wrong}` };
    }
  }
  const after = (lobby as { readonly revision?: unknown }).revision;
  return after === revision
    ? lobby
    : { unled: `it leads to ${String(after)} and not to ${revision}` };
}

function doneTo(lobby: Tree, { op, path, value }: Operation): string | null {
  const steps = path.slice(1).split('/');
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = names.pop() ?? '';
  let tree = lobby;
  for (const step of names) {
    const next = Object.getOwnPropertyDescriptor(tree, step)?.value as unknown;
    if (typeof next !== 'object' || next === null) {
      return `there is no ${step}`;
    }
    tree = next as Tree;
  }
  const isList = Array.isArray(tree);
  const key = isList && name === '-' ? String((tree as unknown[]).length) : name;
  if (op !== 'add' && !Object.hasOwn(tree, key)) {
    return `there is no ${key}`;
  }
  if (isList) {
    const values = op === 'remove' ? [] : [value];
    (tree as unknown[]).splice(Number(key), op === 'add' ? 0 : 1, ...values);
  } else if (op === 'remove') {
    Reflect.deleteProperty(tree, key);
  } else {
    const how = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(tree, key, how);
  }
  return null;
}
