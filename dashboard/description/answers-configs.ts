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
        .exactOptional()
        .describe('The minima after so many seconds of waiting.'),
      sameSize: z
        .boolean()
        .exactOptional()
        .describe('True: the teams of a match have equally many players.'),
      timeout: z.int().describe('Longest wait in the queue, in seconds.'),
      maxPartySize: z.int(),
      allowBackfill: z.boolean(),
      rules: z.array(Rule).describe('All must pass.'),
      matchConfirmation: z.object({
        enabled: z.boolean(),
        timeoutSeconds: z.int(),
        showsAccepted: z.boolean().exactOptional(),
        each: z.literal('player').exactOptional(),
      }),
      teamComposition: z
        .record(z.string(), z.record(z.string(), z.int()))
        .nullable()
        .describe('Team name to role name to count; null in a mode without roles.'),
      excludedFromQueue: z.array(z.string()),
      useVersionFromState: z.string().nullable(),
      onDecline: z.enum(['return', 'requeue', 'refill']),
      refillSeconds: z
        .int()
        .exactOptional()
        .describe('With `onDecline: refill`: how long places are offered to others.'),
      declineCooldown: z
        .int()
        .exactOptional()
        .describe('How long who turned down a match may not search, in seconds.'),
      explainsWait: z
        .boolean()
        .exactOptional()
        .describe('False: players are not told why they wait.'),
      lateJoin: z.boolean().exactOptional().describe('False: nobody joins during a game.'),
      targetWait: z
        .number()
        .exactOptional()
        .describe('About how long everybody is to wait, in seconds.'),
      bellSeconds: z
        .int()
        .exactOptional()
        .describe('The webhook is called when a party has waited this long.'),
      reconnectSeconds: z
        .int()
        .exactOptional()
        .describe("How long a player's place is kept when they drop out of a running game."),
      rematch: z
        .literal('avoid')
        .exactOptional()
        .describe('Nobody meets one of their last three opponents so soon.'),
      rating: z
        .object({
          field: z.string(),
          system: z.literal('openskill'),
          decay: z.object({ afterDays: z.int(), sigma: z.int() }).exactOptional(),
        })
        .exactOptional()
        .describe('Results move the ratings of players.'),
    }),
  );
  const LobbyConfig = exactly<admin.LobbyConfig>()(
    z.object({
      id: z.string(),
      name: z.string().describe('The {config} in paths; the id works too.'),
      enabled: z.boolean().describe('A disabled config counts as not saved.'),
      timeout: z.int().describe('Seconds without activity until a waiting lobby is deleted.'),
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
      maxPlayers: z
        .int()
        .exactOptional()
        .describe('Default and maximum number of places in a lobby.'),
      minPlayers: z
        .int()
        .exactOptional()
        .describe('The host cannot start a game with fewer players.'),
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
        .exactOptional()
        .describe('How the page of `invite_url` opens the game.'),
      lobbyBell: z
        .boolean()
        .exactOptional()
        .describe('The webhook is called when a public lobby has room.'),
      heartbeat: z.boolean(),
      heartbeatTimeout: z.int().describe('Seconds.'),
      queuePresenceSeconds: z.int().describe('0: off.'),
      trusted: trustedShape().exactOptional(),
      browseBy: z
        .array(z.string())
        .exactOptional()
        .describe('Settings by which players find a lobby.'),
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
