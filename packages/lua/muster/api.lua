-- Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.
-- Whoever uses it sets `call` and `open`: function(self, method, path, { body, query, headers }).

local Api = {}
Api.__index = Api

-- Status of each code that the service answers.
Api.CODES = { VALIDATION_ERROR = 400, LOBBY_FULL = 400, LOBBY_NOT_ACCEPTING = 400, INVALID_ACTION = 400, NO_MATCHMAKING_MODES = 400, MODE_NOT_FOUND = 400, PARTY_SIZE_EXCEEDED = 400, ALREADY_IN_QUEUE = 400, UNAUTHORIZED = 401, PLAYER_TOKEN_MISSING = 401, PLAYER_TOKEN_INVALID = 401, PLAYER_TOKEN_EXPIRED = 401, LOGIN_REFUSED = 401, FORBIDDEN = 403, FIELD_NOT_YOURS = 403, NOT_HOST = 403, BANNED = 403, COOLDOWN = 403, LOBBY_NOT_FOUND = 404, PLAYER_NOT_FOUND = 404, SERVER_NOT_FOUND = 404, CONFIG_NOT_FOUND = 404, BUILD_NOT_FOUND = 404, LOGS_NOT_AVAILABLE = 404, NOT_FOUND = 404, METHOD_NOT_ALLOWED = 405, REQUEST_TIMEOUT = 408, ALREADY_IN_LOBBY = 409, GAME_ALREADY_RUNNING = 409, LOBBY_NOT_MOVED = 409, MATCH_NOT_MADE = 409, REF_EXISTS = 409, RESULT_EXISTS = 409, NOT_HOST_ANY_MORE = 409, INVALID_STATE = 409, PRECONDITION_FAILED = 412, PAYLOAD_TOO_LARGE = 413, RATE_LIMITED = 429, INTERNAL = 500, CLOSED = 503, LAUNCH_FAILED = 503, CODES_EXHAUSTED = 503, SERVERS_EXHAUSTED = 503, STORAGE_FULL = 503, OVERLOADED = 503, UNAVAILABLE = 503 }
-- The events of the stream.
Api.EVENTS = { "connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping" }

---@alias muster.LobbyStatus "waiting"|"in_queue"|"starting"|"matched"|"match_found"|"in_game"
---@alias muster.ServerStatus "launching"|"running"|"stopped"
---@alias muster.ServerServiceType "match_based"|"persistent_world"|"player_hosted"
---@alias muster.LobbyReturnedReason "timeout"|"unmatchable"|"cancelled"|"player_left"|"away"|"declined"|"confirm_timeout"|"launch_failed"|"config_changed"|"server_crashed"
---@alias muster.GameRosterPlayerStatus "here"|"away"|"left"|"kicked"
---@alias muster.LobbyChangeOpOp "add"|"replace"|"remove"
---@alias muster.BuildPortProtocol "udp"|"tcp"
---@alias muster.MatchSummaryOutcome "confirming"|"launching"|"running"|"ended"|"crashed"|"failed"
---@alias muster.MatchMadeBy "host"|"key"|"rematch"
---@alias muster.BrowseLobbiesSort "newest"|"players"
---@alias muster.GetMyLobbyOrNull "true"|"false"

---@class muster.Player
---@field id string The value sent in x-player-id.
---@field state table<string, any>|nil Free-form; null until set.
---@field isHost boolean True for exactly one player.

---How long like parties waited of late; null where too few had a match yet.
---@class muster.QueueStatsWaitEstimate
---@field p50 number Seconds within which half of like parties had a match.
---@field p90 number|nil Nine of ten; null where too many waited for longer.
---@field of integer Parties of as many players, also those that gave up or still wait.

---Why the lobby still waits, where that is known.
---@class muster.QueueStatsWait
---@field inReach integer Other lobbies that all rules let through.
---@field compared integer
---@field because string|nil Without this most others would fit, in words.
---@field opensInSeconds number|nil Until more come into reach.
---@field estimate muster.QueueStatsWaitEstimate|nil How long like parties waited of late; null where too few had a match yet.

---@class muster.QueueStats
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.

