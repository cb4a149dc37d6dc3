// Lobby configs, one at a time and as part of the project's settings (decision 33). A save is refused unless all
// of it is valid. `ETag` is the project's revision: with `If-Match` a save cannot overwrite somebody else's.

import * as z from 'zod';
import type { PlayerSettings, ProjectSettings } from '../../../packages/js/src/admin-types';
import { rememberProject, savedConfig } from '../../objects/caches/project';
import type { ConfigDraft, ProjectDocument } from '../../objects/contracts/project';
import { own } from '../../common/named';
import { type LobbyConfig, parseConfig } from '../../lobby/config';
import { configInput, closedSchema, trustedKeys } from '../../lobby/config';
import { withoutEnv } from '../../fleet/build';
import { DEFAULT_PLAYERS } from '../../objects/contracts/secrets';
import { decaysApart, unevenlyRated, withoutEffect } from '../../lobby/without-effect';
import { iso } from '../../common/clock';
import type { Reply } from '../../lobby/refusals';
import { closed, flag, oneOf, text } from '../../common/shape';
import { type Issue, unknownFields, type Warning, warning } from '../../common/shape';
import { similar } from '../../common/similar';
import { refuse } from '../../common/result';
import type { AnyCall, BodyCall, KeyedCall } from '../wire/call';
import { checkedName } from '../wire/paths';
import { operatorOf } from '../identity/audit';
import { granted, json, refuseWith, retrying, valid } from '../wire/answer';
import type { JsonObject } from '../../common/json';
import { AnyObject } from '../wire/fields';
import { outsideUrl } from '../identity/jwks';

const MAX_CLAIM_LENGTH = 256;

/** The rules for player tokens. They are replaced as a whole: a rule that is left out becomes null. */
const tokenRules = closed({
  issuer: text(MAX_CLAIM_LENGTH).nullable().default(null),
  audience: text(MAX_CLAIM_LENGTH).nullable().default(null),
  jwksUrl: outsideUrl.nullable().default(null),
}).superRefine(({ issuer, audience, jwksUrl }, { issues }) => {
  // An identity provider signs tokens for other services with the same keys.
  if (jwksUrl !== null && issuer === null && audience === null) {
    const message = 'issuer or audience must be given with jwksUrl';
    issues.push({ code: 'custom', input: jwksUrl, path: [], message });
  }
});

/**
 * `lobby_configs`: configs with their names. Settings that are not given stay. The other fields of an answer are ignored.
 */
export const ProjectSettingsBody = closed({
  lobby_configs: z.array(AnyObject, 'must be a list of configs').default([]),
  playerAuth: oneOf(['trust', 'token']).optional(),
  publicPlayerIds: flag().optional(),
  playerTokens: tokenRules.optional(),
  trusted: trustedKeys.optional(),
  /** False: open. Null would count as absent. */
  closed: z.union([z.literal(false), closedSchema]).optional(),
  tokenSecrets: z.unknown().optional(),
  logins: z.unknown().optional(),
  hooks: z.unknown().optional(),
  revision: z.unknown().optional(),
  warnings: z.unknown().optional(),
});

/** The document from the Project object, not from the isolate's cache: an administrator must see what is saved. */
export async function freshDocument(call: AnyCall): Promise<ProjectDocument> {
  const { peers, project, keyKind } = call;
  const document = await retrying(() => peers.project(project).document());
  rememberProject(project, document, Date.now());
  return keyKind === 'viewer' ? withoutSecrets(document) : document;
}

export function withoutSecrets(document: ProjectDocument): ProjectDocument {
  const builds = Object.entries(document.builds).map(([name, build]) => [name, withoutEnv(build)]);
  return { ...document, builds: Object.fromEntries(builds) };
}

function etagOf(document: ProjectDocument): HeadersInit {
  return { etag: `"${document.revision}"` };
}

/** The revision that a save requires. Null without `If-Match`, or with `*`. */
export function ifRevisionOf(request: Request): number | null {
  const header = request.headers.get('if-match')?.trim() ?? '*';
  if (header === '*' || header === '') {
    return null;
  }
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(header)?.[1];
  const wrong = 'If-Match must be one ETag from this service';
  return Number(revision ?? refuseWith('PRECONDITION_FAILED', wrong));
}

/** Saves one config, as `body` says it, over the one in the document, and answers with it. */
export async function saveConfig(
  call: AnyCall,
  name: string,
  body: unknown,
  over: { readonly document: ProjectDocument; readonly ifRevision: number | null },
): Promise<Response> {
  const { peers, project } = call;
  const draft = valid(parseConfig(name, body, own(over.document.configs, name)));
  const by = await operatorOf(call);
  const reply = await peers.project(project).saveConfigs([draft], over.ifRevision, {}, by);
  return saved(call, reply, (after) => {
    const config = savedConfig(after, name);
    return { ...config, warnings: config === null ? [] : warningsOf(after, config, body) };
  });
}

/**
 * Probable mistakes, saved anyway: unknown fields, settings without effect, modes that are rated unevenly or decay apart, an unknown build,
 * a closure that is over.
 */
export function warningsOf(
  { builds, configs }: Pick<ProjectDocument, 'builds' | 'configs'>,
  config: Pick<LobbyConfig, 'name' | 'serverSettings' | 'closed' | 'heartbeat' | 'matchmaking'>,
  body: unknown,
): readonly Warning[] {
  const idle = withoutEffect(config, body);
  const { name, closed: closure } = config;
  const rated = [
    ...unevenlyRated(config.matchmaking.modes),
    ...decaysApart(Object.values({ ...configs, [name]: config }), name),
  ];
  const found = [...unknownFields(configInput, body), ...idle, ...rated, ...isOver(closure)];
  const { gameBuild } = config.serverSettings;
  if (gameBuild === null || own(builds, gameBuild) !== undefined) {
    return found;
  }
  const message = 'no build has this name, so games fail until one is saved';
  const meant = similar(gameBuild, Object.keys(builds));
  return [...found, warning(['serverSettings', 'gameBuild'], message, meant)];
}

