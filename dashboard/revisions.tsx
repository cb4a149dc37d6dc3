// How a config or a build was saved before, what each save changed, and going back to one.

import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import { configDiff } from './config-diff';
import type { BuildRevision, ConfigRevision } from '../packages/js/src/admin-types.ts';
import { Danger, Empty, Mistake, Time, Title, Value, Waiting } from './parts';
import { to } from './place';
import { Table } from './table';

type Revision = Omit<ConfigRevision, 'config'> & Partial<ConfigRevision & BuildRevision>;

/** Null: the save removed it. */
function valueOf({ config = null, build = null }: Revision): object | null {
  return config ?? build;
}

/** What the save changed; `before` is null where nothing older is kept. */
function Changes({
  now,
  before,
}: {
  readonly now: Revision;
  readonly before: Revision | null;
}): JSX.Element {
  const found = configDiff({ ...(before && valueOf(before)) }, { ...valueOf(now) });
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">
        {before === null
          ? `Revision ${now.revision}`
          : `Changes from revision ${before.revision} to ${now.revision}`}
      </h2>
      {found.length === 0 ? (
        <p class="dim">This save changed nothing.</p>
      ) : (
        <Table label="Changes" heads={['Field', 'Before', 'After']}>
          {found.map(({ path, before: was, after: is }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>
                <Value value={was} />
              </td>
              <td>
                <Value value={is} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** In one line: the fields that a save changed, or what it did as a whole. */
function summary(now: Revision, before: Revision | undefined): string {
  const [is, was] = [valueOf(now), before === undefined ? null : valueOf(before)];
  if (is === null) {
    return 'removed';
  }
  if (was === null) {
    return 'first saved';
  }
  const paths = configDiff({ ...was }, { ...is }).map(({ path }) => path);
  const more = paths.length > 3 ? `, and ${paths.length - 3} more` : '';
  return paths.length === 0 ? 'nothing' : paths.slice(0, 3).join(', ') + more;
}

/** Paths in the text are broken at their dots, and not within a word. */
function Breakable({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split('.');
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at > 0 && '.'}
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

const KINDS = {
  configs: ['Configs', '/lobby-configs'],
  builds: ['Builds', '/builds'],
} as const;

export function Revisions({
  of,
  name,
}: {
  readonly of: keyof typeof KINDS;
  readonly name: string;
}): JSX.Element {
  const [title, under] = KINDS[of];
  const { data, refusal, again } = useAsked<{ readonly items: readonly Revision[] }>(
    `GET ${under}${pathOf(name)}/history`,
  );
  const [chosen, setChosen] = useState(0);
  const acting = useActing();
  const items = data?.items ?? [];
  const now = items[chosen];
  return (
    <>
      <p class="crumbs">
        <a href={to(of)}>{title}</a> / {of === 'configs' ? <a href={to(of, name)}>{name}</a> : name}
      </p>
      <Title>History of {name}</Title>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : items.length === 0 ? (
        <Empty title="Nothing saved yet">
          {name} is built in. Each time somebody saves it, a revision shows up here.
        </Empty>
      ) : (
        <>
          <Table label="Revisions" heads={['Revision', 'Saved', 'By key', 'Changed', 'Actions']}>
            {items.map((item, index) => (
              <tr key={item.revision}>
                <th scope="row">
                  {item.revision}
                  {index === 0 && <span class="dim"> (current)</span>}
                </th>
                <td class="number">
                  <Time at={item.savedAt} />
                </td>
                <td>{item.key !== null && <code>{item.key}</code>}</td>
                <td>
                  <Breakable text={summary(item, items[index + 1])} />
                </td>
                <td>
                  <div class="actions tight">
                    <button
                      type="button"
                      aria-pressed={index === chosen}
                      onClick={() => setChosen(index)}
                    >
                      Show<span class="unseen"> changes of revision {item.revision}</span>
                    </button>
                    {index > 0 && valueOf(item) !== null && (
                      <Danger
                        label="Restore"
                        isKind
                        question={`Save ${name} again as it was in revision ${item.revision}? The versions since then stay in the history.`}
                        onConfirm={async () => {
                          const line = `POST ${under}${pathOf(name)}/history/${item.revision}/restore`;
                          await acting.act(line, `Revision ${item.revision} was restored`);
                          setChosen(0);
                          again();
                        }}
                      >
                        Restore<span class="unseen"> revision {item.revision}</span>
                      </Danger>
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </Table>
          {now !== undefined && <Changes now={now} before={items[chosen + 1] ?? null} />}
        </>
      )}
    </>
  );
}