---@class muster.QueueStatsEventMode
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.
---@field mode string

---@class muster.QueueStatsEvent
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.
---@field modes? (muster.QueueStatsEventMode)[] Of a search of several modes: each that is searched now, the first one first.

---@class muster.ModesMode
---@field mode string
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field estimate muster.QueueStatsWaitEstimate|nil How long like parties waited of late; null where too few had a match yet.

---@class muster.Modes
---@field modes (muster.ModesMode)[]

---@class muster.MatchmakingMode
---@field mode string
---@field since string Still ahead: the mode is searched from then on.
---@field queueStats? muster.QueueStats In the answer to GET /me.

---How many players are looked for in place of those who said no.
---@class muster.MatchmakingConfirmationRefill
---@field players integer
---@field until string

---While match_found.
---@class muster.MatchmakingConfirmation
---@field deadline string
---@field confirmed boolean Whether this lobby has accepted.
---@field accepted? integer Players who accepted, if the mode shows it.
---@field needed? integer
---@field acceptedBy? (string)[] Players in the lobby who have accepted, if the mode asks each player.
---@field refill? muster.MatchmakingConfirmationRefill How many players are looked for in place of those who said no.

---While matched, if no server has room: the match's place in line.
---@class muster.MatchmakingWaitingForServer
---@field position integer
---@field since string

---@class muster.Matchmaking
---@field mode string
---@field startedAt string
---@field queueStats? muster.QueueStats While in_queue.
---@field modes? (muster.MatchmakingMode)[] While in_queue, of a search that was begun with `modes`: those that are searched.
---@field confirmation? muster.MatchmakingConfirmation While match_found.
---@field waiting_for_server? muster.MatchmakingWaitingForServer While matched, if no server has room: the match's place in line.

---@class muster.Port
---@field name string
---@field host string Connect to this host, on external_port.
---@field external_port integer
---@field internal_port integer
---@field protocol string udp or tcp.
---@field tls_enabled boolean
---@field path? string Behind a proxy: wss://host:external_port, then this.

---@class muster.Server
---@field instance_id string
---@field name string
---@field status muster.ServerStatus
---@field region string
---@field network_ports (muster.Port)[] Empty until the ports are known.
---@field startup_args string|nil
---@field service_type muster.ServerServiceType
---@field compute_size string|nil
---@field version_tag string|nil Name of its build.
---@field version integer|nil Version of its build: how often it had been saved.
---@field started_at string|nil
---@field stopped_at string|nil
---@field auto_restart boolean
---@field custom_data table<string, any> What the game server is told; of a match, `{}` to strangers.
---@field ttl integer|nil Seconds it may run; null without a limit of its own.
---@field is_pool_server boolean Whether it was warm: started before a match needed it.
---@field pool_claimed_at string|nil When a match took it; null of others.
---@field match_id string|nil The match it was launched for.
---@field created_at string
---@field updated_at string
---@field ticket? string In the own view of a player of the game: what its server knows the player by.
---@field host_player? string|nil
---@field term? integer
---@field host_token? string

---Only while waiting: why the last search or start brought no game.
---@class muster.LobbyReturned
---@field mode string Empty after a start by the host.
---@field reason muster.LobbyReturnedReason
---@field detail? string With `unmatchable` after a change of the party's own: why it no longer fits the mode.
---@field retryAfter? integer Seconds, with `launch_failed`.
---@field at string

---@class muster.LobbyLastResultTeamPlayer
---@field id string
---@field score? number
---@field abandoned? boolean The player left before the end.

---@class muster.LobbyLastResultTeam
---@field team integer Index in the teams of the match.
---@field rank? integer 1 is the best.
---@field score? number The highest is the best.
---@field players? (muster.LobbyLastResultTeamPlayer)[]

---Of the last match that was reported.
---@class muster.LobbyLastResult
---@field matchId string
---@field at string
---@field teams (muster.LobbyLastResultTeam)[]

