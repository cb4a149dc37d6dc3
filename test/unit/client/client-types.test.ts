// The client keeps types of its own, so that it can be published alone. Here they are held to
// those of the service: a difference does not compile, or fails.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { MusterAdmin } from '../../../packages/js/src/admin.ts';
import type * as adminTypes from '../../../packages/js/src/admin-types.ts';
import { SERVICE_CODES } from '../../../packages/js/src/errors.ts';
import { MusterPlayer } from '../../../packages/js/src/index.ts';
import type * as finding from '../../../packages/js/src/finding-types.ts';
import type * as types from '../../../packages/js/src/types.ts';
import { linesOf } from '../../../dashboard/description/document';
import { openApi } from '../../../dashboard/description/openapi';
import type { StartServerBody } from '../../../src/http/operators/servers';
import type { BrowseParams, CreateBody } from '../../../src/http/players/lobbies';
import type { QuickJoinBody } from '../../../src/http/players/quick-join';
import type { SettingsBody } from '../../../src/http/players/me';
import { FOR_OPERATORS } from '../../../dashboard/description/described-for-operators';
import type { RETURN_REASONS } from '../../../dashboard/description/answers';
import type { LobbyConfig } from '../../../src/lobby/config';
import { REFUSALS } from '../../../src/lobby/refusals';

const CLIENT_PAGE = readFileSync(
  join(import.meta.dirname, '../../../packages/js/README.md'),
  'utf8',
);

describe('the types of the client', () => {
  it('are those of the answers', () => {
    expectTypeOf<adminTypes.LobbyConfig>().toEqualTypeOf<LobbyConfig>();
    expectTypeOf<types.ReturnReason>().toEqualTypeOf<(typeof RETURN_REASONS)[number]>();
  });

  it('are those of a game that says what it keeps in states and settings', () => {
    interface State {
      readonly mmr: number;
      readonly ready?: boolean;
    }
    interface Settings {
      readonly map: string;
    }
    type Own = MusterPlayer<State, Settings>;
    type Seen = types.Lobby<State, Settings>;
    expectTypeOf<ReturnType<Own['getMyLobby']>>().resolves.toEqualTypeOf<Seen>();
    expectTypeOf<Awaited<ReturnType<Own['play']>>['lobby']>().toEqualTypeOf<Seen>();
    expectTypeOf<Seen['players'][number]['state']>().toEqualTypeOf<State | null>();
    expectTypeOf<Seen['settings']['map']>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<Own['updateMyState']>[0]>().toExtend<{ mmr?: number | null }>();
    expectTypeOf<{ ready: null }>().toExtend<Parameters<Own['updateMyState']>[0]>();
    expectTypeOf<{ mmr: string }>().not.toExtend<Parameters<Own['updateMyState']>[0]>();
    expectTypeOf<{ name: string; state: { ready: true } }>().not.toExtend<
      Parameters<Own['createLobby']>[0]
    >();
    expectTypeOf<Parameters<MusterPlayer['updateMyState']>[0]>().toEqualTypeOf<types.JsonObject>();
  });

  it('fit the bodies, field for field', () => {
    type Fields<Schema extends z.ZodType> = keyof z.output<Schema>;
    expectTypeOf<keyof types.CreateLobby>().toEqualTypeOf<Fields<typeof CreateBody>>();
    expectTypeOf<keyof types.LobbySettings>().toEqualTypeOf<Fields<typeof SettingsBody>>();
    type Browsed = Exclude<keyof finding.BrowseQuery, `settings.${string}`>;
    expectTypeOf<Browsed>().toEqualTypeOf<keyof (typeof BrowseParams)['shape']>();
    expectTypeOf<keyof finding.QuickJoin>().toEqualTypeOf<Fields<typeof QuickJoinBody>>();
    expectTypeOf<keyof adminTypes.StartServer>().toEqualTypeOf<Fields<typeof StartServerBody>>();
    expectTypeOf<types.LobbySettings>().toExtend<z.output<typeof SettingsBody>>();
    expectTypeOf<adminTypes.LobbyConfig>().toExtend<adminTypes.LobbyConfigInput>();
  });
});

describe('the client', () => {
  it('knows every code of the service', () => {
    expect([...SERVICE_CODES].toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
  });

  it('has a method for every endpoint, by the name of the description', () => {
    const lines = linesOf(openApi());
    const forOperators = new Set(Object.values(FOR_OPERATORS).map(({ id }) => id));
    // Those of game servers and of players without a token are exported as functions of their own.
    const apart = new Set([
      'reportServerStatus',
      'reportServerResult',
      'readSeat',
      'login',
      'getMetrics',
    ]);
    expect(CLIENT_PAGE).toContain('except `getMetrics`');
    for (const { operation } of lines) {
      const { operationId: id, security } = operation;
      const isClients = security.some((scheme) => 'ClientKey' in scheme);
      if (!apart.has(id)) {
        const { prototype } = isClients ? MusterPlayer : MusterAdmin;
        expect(prototype, id).toHaveProperty(id);
        expect(isClients || !forOperators.has(id) || id in MusterAdmin.prototype, id).toBe(true);
      }
    }
  });
});
