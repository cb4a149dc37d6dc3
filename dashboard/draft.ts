// A JSON document that is being edited: its content, the service's issues, and where they are.
// Paths have the service's form (`matchmaking.modes.duel.rules[0].field`).

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../src/common/json';
import type { Issue, Warning } from './api';
import { objectProblem } from './json-problem';

type Step = string | number;
export type Path = readonly Step[];

const CHECK_AFTER_MS = 250;

export function pathText(path: Path): string {
  let told = '';
  for (const step of path) {
    told += typeof step === 'number' ? `[${step}]` : `${told === '' ? '' : '.'}${step}`;
  }
  return told;
}

/** Of the field that edits this path. */
export function fieldId(path: Path | string): string {
  const text = typeof path === 'string' ? path : pathText(path);
  return `f-${text.replaceAll(/\s/g, '_')}`;
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && /^(?:$|[.[])/.test(path.slice(outer.length));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const step of path) {
    if (typeof step === 'number') {
      at = Array.isArray(at) ? (at as readonly Json[])[step] : undefined;
    } else {
      at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    }
  }
  return at;
}

/** The document with another value at the path. Undefined removes the key or entry. */
function withValue(value: Json | undefined, path: Path, put: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) {
    return put;
  }
  if (typeof step === 'number') {
    const list: Json[] = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const next = withValue(list[step], rest, put);
    if (next === undefined) {
      list.splice(step, 1);
    } else {
      list[step] = next;
    }
    return list;
  }
  const entries = new Map(isObject(value) ? Object.entries(value) : []);
  const next = withValue(entries.get(step), rest, put);
  if (next === undefined) {
    entries.delete(step);
  } else {
    entries.set(step, next);
  }
  return Object.fromEntries(entries);
}

export interface Draft {
  readonly value: JsonObject;
  readonly saved: JsonObject;
  readonly dirty: boolean;
  at(path: Path): Json | undefined;
  set(path: Path, value: Json | undefined): void;
  /** The issue at the path, once the field was touched or a save was tried. */
  issueAt(path: Path): string | null;
  /** The warnings about the value at the path or below it. */
  warningsAt(path: Path): readonly Warning[];
  /** All issues of the last check. */
  readonly issues: readonly Issue[];
  /** The warnings of the last check. */
  readonly warnings: readonly Warning[];
  /** Numbers of rules that players can write. */
  readonly written: readonly string[];
  /** A save waits for these warnings to be read. */
  readonly isHeld: boolean;
  /** Checks anew. False: there are warnings that no save was held for yet; the next one may go on. */
  maySave(): Promise<boolean>;
  /** From now on every issue shows; `issues` are those of a save that was refused. */
  refused(issues: readonly Issue[]): void;
  /** Begins anew from a saved document. */
  reset(value: JsonObject): void;
}

/** Of a text where there must be an object, what keeps it from being one, and where. */
function located(value: JsonObject, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => {
    const at = Object.hasOwn(value, issue.path) ? value[issue.path] : null;
    const problem = typeof at === 'string' ? objectProblem(at) : null;
    return problem === null ? issue : { ...issue, message: problem };
  });
}

export interface Start {
  readonly saved: JsonObject;
  /** What it was changed to before; absent: nothing. */
  readonly begun?: JsonObject | undefined;
}

export interface Checked {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
  readonly playersWrite?: readonly string[];
}

/** Checks while the operator types: `check` is called a moment after the last change. */
export function useDraft(start: Start, check: (value: JsonObject) => Promise<Checked>): Draft {
  const [value, setValue] = useState(start.begun ?? start.saved);
  const [saved, setSaved] = useState(start.saved);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const [written, setWritten] = useState<readonly string[]>([]);
  /** The warnings that a save was held for, as text. */
  const [held, setHeld] = useState('');
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [attempted, setAttempted] = useState(false);
  const ask = useRef(check);
  ask.current = check;
  /** What a save was refused with. The save has said more of it than a check, whose answer may come later. */
  const refusedValue = useRef<JsonObject | null>(null);
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => {
      ask.current(value).then(
        (found) => {
          if (!isOld) {
            if (refusedValue.current !== value) {
              setIssues(located(value, found.issues));
            }
            setWarnings(found.warnings);
            setWritten(found.playersWrite ?? []);
          }
        },
        () => {
          // Unreachable just now: a save says so itself.
        },
      );
    }, CHECK_AFTER_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [value]);
  const set = useCallback((path: Path, put: Json | undefined): void => {
    setValue((before) => (withValue(before, path, put) ?? {}) as JsonObject);
    setTouched((before) => new Set(before).add(pathText(path)));
  }, []);
  return useMemo(
    () => ({
      value,
      saved,
      dirty: JSON.stringify(value) !== JSON.stringify(saved),
      at: (path) => valueAt(value, path),
      set,
      issues,
      warnings,
      written,
      isHeld: warnings.length > 0 && held === JSON.stringify(warnings),
      maySave: async () => {
        const found = await ask.current(value);
        const text = JSON.stringify(found.warnings);
        setWarnings(found.warnings);
        setHeld(text);
        return found.warnings.length === 0 || text === held;
      },
      issueAt: (path) => {
        const text = pathText(path);
        const found = issues.find((issue) => issue.path === text);
        return found !== undefined && (attempted || touched.has(text)) ? found.message : null;
      },
      warningsAt: (path) => warnings.filter((each) => isWithin(each.path, pathText(path))),
      refused: (found) => {
        // A save that could not be made says nothing.
        refusedValue.current = found.length > 0 ? value : null;
        setIssues(located(value, found));
        setAttempted(true);
      },
      reset: (next) => {
        setValue(next);
        setSaved(next);
        setIssues([]);
        setWarnings([]);
        setHeld('');
        setTouched(new Set());
        setAttempted(false);
      },
    }),
    [value, saved, issues, warnings, written, held, touched, attempted, set],
  );
}

export const DraftContext = createContext<Draft | null>(null);

export function useDraftHere(): Draft {
  const draft = useContext(DraftContext);
  if (draft === null) {
    throw new Error('a field stands outside of a form');
  }
  return draft;
}