---@class muster.Lobby
---@field id string
---@field code string Invite code; private lobbies have one too.
---@field name string
---@field config string
---@field status muster.LobbyStatus
---@field host string Player id of the host.
---@field maxPlayers integer
---@field currentPlayers integer
---@field region string
---@field isPrivate boolean
---@field allowLateJoin boolean
---@field settings table<string, any>
---@field players (muster.Player)[] Longest present first.
---@field server muster.Server|nil Null without a game server.
---@field matchmaking muster.Matchmaking|nil While in_queue, match_found or matched.
---@field matchId string|nil Shared by all lobbies of one match.
---@field returned? muster.LobbyReturned Only while waiting: why the last search or start brought no game.
---@field lastResult? muster.LobbyLastResult Of the last match that was reported.
---@field invite_url? string A page that brings a friend in; where the config has `invite`.
---@field customProperties table<string, any> The config's.
---@field revision integer One more with every visible change.
---@field createdAt string
---@field updatedAt string Rises with every visible change.

---@class muster.LobbyPage
---@field lobbies (muster.Lobby)[] Without private lobbies.
---@field total integer
---@field limit integer
---@field offset integer
---@field hasMore boolean
---@field cursor? string Goes on after this page.

---@class muster.GameRosterOpen
---@field team integer
---@field places integer

---@class muster.GameRosterPlayer
---@field id string
---@field lobby string The lobby that the player came in with.
---@field team integer Index in the teams of the match.
---@field role string|nil
---@field state table<string, any>|nil As the player came in. Null: not known.
---@field status muster.GameRosterPlayerStatus `away`: the player dropped out, and the place is kept.
---@field until? string|nil While `away`: until when.
---@field revision integer The roster's revision when this last changed.

---@class muster.GameRoster
---@field match string
---@field revision integer Rises with every change.
---@field open (muster.GameRosterOpen)[] The open places.
---@field players (muster.GameRosterPlayer)[] Those whose place has changed after `after`.

---@class muster.Signal
---@field from string The player who sent it.
---@field term? integer Of the host, in a match that a player hosts.
---@field data any What the sender sent, up to 4 KiB of JSON.

---@class muster.Signalled
---@field players integer How many players it was for.
---@field streaming integer How many of them had an open stream, and so were told.

---@class muster.IceServersIceServer
---@field urls (string)[]
---@field username? string
---@field credential? string

---@class muster.IceServers
---@field iceServers (muster.IceServersIceServer)[] What an RTCPeerConnection takes. Empty if the service has none.
---@field ttl integer Seconds until the first of the credentials ends.

---@class muster.LobbyChangeOp
---@field op muster.LobbyChangeOpOp
---@field path string A JSON pointer (RFC 6901) into the lobby.
---@field value? any

---@class muster.LobbyChange
---@field revision integer What the lobby is now.
---@field from integer The revision that the operations are to be applied to.
---@field ops (muster.LobbyChangeOp)[] Operations of RFC 6902, in order.

---@class muster.VotedResult
---@field isTaken boolean The match has a result.
---@field players? integer How many players have a vote.
---@field voted? integer
---@field same? integer How many of them say the same.

---@class muster.LobbyGone
---@field id string

---@class muster.MatchmakingEnded
---@field id string
---@field mode string Empty after a start by the host.
---@field reason muster.LobbyReturnedReason
---@field detail? string With `unmatchable` after a change of the party's own: why it no longer fits the mode.
---@field retryAfter? integer Seconds, with `launch_failed`.

---@class muster.RegionsRegion
---@field region string
---@field http string|nil Answers every GET with nothing.
---@field udp string|nil host:port; sends back what comes, up to 64 bytes.

---@class muster.Regions
---@field regions (muster.RegionsRegion)[]

