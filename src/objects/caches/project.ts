// The isolate's cache of project documents. Every request and lobby reads them and they rarely change, so a few seconds
// of age are allowed to spare the round trips. The isolate that saved a change sees it at once.

import { type Age, Fresh } from '../../common/fresh';
import { NONE_TRUSTED, type Trusted } from '../../lobby/attributes';
import { type Closed, defaultConfig, type LobbyConfig } from '../../lobby/config';
import { isPlayground, playgroundOf, ruledBy } from '../../lobby/playground';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Peers } from '../contracts/peers';
import { ratedAttributes } from '../../lobby/rating';
import { DAY_MS, decayed, type Skill, START } from '../../match/rules/skill';
import type { Mode } from '../../match/rules/mode';
import type { Build } from '../../fleet/build';
import { type NoBuild, resolveBuild } from '../../match/ticket/ticket';
import { ok, refuse, type Result } from '../../common/result';
import type { Json } from '../../common/json';
import { own } from '../../common/named';
import type { ProjectDocument } from '../contracts/project';

const AGE: Age = { maxAgeMs: 3_000, refreshAfterMs: 2_500 };

const documents = new Fresh<ProjectDocument>({
  size: 200,
  outranks: (set, fetched) =>
    set.revision > fetched.revision ||
    (set.keys?.revision ?? 0) > (fetched.keys?.revision ?? 0) ||
    (set.bans ?? 0) > (fetched.bans ?? 0),
});

/** The project's document, at most 3 s old unless `age` allows more. */
export function projectDocument(
  peers: Pick<Peers, 'project'>,
  project: string,
  now: number,
  age = AGE,
): Promise<ProjectDocument> {
  return documents.young(project, { now, age, read: () => peers.project(project).document() });
}

/** Caches the document that a save has just returned, so that this isolate sees the change at once. */
export function rememberProject(project: string, document: ProjectDocument, now: number): void {
  documents.set(project, document, now);
}

/** Caches the document with its new part, after a change of the project's secrets or bans. */
export async function rememberPart(
  peers: Pick<Peers, 'project'>,
  project: string,
  part: Pick<ProjectDocument, 'keys'> | Pick<ProjectDocument, 'bans'>,
): Promise<void> {
  const document = await projectDocument(peers, project, Date.now());
  rememberProject(project, { ...document, ...part }, Date.now());
}

/**
 * The config of a name or an id; `__proto__` is a name like any other. If none is saved, the defaults (spec:
 * Lobby config; decision 1). A disabled config reads as the defaults too, but keeps its server settings, as a launch
 * that has begun must not switch to another build (decision 22), and its spectators, who must not see what their delay hides.
 */
export function configOf(document: ProjectDocument, nameOrId: string): LobbyConfig {
  const config = savedConfig(document, nameOrId);
  if (config?.enabled === true) {
    return config;
  }
  const defaults = defaultConfig(config?.name ?? nameOrId);
  if (config === null) {
    return defaults;
  }
  const { serverSettings, spectators } = config;
  return { ...defaults, enabled: false, serverSettings, ...(spectators && { spectators }) };
}

/** The build that a match of the config would run on now (spec: Rule semantics 9). `version`: as in `resolveBuild`. */
export function buildNow(
  document: ProjectDocument,
  config: string,
  mode: Parameters<typeof resolveBuild>[0],
  version: string | null,
): Result<Build, NoBuild> {
  const { gameBuild } = configOf(document, config).serverSettings;
  const builds = Object.values(document.builds);
  const name = resolveBuild(mode, version, gameBuild, builds);
  const build = name.ok && builds.find((each) => each.name === name.value);
  return build ? ok(build) : refuse(name.ok ? 'build_missing' : name.refusal);
}

/** In how many seconds a launch of the same may succeed that has just failed. Undefined: not known. */
export async function retryAfterOf(
  peers: Pick<Peers, 'project'>,
  project: string,
  ...of: readonly [build: string, region: string]
): Promise<number | undefined> {
  try {
    const ms = (await peers.project(project).launchPause(...of, false)) ?? 0;
    return Math.max(1, Math.ceil(ms / 1000));
  } catch {
    return undefined;
  }
}

/**
 * The state keys that players of this config, disabled or not, cannot write: its own, what its modes rate, and the project's. In
 * a playground all requests are the server key's, so nothing is kept from them.
 */
export function trustedOf(document: ProjectDocument, nameOrId: string): Trusted {
  const saved = savedConfig(document, nameOrId);
  return isPlayground(nameOrId) ? NONE_TRUSTED : trustedWith(document, saved);
}

/** The same for a config that need not be saved. */
export function trustedWith(
  { players, configs }: Pick<ProjectDocument, 'players' | 'configs'>,
  config: Pick<LobbyConfig, 'trusted' | 'matchmaking'> | null,
): Trusted {
  const rated = config === null ? [] : startsOf([config]);
  const named = [...(config?.trusted ?? []), ...(players?.trusted ?? [])];
  if (rated.length + named.length === 0) {
    return NONE_TRUSTED;
  }
  const starts = new Map([...startsOf(Object.values(configs)), ...rated]);
  const nobodys = named.map((key) => [key, starts.get(key) ?? null] as const);
  return new Map<string, Json>([...nobodys, ...rated]);
}

function modesOf(configs: readonly Pick<LobbyConfig, 'matchmaking'>[]): readonly Mode[] {
  return configs.flatMap(({ matchmaking }) => Object.values(matchmaking.modes));
}

/** What players whom no result has rated have in the fields that modes of these configs rate. */
function startsOf(configs: readonly Pick<LobbyConfig, 'matchmaking'>[]): readonly [string, Json][] {
  const fields = modesOf(configs).flatMap(({ rating }) => rating?.field ?? []);
  return fields.flatMap((field) => Object.entries(ratedAttributes(field, START)));
}

/**
 * What a skill of the ladder has decayed to, by the last mode that says so of the field. The document is read only if one of
 * the skills is a day old.
 */
export async function decaying(
  ports: Pick<ActorPorts, 'document' | 'now'>,
  [project, field]: readonly [project: string, field: string],
  skills: readonly Skill[],
): Promise<(skill: Skill) => Skill> {
  const isOld = skills.some(({ ratedAt = Infinity }) => ports.now() - ratedAt >= DAY_MS);
  const modes = isOld ? modesOf(Object.values((await ports.document(project)).configs)) : [];
  const said = modes.flatMap(({ rating }) => (rating?.field === field && rating.decay) || []);
  return (skill) => decayed(skill, ports.now(), said.at(-1));
}

/** Why nobody can begin anything in the config now. Null: it is open. A playground always is (decision 51). */
export function closedNow(document: ProjectDocument, config: string, now: number): Closed | null {
  const closed = isPlayground(config)
    ? []
    : [document.players?.closed, savedConfig(document, config)?.closed];
  const isOn = (each: Closed): boolean => each.until === null || now < Date.parse(each.until);
  return closed.find((each) => each !== undefined && each !== false && isOn(each)) || null;
}

/** The saved config, enabled or not, by name or else by id. A playground has its origin's, under its own name. */
export function savedConfig(document: ProjectDocument, nameOrId: string): LobbyConfig | null {
  const { configs } = document;
  if (isPlayground(nameOrId)) {
    const played = savedConfig(document, ruledBy(nameOrId));
    return played === null ? null : { ...played, name: playgroundOf(played.name) };
  }
  const named = own(configs, nameOrId);
  return named ?? Object.values(configs).find(({ id }) => id === nameOrId) ?? null;
}
