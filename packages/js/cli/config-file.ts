// One config as a file: YAML or JSON, read and changed by the same library, so that a message can
// name the line, and a change leaves the comments of the rest alone.

import { basename, extname } from 'node:path';

import { Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

import type { LobbyConfig } from '../src/admin-types.ts';
import type { Change } from './changes.ts';

/** Ends of the names of files that hold a config. */
export const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json'];

export interface ConfigFile {
  /** As it is named on the command line and in messages. */
  readonly path: string;
  /** Name of the config: that of the file without its ending. */
  readonly name: string;
  readonly content: unknown;
  /** 1-based line of what a path such as `modes.duel.rules[1].field` names, or of what holds it. */
  lineOf(path: string): number;
  /** The text of the file after the changes, in its own format; null: they do not fit into it. */
  changed(changes: readonly Change[]): string | null;
}

/** A file that is no YAML or JSON, and where. */
export class UnreadableFile extends Error {}

export function readConfigFile(path: string, text: string): ConfigFile {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const at = counter.linePos(problem.pos[0]).line;
    const [message = ''] = problem.message.split(/ at line \d+/);
    throw new UnreadableFile(`${path}:${at}: ${message}`);
  }
  const isJson = extname(path) === '.json';
  return {
    path,
    name: basename(path, extname(path)),
    content: contentOf(path, document),
    lineOf: (issue) => {
      const offset = offsetOf(document.contents, issue) ?? startOf(document.contents);
      return counter.linePos(offset).line;
    },
    changed: (changes) => {
      try {
        for (const change of changes) {
          if (change.there === undefined) {
            document.deleteIn(change.path);
          } else {
            document.setIn(change.path, document.createNode(change.there));
          }
        }
      } catch {
        // A field lies below one that is empty, or below an alias.
        return null;
      }
      return isJson ? jsonOf(document.toJS()) : yamlOf(document);
    },
  };
}

/** Throws UnreadableFile where an alias has no anchor, or where aliases of aliases would be too much. */
function contentOf(path: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UnreadableFile(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A config of the service as the text of a new file, without what the service alone decides. */
export function newFileText(config: LobbyConfig, format: 'yaml' | 'json'): string {
  const { id: _id, name: _name, revision: _revision, ...content } = config;
  return format === 'json' ? jsonOf(content) : yamlOf(new Document(content));
}

function jsonOf(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function yamlOf(document: Document): string {
  return document.toString({ lineWidth: 100 });
}

/** Where the innermost part of a path that there is begins in the text: at its key where it has one. */
function offsetOf(node: unknown, path: string): number | null {
  const rest = path.replace(/^\./, '');
  if (isMap(node)) {
    // A key may have dots itself: the longest that fits is meant.
    const [pair] = node.items
      .filter(({ key }) => isScalar(key) && begins(rest, String(key.value)))
      .toSorted((one, other) => String(other.key).length - String(one.key).length);
    if (pair !== undefined && isScalar(pair.key)) {
      return offsetOf(pair.value, rest.slice(String(pair.key.value).length)) ?? startOf(pair.key);
    }
  }
  const index = /^\[(\d+)\]/.exec(rest);
  const item = isSeq(node) && index !== null ? node.items[Number(index[1])] : undefined;
  return item === undefined
    ? null
    : (offsetOf(item, rest.slice(index?.[0].length)) ?? startOf(item));
}

function begins(path: string, key: string): boolean {
  return path.startsWith(key) && /^(?:$|[.[])/.test(path.slice(key.length));
}

function startOf(node: unknown): number {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range;
  return range?.[0] ?? 0;
}