---@class muster.ServerRecord
---@field instance_id string
---@field name string
---@field status muster.ServerStatus
---@field region string
---@field network_ports (muster.Port)[] Empty until the ports are known.
---@field startup_args string|nil
---@field service_type muster.ServerServiceType
---@field compute_size string|nil
---@field version_tag string|nil Name of its build.
---@field version integer|nil Version of its build: how often it had been saved.
---@field started_at string|nil
---@field stopped_at string|nil
---@field auto_restart boolean
---@field custom_data table<string, any> What the game server is told; of a match, `{}` to strangers.
---@field ttl integer|nil Seconds it may run; null without a limit of its own.
---@field is_pool_server boolean Whether it was warm: started before a match needed it.
---@field pool_claimed_at string|nil When a match took it; null of others.
---@field match_id string|nil The match it was launched for.
---@field created_at string
---@field updated_at string
---@field ticket? string In the own view of a player of the game: what its server knows the player by.
---@field host_player? string|nil
---@field term? integer
---@field host_token? string
---@field exit_code integer|nil Exit code of the last run; 128 + n after signal n.
---@field signal string|nil The signal that ended it, such as SIGSEGV.
---@field output string|nil Its last 4 KiB of output; null in lists.
---@field detail string|nil Why it failed, what is amiss while it lives, or who ended it; null if nothing is.
---@field asked? boolean It was told to end, or its time was over.
---@field host_reason? string

---@class muster.PlayerToken
---@field token string A JWT that the game sends as `authorization: Bearer`.
---@field player string
---@field expiresAt string
---@field accessToken? string Of a login with Discord: for `authenticate`.

---@class muster.Seat
---@field player string
---@field match string|nil Null after a direct start.
---@field lobby string
---@field team integer|nil Index in the teams. Null after a direct start, and without a place in the match.
---@field team_name string|nil
---@field role string|nil
---@field late boolean The player joined the lobby during the game.

---@class muster.SeatKeysKey
---@field kty string
---@field crv string
---@field x string
---@field kid string
---@field alg string
---@field use string

---A JWK set: the current key, the next one, and older ones whose tickets are still valid.
---@class muster.SeatKeys
---@field keys (muster.SeatKeysKey)[]

---@class muster.Happening
---@field at string
---@field kind string What happened: `entered`, `kicked`, `launched`.
---@field by string|nil `player:` and an id, or `operator:` and the name or fingerprint of a server key.
---@field lobbyId string|nil
---@field playerId string|nil
---@field matchId string|nil
---@field reason string|nil The reason as a code.
---@field detail string|nil The reason as text.

---@class muster.MatchTeamLobbyPlayerStay
---@field team integer
---@field lobbyId string
---@field role string|nil

---@class muster.MatchTeamLobbyPlayer
---@field id string
---@field role string|nil
---@field stays? (muster.MatchTeamLobbyPlayerStay)[] Every stay in the match, oldest first. Absent: there was one.

---@class muster.MatchTeamLobby
---@field lobbyId string
---@field waitedSeconds number
---@field players (muster.MatchTeamLobbyPlayer)[] Whoever was in the match, each once: where they first took a place, or else where they first came in.

---@class muster.MatchTeam
---@field name string|nil
---@field lobbies (muster.MatchTeamLobby)[]

---@class muster.MatchRule
---@field rule string
---@field values (any|nil)[]

---@class muster.MatchQualityPing
---@field worst number
---@field mean number

---@class muster.MatchQualityWaits
---@field p50 number
---@field max number

---As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players
---measured to the region in ms, and the lobbies' waits in seconds.
---@class muster.MatchQuality
---@field win? (number)[]
---@field gap? number
---@field ping? muster.MatchQualityPing
---@field waits muster.MatchQualityWaits

---@class muster.MatchBot
---@field team integer
---@field role? string
---@field count integer

---@class muster.MatchServer
---@field id string
---@field status string
---@field exitCode integer|nil
---@field signal string|nil
---@field detail string|nil

---Absent until one is reported.
---@class muster.MatchResult
---@field at string
---@field teams (muster.LobbyLastResultTeam)[]
---@field data? table<string, any>|nil

---@class muster.MatchLink
---@field from string
---@field to string
---@field isRelayed boolean By a TURN server.
---@field ms integer The round trip.

---What players said of the result.
---@class muster.MatchVotes
---@field players integer How many players have a vote.
---@field voted integer
---@field same integer How many of them say the same.

---@class muster.MatchRatingChange
---@field id string
---@field rating integer
---@field uncertainty integer
---@field before integer

---What the result did to ratings. Absent until then.
---@class muster.MatchRating
---@field field string
---@field changes (muster.MatchRatingChange)[]

