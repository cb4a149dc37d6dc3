// The tables of docs/endpoints.md: a line for each operation of the API description, under its tag
// (`npm run endpoints`).

import { linesOf, type Line, type OpenApi, type Operation } from './document';

/** What the summary of a call that only a lobby's host may make ends with. */
const OF_HOST = ' (host)';

/** Who may call it, in the words of the page. */
function callerOf({ security, parameters = [], summary }: Operation): string {
  const schemes = new Set(security.flatMap((each) => Object.keys(each)));
  if (schemes.has('InstanceToken')) {
    return schemes.has('ServerKey') ? 'server, its token' : 'its token';
  }
  if (!schemes.has('ServerKey')) {
    return 'open';
  }
  if (!schemes.has('ClientKey')) {
    return 'server';
  }
  if (!parameters.some((each) => '$ref' in each && each.$ref.endsWith('/x-player-id'))) {
    return 'anyone';
  }
  return summary.endsWith(OF_HOST) ? 'player, host' : 'player';
}

function rowOf({ method, path, prefix, operation }: Line): string {
  const queried = (operation.parameters ?? []).flatMap((each) =>
    'in' in each && each.in === 'query' && !each.name.startsWith('x-') ? [`\`${each.name}\``] : [],
  );
  const does = operation.summary.replace(/ \([^)]*(?:host|game server)\)$/, '');
  const takes = queried.length === 0 ? '' : `; takes ${queried.join(', ')}`;
  return `| ${method} | \`${prefix}${path}\` | ${callerOf(operation)} | ${does}${takes} |`;
}

export function endpointTables(description: OpenApi): string {
  const lines = linesOf(description);
  const sections = description.tags.map(({ name, description: about }) => {
    const rows = lines.filter(({ operation }) => operation.tags.includes(name)).map(rowOf);
    return [
      `## ${name}\n\n${about}\n`,
      '| Method | Path | Caller | What it does |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}
