class_name MusterApi
extends RefCounted
## Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.

## Status of each code that the service answers.
const CODES := {"VALIDATION_ERROR": 400, "LOBBY_FULL": 400, "LOBBY_NOT_ACCEPTING": 400, "INVALID_ACTION": 400, "NO_MATCHMAKING_MODES": 400, "MODE_NOT_FOUND": 400, "PARTY_SIZE_EXCEEDED": 400, "ALREADY_IN_QUEUE": 400, "UNAUTHORIZED": 401, "PLAYER_TOKEN_MISSING": 401, "PLAYER_TOKEN_INVALID": 401, "PLAYER_TOKEN_EXPIRED": 401, "LOGIN_REFUSED": 401, "FORBIDDEN": 403, "FIELD_NOT_YOURS": 403, "NOT_HOST": 403, "BANNED": 403, "COOLDOWN": 403, "LOBBY_NOT_FOUND": 404, "PLAYER_NOT_FOUND": 404, "SERVER_NOT_FOUND": 404, "CONFIG_NOT_FOUND": 404, "BUILD_NOT_FOUND": 404, "LOGS_NOT_AVAILABLE": 404, "NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405, "REQUEST_TIMEOUT": 408, "ALREADY_IN_LOBBY": 409, "GAME_ALREADY_RUNNING": 409, "LOBBY_NOT_MOVED": 409, "MATCH_NOT_MADE": 409, "REF_EXISTS": 409, "RESULT_EXISTS": 409, "NOT_HOST_ANY_MORE": 409, "INVALID_STATE": 409, "PRECONDITION_FAILED": 412, "PAYLOAD_TOO_LARGE": 413, "RATE_LIMITED": 429, "INTERNAL": 500, "CLOSED": 503, "LAUNCH_FAILED": 503, "CODES_EXHAUSTED": 503, "SERVERS_EXHAUSTED": 503, "STORAGE_FULL": 503, "OVERLOADED": 503, "UNAVAILABLE": 503}
## The events of the stream.
const EVENTS: Array[String] = ["connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping"]
const LOBBY_STATUS := {"WAITING": "waiting", "IN_QUEUE": "in_queue", "STARTING": "starting", "MATCHED": "matched", "MATCH_FOUND": "match_found", "IN_GAME": "in_game"}
const SERVER_STATUS := {"LAUNCHING": "launching", "RUNNING": "running", "STOPPED": "stopped"}
const SERVER_SERVICE_TYPE := {"MATCH_BASED": "match_based", "PERSISTENT_WORLD": "persistent_world", "PLAYER_HOSTED": "player_hosted"}
const LOBBY_RETURNED_REASON := {"TIMEOUT": "timeout", "UNMATCHABLE": "unmatchable", "CANCELLED": "cancelled", "PLAYER_LEFT": "player_left", "AWAY": "away", "DECLINED": "declined", "CONFIRM_TIMEOUT": "confirm_timeout", "LAUNCH_FAILED": "launch_failed", "CONFIG_CHANGED": "config_changed", "SERVER_CRASHED": "server_crashed"}
const GAME_ROSTER_PLAYER_STATUS := {"HERE": "here", "AWAY": "away", "LEFT": "left", "KICKED": "kicked"}
const LOBBY_CHANGE_OP_OP := {"ADD": "add", "REPLACE": "replace", "REMOVE": "remove"}
const BUILD_PORT_PROTOCOL := {"UDP": "udp", "TCP": "tcp"}
const MATCH_SUMMARY_OUTCOME := {"CONFIRMING": "confirming", "LAUNCHING": "launching", "RUNNING": "running", "ENDED": "ended", "CRASHED": "crashed", "FAILED": "failed"}
const MATCH_MADE_BY := {"HOST": "host", "KEY": "key", "REMATCH": "rematch"}
const BROWSE_LOBBIES_SORT := {"NEWEST": "newest", "PLAYERS": "players"}
const JOIN_LOBBY_BODY_AS := {"PLAYER": "player", "SPECTATOR": "spectator"}
const GET_MY_LOBBY_OR_NULL := {"TRUE": "true", "FALSE": "false"}

## The answer to a call. `error` is empty if it worked, and otherwise one of CODES or the client's own.
class Answer:
	var error := ""
	var detail := ""
	var status := 0
	var retry_after := 0.0 ## Seconds; 0 if the service did not say.
	var value: Variant ## What was asked for, as the type that the call names.
	var ok: bool:
		get: return error.is_empty()

## What all types share: they are read from JSON, which stays in `json`.
class Shape:
	var json: Dictionary
	func _types() -> Dictionary: return {}
	func _init(from: Dictionary = {}) -> void:
		json = from
		for key: String in from:
			var field := key if key in self else key + "_"
			var value: Variant = from[key]
			if value == null or key == "json" or not field in self: continue
			var type: Variant = _types().get(field)
			if value is Array:
				var each: Array = value if type == null else value.map(func(one: Variant) -> Variant: return type.new(one))
				var list: Array = get(field)
				list.assign(each)
			else:
				set(field, value if type == null else type.new(value))

var _asker: Callable

## Whoever makes it says how to ask: by a method, a path, a Dictionary that may have a body and headers, and what to make of the answer.
func _init(asker: Callable) -> void:
	_asker = asker

## A query with its question mark; empty if nothing is asked for.
func query_of(query: Dictionary) -> String:
	var parts := PackedStringArray()
	for key: String in query:
		if query[key] != null: parts.append(key.uri_encode() + "=" + str(query[key]).uri_encode())
	return "" if parts.is_empty() else "?" + "&".join(parts)

class Player extends Shape:
	var id: String ## The value sent in x-player-id.
	var state: Variant ## Free-form; null until set.
	var isHost: bool ## True for exactly one player.

## How long like parties waited of late; null where too few had a match yet.
class QueueStatsWaitEstimate extends Shape:
	var p50: float ## Seconds within which half of like parties had a match.
	var p90: Variant ## Nine of ten; null where too many waited for longer.
	var of: int ## Parties of as many players, also those that gave up or still wait.

## Why the lobby still waits, where that is known.
class QueueStatsWait extends Shape:
	var inReach: int ## Other lobbies that all rules let through.
	var compared: int
	var because: Variant ## Without this most others would fit, in words.
	var opensInSeconds: Variant ## Until more come into reach.
	var estimate: QueueStatsWaitEstimate ## How long like parties waited of late; null where too few had a match yet.
	func _types() -> Dictionary: return {"estimate": QueueStatsWaitEstimate}

class QueueStats extends Shape:
	var playersSearching: int
	var lobbiesInQueue: int
	var avgWaitSeconds: float
	var wait: QueueStatsWait ## Why the lobby still waits, where that is known.
	func _types() -> Dictionary: return {"wait": QueueStatsWait}

class QueueStatsEventMode extends Shape:
	var playersSearching: int
	var lobbiesInQueue: int
	var avgWaitSeconds: float
	var wait: QueueStatsWait ## Why the lobby still waits, where that is known.
	var mode: String
	func _types() -> Dictionary: return {"wait": QueueStatsWait}

class QueueStatsEvent extends Shape:
	var playersSearching: int
	var lobbiesInQueue: int
	var avgWaitSeconds: float
	var wait: QueueStatsWait ## Why the lobby still waits, where that is known.
	var modes: Array[QueueStatsEventMode] ## Of a search of several modes: each that is searched now, the first one first.
	func _types() -> Dictionary: return {"wait": QueueStatsWait, "modes": QueueStatsEventMode}

class ModesMode extends Shape:
	var mode: String
	var playersSearching: int
	var lobbiesInQueue: int
	var avgWaitSeconds: float
	var estimate: QueueStatsWaitEstimate ## How long like parties waited of late; null where too few had a match yet.
	func _types() -> Dictionary: return {"estimate": QueueStatsWaitEstimate}

class Modes extends Shape:
	var modes: Array[ModesMode]
	func _types() -> Dictionary: return {"modes": ModesMode}

class MatchmakingMode extends Shape:
	var mode: String
	var since: String ## Still ahead: the mode is searched from then on.
	var queueStats: QueueStats ## In the answer to GET /me.
	func _types() -> Dictionary: return {"queueStats": QueueStats}

## How many players are looked for in place of those who said no.
class MatchmakingConfirmationRefill extends Shape:
	var players: int
	var until: String

## While match_found.
class MatchmakingConfirmation extends Shape:
	var deadline: String
	var confirmed: bool ## Whether this lobby has accepted.
	var accepted: int ## Players who accepted, if the mode shows it.
	var needed: int
	var acceptedBy: Array[String] ## Players in the lobby who have accepted, if the mode asks each player.
	var refill: MatchmakingConfirmationRefill ## How many players are looked for in place of those who said no.
	func _types() -> Dictionary: return {"refill": MatchmakingConfirmationRefill}

## While matched, if no server has room: the match's place in line.
class MatchmakingWaitingForServer extends Shape:
	var position: int
	var since: String

class Matchmaking extends Shape:
	var mode: String
	var startedAt: String
	var queueStats: QueueStats ## While in_queue.
	var modes: Array[MatchmakingMode] ## While in_queue, of a search that was begun with `modes`: those that are searched.
	var confirmation: MatchmakingConfirmation ## While match_found.
	var waiting_for_server: MatchmakingWaitingForServer ## While matched, if no server has room: the match's place in line.
	func _types() -> Dictionary: return {"queueStats": QueueStats, "modes": MatchmakingMode, "confirmation": MatchmakingConfirmation, "waiting_for_server": MatchmakingWaitingForServer}

class Port extends Shape:
	var name_: String
	var host: String ## Connect to this host, on external_port.
	var external_port: int
	var internal_port: int
	var protocol: String ## udp or tcp.
	var tls_enabled: bool
	var path: String ## Behind a proxy: wss://host:external_port, then this.

class Server extends Shape:
	var instance_id: String
	var name_: String
	var status: String
	var region: String
	var network_ports: Array[Port] ## Empty until the ports are known.
	var startup_args: Variant
	var service_type: String
	var compute_size: Variant
	var version_tag: Variant ## Name of its build.
	var version: Variant ## Version of its build: how often it had been saved.
	var started_at: Variant
	var stopped_at: Variant
	var auto_restart: bool
	var custom_data: Dictionary ## What the game server is told; of a match, `{}` to strangers.
	var ttl: Variant ## Seconds it may run; null without a limit of its own.
	var is_pool_server: bool ## Whether it was warm: started before a match needed it.
	var pool_claimed_at: Variant ## When a match took it; null of others.
	var match_id: Variant ## The match it was launched for.
	var created_at: String
	var updated_at: String
	var ticket: String ## In the own view of a player of the game: what its server knows the player by.
	var host_player: Variant
	var term: int
	var host_token: String
	func _types() -> Dictionary: return {"network_ports": Port}

## Only while waiting: why the last search or start brought no game.
class LobbyReturned extends Shape:
	var mode: String ## Empty after a start by the host.
	var reason: String
	var detail: String ## With `unmatchable` after a change of the party's own: why it no longer fits the mode.
	var retryAfter: int ## Seconds, with `launch_failed`.
	var at: String

## Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
class LobbyRematch extends Shape:
	var yes: int
	var needed: int
	var until: String

class LobbyLastResultTeamPlayer extends Shape:
	var id: String
	var score: float
	var abandoned: bool ## The player left before the end.

class LobbyLastResultTeam extends Shape:
	var team: int ## Index in the teams of the match.
	var rank: int ## 1 is the best.
	var score: float ## The highest is the best.
	var players: Array[LobbyLastResultTeamPlayer]
	func _types() -> Dictionary: return {"players": LobbyLastResultTeamPlayer}

## Of the last match that was reported.
class LobbyLastResult extends Shape:
	var matchId: String
	var at: String
	var teams: Array[LobbyLastResultTeam]
	func _types() -> Dictionary: return {"teams": LobbyLastResultTeam}

class LobbySpectator extends Shape:
	var id: String

class Lobby extends Shape:
	var id: String
	var code: String ## Invite code; private lobbies have one too.
	var name_: String
	var config: String
	var status: String
	var host: String ## Player id of the host.
	var maxPlayers: int
	var currentPlayers: int
	var region: String
	var isPrivate: bool
	var allowLateJoin: bool
	var settings: Dictionary
	var players: Array[Player] ## Longest present first.
	var server: Server ## Null without a game server.
	var matchmaking: Matchmaking ## While in_queue, match_found or matched.
	var matchId: Variant ## Shared by all lobbies of one match.
	var returned: LobbyReturned ## Only while waiting: why the last search or start brought no game.
	var rematch: LobbyRematch ## Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
	var lastResult: LobbyLastResult ## Of the last match that was reported.
	var invite_url: String ## A page that brings a friend in; where the config has `invite`.
	var customProperties: Dictionary ## The config's.
	var revision: int ## One more with every visible change.
	var createdAt: String
	var updatedAt: String ## Rises with every visible change.
	var currentSpectators: int ## How many watch, if anybody.
	var spectators: Array[LobbySpectator] ## Who watches, longest present first. Not in lists.
	var as_: String ## The caller watches the lobby.
	func _types() -> Dictionary: return {"players": Player, "server": Server, "matchmaking": Matchmaking, "returned": LobbyReturned, "rematch": LobbyRematch, "lastResult": LobbyLastResult, "spectators": LobbySpectator}

class LobbyPage extends Shape:
	var lobbies: Array[Lobby] ## Without private lobbies.
	var total: int
	var limit: int
	var offset: int
	var hasMore: bool
	var cursor: String ## Goes on after this page.
	func _types() -> Dictionary: return {"lobbies": Lobby}

class GameRosterOpen extends Shape:
	var team: int
	var places: int

class GameRosterPlayer extends Shape:
	var id: String
	var lobby: String ## The lobby that the player came in with.
	var team: int ## Index in the teams of the match.
	var role: Variant
	var state: Variant ## As the player came in. Null: not known.
	var status: String ## `away`: the player dropped out, and the place is kept.
	var until: Variant ## While `away`: until when.
	var revision: int ## The roster's revision when this last changed.

class GameRoster extends Shape:
	var match_: String
	var revision: int ## Rises with every change.
	var open: Array[GameRosterOpen] ## The open places.
	var players: Array[GameRosterPlayer] ## Those whose place has changed after `after`.
	func _types() -> Dictionary: return {"open": GameRosterOpen, "players": GameRosterPlayer}

class PlayerSignal extends Shape:
	var from: String ## The player who sent it.
	var term: int ## Of the host, in a match that a player hosts.
	var data: Variant ## What the sender sent, up to 4 KiB of JSON.

class Signalled extends Shape:
	var players: int ## How many players it was for.
	var streaming: int ## How many of them had an open stream, and so were told.

class IceServersIceServer extends Shape:
	var urls: Array[String]
	var username: String
	var credential: String

class IceServers extends Shape:
	var iceServers: Array[IceServersIceServer] ## What an RTCPeerConnection takes. Empty if the service has none.
	var ttl: int ## Seconds until the first of the credentials ends.
	func _types() -> Dictionary: return {"iceServers": IceServersIceServer}

class LobbyChangeOp extends Shape:
	var op: String
	var path: String ## A JSON pointer (RFC 6901) into the lobby.
	var value: Variant

class LobbyChange extends Shape:
	var revision: int ## What the lobby is now.
	var from: int ## The revision that the operations are to be applied to.
	var ops: Array[LobbyChangeOp] ## Operations of RFC 6902, in order.
	func _types() -> Dictionary: return {"ops": LobbyChangeOp}

class VotedResult extends Shape:
	var isTaken: bool ## The match has a result.
	var players: int ## How many players have a vote.
	var voted: int
	var same: int ## How many of them say the same.

class LobbyGone extends Shape:
	var id: String

class MatchmakingEnded extends Shape:
	var id: String
	var mode: String ## Empty after a start by the host.
	var reason: String
	var detail: String ## With `unmatchable` after a change of the party's own: why it no longer fits the mode.
	var retryAfter: int ## Seconds, with `launch_failed`.

class RegionsRegion extends Shape:
	var region: String
	var http: Variant ## Answers every GET with nothing.
	var udp: Variant ## host:port; sends back what comes, up to 64 bytes.

class Regions extends Shape:
	var regions: Array[RegionsRegion]
	func _types() -> Dictionary: return {"regions": RegionsRegion}

class ServerRecord extends Shape:
	var instance_id: String
	var name_: String
	var status: String
	var region: String
	var network_ports: Array[Port] ## Empty until the ports are known.
	var startup_args: Variant
	var service_type: String
	var compute_size: Variant
	var version_tag: Variant ## Name of its build.
	var version: Variant ## Version of its build: how often it had been saved.
	var started_at: Variant
	var stopped_at: Variant
	var auto_restart: bool
	var custom_data: Dictionary ## What the game server is told; of a match, `{}` to strangers.
	var ttl: Variant ## Seconds it may run; null without a limit of its own.
	var is_pool_server: bool ## Whether it was warm: started before a match needed it.
	var pool_claimed_at: Variant ## When a match took it; null of others.
	var match_id: Variant ## The match it was launched for.
	var created_at: String
	var updated_at: String
	var ticket: String ## In the own view of a player of the game: what its server knows the player by.
	var host_player: Variant
	var term: int
	var host_token: String
	var exit_code: Variant ## Exit code of the last run; 128 + n after signal n.
	var signal_: Variant ## The signal that ended it, such as SIGSEGV.
	var output: Variant ## Its last 4 KiB of output; null in lists.
	var detail: Variant ## Why it failed, what is amiss while it lives, or who ended it; null if nothing is.
	var asked: bool ## It was told to end, or its time was over.
	var host_reason: String
	func _types() -> Dictionary: return {"network_ports": Port}

class PlayerToken extends Shape:
	var token: String ## A JWT that the game sends as `authorization: Bearer`.
	var player: String
	var expiresAt: String
	var accessToken: String ## Of a login with Discord: for `authenticate`.

class Seat extends Shape:
	var player: String
	var match_: Variant ## Null after a direct start; of a spectator then the id of the server.
	var lobby: String
	var team: Variant ## Index in the teams. Null after a direct start, and without a place in the match.
	var team_name: Variant
	var role: Variant
	var late: bool ## The player joined the lobby during the game.
	var spectator: bool ## The holder watches the lobby.

class SeatKeysKey extends Shape:
	var kty: String
	var crv: String
	var x: String
	var kid: String
	var alg: String
	var use: String

## A JWK set: the current key, the next one, and older ones whose tickets are still valid.
class SeatKeys extends Shape:
	var keys: Array[SeatKeysKey]
	func _types() -> Dictionary: return {"keys": SeatKeysKey}

class Happening extends Shape:
	var at: String
	var kind: String ## What happened: `entered`, `kicked`, `launched`.
	var by: Variant ## `player:` and an id, or `operator:` and the name or fingerprint of a server key.
	var lobbyId: Variant
	var playerId: Variant
	var matchId: Variant
	var reason: Variant ## The reason as a code.
	var detail: Variant ## The reason as text.

class MatchTeamLobbyPlayerStay extends Shape:
	var team: int
	var lobbyId: String
	var role: Variant

class MatchTeamLobbyPlayer extends Shape:
	var id: String
	var role: Variant
	var stays: Array[MatchTeamLobbyPlayerStay] ## Every stay in the match, oldest first. Absent: there was one.
	func _types() -> Dictionary: return {"stays": MatchTeamLobbyPlayerStay}

class MatchTeamLobby extends Shape:
	var lobbyId: String
	var waitedSeconds: float
	var players: Array[MatchTeamLobbyPlayer] ## Whoever was in the match, each once: where they first took a place, or else where they first came in.
	func _types() -> Dictionary: return {"players": MatchTeamLobbyPlayer}

class MatchTeam extends Shape:
	var name_: Variant
	var lobbies: Array[MatchTeamLobby]
	func _types() -> Dictionary: return {"lobbies": MatchTeamLobby}

class MatchRule extends Shape:
	var rule: String
	var values: Array[Variant]

class MatchQualityPing extends Shape:
	var worst: float
	var mean: float

class MatchQualityWaits extends Shape:
	var p50: float
	var max: float

## As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players
## measured to the region in ms, and the lobbies' waits in seconds.
class MatchQuality extends Shape:
	var win: Array[float]
	var gap: float
	var ping: MatchQualityPing
	var waits: MatchQualityWaits
	func _types() -> Dictionary: return {"ping": MatchQualityPing, "waits": MatchQualityWaits}

class MatchBot extends Shape:
	var team: int
	var role: String
	var count: int

class MatchServer extends Shape:
	var id: String
	var status: String
	var exitCode: Variant
	var signal_: Variant
	var detail: Variant

## Absent until one is reported.
class MatchResult extends Shape:
	var at: String
	var teams: Array[LobbyLastResultTeam]
	var data: Variant
	func _types() -> Dictionary: return {"teams": LobbyLastResultTeam}

class MatchLink extends Shape:
	var from: String
	var to: String
	var isRelayed: bool ## By a TURN server.
	var ms: int ## The round trip.

## What players said of the result.
class MatchVotes extends Shape:
	var players: int ## How many players have a vote.
	var voted: int
	var same: int ## How many of them say the same.

class MatchRatingChange extends Shape:
	var id: String
	var rating: int
	var uncertainty: int
	var before: int

## What the result did to ratings. Absent until then.
class MatchRating extends Shape:
	var field: String
	var changes: Array[MatchRatingChange]
	func _types() -> Dictionary: return {"changes": MatchRatingChange}

class Match extends Shape:
	var id: String
	var config: String
	var mode: String
	var outcome: String
	var reason: Variant ## Why it ended or failed.
	var detail: Variant
	var build: Variant
	var formedAt: String
	var runningAt: Variant
	var endedAt: Variant
	var teams: Array[MatchTeam]
	var rules: Array[MatchRule] ## The values that each rule compared, longest wait first.
	var quality: MatchQuality ## As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players measured to the region in ms, and the lobbies' waits in seconds.
	var bots: Array[MatchBot] ## The places that bots had when it began. Absent without bots.
	var made_by: String ## Who made it. Absent: matchmaking.
	var ref: String ## What its maker calls it.
	var server: MatchServer
	var history: Array[Happening] ## Oldest first.
	var result: MatchResult ## Absent until one is reported.
	var links: Array[MatchLink] ## How players are connected, as they say.
	var votes: MatchVotes ## What players said of the result.
	var rating: MatchRating ## What the result did to ratings. Absent until then.
	func _types() -> Dictionary: return {"teams": MatchTeam, "rules": MatchRule, "quality": MatchQuality, "bots": MatchBot, "server": MatchServer, "history": Happening, "result": MatchResult, "links": MatchLink, "votes": MatchVotes, "rating": MatchRating}

class WhereaboutsLobby extends Shape:
	var id: String
	var config: String
	var status: String
	var mode: Variant ## That it searches, or that its match is of.
	var invite_url: String
	var as_: String ## The player only watches.

class WhereaboutsKept extends Shape:
	var id: String
	var config: String
	var mode: Variant
	var code: String
	var until: Variant

class Whereabouts extends Shape:
	var player: String
	var lobbies: Array[WhereaboutsLobby]
	var kept: Array[WhereaboutsKept]
	func _types() -> Dictionary: return {"lobbies": WhereaboutsLobby, "kept": WhereaboutsKept}

class LadderPlayer extends Shape:
	var place: int
	var player: String
	var rating: int
	var uncertainty: int
	var games: int

class Ladder extends Shape:
	var season: int
	var total: int
	var limit: int
	var offset: int
	var has_more: bool
	var players: Array[LadderPlayer]
	func _types() -> Dictionary: return {"players": LadderPlayer}

class Ok extends Shape:
	var status: String

class CreateLobbyBody extends Shape:
	var name_: String
	var maxPlayers: int
	var region: String
	var isPrivate: bool
	var allowLateJoin: bool
	var settings: Dictionary
	var state: Dictionary
	var forceFresh: bool
	var key: String

class JoinLobbyBody extends Shape:
	var code: String
	var inviteCode: String
	var lobbyId: String
	var state: Dictionary
	var as_: String

class UpdateMyStateBody extends Shape:
	var state: Dictionary

class UpdateLobbySettingsBody extends Shape:
	var name_: String
	var maxPlayers: int
	var isPrivate: bool
	var allowLateJoin: bool
	var region: String
	var settings: Dictionary

class StartMatchmakingBody extends Shape:
	var mode: String
	var modes: Array[Variant]

class MoveToBody extends Shape:
	var config: String

class SendSignalBody extends Shape:
	var to: Variant
	var data: Variant

class ReportMatchResultBodyTeamPlayer extends Shape:
	var id: String
	var score: float
	var abandoned: bool

class ReportMatchResultBodyTeam extends Shape:
	var team: int
	var rank: int
	var score: float
	var players: Array[ReportMatchResultBodyTeamPlayer]
	func _types() -> Dictionary: return {"players": ReportMatchResultBodyTeamPlayer}

class ReportMatchResultBody extends Shape:
	var teams: Array[ReportMatchResultBodyTeam]
	var data: Dictionary
	func _types() -> Dictionary: return {"teams": ReportMatchResultBodyTeam}

class ChangeHostBody extends Shape:
	var term: int
	var unreachable: bool
	var resign: bool

class ReportLinkBody extends Shape:
	var to: String
	var isRelayed: bool
	var ms: int

class QuickJoinBodyCreate extends Shape:
	var name_: String
	var maxPlayers: int
	var region: String
	var isPrivate: bool
	var allowLateJoin: bool
	var settings: Dictionary
	var state: Dictionary
	var forceFresh: bool

class QuickJoinBody extends Shape:
	var where: Dictionary
	var places: int
	var state: Dictionary
	var create: QuickJoinBodyCreate
	func _types() -> Dictionary: return {"create": QuickJoinBodyCreate}

class ReportServerStatusBodyNetworkPort extends Shape:
	var name_: String
	var host: String
	var external_port: int
	var internal_port: int
	var protocol: String
	var tls_enabled: bool

class ReportServerStatusBody extends Shape:
	var status: String
	var network_ports: Array[ReportServerStatusBodyNetworkPort]
	var exit_code: int
	var signal_: String
	var detail: String
	var output: String
	var asked: bool
	func _types() -> Dictionary: return {"network_ports": ReportServerStatusBodyNetworkPort}

class ReadSeatBody extends Shape:
	var ticket: String

class SetPlacesBody extends Shape:
	var open: int
	var team: int
	var until: String
	var release: String
	var kick: String
	var present: Array[String]
	var after: int

class LoginBody extends Shape:
	var token: String

## Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The list can be a
## second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how many. The next one
## begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`, for settings in `browseBy`
## of the config. Options: `region`, `status`, `places`, `sort`, `cursor`, `limit`, `offset`.
func browse_lobbies(config: String, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/lobbies/%s" % [config.uri_encode()] + query_of({"region": options.get("region"), "status": options.get("status"), "places": options.get("places"), "sort": options.get("sort"), "cursor": options.get("cursor"), "limit": options.get("limit"), "offset": options.get("offset")}), {}, LobbyPage)

## Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller hosts in this
## config. A caller who is a guest in another lobby is still refused. With a `key`, the first caller creates the lobby
## of that key, and all others join it (200).
func create_lobby(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s" % [config.uri_encode()], {"body": body}, Lobby)

## Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or `lobbyId`. A private
## lobby needs its code, except with the server key. A player who is already in the lobby gets it back unchanged. `as:
## spectator` watches it, at any time, in a config with `spectators`; a player of a waiting lobby stands aside by it,
## and a spectator who joins without it begins to play.
func join_lobby(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/join" % [config.uri_encode()], {"body": body}, Lobby)

## Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a 404. Options: `or_null`.
func get_my_lobby(config: String, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/lobbies/%s/me" % [config.uri_encode()] + query_of({"orNull": options.get("or_null")}), {}, Lobby)

## Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If the lobby is
## queued, its ticket changes too and keeps its waiting time. Options: `prefer`.
func update_my_state(config: String, body: Dictionary, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_PATCH, "/v3/lobbies/%s/me" % [config.uri_encode()], {"body": body, "headers": {"prefer": options.get("prefer")}}, Lobby)

## Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the caller was the last
## player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels matchmaking, and declines a match
## that waits for confirmation.
func leave_lobby(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_DELETE, "/v3/lobbies/%s/me" % [config.uri_encode()], {}, Lobby)

## Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers` cannot be less than
## the number of players in the lobby. Options: `prefer`.
func update_lobby_settings(config: String, body: Dictionary, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_PATCH, "/v3/lobbies/%s/me/settings" % [config.uri_encode()], {"body": body, "headers": {"prefer": options.get("prefer")}}, Lobby)

## Kick a player (host). The player gets one more update of the lobby, without itself in it.
func kick_player(config: String, player_id: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_DELETE, "/v3/lobbies/%s/me/players/%s" % [config.uri_encode(), player_id.uri_encode()], {}, Lobby)

## Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once the server lives,
## at most a second after its launch, and always shows it launching. An update says when it is running. A server that
## ends at once is a `LAUNCH_FAILED`.
func start_game(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/start" % [config.uri_encode()], {}, Lobby)

## End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the same players, code
## and settings.
func end_match(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/end-match" % [config.uri_encode()], {}, Lobby)

## Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes` in the place of
## `mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but the first always at once.
## The first match takes it out of the others. A mode that finds nobody within its timeout drops out, and the last one
## ends the search.
func start_matchmaking(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/matchmaking" % [config.uri_encode()], {"body": body}, Lobby)

## Take the lobby out of the queue (host)
func cancel_matchmaking(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_DELETE, "/v3/lobbies/%s/me/matchmaking" % [config.uri_encode()], {}, Lobby)

## Accept a match. One player accepts for the whole lobby. The server launches when every lobby of the match has
## accepted. After the deadline it is too late.
func confirm_match(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/confirm-match" % [config.uri_encode()], {}, Lobby)

## Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`, those that had
## accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and others may take its
## places.
func decline_match(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_DELETE, "/v3/lobbies/%s/me/confirm-match" % [config.uri_encode()], {}, Lobby)

## Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event stream. Send it
## more often than every `heartbeatTimeout` seconds.
func send_heartbeat(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/heartbeat" % [config.uri_encode()], {}, Ok)

## Follow the caller's lobby with server-sent events. Each player has one stream: a second one replaces the first,
## whose last event is `replaced`. Do not reopen that one. You can open it before the player has a lobby (`connected`
## with null). It continues with the next lobby after the player leaves or is kicked, and after `lobby_deleted`. `id`
## is the revision of the lobby. With `Last-Event-ID`, a client first gets the updates that it missed, if kept, and
## always `connected` with the full lobby. With `changes=1`, `lobby_changed` has the operations of RFC 6902 that lead
## to the next revision. A comment line comes every ten seconds, and `ping` every thirty. On this route only,
## `api-key` and `x-player-id` may be in the query. With `Upgrade: websocket`, the same events come as JSON messages
## `{event, id, data}`, and `last-event-id` may be in the query. Answer each `ping` with any message.
func stream_events(config: String, options: Dictionary = {}) -> String:
	return "/v3/lobbies/%s/me/events" % [config.uri_encode()] + query_of({"changes": options.get("changes"), "lobby": options.get("lobby")})

## See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be ten seconds old.
## The estimate is that of players who queue alone.
func list_modes(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/lobbies/%s/modes" % [config.uri_encode()], {}, Modes)

## Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings and streams, and
## is of the other config from then on: it searches the modes of that one. Requests and streams under the config that
## it has left go on. All of its players and spectators move, or nobody: `LOBBY_NOT_MOVED` says why for each. It gets
## another code only if another lobby there has its own, and `maxPlayers` falls to what that config allows.
func move_to(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/move" % [config.uri_encode()], {"body": body}, Lobby)

## Get STUN and TURN servers. For connections between players. The servers that the operator has set up. While a game
## starts, forms or runs, TURN servers are among them, with credentials that end by themselves. A provider that does
## not answer in time is left out.
func get_ice_servers(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/lobbies/%s/me/ice" % [config.uri_encode()], {}, IceServers)

## Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is not null. `to` is a
## player of the caller's lobby or, once it is `matched`, of any lobby of its match, or `all` for all others, or
## `{player}` for whatever id. It comes as the event `signal` on their open streams, and nothing is kept for later. It
## counts as a request for each lobby that is asked.
func send_signal(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/signals" % [config.uri_encode()], {"body": body}, Signalled)

## Ask for a rematch (host). Within 30 seconds of the end of a match. Once the host of each of its lobbies has asked,
## the same lobbies play the same mode again, in the same teams and on the same build, without a queue. `rematch` of
## each lobby counts. Asking again changes nothing.
func rematch(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/rematch" % [config.uri_encode()], {}, Lobby)

## Say no to a rematch (host). There is no rematch of that match then. Searching, starting a game and leaving say the
## same.
func decline_rematch(config: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_DELETE, "/v3/lobbies/%s/me/rematch" % [config.uri_encode()], {}, Lobby)

## Let another player host. More than half of the others must say that the host is gone.
func change_host(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/host" % [config.uri_encode()], {"body": body}, Lobby)

## Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`: what more than half
## of the players say is the result, until a minute after the match. Each has one vote, and the next replaces it.
func report_result(config: String, id: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/matches/%s/result" % [config.uri_encode(), id.uri_encode()], {"body": body}, VotedResult)

## Say how two players are connected. Operators read it on the match's page. The next report of the same two replaces
## it.
func report_link(config: String, id: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/me/matches/%s/links" % [config.uri_encode(), id.uri_encode()], {"body": body}, Ok)

## Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free places, lobbies
## in the region of `create` come first, then the fullest. If there is none, creates one by `create`, which must fit
## too: never two while one has a place. `where` asks for settings in `browseBy` of the config: ranges such as `1..3`,
## or values, which the new lobby gets.
func quick_join(config: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/lobbies/%s/quick-join" % [config.uri_encode()], {"body": body}, Lobby)

## Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of the project, of
## which there are at most 20. It is no sign of life, and counts as a request for each config.
func where_am_i() -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/me", {}, Whereabouts)

## List the regions, and where to measure how far away they are. Of the fleets that have an `echo`. Send what you
## measured as state, for a `latency` rule.
func list_regions() -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/regions", {}, Regions)

## Read the ladder of a rated mode, the best first. A client key sees ids if the project has `publicPlayerIds`.
## Options: `config`, `mode`, `around`, `season`, `limit`, `offset`.
func get_ratings(options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/ratings" + query_of({"config": options.get("config"), "mode": options.get("mode"), "around": options.get("around"), "season": options.get("season"), "limit": options.get("limit"), "offset": options.get("offset")}), {}, Ladder)

## Read a server. With the server key, the answer also says how it ended.
func get_server(id: String) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/servers/%s" % [id.uri_encode()], {}, ServerRecord)

## Report a server's status (fleet or game server). Needs no key. The bearer token is the one that the instance got at
## launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or after so many
## seconds. Options: `wait`.
func report_server_status(id: String, body: Dictionary, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/servers/%s/status" % [id.uri_encode()] + query_of({"wait": options.get("wait")}), {"body": body}, Server)

## Report the result of the match (game server). Needs no key. The bearer token is the one that the instance got at
## launch. Each team of the match is named once, all with a `rank` (1 is the best) or all with a `score` (the highest
## is the best). A match has one result: the same again changes nothing, and another is refused. It is taken from when
## the server runs, for as long as the match is remembered.
func report_server_result(id: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/servers/%s/result" % [id.uri_encode()], {"body": body}, Match)

## Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs no key: the bearer
## token is that of the instance. Only tickets for this instance are read; any other, an old one and a forged one are
## a 403.
func read_seat(id: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/servers/%s/seats" % [id.uri_encode()], {"body": body}, Seat)

## Say which places in the match are open, and remove players. For the game server with the token that it got at
## launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated request
## harmless.
func set_places(id: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/servers/%s/places" % [id.uri_encode()], {"body": body}, GameRoster)

## Read the players and their places in the match. For the game server with the token that it got at launch, or a
## backend with the server key. Answers as soon as the roster has another revision than `after`, at most `wait`
## seconds later. From the first request on, the lobbies of the match report who leaves and comes back. Options:
## `after`, `wait`.
func read_roster(id: String, options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/v3/servers/%s/roster" % [id.uri_encode()] + query_of({"after": options.get("after"), "wait": options.get("wait")}), {}, GameRoster)

## Log in. Exchanges what the platform gave the player for a player token of an hour. The player is `provider:id`.
func login(provider: String, body: Dictionary) -> Answer:
	return await _asker.call(HTTPClient.METHOD_POST, "/v3/login/%s" % [provider.uri_encode()], {"body": body}, PlayerToken)

## Check that the service is up
func get_health() -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/health", {}, Ok)

## Read the public keys of seat tickets. A project that does not exist has keys that sign nothing, so that nobody can
## find out which projects there are. Options: `project`.
func get_seat_keys(options: Dictionary = {}) -> Answer:
	return await _asker.call(HTTPClient.METHOD_GET, "/.well-known/jwks.json" + query_of({"project": options.get("project")}), {}, SeatKeys)