function isOver(input: PlayerSettings['closed']): readonly Warning[] {
  const isPast = input && input.until !== null && Date.parse(input.until) <= Date.now();
  return isPast ? [warning(['closed', 'until'], 'is over, so this is open')] : [];
}

/** Answers a save with the part of the new document that `show` returns. This isolate sees the document at once. */
function saved(
  { project }: AnyCall,
  reply: Reply<ProjectDocument>,
  show: (document: ProjectDocument) => unknown,
): Response {
  const document = granted(reply);
  rememberProject(project, document, Date.now());
  return json(show(document), 200, etagOf(document));
}

/** The project's settings. They list the secrets without showing them. */
function settingsOf(document: ProjectDocument): ProjectSettings {
  const { players = DEFAULT_PLAYERS, keys, revision } = document;
  const tokenSecrets = keys?.tokens ?? [];
  return {
    lobby_configs: Object.values(document.configs),
    ...players,
    tokenSecrets: tokenSecrets.map(({ id, createdAt }) => ({ id, createdAt: iso(createdAt) })),
    logins: (keys?.logins ?? []).map(({ provider, savedAt }) => {
      return { provider, savedAt: iso(savedAt) };
    }),
    hooks: keys?.hooks === undefined ? null : { ...keys.hooks, savedAt: iso(keys.hooks.savedAt) },
    revision,
  };
}

export async function readSettings(call: KeyedCall): Promise<Response> {
  const document = await freshDocument(call);
  return json(settingsOf(document), 200, etagOf(document));
}

const OF_PLAYERS = ['playerAuth', 'publicPlayerIds', 'playerTokens', 'trusted', 'closed'] as const;

/** Saves each given config as a whole. Other configs do not change. */
export async function saveSettings(call: BodyCall<typeof ProjectSettingsBody>): Promise<Response> {
  const ifRevision = ifRevisionOf(call.request);
  const document = await freshDocument(call);
  const { peers, project, body } = call;
  const { lobby_configs: bodies } = body;
  const drafts = draftsOf(document, bodies);
  const patch = OF_PLAYERS.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]);
  const players = Object.fromEntries(patch) as Partial<PlayerSettings>;
  const by = await operatorOf(call);
  const reply = await peers.project(project).saveConfigs(drafts, ifRevision, players, by);
  return saved(call, reply, (after) => {
    const ofConfigs = drafts.flatMap((draft, index) =>
      warningsOf(after, draft, bodies[index]).map((each) => under(index, each)),
    );
    return { ...settingsOf(after), warnings: [...isOver(body.closed), ...ofConfigs] };
  });
}

function draftsOf(document: ProjectDocument, bodies: readonly JsonObject[]): ConfigDraft[] {
  const drafts: ConfigDraft[] = [];
  const issues: Issue[] = [];
  for (const [index, body] of bodies.entries()) {
    const name = body['name'];
    const parsed =
      typeof name === 'string'
        ? parseConfig(name, body, own(document.configs, name))
        : refuse([{ path: 'name', message: 'must be a string' }]);
    if (!parsed.ok) {
      issues.push(...parsed.refusal.map((issue) => under(index, issue)));
    } else if (drafts.some((draft) => draft.name === parsed.value.name)) {
      issues.push(under(index, { path: 'name', message: 'is listed twice' }));
    } else {
      drafts.push(parsed.value);
    }
  }
  return issues.length === 0 ? drafts : valid(refuse(issues));
}

export async function list(call: KeyedCall): Promise<Response> {
  const document = await freshDocument(call);
  return json({ lobby_configs: Object.values(document.configs) }, 200, etagOf(document));
}

export async function read(call: KeyedCall): Promise<Response> {
  const document = await freshDocument(call);
  const config = savedConfig(document, call.params['name'] ?? '');
  const shown = config ?? refuseWith('CONFIG_NOT_FOUND', 'No config has this name');
  return json(shown, 200, etagOf(document));
}

/** Saves one config as a whole. Fields that the body leaves out get their defaults. */
export async function put(call: BodyCall<typeof AnyObject>): Promise<Response> {
  const name = checkedName('name', call.params['name'] ?? '');
  const ifRevision = ifRevisionOf(call.request);
  const document = await freshDocument(call);
  // The path may name a saved config by its id too.
  const named = savedConfig(document, name)?.name ?? name;
  return saveConfig(call, named, call.body, { document, ifRevision });
}

export async function remove(call: KeyedCall): Promise<Response> {
  const ifRevision = ifRevisionOf(call.request);
  const document = await freshDocument(call);
  const nameOrId = call.params['name'] ?? '';
  const name = savedConfig(document, nameOrId)?.name ?? nameOrId;
  const { peers, project } = call;
  const by = await operatorOf(call);
  const reply = await peers.project(project).removeConfig(name, ifRevision, by);
  return saved(call, reply, () => ({ status: 'config_deleted', name }));
}

/** The issue or warning with its path from the top of the body that lists the config. */
function under<I extends Issue>(index: number, issue: I): I {
  return { ...issue, path: `lobby_configs[${index}]${issue.path === '' ? '' : `.${issue.path}`}` };
}
