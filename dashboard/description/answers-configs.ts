// The shape of lobby configs and their modes in answers (see answers.ts).

import * as z from 'zod';
import type * as admin from '../../packages/js/src/admin-types';
import type * as rules from '../../packages/js/src/rule-types';
import { ruleSchemas } from '../../src/match/rules/registry';
import { exactly, freeForm } from './exactly';
import { closedShape, playerSettingsShape, trustedShape } from './identity-answers';

export function configSchemas() {
  const Rule = exactly<rules.Rule>()(z.discriminatedUnion('type', ruleSchemas()));
  const Mode = exactly<admin.Mode>()(
    z.object({
      teams: z.int(),
      playersPerTeam: z.int(),
      minPlayersPerTeam: z.int(),
      minTeams: z.int(),
      steps: z
        .array(
          z.object({
            afterSeconds: z.int(),
            minPlayersPerTeam: z.int().exactOptional(),
            minTeams: z.int().exactOptional(),
            bots: z.literal(true).exactOptional(),
            minHumans: z.int().exactOptional(),
          }),
        )
        .exactOptional(),
      sameSize: z.boolean().exactOptional(),
      timeout: z.int(),
      maxPartySize: z.int(),
      allowBackfill: z.boolean(),
      rules: z.array(Rule),
      matchConfirmation: z.object({
        enabled: z.boolean(),
        timeoutSeconds: z.int(),
        showsAccepted: z.boolean().exactOptional(),
        each: z.literal('player').exactOptional(),
      }),
      teamComposition: z.record(z.string(), z.record(z.string(), z.int())).nullable(),
      excludedFromQueue: z.array(z.string()),
      useVersionFromState: z.string().nullable(),
      onDecline: z.enum(['return', 'requeue', 'refill']),
      refillSeconds: z.int().exactOptional(),
      declineCooldown: z.int().exactOptional(),
      explainsWait: z.boolean().exactOptional(),
      lateJoin: z.boolean().exactOptional(),
      targetWait: z.number().exactOptional(),
      bellSeconds: z.int().exactOptional(),
      reconnectSeconds: z.int().exactOptional(),
      rematch: z.literal('avoid').exactOptional(),
      matcher: z.literal('external').exactOptional(),
      rating: z
        .object({
          field: z.string(),
          system: z.literal('openskill'),
          decay: z.object({ afterDays: z.int(), sigma: z.int() }).exactOptional(),
        })
        .exactOptional(),
    }),
  );
  const LobbyConfig = exactly<admin.LobbyConfig>()(
    z.object({
      id: z.string(),
      name: z.string().describe('The {config} in paths; the id works too.'),
      enabled: z.boolean(),
      timeout: z.int(),
      serverSettings: z.object({
        serverSize: z.string(),
        gameBuild: z.string().nullable(),
        hosting: z.literal('players').exactOptional(),
        hostGraceSeconds: z.int().exactOptional(),
        results: z.literal('majority').exactOptional(),
        hostSteers: z.boolean().exactOptional(),
        matchOnStart: z.boolean().exactOptional(),
      }),
      matchmaking: z.object({ modes: z.record(z.string(), Mode) }),
      maxPlayers: z.int().exactOptional(),
      minPlayers: z.int().exactOptional(),
      spectators: z.object({ max: z.int(), delaySeconds: z.int() }).exactOptional(),
      hostLeaveBehavior: z.enum(['promote', 'delete']),
      inviteCodeConfig: z
        .object({
          type: z.enum(['numeric', 'alphanumeric', 'alphabetic']),
          length: z.int(),
          prefix: z.string().nullable(),
        })
        .nullable(),
      invite: z
        .object({ url: z.string().exactOptional(), web: z.string().exactOptional() })
        .exactOptional(),
      lobbyBell: z.boolean().exactOptional(),
      heartbeat: z.boolean(),
      heartbeatTimeout: z.int(),
      queuePresenceSeconds: z.int(),
      trusted: trustedShape().exactOptional(),
      browseBy: z.array(z.string()).exactOptional(),
      closed: closedShape().exactOptional(),
      customProperties: freeForm(),
      revision: z.int().describe('One more with every save.'),
    }),
  );
  const Configs = z.object({ lobby_configs: z.array(LobbyConfig) });
  const ProjectSettings = exactly<admin.ProjectSettings>()(
    z.object({
      lobby_configs: z.array(LobbyConfig),
      ...playerSettingsShape(),
      revision: z.int().describe("The project's revision; the same as `ETag`."),
    }),
  );
  const warnings = warningsShape();
  const LobbyConfigSaved = LobbyConfig.and(z.object(warnings));
  const ProjectSettingsSaved = ProjectSettings.and(z.object(warnings));
  const ConfigDeleted = z.object({ status: z.literal('config_deleted'), name: z.string() });
  const saved = { LobbyConfigSaved, ProjectSettingsSaved, Warning };
  return { Rule, Mode, LobbyConfig, Configs, ProjectSettings, ...saved, ConfigDeleted };
}

const Warning = exactly<admin.Warning>()(
  z.object({
    path: z.string().describe('From the top of the body.'),
    message: z.string(),
    didYouMean: z.string().nullable().describe('The name that was probably meant.'),
  }),
);

export function warningsShape() {
  return {
    warnings: z.array(Warning).describe('What was saved although it is probably a mistake.'),
  };
}
