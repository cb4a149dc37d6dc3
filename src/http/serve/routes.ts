// The endpoints, under /v3 and /api/v3 (decision 1): first those of the specification, then those of decisions 21 and 33 to
// 35. The first line that matches a path wins, so `/me` comes before `/:id`. One line for each endpoint, no logic.

import * as admin from '../operators/admin';
import { audit, AuditParams } from '../identity/audit';
import { search, SearchParams } from '../operators/lookup';
import { adminEvents } from '../stream/dashboard';
import { ViewParams } from '../operators/views';
import * as builds from '../operators/builds';
import * as configs from '../operators/configs';
import { makeMatch, MakeBody } from '../operators/make';
import * as journal from '../operators/journal';
import * as players from '../operators/players';
import * as queues from '../operators/queues';
import * as ratings from '../operators/ratings';
import * as results from '../operators/results';
import { events } from '../stream/events';
import { health } from '../pages/health';
import * as identity from '../operators/identity';
import * as keys from '../operators/keys';
import { ice } from '../players/ice';
import * as lobbies from '../players/lobbies';
import * as logins from '../login/login';
import * as me from '../players/me';
import { quickJoin, QuickJoinBody } from '../players/quick-join';
import { tickets, TicketsParams } from '../operators/tickets';
import { modes, regions } from '../players/modes';
import { signal, SignalBody } from '../players/signals';
import { PreviewBody } from '../../match/explain/preview';
import {
  type Admission,
  anyone,
  game,
  gameServer,
  open,
  player,
  type Route,
  server,
} from '../wire/call';
import { AnyObject } from '../wire/fields';
import { seat, SeatBody } from '../operators/seats';
import * as places from '../operators/places';
import * as servers from '../operators/servers';

/** It brings a game about, which a closed config or a ban refuses. */
const STARTS: Admission = { rung: 'first', counts: 'starts', isClosable: true, isBannable: true };
const CREATES: Admission = { ...STARTS, counts: 'creates' };
const JOINS: Admission = { rung: 'first', counts: 'joins', isBannable: true };
/** Out of a config that is closed, too. */
const MOVES: Admission = { rung: 'first', counts: 'creates', isBannable: true };
const QUICK: Admission = { ...CREATES, counts: ['creates', 'joins'] };
const SEARCHES: Admission = { ...STARTS, isPatient: true };
const SIGNALS: Admission = { counts: 'signals', isBannable: true };
const CHANGES: Admission = { counts: 'changes' };
const LAUNCHES: Admission = { rung: 'first', counts: 'starts' };
/** It gives something up, or reports a state. */
const LAST: Admission = { rung: 'last' };

