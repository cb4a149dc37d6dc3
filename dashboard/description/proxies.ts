// Which requests a proxy lets in from anywhere: those of players and game servers, as the route table has them.
// The samples in ops/ hold these lines (`npm run proxy-samples`).

import type { Route } from '../../src/http/wire/call';
import { JOIN } from '../../src/http/pages/join-page';
import { HEALTH, ROUTES, WELL_KNOWN } from '../../src/http/serve/routes';
import { PAGES } from '../../src/http/pages/site';

interface Shown {
  /** A regular expression for the path as it was sent, percent-encoded. */
  readonly path: string;
  readonly methods: readonly string[];
}

function shownPaths(): readonly Shown[] {
  const versioned = ROUTES.filter(({ caller }) => caller !== 'server');
  const routes = [
    ...versioned.map((route) => ['/(api/)?v3', route] as const),
    ...[HEALTH, WELL_KNOWN, JOIN, ...PAGES].map((route) => ['', route] as const),
  ];
  const methods = new Map<string, Set<string>>();
  for (const [base, route] of routes) {
    const path = `^${base}${patternOf(route)}/?(\\?|$)`;
    // A POST may mean any method but GET (decision 77).
    const own = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method, 'POST'];
    methods.set(path, new Set([...(methods.get(path) ?? ['OPTIONS']), ...own]));
  }
  return [...methods].map(([path, of]) => ({ path, methods: [...of].toSorted() }));
}

function patternOf({ path }: Route): string {
  return (
    path
      .replaceAll('.', String.raw`\.`)
      // Several segments, of which only the last has dots and none has escapes: nginx would resolve `%2e%2e/g/20000`.
      .replaceAll(/:\w+\+/g, String.raw`([\w-]+/)*[\w.-]+`)
      .replaceAll(/:\w+/g, String.raw`[^/?\\]+`)
      .replace(/\/$/, '')
  );
}

/** Lines of a `map` of nginx, over the method, a space and the path. */
export function forNginx(): readonly string[] {
  return shownPaths().map(({ path, methods }) => {
    const line = `^(${methods.join('|')}) ${path.slice(1)}`;
    return `  "~${line.replaceAll('\\', '\\\\')}" 1;`;
  });
}

/** Matchers of Caddy, for a request that is not let in. */
export function forCaddy(): readonly string[] {
  return shownPaths().flatMap(({ path, methods }, index) => [
    '\t\tnot {',
    `\t\t\tmethod ${methods.join(' ')}`,
    `\t\t\tvars_regexp path${index} {http.request.uri} \`${path}\``,
    '\t\t}',
  ]);
}
