// How a config was saved before, what each save changed, and going back to one.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../src/common/json';
import { useActing } from './acting';
import { pathOf } from './api';
import { useAsked } from './asked';
import { configDiff } from './config-diff';
import type { RevisionView } from '../src/http/operators/told';
import { Danger, Json as JsonText, Mistake, Time, Title, Waiting } from './parts';
import { to } from './place';
import { Table } from './table';

function Value({ value }: { readonly value: Json | undefined }): JSX.Element {
  return value === undefined ? <span class="dim">not set</span> : <JsonText value={value} />;
}

/** What the save changed; `before` is null where nothing older is kept. */
function Changes({
  now,
  before,
}: {
  readonly now: RevisionView;
  readonly before: RevisionView | null;
}): JSX.Element {
  const found = configDiff({ ...before?.config }, { ...now.config });
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

/** In one line: the fields that a save changed, or what it did to the config as a whole. */
function summary(now: RevisionView, before: RevisionView | undefined): string {
  if (now.config === null) {
    return 'the config was removed';
  }
  if (before === undefined || before.config === null) {
    return 'first saved';
  }
  const paths = configDiff({ ...before.config }, { ...now.config }).map(({ path }) => path);
  const more = paths.length > 3 ? `, and ${paths.length - 3} more` : '';
  return paths.length === 0 ? 'nothing' : paths.slice(0, 3).join(', ') + more;
}

export function Revisions({ name }: { readonly name: string }): JSX.Element {
  const { data, refusal, again } = useAsked<{ readonly items: readonly RevisionView[] }>(
    `GET /lobby-configs${pathOf(name)}/history`,
  );
  const [chosen, setChosen] = useState(0);
  const acting = useActing();
  const items = data?.items ?? [];
  const now = items[chosen];
  return (
    <>
      <p class="crumbs">
        <a href={to('configs')}>Configs</a> / <a href={to('configs', name)}>{name}</a>
      </p>
      <Title>History of {name}</Title>
      <Mistake text={acting.error} />
      {data === null ? (
        <Waiting refusal={refusal} />
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
                <td>{summary(item, items[index + 1])}</td>
                <td>
                  <div class="actions tight">
                    <button
                      type="button"
                      aria-pressed={index === chosen}
                      onClick={() => setChosen(index)}
                    >
                      Show<span class="unseen"> changes of revision {item.revision}</span>
                    </button>
                    {index > 0 && item.config !== null && (
                      <Danger
                        label="Restore"
                        question={`Save ${name} again as it was in revision ${item.revision}? The versions since then stay in the history.`}
                        onConfirm={async () => {
                          const line = `POST /lobby-configs${pathOf(name)}/history/${item.revision}/restore`;
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