export const ROUTES: readonly Route[] = [
  player('POST   /lobbies/:config', lobbies.create, { body: lobbies.CreateBody, ...CREATES }),
  anyone('GET    /lobbies/:config', lobbies.browse, { query: lobbies.BrowseParams }),
  player('POST   /lobbies/:config/join', lobbies.join, { body: lobbies.JoinBody, ...JOINS }),
  player('GET    /lobbies/:config/me', me.get, { query: me.MeParams }),
  player('PATCH  /lobbies/:config/me', me.patchState, { body: me.StateBody, ...CHANGES }),
  player('DELETE /lobbies/:config/me', me.leave),
  player('PATCH  /lobbies/:config/me/settings', me.settings, { body: me.SettingsBody, ...CHANGES }),
  player('DELETE /lobbies/:config/me/players/:playerId', me.kick),
  player('POST   /lobbies/:config/me/start', me.start, STARTS),
  player('POST   /lobbies/:config/me/end-match', me.endMatch, LAST),
  player('POST   /lobbies/:config/me/matchmaking', me.enter, { body: me.EnterBody, ...SEARCHES }),
  player('DELETE /lobbies/:config/me/matchmaking', me.cancel),
  player('POST   /lobbies/:config/me/confirm-match', me.confirm, LAST),
  player('DELETE /lobbies/:config/me/confirm-match', me.decline),
  player('POST   /lobbies/:config/me/heartbeat', me.heartbeat, LAST),
  player('GET    /lobbies/:config/me/events', events, { isBannable: true }),
  server('DELETE /lobbies/:config/:id', lobbies.remove),
  anyone('GET    /lobbies/:config/modes', modes),
  server('GET    /lobbies/:config/:id', lobbies.read),
  server('GET    /lobbies/:config/:id/history', journal.lobbyHistory),
  server('DELETE /lobbies/:config/:id/players/:playerId', admin.putOut),
  player('POST   /lobbies/:config/me/move', me.move, { body: me.MoveBody, ...MOVES }),
  server('POST   /lobbies/:config/:id/move', admin.move, { body: me.MoveBody, ...LAUNCHES }),
  player('GET    /lobbies/:config/me/ice', ice, { counts: 'ice', isBannable: true }),
  player('POST   /lobbies/:config/me/signals', signal, { body: SignalBody, ...SIGNALS }),

  server('GET    /matches', journal.matches, { query: journal.MatchesParams }),
  server('POST   /matches', makeMatch, { body: MakeBody, ...LAUNCHES }),
  server('GET    /queues/:config/:mode/tickets', tickets, { query: TicketsParams }),
  server('GET    /matches/:id', journal.match),
  server('POST   /matches/:id/result', results.byBackend, { body: results.ResultBody }),
  server('GET    /players/:id', players.read),
  server('GET    /players/:id/attributes', players.readAttributes),
  server('PUT    /players/:id/attributes', players.putAttributes, { body: players.AttributesBody }),
  server('PATCH  /players/:id/attributes', players.patchAttributes, {
    body: players.AttributesBody,
  }),
  server('DELETE /players/:id/attributes', players.removeAttributes),
  server('POST   /players/attributes', players.changeMany, { body: players.AttributesAtOnceBody }),

  player('POST   /lobbies/:config/me/rematch', me.rematch, STARTS),
  player('DELETE /lobbies/:config/me/rematch', me.noRematch),
  player('POST   /lobbies/:config/me/host', me.host, { body: me.HostBody, ...LAST }),
  player('POST   /lobbies/:config/me/matches/:id/result', results.byPlayer, {
    body: results.ResultBody,
    ...LAST,
  }),
  player('POST   /lobbies/:config/me/matches/:id/links', results.link, { body: results.LinkBody }),
  player('POST   /lobbies/:config/quick-join', quickJoin, { body: QuickJoinBody, ...QUICK }),
  player('GET    /me', me.everywhere),
  anyone('GET    /regions', regions),
  anyone('GET    /ratings', ratings.ladder, { query: ratings.LadderParams }),
  server('GET    /ratings/export', ratings.exportPlayers, { query: ratings.ExportParams }),
  server('POST   /ratings/import', ratings.importPlayers, ratings.IMPORT),
  server('POST   /ratings/seasons', ratings.endSeason, { body: ratings.SeasonBody }),

  server('GET    /bans', players.listBans, { query: players.BansParams }),
  server('PUT    /bans/:id', players.ban, { body: players.BanBody }),
  server('DELETE /bans/:id', players.unban, { query: players.LiftParams }),

  anyone('GET    /servers/:id', servers.read),
  server('GET    /servers', servers.list, { query: servers.ServersParams }),
  server('POST   /servers/start', servers.start, { body: servers.StartServerBody, ...LAUNCHES }),
  server('POST   /servers/:id/update', servers.update, { body: servers.UpdateServerBody }),
  server('POST   /servers/:id/restart', servers.restart, { body: servers.RestartServerBody }),
  server('GET    /servers/:id/logs', servers.logs, { query: servers.LogsParams }),
  server('DELETE /servers/:id', servers.stop),
  gameServer('POST   /servers/:id/status', servers.report, {
    body: servers.StatusBody,
    query: servers.StatusParams,
    ...LAST,
  }),
  gameServer('POST   /servers/:id/result', results.byServer, { body: results.ResultBody, ...LAST }),
  gameServer('POST   /servers/:id/seats', seat, { body: SeatBody }),
  game('POST   /servers/:id/places', places.places, { body: places.PlacesBody, ...LAST }),
  game('GET    /servers/:id/roster', places.roster, { query: places.RosterParams }),

  server('GET    /projects/settings', configs.readSettings),
  server('POST   /projects/settings', configs.saveSettings, { body: configs.ProjectSettingsBody }),
  server('POST   /projects/token-secrets', identity.addSecret, { body: identity.TokenSecretBody }),
  server('DELETE /projects/token-secrets/:id', identity.removeSecret),
  server('POST   /projects/seat-keys', identity.rotateSeatKeys),
  server('GET    /projects/keys', keys.list),
  server('POST   /projects/keys', keys.make, { body: keys.KeyBody }),
  server('DELETE /projects/keys/:id', keys.revoke),
  server('PUT    /projects/logins/:provider', logins.setLogin, { body: AnyObject }),
  server('DELETE /projects/logins/:provider', logins.removeLogin),
  server('PUT    /projects/hooks', identity.setHooks, { body: identity.HookBody }),
  server('DELETE /projects/hooks', identity.removeHooks),
  anyone('POST   /login/:provider', logins.login, { body: logins.LoginBody, counts: 'creates' }),
  server('POST   /players/:id/token', identity.mint, { body: identity.TokenBody }),
  server('GET    /lobby-configs', configs.list),
  server('GET    /lobby-configs/:name', configs.read),
  server('PUT    /lobby-configs/:name', configs.put, { body: AnyObject }),
  server('DELETE /lobby-configs/:name', configs.remove),
  server('GET    /audit', audit, { query: AuditParams }),
  server('GET    /lobby-configs/:name/history', builds.configHistory),
  server('POST   /lobby-configs/:name/history/:revision/restore', builds.restoreConfig),
  server('GET    /builds', builds.list, { query: builds.BuildsParams }),
  server('GET    /builds/:name', builds.read, { query: builds.BuildParams }),
  server('PUT    /builds/:name', builds.put, { body: AnyObject }),
  server('DELETE /builds/:name', builds.remove),
  server('GET    /builds/:name/history', builds.buildHistory),
  server('POST   /builds/:name/history/:revision/restore', builds.restoreBuild),
];

