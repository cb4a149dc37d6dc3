// The parts of a mode's form that try the mode out and save nothing: on two lobbies, and on the last day. Who looks has
// none, because the service checks what they send.

import type { JSX } from 'preact';
import type { JsonObject } from '../src/common/json';
import { isViewer } from './api';
import { type Path, useDraftHere } from './draft';
import { Section } from './fields';
import { MatchPreview, PREVIEW } from './match-preview';
import { WhatIf, WHAT_IF } from './what-if';

/** Their titles. */
export function trials(): readonly string[] {
  return isViewer() ? [] : [PREVIEW, WHAT_IF];
}

export function Trials({
  config,
  name,
  path,
  at,
}: {
  readonly config: string;
  readonly name: string;
  /** Of the mode. */
  readonly path: Path;
  readonly at: number | undefined;
}): JSX.Element | null {
  const mode = (useDraftHere().at(path) ?? {}) as JsonObject;
  return isViewer() ? null : (
    <>
      <Section path={path} title={PREVIEW} kind="preview">
        <MatchPreview mode={mode} name={name} />
      </Section>
      <Section path={path} title={WHAT_IF} kind="preview">
        <WhatIf config={config} mode={mode} name={name} at={at} />
      </Section>
    </>
  );
}
