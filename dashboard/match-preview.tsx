// "Would these two lobbies match, and why not": of the mode as it stands in the form, saved or not.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Preview } from '../packages/js/src/dashboard-types';
import type { Json, JsonObject } from '../src/common/json';
import { ApiError, ask, saying } from './api';
import { span } from './parts';
import { TextLine } from './text-line';

export const PREVIEW = 'Would these two lobbies match?';
const ASK_AFTER_MS = 250;

interface Side {
  readonly state: Readonly<Record<string, string>>;
  readonly regions: string;
  readonly players: string;
  readonly waitSeconds: string;
}

const FRESH: Side = { state: {}, regions: '', players: '1', waitSeconds: '0' };

/** Fields that the rules, and so the verdict, look at. */
function ruleFields(mode: JsonObject): readonly string[] {
  const rules = Array.isArray(mode['rules']) ? (mode['rules'] as readonly JsonObject[]) : [];
  const named = rules.flatMap((rule) => {
    const cel = typeof rule['cel'] === 'string' ? rule['cel'] : '';
    const read = [...cel.matchAll(/\b[ab]\.state\.([A-Za-z_]\w*)/g)].map(([, field = '']) => field);
    return typeof rule['field'] === 'string' ? [rule['field'], ...read] : read;
  });
  const byRoles = (mode['teamComposition'] ?? null) !== null;
  return [...new Set([...named, ...(byRoles ? ['role'] : [])])].filter((field) => field !== '');
}

/**
 * The value as a game would send it: a number or boolean if it is one, a list with commas, or else
 * text.
 */
function typed(text: string): Json {
  const trimmed = text.trim();
  if (trimmed !== '' && Number.isFinite(Number(trimmed))) {
    return Number(trimmed);
  }
  if (trimmed === 'true' || trimmed === 'false') {
    return trimmed === 'true';
  }
  return trimmed.includes(',') ? trimmed.split(',').map((entry) => entry.trim()) : trimmed;
}

function bodyOf(side: Side, fields: readonly string[]): JsonObject {
  const state = fields.flatMap((field) => {
    const text = side.state[field] ?? '';
    return text === '' ? [] : [[field, typed(text)] as const];
  });
  const regions = side.regions
    .split(',')
    .map((region) => region.trim())
    .filter((region) => region !== '');
  return {
    players: Number(side.players) || 1,
    waitSeconds: Number(side.waitSeconds) || 0,
    state: { ...Object.fromEntries(state), ...(regions.length === 0 ? {} : { regions }) },
  };
}

function SideForm({
  id,
  name,
  side,
  fields,
  onChange,
}: {
  readonly id: string;
  readonly name: string;
  readonly side: Side;
  readonly fields: readonly string[];
  readonly onChange: (side: Side) => void;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{name}</legend>
      <div class="grid tight">
        {fields.map((field) => (
          <TextLine
            key={field}
            id={`${id}-${field}`}
            label={field}
            value={side.state[field] ?? ''}
            placeholder="missing"
            onText={(text) => onChange({ ...side, state: { ...side.state, [field]: text } })}
          />
        ))}
        <TextLine
          id={`${id}-players`}
          label="Players"
          value={side.players}
          onText={(players) => onChange({ ...side, players })}
        />
        <TextLine
          id={`${id}-wait`}
          label="Time waited, seconds"
          value={side.waitSeconds}
          onText={(waitSeconds) => onChange({ ...side, waitSeconds })}
        />
        <TextLine
          id={`${id}-regions`}
          label="Regions"
          value={side.regions}
          placeholder="us-east"
          onText={(regions) => onChange({ ...side, regions })}
        />
      </div>
    </fieldset>
  );
}

function summary({
  refused,
  matchesNow,
  passInSeconds,
  matchPlayers,
  players,
  rules,
}: Preview): string {
  const [name, why] = refused.a !== null ? ['A', refused.a] : ['B', refused.b];
  if (why !== null) {
    return `No: lobby ${name} cannot queue. ${why}`;
  }
  if (matchesNow) {
    return 'Yes: these two match now.';
  }
  if (passInSeconds === 0) {
    return players < matchPlayers
      ? `Yes: by the rules, these two can play together; ${matchPlayers - players} more are needed for a match of ${matchPlayers}.`
      : 'No: the rules allow it, but their party sizes, roles or regions do not add up to a match.';
  }
  if (passInSeconds !== null) {
    return `Not yet: the rules allow it after another ${span(Math.ceil(passInSeconds))} of waiting.`;
  }
  const rejects = rules.filter(({ passes }) => !passes).length;
  return `No: ${rejects === 1 ? 'one rule rejects' : `${rejects} rules reject`} this pair.`;
}

function Verdict({ preview }: { readonly preview: Preview }): JSX.Element {
  const text = summary(preview);
  return (
    <>
      <p class={text.startsWith('Yes') ? 'verdict yes' : 'verdict no'} role="status">
        {text}
      </p>
      <ul class="plain verdicts">
        {preview.rules.map(({ index, type, passes, because }) => (
          <li key={index}>
            <span class={passes ? 'status status-pass' : 'status status-reject'}>
              {passes ? 'allows it' : 'rejects it'}
            </span>{' '}
            Rule {index + 1}, {type}: {because}
          </li>
        ))}
      </ul>
    </>
  );
}

export function MatchPreview({
  mode,
  name,
}: {
  readonly mode: JsonObject;
  readonly name: string;
}): JSX.Element {
  const [sides, setSides] = useState({ a: FRESH, b: FRESH });
  const [preview, setPreview] = useState<Preview | null>(null);
  const [error, setError] = useState<string | null>(null);
  const fields = ruleFields(mode);
  const body = { mode, a: bodyOf(sides.a, fields), b: bodyOf(sides.b, fields) };
  const text = JSON.stringify(body);
  useEffect(() => {
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const asked = { body: JSON.parse(text) as unknown, signal: abort.signal };
        setPreview((await ask<Preview>('POST /admin/preview', asked)).body);
        setError(null);
      } catch (refused) {
        if (!abort.signal.aborted) {
          const isWrong = refused instanceof ApiError && refused.issues.length > 0;
          setError(isWrong ? `Fix this first: ${saying(refused)}` : saying(refused));
        }
      }
    };
    const timer = setTimeout(() => void look(), ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const id = `preview-${name.replaceAll(/\s/g, '_')}`;
  return (
    <>
      <div class="pair">
        <SideForm
          id={`${id}-a`}
          name="Lobby A"
          side={sides.a}
          fields={fields}
          onChange={(a) => setSides({ ...sides, a })}
        />
        <SideForm
          id={`${id}-b`}
          name="Lobby B"
          side={sides.b}
          fields={fields}
          onChange={(b) => setSides({ ...sides, b })}
        />
      </div>
      {error !== null ? (
        <p class="verdict no" role="status">
          {error}
        </p>
      ) : (
        preview !== null && <Verdict preview={preview} />
      )}
    </>
  );
}