/** The endpoints of the hosted service's older API that its server client calls (docs/compatibility.md). */
export const OLDER: readonly Route[] = [
  anyone('GET    /servers/:id', servers.read),
  server('GET    /servers', servers.listOlder, { query: servers.ServersParams }),
  server('DELETE /servers/:id', servers.stop),
];

/** Endpoints only for the dashboard. They are no part of the API, and change with the dashboard. */
export const DASHBOARD: readonly Route[] = [
  server('GET  /admin/events', adminEvents, { query: ViewParams }),
  server('POST /admin/check-config', admin.checkConfig, { body: admin.CheckBody }),
  server('POST /admin/check-build', admin.checkBuild, { body: admin.CheckBuildBody }),
  server('POST /admin/preview', admin.previewMatch, { body: PreviewBody }),
  server('GET  /admin/search', search, { query: SearchParams }),
  server('POST /admin/matches/:id/end', admin.endMatch),
  server('POST /admin/servers/stop', admin.stopServers, { body: admin.StopBody }),
  server('POST /admin/lobbies/:config/:id/leave-queue', admin.leaveQueue),
  server('POST /admin/lobbies/:config/:id/end-game', admin.endGame),
  server('POST /admin/lobbies/:config/:id/kick', admin.kick, { body: admin.KickBody }),
  server('POST /admin/lobbies/:config/:id/delete', lobbies.remove),
  server('GET  /admin/attention', admin.attention),
  server('GET  /admin/searches', queues.searches, { query: queues.SearchesParams }),
  server('GET  /admin/searches/end', queues.searchEnd, { query: queues.SearchEndParams }),
  server('GET  /admin/trends', queues.trends, { query: queues.TrendsParams }),
  server('GET  /admin/journal', queues.journal, { query: queues.JournalParams }),
];

/** Outside the versioned API. */
export const HEALTH: Route = open('GET /health', health);
export const WELL_KNOWN: Route = open('GET /.well-known/jwks.json', identity.publishedKeys);
