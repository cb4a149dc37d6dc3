// The fields of a lobby config that are not about matchmaking.

import type { JSX } from 'preact';
import { useAsked } from './asked';
import { useDraftHere } from './draft';
import { CONFIG_FIELDS } from './field-table/config';
import { Field, type FieldProps } from './fields';
import { Sections } from './form-parts';
import { to } from './place';

/** The titles of the parts. */
export const GENERAL = Object.keys(CONFIG_FIELDS);

function Trusted(props: FieldProps): JSX.Element {
  const { written } = useDraftHere();
  const which = `Players can write ${written.join(', ')}, which a rule reads.`;
  return <Field {...props} also={written.length > 0 && <strong class="note">{which}</strong>} />;
}

/** A build that was removed since stays in the list while the config names it. */
function BuildField({ path, row }: FieldProps): JSX.Element {
  const draft = useDraftHere();
  const { data } = useAsked<{ readonly builds: readonly { readonly name: string }[] }>(
    'GET /builds',
  );
  const names = ['default', ...(data?.builds ?? []).map(({ name }) => name)];
  const named = draft.at(path);
  const isGone = typeof named === 'string' && !names.includes(named);
  const options = [
    ...new Set(names).values().map((name) => [name, name] as const),
    ...(isGone ? [[named, data === null ? named : `${named} (there is none)`] as const] : []),
  ];
  return (
    <Field
      path={path}
      row={{ ...row, options }}
      also={
        <>
          (<a href={to('builds')}>all builds</a>)
        </>
      }
    />
  );
}

const OWN = { trusted: Trusted, 'serverSettings.gameBuild': BuildField };

export function General(): JSX.Element {
  return <Sections parts={CONFIG_FIELDS} own={OWN} />;
}