---@class muster.Match
---@field id string
---@field config string
---@field mode string
---@field outcome muster.MatchSummaryOutcome
---@field reason string|nil Why it ended or failed.
---@field detail string|nil
---@field build string|nil
---@field formedAt string
---@field runningAt string|nil
---@field endedAt string|nil
---@field teams (muster.MatchTeam)[]
---@field rules (muster.MatchRule)[] The values that each rule compared, longest wait first.
---@field quality? muster.MatchQuality As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players measured to the region in ms, and the lobbies' waits in seconds.
---@field bots? (muster.MatchBot)[] The places that bots had when it began. Absent without bots.
---@field made_by? muster.MatchMadeBy Who made it. Absent: matchmaking.
---@field ref? string What its maker calls it.
---@field server muster.MatchServer|nil
---@field history (muster.Happening)[] Oldest first.
---@field result? muster.MatchResult Absent until one is reported.
---@field links? (muster.MatchLink)[] How players are connected, as they say.
---@field votes? muster.MatchVotes What players said of the result.
---@field rating? muster.MatchRating What the result did to ratings. Absent until then.

---@class muster.WhereaboutsLobby
---@field id string
---@field config string
---@field status muster.LobbyStatus
---@field mode string|nil That it searches, or that its match is of.
---@field invite_url? string

---@class muster.WhereaboutsKept
---@field id string
---@field config string
---@field mode string|nil
---@field code string
---@field until string|nil

---@class muster.Whereabouts
---@field player string
---@field lobbies (muster.WhereaboutsLobby)[]
---@field kept? (muster.WhereaboutsKept)[]

---@class muster.LadderPlayer
---@field place integer
---@field player string
---@field rating integer
---@field uncertainty integer
---@field games integer

---@class muster.Ladder
---@field season integer
---@field total integer
---@field limit integer
---@field offset integer
---@field has_more boolean
---@field players (muster.LadderPlayer)[]

---@class muster.Ok
---@field status string

---@class muster.CreateLobbyBody
---@field name string
---@field maxPlayers? integer
---@field region? string
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field settings? table<string, any>
---@field state? table<string, any>
---@field forceFresh? boolean
---@field key? string

---@class muster.JoinLobbyBody
---@field code? string
---@field inviteCode? string
---@field lobbyId? string
---@field state? table<string, any>

---@class muster.UpdateMyStateBody
---@field state table<string, any>

---@class muster.UpdateLobbySettingsBody
---@field name? string
---@field maxPlayers? integer
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field region? string
---@field settings? table<string, any>

---@class muster.StartMatchmakingBody
---@field mode? string
---@field modes? (any)[]

---@class muster.MoveToBody
---@field config string

---@class muster.SendSignalBody
---@field to any
---@field data any

---@class muster.ReportMatchResultBodyTeamPlayer
---@field id string
---@field score? number
---@field abandoned? boolean

---@class muster.ReportMatchResultBodyTeam
---@field team integer
---@field rank? integer
---@field score? number
---@field players? (muster.ReportMatchResultBodyTeamPlayer)[]

---@class muster.ReportMatchResultBody
---@field teams (muster.ReportMatchResultBodyTeam)[]
---@field data? table<string, any>

---@class muster.ChangeHostBody
---@field term integer
---@field unreachable? boolean
---@field resign? boolean

---@class muster.ReportLinkBody
---@field to string
---@field isRelayed boolean
---@field ms integer

---@class muster.QuickJoinBodyCreate
---@field name string
---@field maxPlayers? integer
---@field region? string
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field settings? table<string, any>
---@field state? table<string, any>
---@field forceFresh? boolean

---@class muster.QuickJoinBody
---@field where? table<string, string>
---@field places? integer
---@field state? table<string, any>
---@field create muster.QuickJoinBodyCreate

---@class muster.ReportServerStatusBodyNetworkPort
---@field name string
---@field host string
---@field external_port integer
---@field internal_port integer
---@field protocol muster.BuildPortProtocol
---@field tls_enabled? boolean

