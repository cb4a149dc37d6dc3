// The form of a build.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../src/common/json';
import { ApiError, ask, pathOf, saying } from './api';
import { type Checked, DraftContext, fieldId, useDraft } from './draft';
import { JsonField, ListField, NumberField, SelectField, TextField } from './fields';
import { fleetsSay } from './launch-check';
import { announce } from './parts';
import { Changes, Warnings } from './warnings';

export function BuildForm({
  name,
  initial,
  onDone,
}: {
  readonly name: string;
  readonly initial: JsonObject;
  readonly onDone: (warnings: readonly string[]) => void;
}): JSX.Element {
  const draft = useDraft(
    { saved: initial },
    async (build) =>
      (await ask<Checked>('POST /admin/check-build', { body: { name, build } })).body,
  );
  const [error, setError] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is below all builds.
  useLayoutEffect(() => heading.current?.focus(), []);
  const save = async (): Promise<void> => {
    try {
      if (!(await draft.maySave())) {
        return;
      }
      const { body } = await ask<Pick<Checked, 'warnings'>>(`PUT /builds${pathOf(name)}`, {
        body: draft.value,
      });
      announce(`Build ${name} was saved`);
      // Other warnings were shown before.
      onDone(fleetsSay(body));
    } catch (refused) {
      const issues = refused instanceof ApiError ? refused.issues : [];
      draft.refused(issues);
      setError(saying(refused));
      const [first] = issues;
      setTimeout(() => document.getElementById(fieldId(first?.path ?? ''))?.focus());
    }
  };
  return (
    <DraftContext.Provider value={draft}>
      <form
        noValidate
        class="card"
        aria-label={`Build ${name}`}
        onSubmit={(event) => event.preventDefault()}
      >
        <h2 ref={heading} tabIndex={-1}>
          Build {name}
        </h2>
        {error !== null && (
          <p class="alert" role="alert">
            {error}
          </p>
        )}
        <div class="grid">
          <TextField
            path={['label']}
            label="Label"
            help="Your name for this version; for display only"
          />
          <SelectField
            path={['status']}
            label="Status"
            options={[
              ['ready', 'ready'],
              ['not_ready', 'not ready: do not launch it'],
            ]}
          />
        </div>
        <div class="grid">
          <TextField
            path={['launch', 'command']}
            optional
            label="Program"
            placeholder="/opt/games/server"
            help="On the agent's machine"
          />
          <TextField
            path={['launch', 'image']}
            optional
            label="Or a container image"
            placeholder="registry.example.com/game:1.0"
            help="The agent fetches it when you save"
          />
        </div>
        <div class="grid">
          <NumberField
            path={['launch', 'capacitySeconds']}
            label="Wait for room, seconds"
            placeholder="0: it fails"
            help="Where all fleets are full, matches wait in line: first come, first served"
          />
          <ListField
            path={['launch', 'fleets']}
            label="Fleets, in order"
            placeholder="own-box, cloud"
            help="The next one is asked where one is full or does not answer. Empty: any fleet"
          />
        </div>
        <JsonField
          path={['launch', 'warm']}
          label="Warm servers, JSON object"
          placeholder={'{ "eu-west": 2 }'}
          help="Region and number: how many run before a match needs them"
        />
        <JsonField
          path={['launch', 'ready']}
          label="Ready when, JSON"
          placeholder={'{ "line": "Map generated" }'}
          help='Empty: once its ports are open. "report": once the server reports it. Or a text that it prints'
        />
        <JsonField
          path={['launch']}
          label="Launch, JSON object"
          placeholder={'{ "image": "registry.example.com/game:1.0", "memory": 512 }'}
          help={
            <>
              All that your fleet needs: <code>command</code> or <code>image</code>,{' '}
              <code>args</code>, <code>env</code>, <code>memory</code> in MB and <code>cpus</code>{' '}
              of a container, <code>fleet</code>, <code>fleetName</code>. <code>host</code> is{' '}
              <code>players</code> where players host. Leave it empty for the sample server of{' '}
              <code>npm start</code>
            </>
          }
        />
        <div class="grid">
          <TextField
            path={['launch', 'keep']}
            optional
            label="Kept folder"
            placeholder="world"
            help="It outlives its servers; one of them uses it at a time. In args and env: {keep}"
          />
        </div>
        <JsonField
          path={['launch', 'files']}
          label="Files, JSON object"
          placeholder={'{ "server.cfg": "port={port}" }'}
          help="Path and text: written into {folder} before the server starts"
        />
        <JsonField
          path={['ports']}
          label="Ports, JSON list"
          placeholder={'[{ "name": "game" }, { "name": "info", "offset": 1 }]'}
          help="Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine"
        />
        <Warnings />
        <Changes />
        <div class="actions">
          <button type="button" class="primary" onClick={() => void save()}>
            Save build
          </button>
          <button type="button" onClick={() => onDone([])}>
            Cancel
          </button>
        </div>
      </form>
    </DraftContext.Provider>
  );
}