---@class muster.ReportServerStatusBody
---@field status muster.ServerStatus
---@field network_ports? (muster.ReportServerStatusBodyNetworkPort)[]
---@field exit_code? integer
---@field signal? string
---@field detail? string
---@field output? string
---@field asked? boolean

---@class muster.ReadSeatBody
---@field ticket string

---@class muster.SetPlacesBody
---@field open? integer
---@field team? integer
---@field until? string
---@field release? string
---@field kick? string
---@field present? (string)[]
---@field after? integer

---@class muster.LoginBody
---@field token string

local function part(text)
  return (tostring(text):gsub("[^%w%-._~]", function(byte)
    return string.format("%%%02X", string.byte(byte))
  end))
end

---Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The list can be a
---second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how many. The next one
---begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`, for settings in `browseBy`
---of the config.
---@param config string
---@param options? { region?: string, status?: muster.LobbyStatus, places?: integer, sort?: muster.BrowseLobbiesSort, cursor?: string, limit?: integer, offset?: integer }
---@return muster.LobbyPage
function Api:browse_lobbies(config, options)
  options = options or {}
  return self:call("GET", "/v3/lobbies/" .. part(config), { query = { ["region"] = options.region, ["status"] = options.status, ["places"] = options.places, ["sort"] = options.sort, ["cursor"] = options.cursor, ["limit"] = options.limit, ["offset"] = options.offset } })
end

---Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller hosts in this
---config. A caller who is a guest in another lobby is still refused. With a `key`, the first caller creates the lobby
---of that key, and all others join it (200).
---@param config string
---@param body muster.CreateLobbyBody
---@return muster.Lobby
function Api:create_lobby(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config), { body = body })
end

---Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or `lobbyId`. A private
---lobby needs its code, except with the server key. A player who is already in the lobby gets it back unchanged.
---@param config string
---@param body muster.JoinLobbyBody
---@return muster.Lobby
function Api:join_lobby(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/join", { body = body })
end

---Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a 404.
---@param config string
---@param options? { or_null?: muster.GetMyLobbyOrNull }
---@return muster.Lobby
function Api:get_my_lobby(config, options)
  options = options or {}
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/me", { query = { ["orNull"] = options.or_null } })
end

---Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If the lobby is
---queued, its ticket changes too and keeps its waiting time.
---@param config string
---@param body muster.UpdateMyStateBody
---@param options? { prefer?: string }
---@return muster.Lobby
function Api:update_my_state(config, body, options)
  options = options or {}
  return self:call("PATCH", "/v3/lobbies/" .. part(config) .. "/me", { body = body, headers = { ["prefer"] = options.prefer } })
end

---Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the caller was the last
---player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels matchmaking, and declines a match
---that waits for confirmation.
---@param config string
---@return muster.Lobby
function Api:leave_lobby(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me", {  })
end

---Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers` cannot be less than
---the number of players in the lobby.
---@param config string
---@param body muster.UpdateLobbySettingsBody
---@param options? { prefer?: string }
---@return muster.Lobby
function Api:update_lobby_settings(config, body, options)
  options = options or {}
  return self:call("PATCH", "/v3/lobbies/" .. part(config) .. "/me/settings", { body = body, headers = { ["prefer"] = options.prefer } })
end

---Kick a player (host). The player gets one more update of the lobby, without itself in it.
---@param config string
---@param player_id string
---@return muster.Lobby
function Api:kick_player(config, player_id)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/players/" .. part(player_id), {  })
end

---Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once the server lives,
---at most a second after its launch, and always shows it launching. An update says when it is running. A server that
---ends at once is a `LAUNCH_FAILED`.
---@param config string
---@return muster.Lobby
function Api:start_game(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/start", {  })
end

---End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the same players, code
---and settings.
---@param config string
---@return muster.Lobby
function Api:end_match(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/end-match", {  })
end

---Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes` in the place of
---`mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but the first always at once.
---The first match takes it out of the others. A mode that finds nobody within its timeout drops out, and the last one
---ends the search.
---@param config string
---@param body muster.StartMatchmakingBody
---@return muster.Lobby
function Api:start_matchmaking(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matchmaking", { body = body })
end

---Take the lobby out of the queue (host)
---@param config string
---@return muster.Lobby
function Api:cancel_matchmaking(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/matchmaking", {  })
end

---Accept a match. One player accepts for the whole lobby. The server launches when every lobby of the match has
---accepted. After the deadline it is too late.
---@param config string
---@return muster.Lobby
function Api:confirm_match(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/confirm-match", {  })
end

---Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`, those that had
---accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and others may take its
---places.
---@param config string
---@return muster.Lobby
function Api:decline_match(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/confirm-match", {  })
end

---Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event stream. Send it
---more often than every `heartbeatTimeout` seconds.
---@param config string
---@return muster.Ok
function Api:send_heartbeat(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/heartbeat", {  })
end

---Follow the caller's lobby with server-sent events. Each player has one stream: a second one replaces the first,
---whose last event is `replaced`. Do not reopen that one. You can open it before the player has a lobby (`connected`
---with null). It continues with the next lobby after the player leaves or is kicked, and after `lobby_deleted`. `id`
---is the revision of the lobby. With `Last-Event-ID`, a client first gets the updates that it missed, if kept, and
---always `connected` with the full lobby. With `changes=1`, `lobby_changed` has the operations of RFC 6902 that lead
---to the next revision. A comment line comes every ten seconds, and `ping` every thirty. On this route only,
---`api-key` and `x-player-id` may be in the query. With `Upgrade: websocket`, the same events come as JSON messages
---`{event, id, data}`, and `last-event-id` may be in the query. Answer each `ping` with any message.
---@param config string
---@param options? { changes?: string, lobby?: string }
function Api:stream_events(config, options)
  options = options or {}
  return self:open("GET", "/v3/lobbies/" .. part(config) .. "/me/events", { query = { ["changes"] = options.changes, ["lobby"] = options.lobby } })
end

---See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be ten seconds old.
---The estimate is that of players who queue alone.
---@param config string
---@return muster.Modes
function Api:list_modes(config)
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/modes", {  })
end

---Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings and streams, and
---is of the other config from then on: it searches the modes of that one. Requests and streams under the config that
---it has left go on. All of its players move, or nobody: `LOBBY_NOT_MOVED` says why for each. It gets another code
---only if another lobby there has its own, and `maxPlayers` falls to what that config allows.
---@param config string
---@param body muster.MoveToBody
---@return muster.Lobby
function Api:move_to(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/move", { body = body })
end

---Get STUN and TURN servers. For connections between players. The servers that the operator has set up. While a game
---starts, forms or runs, TURN servers are among them, with credentials that end by themselves. A provider that does
---not answer in time is left out.
---@param config string
---@return muster.IceServers
function Api:get_ice_servers(config)
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/me/ice", {  })
end

---Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is not null. `to` is a
---player of the caller's lobby or, once it is `matched`, of any lobby of its match, or `all` for all others, or
---`{player}` for whatever id. It comes as the event `signal` on their open streams, and nothing is kept for later. It
---counts as a request for each lobby that is asked.
---@param config string
---@param body muster.SendSignalBody
---@return muster.Signalled
function Api:send_signal(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/signals", { body = body })
end

---Let another player host. More than half of the others must say that the host is gone.
---@param config string
---@param body muster.ChangeHostBody
---@return muster.Lobby
function Api:change_host(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/host", { body = body })
end

---Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`: what more than half
---of the players say is the result, until a minute after the match. Each has one vote, and the next replaces it.
---@param config string
---@param id string
---@param body muster.ReportMatchResultBody
---@return muster.VotedResult
function Api:report_result(config, id, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matches/" .. part(id) .. "/result", { body = body })
end

---Say how two players are connected. Operators read it on the match's page. The next report of the same two replaces
---it.
---@param config string
---@param id string
---@param body muster.ReportLinkBody
---@return muster.Ok
function Api:report_link(config, id, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matches/" .. part(id) .. "/links", { body = body })
end

---Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free places, lobbies
---in the region of `create` come first, then the fullest. If there is none, creates one by `create`, which must fit
---too: never two while one has a place. `where` asks for settings in `browseBy` of the config: ranges such as `1..3`,
---or values, which the new lobby gets.
---@param config string
---@param body muster.QuickJoinBody
---@return muster.Lobby
function Api:quick_join(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/quick-join", { body = body })
end

---Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of the project, of
---which there are at most 20. It is no sign of life, and counts as a request for each config.
---@return muster.Whereabouts
function Api:where_am_i()
  return self:call("GET", "/v3/me", {  })
end

---List the regions, and where to measure how far away they are. Of the fleets that have an `echo`. Send what you
---measured as state, for a `latency` rule.
---@return muster.Regions
function Api:list_regions()
  return self:call("GET", "/v3/regions", {  })
end

---Read the ladder of a rated mode, the best first. A client key sees ids if the project has `publicPlayerIds`.
---@param options? { config?: string, mode?: string, around?: string, season?: integer, limit?: integer, offset?: integer }
---@return muster.Ladder
function Api:get_ratings(options)
  options = options or {}
  return self:call("GET", "/v3/ratings", { query = { ["config"] = options.config, ["mode"] = options.mode, ["around"] = options.around, ["season"] = options.season, ["limit"] = options.limit, ["offset"] = options.offset } })
end

---Read a server. With the server key, the answer also says how it ended.
---@param id string
---@return muster.ServerRecord
function Api:get_server(id)
  return self:call("GET", "/v3/servers/" .. part(id), {  })
end

---Report a server's status (fleet or game server). Needs no key. The bearer token is the one that the instance got at
---launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or after so many
---seconds.
---@param id string
---@param body muster.ReportServerStatusBody
---@param options? { wait?: integer }
---@return muster.Server
function Api:report_server_status(id, body, options)
  options = options or {}
  return self:call("POST", "/v3/servers/" .. part(id) .. "/status", { body = body, query = { ["wait"] = options.wait } })
end

---Report the result of the match (game server). Needs no key. The bearer token is the one that the instance got at
---launch. Each team of the match is named once, all with a `rank` (1 is the best) or all with a `score` (the highest
---is the best). A match has one result: the same again changes nothing, and another is refused. It is taken from when
---the server runs, for as long as the match is remembered.
---@param id string
---@param body muster.ReportMatchResultBody
---@return muster.Match
function Api:report_server_result(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/result", { body = body })
end

---Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs no key: the bearer
---token is that of the instance. Only tickets for this instance are read; any other, an old one and a forged one are
---a 403.
---@param id string
---@param body muster.ReadSeatBody
---@return muster.Seat
function Api:read_seat(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/seats", { body = body })
end

---Say which places in the match are open, and remove players. For the game server with the token that it got at
---launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated request
---harmless.
---@param id string
---@param body muster.SetPlacesBody
---@return muster.GameRoster
function Api:set_places(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/places", { body = body })
end

---Read the players and their places in the match. For the game server with the token that it got at launch, or a
---backend with the server key. Answers as soon as the roster has another revision than `after`, at most `wait`
---seconds later. From the first request on, the lobbies of the match report who leaves and comes back.
---@param id string
---@param options? { after?: integer, wait?: integer }
---@return muster.GameRoster
function Api:read_roster(id, options)
  options = options or {}
  return self:call("GET", "/v3/servers/" .. part(id) .. "/roster", { query = { ["after"] = options.after, ["wait"] = options.wait } })
end

---Log in. Exchanges what the platform gave the player for a player token of an hour. The player is `provider:id`.
---@param provider string
---@param body muster.LoginBody
---@return muster.PlayerToken
function Api:login(provider, body)
  return self:call("POST", "/v3/login/" .. part(provider), { body = body })
end

---Check that the service is up
---@return muster.Ok
function Api:get_health()
  return self:call("GET", "/health", {  })
end

---Read the public keys of seat tickets. A project that does not exist has keys that sign nothing, so that nobody can
---find out which projects there are.
---@param options? { project?: string }
---@return muster.SeatKeys
function Api:get_seat_keys(options)
  options = options or {}
  return self:call("GET", "/.well-known/jwks.json", { query = { ["project"] = options.project } })
end

return Api
