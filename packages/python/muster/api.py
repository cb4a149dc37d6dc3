# Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.
from typing import Any, Literal, NotRequired, Optional, TypedDict
from urllib.parse import quote

# Status and meaning of each code that the service answers.
CODES = {
    "VALIDATION_ERROR": (400, "Validation error"),
    "LOBBY_FULL": (400, "Lobby is full"),
    "LOBBY_NOT_ACCEPTING": (400, "Lobby is not accepting players"),
    "INVALID_ACTION": (400, "Invalid action"),
    "NO_MATCHMAKING_MODES": (400, "No matchmaking modes configured"),
    "MODE_NOT_FOUND": (400, "Mode not found"),
    "PARTY_SIZE_EXCEEDED": (400, "Party size exceeded"),
    "ALREADY_IN_QUEUE": (400, "Already in queue"),
    "UNAUTHORIZED": (401, "Unauthorized"),
    "PLAYER_TOKEN_MISSING": (401, "Player token missing"),
    "PLAYER_TOKEN_INVALID": (401, "Player token invalid"),
    "PLAYER_TOKEN_EXPIRED": (401, "Player token expired"),
    "LOGIN_REFUSED": (401, "Login refused"),
    "FORBIDDEN": (403, "Forbidden"),
    "FIELD_NOT_YOURS": (403, "Field not yours"),
    "NOT_HOST": (403, "Not host"),
    "BANNED": (403, "Banned"),
    "COOLDOWN": (403, "Cooling down"),
    "LOBBY_NOT_FOUND": (404, "Lobby not found"),
    "PLAYER_NOT_FOUND": (404, "Player not found"),
    "SERVER_NOT_FOUND": (404, "Server not found"),
    "CONFIG_NOT_FOUND": (404, "Config not found"),
    "BUILD_NOT_FOUND": (404, "Build not found"),
    "LOGS_NOT_AVAILABLE": (404, "Logs not available"),
    "NOT_FOUND": (404, "Not found"),
    "METHOD_NOT_ALLOWED": (405, "Method not allowed"),
    "REQUEST_TIMEOUT": (408, "Request timeout"),
    "ALREADY_IN_LOBBY": (409, "Already in another lobby"),
    "GAME_ALREADY_RUNNING": (409, "Game already running"),
    "LOBBY_NOT_MOVED": (409, "Lobby not moved"),
    "MATCH_NOT_MADE": (409, "Match not made"),
    "REF_EXISTS": (409, "Ref exists"),
    "RESULT_EXISTS": (409, "Result exists"),
    "NOT_HOST_ANY_MORE": (409, "No longer host"),
    "INVALID_STATE": (409, "Invalid state"),
    "PRECONDITION_FAILED": (412, "Precondition failed"),
    "PAYLOAD_TOO_LARGE": (413, "Payload too large"),
    "RATE_LIMITED": (429, "Rate limited"),
    "INTERNAL": (500, "Internal error"),
    "CLOSED": (503, "Closed"),
    "LAUNCH_FAILED": (503, "Launch failed"),
    "CODES_EXHAUSTED": (503, "Invite codes exhausted"),
    "SERVERS_EXHAUSTED": (503, "Servers exhausted"),
    "STORAGE_FULL": (503, "Storage full"),
    "OVERLOADED": (503, "Overloaded"),
    "UNAVAILABLE": (503, "Temporarily unavailable"),
}
# The events of the stream.
EVENTS = ("connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping")

LobbyStatus = Literal["waiting", "in_queue", "starting", "matched", "match_found", "in_game"]
ServerStatus = Literal["launching", "running", "stopped"]
ServerServiceType = Literal["match_based", "persistent_world", "player_hosted"]
LobbyReturnedReason = Literal["timeout", "unmatchable", "cancelled", "player_left", "away", "declined", "confirm_timeout", "launch_failed", "config_changed", "server_crashed"]
GameRosterPlayerStatus = Literal["here", "away", "left", "kicked"]
LobbyChangeOpOp = Literal["add", "replace", "remove"]
RuleType = Literal["difference", "equals", "not_equals", "region", "expression", "balance", "latency", "avoid"]
ModeOnDecline = Literal["return", "requeue", "refill"]
LobbyConfigHostLeaveBehavior = Literal["promote", "delete"]
LobbyConfigInviteCodeConfigType = Literal["numeric", "alphanumeric", "alphabetic"]
ProjectSettingsPlayerAuth = Literal["trust", "token"]
ProjectSettingsHooksFormat = Literal["discord", "slack"]
BuildStatus = Literal["ready", "not_ready"]
BuildPortProtocol = Literal["udp", "tcp"]
KeyPageKeyKind = Literal["client", "server", "viewer"]
MatchSummaryOutcome = Literal["confirming", "launching", "running", "ended", "crashed", "failed"]
MatchSummaryMadeBy = Literal["key", "rematch"]
MatchSummaryResultOutcome = Literal["won", "drawn", "lost"]
MatchMadeBy = Literal["host", "key", "rematch"]
AuditPageItemKind = Literal["config_saved", "config_deleted", "settings_saved", "build_saved", "build_deleted", "secrets_changed", "banned", "unbanned", "kicked", "left_queue", "game_ended", "match_ended", "lobby_deleted", "lobby_moved", "server_restarted", "server_stopped", "servers_stopped", "attributes_deleted", "season_ended", "ratings_imported"]
ErrorBodyCode = Literal["VALIDATION_ERROR", "LOBBY_FULL", "LOBBY_NOT_ACCEPTING", "INVALID_ACTION", "NO_MATCHMAKING_MODES", "MODE_NOT_FOUND", "PARTY_SIZE_EXCEEDED", "ALREADY_IN_QUEUE", "UNAUTHORIZED", "PLAYER_TOKEN_MISSING", "PLAYER_TOKEN_INVALID", "PLAYER_TOKEN_EXPIRED", "LOGIN_REFUSED", "FORBIDDEN", "FIELD_NOT_YOURS", "NOT_HOST", "BANNED", "COOLDOWN", "LOBBY_NOT_FOUND", "PLAYER_NOT_FOUND", "SERVER_NOT_FOUND", "CONFIG_NOT_FOUND", "BUILD_NOT_FOUND", "LOGS_NOT_AVAILABLE", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "ALREADY_IN_LOBBY", "GAME_ALREADY_RUNNING", "LOBBY_NOT_MOVED", "MATCH_NOT_MADE", "REF_EXISTS", "RESULT_EXISTS", "NOT_HOST_ANY_MORE", "INVALID_STATE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "INTERNAL", "CLOSED", "LAUNCH_FAILED", "CODES_EXHAUSTED", "SERVERS_EXHAUSTED", "STORAGE_FULL", "OVERLOADED", "UNAVAILABLE"]
BrowseLobbiesSort = Literal["newest", "players"]
JoinLobbyBodyAs = Literal["player", "spectator"]
GetMyLobbyOrNull = Literal["true", "false"]
UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach = Literal["party", "player"]
SaveBuildBodyStatus = Literal["ready", "not_ready", "not ready"]

Player = TypedDict("Player", {
    # The value sent in x-player-id.
    "id": str,
    # Free-form; null until set.
    "state": Optional[dict[str, Any]],
    # True for exactly one player.
    "isHost": bool,
})

# How long like parties waited of late; null where too few had a match yet.
QueueStatsWaitEstimate = TypedDict("QueueStatsWaitEstimate", {
    # Seconds within which half of like parties had a match.
    "p50": float,
    # Nine of ten; null where too many waited for longer.
    "p90": Optional[float],
    # Parties of as many players, also those that gave up or still wait.
    "of": int,
})

# Why the lobby still waits, where that is known.
QueueStatsWait = TypedDict("QueueStatsWait", {
    # Other lobbies that all rules let through.
    "inReach": int,
    "compared": int,
    # Without this most others would fit, in words.
    "because": Optional[str],
    # Until more come into reach.
    "opensInSeconds": Optional[float],
    # How long like parties waited of late; null where too few had a match yet.
    "estimate": Optional["QueueStatsWaitEstimate"],
})

QueueStats = TypedDict("QueueStats", {
    "playersSearching": int,
    "lobbiesInQueue": int,
    "avgWaitSeconds": float,
    # Why the lobby still waits, where that is known.
    "wait": NotRequired["QueueStatsWait"],
})

QueueStatsEventMode = TypedDict("QueueStatsEventMode", {
    "playersSearching": int,
    "lobbiesInQueue": int,
    "avgWaitSeconds": float,
    # Why the lobby still waits, where that is known.
    "wait": NotRequired["QueueStatsWait"],
    "mode": str,
})

QueueStatsEvent = TypedDict("QueueStatsEvent", {
    "playersSearching": int,
    "lobbiesInQueue": int,
    "avgWaitSeconds": float,
    # Why the lobby still waits, where that is known.
    "wait": NotRequired["QueueStatsWait"],
    # Of a search of several modes: each that is searched now, the first one first.
    "modes": NotRequired[list["QueueStatsEventMode"]],
})

ModesMode = TypedDict("ModesMode", {
    "mode": str,
    "playersSearching": int,
    "lobbiesInQueue": int,
    "avgWaitSeconds": float,
    # How long like parties waited of late; null where too few had a match yet.
    "estimate": Optional["QueueStatsWaitEstimate"],
})

Modes = TypedDict("Modes", {
    "modes": list["ModesMode"],
})

TicketChangesTicketPlayer = TypedDict("TicketChangesTicketPlayer", {
    "id": str,
    "roles": list[str],
})

TicketChangesTicket = TypedDict("TicketChangesTicket", {
    "id": str,
    "lobbyId": str,
    # Since when it waits.
    "since": str,
    # Those who take a place. No role: any.
    "players": list["TicketChangesTicketPlayer"],
    # Means of numbers, and what all of them share.
    "state": dict[str, Any],
    "region": str,
    # That all accept. Empty: any.
    "regions": list[str],
})

TicketChanges = TypedDict("TicketChanges", {
    "tickets": list["TicketChangesTicket"],
    # Tickets that went.
    "gone": list[str],
    # The `after` of the next request.
    "next": str,
    # Forget what you know: this is the first page of all tickets.
    "whole": bool,
})

MatchmakingMode = TypedDict("MatchmakingMode", {
    "mode": str,
    # Still ahead: the mode is searched from then on.
    "since": str,
    # In the answer to GET /me.
    "queueStats": NotRequired["QueueStats"],
})

# How many players are looked for in place of those who said no.
MatchmakingConfirmationRefill = TypedDict("MatchmakingConfirmationRefill", {
    "players": int,
    "until": str,
})

# While match_found.
MatchmakingConfirmation = TypedDict("MatchmakingConfirmation", {
    "deadline": str,
    # Whether this lobby has accepted.
    "confirmed": bool,
    # Players who accepted, if the mode shows it.
    "accepted": NotRequired[int],
    "needed": NotRequired[int],
    # Players in the lobby who have accepted, if the mode asks each player.
    "acceptedBy": NotRequired[list[str]],
    # How many players are looked for in place of those who said no.
    "refill": NotRequired["MatchmakingConfirmationRefill"],
})

# While matched, if no server has room: the match's place in line.
MatchmakingWaitingForServer = TypedDict("MatchmakingWaitingForServer", {
    "position": int,
    "since": str,
})

Matchmaking = TypedDict("Matchmaking", {
    "mode": str,
    "startedAt": str,
    # While in_queue.
    "queueStats": NotRequired["QueueStats"],
    # While in_queue, of a search that was begun with `modes`: those that are searched.
    "modes": NotRequired[list["MatchmakingMode"]],
    # While match_found.
    "confirmation": NotRequired["MatchmakingConfirmation"],
    # While matched, if no server has room: the match's place in line.
    "waiting_for_server": NotRequired["MatchmakingWaitingForServer"],
})

Port = TypedDict("Port", {
    "name": str,
    # Connect to this host, on external_port.
    "host": str,
    "external_port": int,
    "internal_port": int,
    # udp or tcp.
    "protocol": str,
    "tls_enabled": bool,
    # Behind a proxy: wss://host:external_port, then this.
    "path": NotRequired[str],
})

Server = TypedDict("Server", {
    "instance_id": str,
    "name": str,
    "status": "ServerStatus",
    "region": str,
    # Empty until the ports are known.
    "network_ports": list["Port"],
    "startup_args": Optional[str],
    "service_type": "ServerServiceType",
    "compute_size": Optional[str],
    # Name of its build.
    "version_tag": Optional[str],
    # Version of its build: how often it had been saved.
    "version": Optional[int],
    "started_at": Optional[str],
    "stopped_at": Optional[str],
    "auto_restart": bool,
    # What the game server is told; of a match, `{}` to strangers.
    "custom_data": dict[str, Any],
    # Seconds it may run; null without a limit of its own.
    "ttl": Optional[int],
    # Whether it was warm: started before a match needed it.
    "is_pool_server": bool,
    # When a match took it; null of others.
    "pool_claimed_at": Optional[str],
    # The match it was launched for.
    "match_id": Optional[str],
    "created_at": str,
    "updated_at": str,
    # In the own view of a player of the game: what its server knows the player by.
    "ticket": NotRequired[str],
    "host_player": NotRequired[Optional[str]],
    "term": NotRequired[int],
    "host_token": NotRequired[str],
})

# Only while waiting: why the last search or start brought no game.
LobbyReturned = TypedDict("LobbyReturned", {
    # Empty after a start by the host.
    "mode": str,
    "reason": "LobbyReturnedReason",
    # With `unmatchable` after a change of the party's own: why it no longer fits the mode.
    "detail": NotRequired[str],
    # Seconds, with `launch_failed`.
    "retryAfter": NotRequired[int],
    "at": str,
})

# Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
LobbyRematch = TypedDict("LobbyRematch", {
    "yes": int,
    "needed": int,
    "until": str,
})

LobbyLastResultTeamPlayer = TypedDict("LobbyLastResultTeamPlayer", {
    "id": str,
    "score": NotRequired[float],
    # The player left before the end.
    "abandoned": NotRequired[bool],
})

LobbyLastResultTeam = TypedDict("LobbyLastResultTeam", {
    # Index in the teams of the match.
    "team": int,
    # 1 is the best.
    "rank": NotRequired[int],
    # The highest is the best.
    "score": NotRequired[float],
    "players": NotRequired[list["LobbyLastResultTeamPlayer"]],
})

# Of the last match that was reported.
LobbyLastResult = TypedDict("LobbyLastResult", {
    "matchId": str,
    "at": str,
    "teams": list["LobbyLastResultTeam"],
})

LobbySpectator = TypedDict("LobbySpectator", {
    "id": str,
})

Lobby = TypedDict("Lobby", {
    "id": str,
    # Invite code; private lobbies have one too.
    "code": str,
    "name": str,
    "config": str,
    "status": "LobbyStatus",
    # Player id of the host.
    "host": str,
    "maxPlayers": int,
    "currentPlayers": int,
    "region": str,
    "isPrivate": bool,
    "allowLateJoin": bool,
    "settings": dict[str, Any],
    # Longest present first.
    "players": list["Player"],
    # Null without a game server.
    "server": Optional["Server"],
    # While in_queue, match_found or matched.
    "matchmaking": Optional["Matchmaking"],
    # Shared by all lobbies of one match.
    "matchId": Optional[str],
    # Only while waiting: why the last search or start brought no game.
    "returned": NotRequired["LobbyReturned"],
    # Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
    "rematch": NotRequired["LobbyRematch"],
    # Of the last match that was reported.
    "lastResult": NotRequired["LobbyLastResult"],
    # A page that brings a friend in; where the config has `invite`.
    "invite_url": NotRequired[str],
    # The config's.
    "customProperties": dict[str, Any],
    # One more with every visible change.
    "revision": int,
    "createdAt": str,
    # Rises with every visible change.
    "updatedAt": str,
    # How many watch, if anybody.
    "currentSpectators": NotRequired[int],
    # Who watches, longest present first. Not in lists.
    "spectators": NotRequired[list["LobbySpectator"]],
    # The caller watches the lobby.
    "as": NotRequired[str],
})

LobbyPage = TypedDict("LobbyPage", {
    # Without private lobbies.
    "lobbies": list["Lobby"],
    "total": int,
    "limit": int,
    "offset": int,
    "hasMore": bool,
    # Goes on after this page.
    "cursor": NotRequired[str],
})

LobbyDeleted = TypedDict("LobbyDeleted", {
    "status": str,
    # Present if the server key deleted it.
    "id": NotRequired[str],
})

GameRosterOpen = TypedDict("GameRosterOpen", {
    "team": int,
    "places": int,
})

GameRosterPlayer = TypedDict("GameRosterPlayer", {
    "id": str,
    # The lobby that the player came in with.
    "lobby": str,
    # Index in the teams of the match.
    "team": int,
    "role": Optional[str],
    # As the player came in. Null: not known.
    "state": Optional[dict[str, Any]],
    # `away`: the player dropped out, and the place is kept.
    "status": "GameRosterPlayerStatus",
    # While `away`: until when.
    "until": NotRequired[Optional[str]],
    # The roster's revision when this last changed.
    "revision": int,
})

GameRoster = TypedDict("GameRoster", {
    "match": str,
    # Rises with every change.
    "revision": int,
    # The open places.
    "open": list["GameRosterOpen"],
    # Those whose place has changed after `after`.
    "players": list["GameRosterPlayer"],
})

Signal = TypedDict("Signal", {
    # The player who sent it.
    "from": str,
    # Of the host, in a match that a player hosts.
    "term": NotRequired[int],
    # What the sender sent, up to 4 KiB of JSON.
    "data": Any,
})

Signalled = TypedDict("Signalled", {
    # How many players it was for.
    "players": int,
    # How many of them had an open stream, and so were told.
    "streaming": int,
})

IceServersIceServer = TypedDict("IceServersIceServer", {
    "urls": list[str],
    "username": NotRequired[str],
    "credential": NotRequired[str],
})

IceServers = TypedDict("IceServers", {
    # What an RTCPeerConnection takes. Empty if the service has none.
    "iceServers": list["IceServersIceServer"],
    # Seconds until the first of the credentials ends.
    "ttl": int,
})

LobbyChangeOp = TypedDict("LobbyChangeOp", {
    "op": "LobbyChangeOpOp",
    # A JSON pointer (RFC 6901) into the lobby.
    "path": str,
    "value": NotRequired[Any],
})

LobbyChange = TypedDict("LobbyChange", {
    # What the lobby is now.
    "revision": int,
    # The revision that the operations are to be applied to.
    "from": int,
    # Operations of RFC 6902, in order.
    "ops": list["LobbyChangeOp"],
})

VotedResult = TypedDict("VotedResult", {
    # The match has a result.
    "isTaken": bool,
    # How many players have a vote.
    "players": NotRequired[int],
    "voted": NotRequired[int],
    # How many of them say the same.
    "same": NotRequired[int],
})

LobbyGone = TypedDict("LobbyGone", {
    "id": str,
})

MatchmakingEnded = TypedDict("MatchmakingEnded", {
    "id": str,
    # Empty after a start by the host.
    "mode": str,
    "reason": "LobbyReturnedReason",
    # With `unmatchable` after a change of the party's own: why it no longer fits the mode.
    "detail": NotRequired[str],
    # Seconds, with `launch_failed`.
    "retryAfter": NotRequired[int],
})

RegionsRegion = TypedDict("RegionsRegion", {
    "region": str,
    # Answers every GET with nothing.
    "http": Optional[str],
    # host:port; sends back what comes, up to 64 bytes.
    "udp": Optional[str],
})

Regions = TypedDict("Regions", {
    "regions": list["RegionsRegion"],
})

ServerRecord = TypedDict("ServerRecord", {
    "instance_id": str,
    "name": str,
    "status": "ServerStatus",
    "region": str,
    # Empty until the ports are known.
    "network_ports": list["Port"],
    "startup_args": Optional[str],
    "service_type": "ServerServiceType",
    "compute_size": Optional[str],
    # Name of its build.
    "version_tag": Optional[str],
    # Version of its build: how often it had been saved.
    "version": Optional[int],
    "started_at": Optional[str],
    "stopped_at": Optional[str],
    "auto_restart": bool,
    # What the game server is told; of a match, `{}` to strangers.
    "custom_data": dict[str, Any],
    # Seconds it may run; null without a limit of its own.
    "ttl": Optional[int],
    # Whether it was warm: started before a match needed it.
    "is_pool_server": bool,
    # When a match took it; null of others.
    "pool_claimed_at": Optional[str],
    # The match it was launched for.
    "match_id": Optional[str],
    "created_at": str,
    "updated_at": str,
    # In the own view of a player of the game: what its server knows the player by.
    "ticket": NotRequired[str],
    "host_player": NotRequired[Optional[str]],
    "term": NotRequired[int],
    "host_token": NotRequired[str],
    # Exit code of the last run; 128 + n after signal n.
    "exit_code": Optional[int],
    # The signal that ended it, such as SIGSEGV.
    "signal": Optional[str],
    # Its last 4 KiB of output; null in lists.
    "output": Optional[str],
    # Why it failed, what is amiss while it lives, or who ended it; null if nothing is.
    "detail": Optional[str],
    # It was told to end, or its time was over.
    "asked": NotRequired[bool],
    "host_reason": NotRequired[str],
})

ServerLogsLog = TypedDict("ServerLogsLog", {
    # When the line was seen.
    "timestamp": str,
    "message": str,
    # Always info: lines have no level.
    "level": str,
    # The run; changes with each restart.
    "instance": str,
    "region": str,
})

ServerLogs = TypedDict("ServerLogs", {
    "logs": list["ServerLogsLog"],
    "instance_id": str,
    # Name of the fleet.
    "machine_id": str,
    "next_token": Optional[Any],
})

ServerPage = TypedDict("ServerPage", {
    "servers": list["ServerRecord"],
    "total": int,
    "limit": int,
    "offset": int,
    "has_more": bool,
})

Rule = TypedDict("Rule", {
    "type": "RuleType",
    "field": NotRequired[str],
    # Widens with the longer wait of the two.
    "maxDifference": NotRequired[float],
    # How far it has widened at the timeout, in a straight line. Twice the maximum if absent.
    "widenTo": NotRequired[float],
    # How far it has widened, by hand: straight between the points, level after the last.
    "curve": NotRequired[list[list[Any]]],
    # Each lobby reaches further by the number in the state field `<field>Uncertainty`.
    "uncertainty": NotRequired[bool],
    "minOverlap": NotRequired[int],
    "cel": NotRequired[str],
    # Instead of maxDifference: how many points a team's chance to win may be from even, by the ratings of the mode's
    # ladder.
    "win": NotRequired[float],
    # A region counts if no player of the lobby measured more, in ms.
    "maxMs": NotRequired[float],
    # How long both wait before they may be opponents. The target wait of the mode, or half of its timeout, if absent.
    "afterSeconds": NotRequired[int],
})

ModeStep = TypedDict("ModeStep", {
    "afterSeconds": int,
    "minPlayersPerTeam": NotRequired[int],
    "minTeams": NotRequired[int],
    "bots": NotRequired[bool],
    "minHumans": NotRequired[int],
})

# Whether lobbies accept their matches.
ModeMatchConfirmation = TypedDict("ModeMatchConfirmation", {
    # Every lobby must accept the match. Not for very large matches: a single lobby can turn down the match for
    # everyone.
    "enabled": bool,
    # Time to accept, seconds. If matches must be accepted.
    "timeoutSeconds": int,
    # Lobbies see how many players have accepted.
    "showsAccepted": NotRequired[bool],
    # In a party, accepted by. `party`: one player for all; `player`: each player.
    "each": NotRequired[str],
})

# Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by a step of so many
# points.
ModeRatingDecay = TypedDict("ModeRatingDecay", {
    "afterDays": int,
    "sigma": int,
})

# Rate players by results.
ModeRating = TypedDict("ModeRating", {
    # Field of the ladder. Modes that name the same field share a ladder. Only the ladder can write it.
    "field": str,
    # Model.
    "system": str,
    # Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by a step of so
    # many points.
    "decay": NotRequired["ModeRatingDecay"],
})

Mode = TypedDict("Mode", {
    # Teams.
    "teams": int,
    # Players per team.
    "playersPerTeam": int,
    # Minimum players per team. Less than a full team allows partial matches.
    "minPlayersPerTeam": int,
    # Minimum teams. For modes with many teams.
    "minTeams": int,
    # Minimums that fall with the wait. A list of steps: after so many seconds, a smaller match is enough, and last,
    # bots fill the teams.
    "steps": NotRequired[list["ModeStep"]],
    # Teams of a match have equally many players. For matches that start with less than full teams.
    "sameSize": NotRequired[bool],
    # Longest wait, seconds. Then the search ends. Until then, what a difference rule allows grows to twice its value.
    "timeout": int,
    # Largest party. Larger lobbies cannot queue.
    "maxPartySize": int,
    # Fill open places in games in progress.
    "allowBackfill": bool,
    # Rules. All must pass.
    "rules": list["Rule"],
    # Whether lobbies accept their matches.
    "matchConfirmation": "ModeMatchConfirmation",
    # Teams with named roles (asymmetric).
    "teamComposition": Optional[dict[str, dict[str, int]]],
    # Roles that do not play. Comma-separated, such as spectator: they come along without taking a place.
    "excludedFromQueue": list[str],
    # State field that selects the build. Needs an equals rule on the same field.
    "useVersionFromState": Optional[str],
    # When somebody declines, those who accepted. `return`: go back to waiting; `requeue`: keep searching, and keep
    # the time they have waited; `refill`: stay, while others take the open places.
    "onDecline": "ModeOnDecline",
    # Look for others, seconds. If others may take the open places. After that, players who accepted keep searching.
    "refillSeconds": NotRequired[int],
    # No search after a match was turned down, seconds. For the player who declined. Twice as long each time within an
    # hour, up to eight times.
    "declineCooldown": NotRequired[int],
    # Players see why they still wait. Which rule holds them back, and how many others wait.
    "explainsWait": NotRequired[bool],
    # Players may join lobbies during their games. They have no team: the game server sees them as late in their seat
    # tickets.
    "lateJoin": NotRequired[bool],
    # Target wait, seconds. Needs a difference rule. Common players then wait about this long too, for a closer
    # opponent.
    "targetWait": NotRequired[float],
    # Bell, seconds. The webhook is called when a party has waited this long, at most once in five minutes.
    "bellSeconds": NotRequired[int],
    # Time to come back, seconds. How long a player's place is kept when they drop out of a running game.
    "reconnectSeconds": NotRequired[int],
    # Rematches, in one against one. Absent: at once; `avoid`: with the last three opponents when both have waited.
    "rematch": NotRequired[str],
    # Who plays whom is said by. Absent: the rules; `external`: your backend.
    "matcher": NotRequired[str],
    # Rate players by results.
    "rating": NotRequired["ModeRating"],
})

# What games of these lobbies are launched with.
LobbyConfigServerSettings = TypedDict("LobbyConfigServerSettings", {
    # Server size.
    "serverSize": str,
    # Build. A mode can select another by version.
    "gameBuild": Optional[str],
    # Games are hosted by. Absent: a game server; `players`: one of its players. A build can also set this to players.
    "hosting": NotRequired[str],
    # Next host after, seconds. Where players host: when the host has had no stream for this long.
    "hostGraceSeconds": NotRequired[int],
    # The result of a hosted game is reported by. Absent: the host; `majority`: most of the players, all the same.
    "results": NotRequired[str],
    # A hosting player may open and free places, and remove players.
    "hostSteers": NotRequired[bool],
    # A game that a host starts is a match. With a result, a roster and webhooks, but no mode. Left out, it is one
    # where the two settings above need it.
    "matchOnStart": NotRequired[bool],
})

LobbyConfigMatchmaking = TypedDict("LobbyConfigMatchmaking", {
    "modes": dict[str, "Mode"],
})

# Others may watch a lobby, in places of their own.
LobbyConfigSpectators = TypedDict("LobbyConfigSpectators", {
    # Spectators of a lobby. At most 200, besides the players.
    "max": int,
    # Spectators hear later, seconds. What Muster tells them, and not what the game server shows them.
    "delaySeconds": int,
})

# Use a custom format instead of codes like MEOW-7K2QXD.
LobbyConfigInviteCodeConfig = TypedDict("LobbyConfigInviteCodeConfig", {
    # Characters. `alphanumeric`: letters and digits; `numeric`: digits; `alphabetic`: letters.
    "type": "LobbyConfigInviteCodeConfigType",
    # Length. 1 to 16, without the prefix.
    "length": int,
    # Prefix.
    "prefix": Optional[str],
})

# Each lobby has a link, whose page opens the game.
LobbyConfigInvite = TypedDict("LobbyConfigInvite", {
    # Opens the installed game. {code}, {config} and {project} are filled in.
    "url": NotRequired[str],
    # Opens the game in a browser.
    "web": NotRequired[str],
})

# Nobody can create a lobby, start a game or search; what is under way goes on.
LobbyConfigClosed = TypedDict("LobbyConfigClosed", {
    # Message for players.
    "message": str,
    # Open again at. Empty: until you save this config open.
    "until": Optional[str],
})

LobbyConfig = TypedDict("LobbyConfig", {
    "id": str,
    # The {config} in paths; the id works too.
    "name": str,
    # Enabled. While a config is disabled, defaults apply and nobody can queue.
    "enabled": bool,
    # Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
    "timeout": int,
    # What games of these lobbies are launched with.
    "serverSettings": "LobbyConfigServerSettings",
    "matchmaking": "LobbyConfigMatchmaking",
    # Places of a lobby. Default and maximum number of places.
    "maxPlayers": NotRequired[int],
    # Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
    "minPlayers": NotRequired[int],
    # Others may watch a lobby, in places of their own.
    "spectators": NotRequired["LobbyConfigSpectators"],
    # When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
    "hostLeaveBehavior": "LobbyConfigHostLeaveBehavior",
    # Use a custom format instead of codes like MEOW-7K2QXD.
    "inviteCodeConfig": Optional["LobbyConfigInviteCodeConfig"],
    # Each lobby has a link, whose page opens the game.
    "invite": NotRequired["LobbyConfigInvite"],
    # Call the webhook when a public lobby has room. At most once in five minutes.
    "lobbyBell": NotRequired[bool],
    # Players must send heartbeats. An open event stream counts as one.
    "heartbeat": bool,
    # Heartbeat timeout, seconds. Players who stay silent for longer are removed.
    "heartbeatTimeout": int,
    # Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
    "queuePresenceSeconds": int,
    # State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
    "trusted": NotRequired[list[str]],
    # Settings by which players find a lobby. Comma-separated, such as map, difficulty.
    "browseBy": NotRequired[list[str]],
    # Nobody can create a lobby, start a game or search; what is under way goes on.
    "closed": NotRequired["LobbyConfigClosed"],
    # JSON object. Passed on to players in every lobby; the service itself ignores them.
    "customProperties": dict[str, Any],
    # One more with every save.
    "revision": int,
})

Configs = TypedDict("Configs", {
    "lobby_configs": list["LobbyConfig"],
})

# What player tokens must contain, and who else may sign them.
ProjectSettingsPlayerTokens = TypedDict("ProjectSettingsPlayerTokens", {
    # `iss` of every token.
    "issuer": Optional[str],
    # `aud` of every token.
    "audience": Optional[str],
    # Public keys of your identity provider.
    "jwksUrl": Optional[str],
})

ProjectSettingsTokenSecret = TypedDict("ProjectSettingsTokenSecret", {
    "id": str,
    "createdAt": str,
})

ProjectSettingsLogin = TypedDict("ProjectSettingsLogin", {
    "provider": str,
    "savedAt": str,
})

ProjectSettingsHooks = TypedDict("ProjectSettingsHooks", {
    # Of a chat only the beginning.
    "url": str,
    "savedAt": str,
    "format": NotRequired["ProjectSettingsHooksFormat"],
})

ProjectSettings = TypedDict("ProjectSettings", {
    "lobby_configs": list["LobbyConfig"],
    # Whether Muster trusts `x-player-id`, or takes the player from a token.
    "playerAuth": "ProjectSettingsPlayerAuth",
    # Whether client keys see player ids in lobbies that they browse.
    "publicPlayerIds": bool,
    # What player tokens must contain, and who else may sign them.
    "playerTokens": "ProjectSettingsPlayerTokens",
    # State keys that only your backend can write.
    "trusted": NotRequired[list[str]],
    "closed": NotRequired[Any],
    # The secrets, newest first, without their values.
    "tokenSecrets": list["ProjectSettingsTokenSecret"],
    # The providers with which players can log in.
    "logins": list["ProjectSettingsLogin"],
    "hooks": Optional["ProjectSettingsHooks"],
    # The project's revision; the same as `ETag`.
    "revision": int,
})

Warning = TypedDict("Warning", {
    # From the top of the body.
    "path": str,
    "message": str,
    # The name that was probably meant.
    "didYouMean": Optional[str],
})

LobbyConfigSaved = TypedDict("LobbyConfigSaved", {
    "id": str,
    # The {config} in paths; the id works too.
    "name": str,
    # Enabled. While a config is disabled, defaults apply and nobody can queue.
    "enabled": bool,
    # Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
    "timeout": int,
    # What games of these lobbies are launched with.
    "serverSettings": "LobbyConfigServerSettings",
    "matchmaking": "LobbyConfigMatchmaking",
    # Places of a lobby. Default and maximum number of places.
    "maxPlayers": NotRequired[int],
    # Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
    "minPlayers": NotRequired[int],
    # Others may watch a lobby, in places of their own.
    "spectators": NotRequired["LobbyConfigSpectators"],
    # When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
    "hostLeaveBehavior": "LobbyConfigHostLeaveBehavior",
    # Use a custom format instead of codes like MEOW-7K2QXD.
    "inviteCodeConfig": Optional["LobbyConfigInviteCodeConfig"],
    # Each lobby has a link, whose page opens the game.
    "invite": NotRequired["LobbyConfigInvite"],
    # Call the webhook when a public lobby has room. At most once in five minutes.
    "lobbyBell": NotRequired[bool],
    # Players must send heartbeats. An open event stream counts as one.
    "heartbeat": bool,
    # Heartbeat timeout, seconds. Players who stay silent for longer are removed.
    "heartbeatTimeout": int,
    # Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
    "queuePresenceSeconds": int,
    # State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
    "trusted": NotRequired[list[str]],
    # Settings by which players find a lobby. Comma-separated, such as map, difficulty.
    "browseBy": NotRequired[list[str]],
    # Nobody can create a lobby, start a game or search; what is under way goes on.
    "closed": NotRequired["LobbyConfigClosed"],
    # JSON object. Passed on to players in every lobby; the service itself ignores them.
    "customProperties": dict[str, Any],
    # One more with every save.
    "revision": int,
    # What was saved although it is probably a mistake.
    "warnings": list["Warning"],
})

ProjectSettingsSaved = TypedDict("ProjectSettingsSaved", {
    "lobby_configs": list["LobbyConfig"],
    # Whether Muster trusts `x-player-id`, or takes the player from a token.
    "playerAuth": "ProjectSettingsPlayerAuth",
    # Whether client keys see player ids in lobbies that they browse.
    "publicPlayerIds": bool,
    # What player tokens must contain, and who else may sign them.
    "playerTokens": "ProjectSettingsPlayerTokens",
    # State keys that only your backend can write.
    "trusted": NotRequired[list[str]],
    "closed": NotRequired[Any],
    # The secrets, newest first, without their values.
    "tokenSecrets": list["ProjectSettingsTokenSecret"],
    # The providers with which players can log in.
    "logins": list["ProjectSettingsLogin"],
    "hooks": Optional["ProjectSettingsHooks"],
    # The project's revision; the same as `ETag`.
    "revision": int,
    # What was saved although it is probably a mistake.
    "warnings": list["Warning"],
})

ConfigDeleted = TypedDict("ConfigDeleted", {
    "status": str,
    "name": str,
})

# Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
# `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
BuildLaunch = TypedDict("BuildLaunch", {
    # Program. On the agent's machine.
    "command": NotRequired[str],
    # Arguments of the program.
    "args": NotRequired[list[str]],
    # Or a container image. The agent fetches it when you save.
    "image": NotRequired[str],
    # Memory of a container, MB.
    "memory": NotRequired[int],
    # Processors of a container.
    "cpus": NotRequired[float],
    # Name or group of the fleet to use.
    "fleet": NotRequired[str],
    # `players`: nothing is launched, because a player hosts.
    "host": NotRequired[str],
    # Fleets, in order. The next one is asked where one is full or does not answer. Empty: any fleet.
    "fleets": NotRequired[list[str]],
    # Name of the set of servers within the fleet. On Agones the Fleet to allocate from.
    "fleetName": NotRequired[str],
    # Wait for room, seconds. Where all fleets are full, matches wait in line: first come, first served.
    "capacitySeconds": NotRequired[int],
    # Warm servers. Region and number: how many run before a match needs them.
    "warm": NotRequired[dict[str, int]],
    # Environment variables.
    "env": NotRequired[dict[str, str]],
    # Files. Path and text: written into {folder} before the server starts.
    "files": NotRequired[dict[str, str]],
    # Kept folder. It outlives its servers; one of them uses it at a time. In args and env: {keep}.
    "keep": NotRequired[str],
    # The program runs in a folder of its own.
    "ownFolder": NotRequired[bool],
    # The agent keeps the match's roster in a file.
    "roster": NotRequired[bool],
    # Ready when. Empty: once its ports are open. "report": once the server reports it. Or a text that it prints.
    "ready": NotRequired[Any],
})

BuildPort = TypedDict("BuildPort", {
    "name": str,
    # The port inside of a container; absent: the number that players see.
    "internal_port": NotRequired[int],
    "protocol": "BuildPortProtocol",
    "tls": NotRequired[str],
    # Its distance from the first port.
    "offset": NotRequired[int],
    # Its number on every machine, where one server runs at a time.
    "fixed": NotRequired[int],
})

Build = TypedDict("Build", {
    "name": str,
    # One more with every save of this name.
    "version": int,
    # Label. Your name for this version; for display only.
    "label": Optional[str],
    # Status. `ready`: ready; `not_ready`: not ready: do not launch it.
    "status": "BuildStatus",
    # Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a
    # container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of
    # `npm start`.
    "launch": "BuildLaunch",
    # Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
    "ports": list["BuildPort"],
    # Its last three launches failed. Muster keeps launching it.
    "failing": NotRequired[bool],
    # When the first of these failed.
    "failingSince": NotRequired[str],
    # Why its last launch failed; absent once one has run.
    "failure": NotRequired[str],
})

BuildRead = TypedDict("BuildRead", {
    "name": str,
    # One more with every save of this name.
    "version": int,
    # Label. Your name for this version; for display only.
    "label": Optional[str],
    # Status. `ready`: ready; `not_ready`: not ready: do not launch it.
    "status": "BuildStatus",
    # Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a
    # container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of
    # `npm start`.
    "launch": "BuildLaunch",
    # Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
    "ports": list["BuildPort"],
    # Its last three launches failed. Muster keeps launching it.
    "failing": NotRequired[bool],
    # When the first of these failed.
    "failingSince": NotRequired[str],
    # Why its last launch failed; absent once one has run.
    "failure": NotRequired[str],
    # What was saved although it is probably a mistake.
    "warnings": NotRequired[list["Warning"]],
})

BuildSaved = TypedDict("BuildSaved", {
    "name": str,
    # One more with every save of this name.
    "version": int,
    # Label. Your name for this version; for display only.
    "label": Optional[str],
    # Status. `ready`: ready; `not_ready`: not ready: do not launch it.
    "status": "BuildStatus",
    # Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a
    # container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of
    # `npm start`.
    "launch": "BuildLaunch",
    # Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
    "ports": list["BuildPort"],
    # Its last three launches failed. Muster keeps launching it.
    "failing": NotRequired[bool],
    # When the first of these failed.
    "failingSince": NotRequired[str],
    # Why its last launch failed; absent once one has run.
    "failure": NotRequired[str],
    # What was saved although it is probably a mistake.
    "warnings": list["Warning"],
})

Builds = TypedDict("Builds", {
    "builds": list["Build"],
    "total": int,
    "limit": int,
    "offset": int,
    "has_more": bool,
})

BuildDeleted = TypedDict("BuildDeleted", {
    "status": str,
    "name": str,
})

PlayerAttributes = TypedDict("PlayerAttributes", {
    "player": str,
    # The revision of the record; the same as `ETag`.
    "revision": int,
    "attributes": dict[str, Any],
})

ChangedAttributesPlayer = TypedDict("ChangedAttributesPlayer", {
    "player": str,
    # The revision of the record; the same as `ETag`.
    "revision": int,
})

ChangedAttributes = TypedDict("ChangedAttributes", {
    "players": list["ChangedAttributesPlayer"],
})

Ban = TypedDict("Ban", {
    "playerId": str,
    # Null: in all configs.
    "config": Optional[str],
    # Null: until it is lifted.
    "until": Optional[str],
    # What the player is told.
    "reason": Optional[str],
    "createdAt": str,
    "by": str,
})

BanPage = TypedDict("BanPage", {
    "bans": list["Ban"],
    "total": int,
    "limit": int,
    "offset": int,
    "has_more": bool,
})

Unbanned = TypedDict("Unbanned", {
    "status": str,
    "playerId": str,
})

PlayerToken = TypedDict("PlayerToken", {
    # A JWT that the game sends as `authorization: Bearer`.
    "token": str,
    "player": str,
    "expiresAt": str,
    # Of a login with Discord: for `authenticate`.
    "accessToken": NotRequired[str],
})

TokenSecret = TypedDict("TokenSecret", {
    # The `kid` of tokens that the service signs with it.
    "id": str,
    # The HS256 key, as UTF-8 text.
    "secret": str,
    "createdAt": str,
})

SecretDeleted = TypedDict("SecretDeleted", {
    "status": str,
    "id": str,
})

KeyPageKey = TypedDict("KeyPageKey", {
    # It grants nothing. Histories name a key without a name by it.
    "id": str,
    # `viewer`: it reads what the server key reads, except secrets, and changes nothing.
    "kind": "KeyPageKeyKind",
    "name": Optional[str],
    # Null: it is in `API_KEYS`, and cannot be revoked here.
    "createdAt": Optional[str],
    # This request was sent with it.
    "isYours": bool,
})

KeyPage = TypedDict("KeyPage", {
    "keys": list["KeyPageKey"],
})

ViewerKey = TypedDict("ViewerKey", {
    "id": str,
    "kind": str,
    "name": str,
    "createdAt": str,
    # Only this answer shows it.
    "key": str,
})

KeyRevoked = TypedDict("KeyRevoked", {
    "status": str,
    "id": str,
})

Seat = TypedDict("Seat", {
    "player": str,
    # Null after a direct start; of a spectator then the id of the server.
    "match": Optional[str],
    "lobby": str,
    # Index in the teams. Null after a direct start, and without a place in the match.
    "team": Optional[int],
    "team_name": Optional[str],
    "role": Optional[str],
    # The player joined the lobby during the game.
    "late": bool,
    # The holder watches the lobby.
    "spectator": NotRequired[bool],
})

SeatKeysKey = TypedDict("SeatKeysKey", {
    "kty": str,
    "crv": str,
    "x": str,
    "kid": str,
    "alg": str,
    "use": str,
})

# A JWK set: the current key, the next one, and older ones whose tickets are still valid.
SeatKeys = TypedDict("SeatKeys", {
    "keys": list["SeatKeysKey"],
})

LoginSet = TypedDict("LoginSet", {
    "status": str,
    "provider": str,
})

LoginDeleted = TypedDict("LoginDeleted", {
    "status": str,
    "provider": str,
})

HooksSet = TypedDict("HooksSet", {
    "status": str,
    "url": str,
})

HooksDeleted = TypedDict("HooksDeleted", {
    "status": str,
})

Happening = TypedDict("Happening", {
    "at": str,
    # What happened: `entered`, `kicked`, `launched`.
    "kind": str,
    # `player:` and an id, or `operator:` and the name or fingerprint of a server key.
    "by": Optional[str],
    "lobbyId": Optional[str],
    "playerId": Optional[str],
    "matchId": Optional[str],
    # The reason as a code.
    "reason": Optional[str],
    # The reason as text.
    "detail": Optional[str],
})

MatchSummaryResultRating = TypedDict("MatchSummaryResultRating", {
    "before": float,
    "rating": float,
})

# Of one player.
MatchSummaryResult = TypedDict("MatchSummaryResult", {
    "rank": int,
    "score": Optional[float],
    "abandoned": bool,
    "outcome": "MatchSummaryResultOutcome",
    "rating": NotRequired["MatchSummaryResultRating"],
})

MatchSummary = TypedDict("MatchSummary", {
    "id": str,
    "config": str,
    "mode": str,
    "outcome": "MatchSummaryOutcome",
    "reason": Optional[str],
    "formedAt": str,
    "endedAt": Optional[str],
    "players": int,
    # Whether it started short.
    "short": bool,
    "region": Optional[str],
    # Who made it. Absent: matchmaking.
    "made_by": NotRequired["MatchSummaryMadeBy"],
    # What its maker calls it.
    "ref": NotRequired[str],
    "build": Optional[str],
    # The longest wait of its lobbies.
    "waitedSeconds": float,
    # Null unless it ran and has ended.
    "playedSeconds": Optional[int],
    # Of one player.
    "result": NotRequired["MatchSummaryResult"],
})

MatchTeamLobbyPlayerStay = TypedDict("MatchTeamLobbyPlayerStay", {
    "team": int,
    "lobbyId": str,
    "role": Optional[str],
})

MatchTeamLobbyPlayer = TypedDict("MatchTeamLobbyPlayer", {
    "id": str,
    "role": Optional[str],
    # Every stay in the match, oldest first. Absent: there was one.
    "stays": NotRequired[list["MatchTeamLobbyPlayerStay"]],
})

MatchTeamLobby = TypedDict("MatchTeamLobby", {
    "lobbyId": str,
    "waitedSeconds": float,
    # Whoever was in the match, each once: where they first took a place, or else where they first came in.
    "players": list["MatchTeamLobbyPlayer"],
})

MatchTeam = TypedDict("MatchTeam", {
    "name": Optional[str],
    "lobbies": list["MatchTeamLobby"],
})

MatchRule = TypedDict("MatchRule", {
    "rule": str,
    "values": list[Optional[Any]],
})

MatchQualityPing = TypedDict("MatchQualityPing", {
    "worst": float,
    "mean": float,
})

MatchQualityWaits = TypedDict("MatchQualityWaits", {
    "p50": float,
    "max": float,
})

# As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players measured
# to the region in ms, and the lobbies' waits in seconds.
MatchQuality = TypedDict("MatchQuality", {
    "win": NotRequired[list[float]],
    "gap": NotRequired[float],
    "ping": NotRequired["MatchQualityPing"],
    "waits": "MatchQualityWaits",
})

MatchBot = TypedDict("MatchBot", {
    "team": int,
    "role": NotRequired[str],
    "count": int,
})

MatchServer = TypedDict("MatchServer", {
    "id": str,
    "status": str,
    "exitCode": Optional[int],
    "signal": Optional[str],
    "detail": Optional[str],
})

# Absent until one is reported.
MatchResult = TypedDict("MatchResult", {
    "at": str,
    "teams": list["LobbyLastResultTeam"],
    "data": NotRequired[Optional[dict[str, Any]]],
})

MatchLink = TypedDict("MatchLink", {
    "from": str,
    "to": str,
    # By a TURN server.
    "isRelayed": bool,
    # The round trip.
    "ms": int,
})

# What players said of the result.
MatchVotes = TypedDict("MatchVotes", {
    # How many players have a vote.
    "players": int,
    "voted": int,
    # How many of them say the same.
    "same": int,
})

MatchRatingChange = TypedDict("MatchRatingChange", {
    "id": str,
    "rating": int,
    "uncertainty": int,
    "before": int,
})

# What the result did to ratings. Absent until then.
MatchRating = TypedDict("MatchRating", {
    "field": str,
    "changes": list["MatchRatingChange"],
})

Match = TypedDict("Match", {
    "id": str,
    "config": str,
    "mode": str,
    "outcome": "MatchSummaryOutcome",
    # Why it ended or failed.
    "reason": Optional[str],
    "detail": Optional[str],
    "build": Optional[str],
    "formedAt": str,
    "runningAt": Optional[str],
    "endedAt": Optional[str],
    "teams": list["MatchTeam"],
    # The values that each rule compared, longest wait first.
    "rules": list["MatchRule"],
    # As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players
    # measured to the region in ms, and the lobbies' waits in seconds.
    "quality": NotRequired["MatchQuality"],
    # The places that bots had when it began. Absent without bots.
    "bots": NotRequired[list["MatchBot"]],
    # Who made it. Absent: matchmaking.
    "made_by": NotRequired["MatchMadeBy"],
    # What its maker calls it.
    "ref": NotRequired[str],
    "server": Optional["MatchServer"],
    # Oldest first.
    "history": list["Happening"],
    # Absent until one is reported.
    "result": NotRequired["MatchResult"],
    # How players are connected, as they say.
    "links": NotRequired[list["MatchLink"]],
    # What players said of the result.
    "votes": NotRequired["MatchVotes"],
    # What the result did to ratings. Absent until then.
    "rating": NotRequired["MatchRating"],
})

PlayerSeenPlace = TypedDict("PlayerSeenPlace", {
    "config": str,
    "lobbyId": str,
    "lobbyStatus": str,
    # Whether the player has an open stream.
    "streaming": bool,
    # The player only watches.
    "as": NotRequired[str],
})

PlayerSeen = TypedDict("PlayerSeen", {
    "id": str,
    "places": list["PlayerSeenPlace"],
    # The latest matches, newest first.
    "matches": list["MatchSummary"],
    "attributes": dict[str, Any],
    "bans": list["Ban"],
})

ConfigRevision = TypedDict("ConfigRevision", {
    "revision": int,
    "savedAt": str,
    # Name or fingerprint of the key that saved it.
    "key": Optional[str],
    # Null if this revision deleted the config.
    "config": Optional["LobbyConfig"],
})

BuildRevision = TypedDict("BuildRevision", {
    "revision": int,
    "savedAt": str,
    # Name or fingerprint of the key that saved it.
    "key": Optional[str],
    # Null if this revision deleted the build.
    "build": Optional["Build"],
})

BuildHistory = TypedDict("BuildHistory", {
    # Newest first.
    "items": list["BuildRevision"],
})

AuditPageItem = TypedDict("AuditPageItem", {
    "at": str,
    "kind": "AuditPageItemKind",
    # `operator:` and the name or fingerprint of a server key.
    "by": str,
    # What was changed. Null: the project.
    "on": Optional[str],
    # The outcome as text.
    "detail": Optional[str],
})

AuditPage = TypedDict("AuditPage", {
    # Newest first.
    "items": list["AuditPageItem"],
    # The `until` that goes on. Null: there are no more.
    "next": Optional[str],
})

Matches = TypedDict("Matches", {
    # Newest first.
    "items": list["MatchSummary"],
    # The `until` that goes on. Null: there are no more.
    "next": Optional[str],
})

History = TypedDict("History", {
    # Oldest first.
    "items": list["Happening"],
})

ConfigHistory = TypedDict("ConfigHistory", {
    # Newest first.
    "items": list["ConfigRevision"],
})

WhereaboutsLobby = TypedDict("WhereaboutsLobby", {
    "id": str,
    "config": str,
    "status": "LobbyStatus",
    # That it searches, or that its match is of.
    "mode": Optional[str],
    "invite_url": NotRequired[str],
    # The player only watches.
    "as": NotRequired[str],
})

WhereaboutsKept = TypedDict("WhereaboutsKept", {
    "id": str,
    "config": str,
    "mode": Optional[str],
    "code": str,
    "until": Optional[str],
})

Whereabouts = TypedDict("Whereabouts", {
    "player": str,
    "lobbies": list["WhereaboutsLobby"],
    "kept": NotRequired[list["WhereaboutsKept"]],
})

LadderPlayer = TypedDict("LadderPlayer", {
    "place": int,
    "player": str,
    "rating": int,
    "uncertainty": int,
    "games": int,
})

Ladder = TypedDict("Ladder", {
    "season": int,
    "total": int,
    "limit": int,
    "offset": int,
    "has_more": bool,
    "players": list["LadderPlayer"],
})

ImportedRatings = TypedDict("ImportedRatings", {
    "changed": int,
})

RatingSeason = TypedDict("RatingSeason", {
    "season": int,
    # Whether the one before is still being archived.
    "isEnding": bool,
})

Ok = TypedDict("Ok", {
    "status": str,
})

ErrorBodyIssue = TypedDict("ErrorBodyIssue", {
    # From the top of the body: `rules[1].field`.
    "path": str,
    "message": str,
})

ErrorBody = TypedDict("ErrorBody", {
    # Short message.
    "error": str,
    # What exactly was wrong; names the field.
    "detail": str,
    # The HTTP status.
    "status": int,
    # For programs: its meaning never changes.
    "code": "ErrorBodyCode",
    # With `VALIDATION_ERROR`, `MATCH_NOT_MADE` and `LOBBY_NOT_MOVED`: what is wrong, and where.
    "issues": NotRequired[list["ErrorBodyIssue"]],
    # With `BANNED`: when it ends.
    "until": NotRequired[Optional[str]],
    # With `LAUNCH_FAILED`, for a server key.
    "instance_id": NotRequired[str],
    # As in the header `x-request-id`.
    "requestId": NotRequired[str],
})

CreateLobbyBody = TypedDict("CreateLobbyBody", {
    "name": str,
    "maxPlayers": NotRequired[int],
    "region": NotRequired[str],
    "isPrivate": NotRequired[bool],
    "allowLateJoin": NotRequired[bool],
    "settings": NotRequired[dict[str, Any]],
    "state": NotRequired[dict[str, Any]],
    "forceFresh": NotRequired[bool],
    "key": NotRequired[str],
})

JoinLobbyBody = TypedDict("JoinLobbyBody", {
    "code": NotRequired[str],
    "inviteCode": NotRequired[str],
    "lobbyId": NotRequired[str],
    "state": NotRequired[dict[str, Any]],
    "as": NotRequired["JoinLobbyBodyAs"],
})

UpdateMyStateBody = TypedDict("UpdateMyStateBody", {
    "state": dict[str, Any],
})

UpdateLobbySettingsBody = TypedDict("UpdateLobbySettingsBody", {
    "name": NotRequired[str],
    "maxPlayers": NotRequired[int],
    "isPrivate": NotRequired[bool],
    "allowLateJoin": NotRequired[bool],
    "region": NotRequired[str],
    "settings": NotRequired[dict[str, Any]],
})

StartMatchmakingBody = TypedDict("StartMatchmakingBody", {
    "mode": NotRequired[str],
    "modes": NotRequired[list[Any]],
})

MoveToBody = TypedDict("MoveToBody", {
    "config": str,
})

SendSignalBody = TypedDict("SendSignalBody", {
    "to": Any,
    "data": Any,
})

MakeMatchBodyTeam = TypedDict("MakeMatchBodyTeam", {
    "name": NotRequired[str],
    "lobbies": NotRequired[list[str]],
    "players": NotRequired[list[str]],
})

MakeMatchBody = TypedDict("MakeMatchBody", {
    "config": str,
    "mode": str,
    "teams": list["MakeMatchBodyTeam"],
    "rules": NotRequired[bool],
    "confirm": NotRequired[bool],
    "rated": NotRequired[bool],
    "region": NotRequired[str],
    "build": NotRequired[str],
    "ref": str,
})

ReportMatchResultBodyTeamPlayer = TypedDict("ReportMatchResultBodyTeamPlayer", {
    "id": str,
    "score": NotRequired[float],
    "abandoned": NotRequired[bool],
})

ReportMatchResultBodyTeam = TypedDict("ReportMatchResultBodyTeam", {
    "team": int,
    "rank": NotRequired[int],
    "score": NotRequired[float],
    "players": NotRequired[list["ReportMatchResultBodyTeamPlayer"]],
})

ReportMatchResultBody = TypedDict("ReportMatchResultBody", {
    "teams": list["ReportMatchResultBodyTeam"],
    "data": NotRequired[dict[str, Any]],
})

PutPlayerAttributesBody = TypedDict("PutPlayerAttributesBody", {
    "attributes": dict[str, Any],
})

ChangeAttributesBodyPlayer = TypedDict("ChangeAttributesBodyPlayer", {
    "id": str,
    "attributes": dict[str, Any],
})

ChangeAttributesBody = TypedDict("ChangeAttributesBody", {
    "players": list["ChangeAttributesBodyPlayer"],
    "replace": NotRequired[bool],
})

ChangeHostBody = TypedDict("ChangeHostBody", {
    "term": int,
    "unreachable": NotRequired[bool],
    "resign": NotRequired[bool],
})

ReportLinkBody = TypedDict("ReportLinkBody", {
    "to": str,
    "isRelayed": bool,
    "ms": int,
})

QuickJoinBodyCreate = TypedDict("QuickJoinBodyCreate", {
    "name": str,
    "maxPlayers": NotRequired[int],
    "region": NotRequired[str],
    "isPrivate": NotRequired[bool],
    "allowLateJoin": NotRequired[bool],
    "settings": NotRequired[dict[str, Any]],
    "state": NotRequired[dict[str, Any]],
    "forceFresh": NotRequired[bool],
})

QuickJoinBody = TypedDict("QuickJoinBody", {
    "where": NotRequired[dict[str, Any]],
    "places": NotRequired[int],
    "state": NotRequired[dict[str, Any]],
    "create": "QuickJoinBodyCreate",
})

EndRatingSeasonBody = TypedDict("EndRatingSeasonBody", {
    "config": str,
    "mode": str,
    "season": int,
    "factor": float,
})

BanPlayerBody = TypedDict("BanPlayerBody", {
    "config": NotRequired[str],
    "until": NotRequired[str],
    "reason": NotRequired[str],
})

StartServerBodyPortConfig = TypedDict("StartServerBodyPortConfig", {
    "name": str,
    "internal_port": NotRequired[int],
    "protocol": NotRequired["BuildPortProtocol"],
    "tls": NotRequired[str],
    "offset": NotRequired[int],
    "fixed": NotRequired[int],
})

StartServerBody = TypedDict("StartServerBody", {
    "name": NotRequired[str],
    "region": NotRequired[str],
    "compute_size": NotRequired[str],
    "version_tag": NotRequired[str],
    "custom_data": NotRequired[dict[str, Any]],
    "ttl": NotRequired[int],
    "match_id": NotRequired[str],
    "version": NotRequired[int],
    "startup_args": NotRequired[str],
    "environment_variables": NotRequired[dict[str, str]],
    "port_configs": NotRequired[list["StartServerBodyPortConfig"]],
    "auto_restart": NotRequired[bool],
})

UpdateServerBody = TypedDict("UpdateServerBody", {
    "custom_data": dict[str, Any],
})

RestartServerBody = TypedDict("RestartServerBody", {
    "name": NotRequired[str],
    "compute_size": NotRequired[str],
    "version_tag": NotRequired[str],
    "custom_data": NotRequired[dict[str, Any]],
    "ttl": NotRequired[int],
    "match_id": NotRequired[str],
    "version": NotRequired[int],
    "startup_args": NotRequired[str],
    "environment_variables": NotRequired[dict[str, str]],
    "port_configs": NotRequired[list["StartServerBodyPortConfig"]],
    "auto_restart": NotRequired[bool],
})

ReportServerStatusBodyNetworkPort = TypedDict("ReportServerStatusBodyNetworkPort", {
    "name": str,
    "host": str,
    "external_port": int,
    "internal_port": int,
    "protocol": "BuildPortProtocol",
    "tls_enabled": NotRequired[bool],
})

ReportServerStatusBody = TypedDict("ReportServerStatusBody", {
    "status": "ServerStatus",
    "network_ports": NotRequired[list["ReportServerStatusBodyNetworkPort"]],
    "exit_code": NotRequired[int],
    "signal": NotRequired[str],
    "detail": NotRequired[str],
    "output": NotRequired[str],
    "asked": NotRequired[bool],
})

ReadSeatBody = TypedDict("ReadSeatBody", {
    "ticket": str,
})

SetPlacesBody = TypedDict("SetPlacesBody", {
    "open": NotRequired[int],
    "team": NotRequired[int],
    "until": NotRequired[str],
    "release": NotRequired[str],
    "kick": NotRequired[str],
    "present": NotRequired[list[str]],
    "after": NotRequired[int],
})

UpdateProjectSettingsBodyLobbyConfigServerSettings = TypedDict("UpdateProjectSettingsBodyLobbyConfigServerSettings", {
    "serverSize": NotRequired[str],
    "gameBuild": NotRequired[str],
    "hosting": NotRequired[str],
    "hostGraceSeconds": NotRequired[int],
    "results": NotRequired[str],
    "hostSteers": NotRequired[bool],
    "matchOnStart": NotRequired[bool],
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep", {
    "afterSeconds": int,
    "minPlayersPerTeam": NotRequired[int],
    "minTeams": NotRequired[int],
    "bots": NotRequired[bool],
    "minHumans": NotRequired[int],
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule", {
    "type": "RuleType",
    "field": NotRequired[str],
    # Widens with the longer wait of the two.
    "maxDifference": NotRequired[float],
    # How far it has widened at the timeout, in a straight line. Twice the maximum if absent.
    "widenTo": NotRequired[float],
    # How far it has widened, by hand: straight between the points, level after the last.
    "curve": NotRequired[list[list[Any]]],
    # Each lobby reaches further by the number in the state field `<field>Uncertainty`.
    "uncertainty": NotRequired[bool],
    "minOverlap": NotRequired[int],
    "cel": NotRequired[str],
    # Instead of maxDifference: how many points a team's chance to win may be from even, by the ratings of the mode's
    # ladder.
    "win": NotRequired[float],
    # A region counts if no player of the lobby measured more, in ms.
    "maxMs": NotRequired[float],
    # How long both wait before they may be opponents. The target wait of the mode, or half of its timeout, if absent.
    "afterSeconds": NotRequired[int],
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation", {
    "enabled": NotRequired[bool],
    "timeoutSeconds": NotRequired[int],
    "showsAccepted": NotRequired[bool],
    "each": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach"],
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay", {
    "afterDays": int,
    "sigma": int,
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating", {
    "field": str,
    "system": str,
    "decay": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay"],
})

UpdateProjectSettingsBodyLobbyConfigMatchmakingMode = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmakingMode", {
    "teams": NotRequired[int],
    "playersPerTeam": NotRequired[int],
    "minPlayersPerTeam": NotRequired[int],
    "minTeams": NotRequired[int],
    "steps": NotRequired[list["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep"]],
    "sameSize": NotRequired[bool],
    "timeout": NotRequired[int],
    "maxPartySize": NotRequired[int],
    "allowBackfill": NotRequired[bool],
    "rules": NotRequired[list["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule"]],
    # Another name for `rules`.
    "matchmakingRules": NotRequired[list[Any]],
    "matchConfirmation": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation"],
    "teamComposition": NotRequired[dict[str, dict[str, int]]],
    "excludedFromQueue": NotRequired[list[str]],
    "useVersionFromState": NotRequired[str],
    "onDecline": NotRequired["ModeOnDecline"],
    "refillSeconds": NotRequired[int],
    "declineCooldown": NotRequired[int],
    "explainsWait": NotRequired[bool],
    "lateJoin": NotRequired[bool],
    "rating": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating"],
    "targetWait": NotRequired[float],
    "rematch": NotRequired[str],
    "matcher": NotRequired[str],
    "bellSeconds": NotRequired[int],
    "reconnectSeconds": NotRequired[int],
})

UpdateProjectSettingsBodyLobbyConfigMatchmaking = TypedDict("UpdateProjectSettingsBodyLobbyConfigMatchmaking", {
    "modes": NotRequired[dict[str, "UpdateProjectSettingsBodyLobbyConfigMatchmakingMode"]],
})

UpdateProjectSettingsBodyLobbyConfigSpectators = TypedDict("UpdateProjectSettingsBodyLobbyConfigSpectators", {
    "max": NotRequired[int],
    "delaySeconds": NotRequired[int],
})

UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig = TypedDict("UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig", {
    "type": "LobbyConfigInviteCodeConfigType",
    "length": int,
    "prefix": NotRequired[str],
})

UpdateProjectSettingsBodyLobbyConfigInvite = TypedDict("UpdateProjectSettingsBodyLobbyConfigInvite", {
    "url": NotRequired[str],
    "web": NotRequired[Any],
})

UpdateProjectSettingsBodyLobbyConfigClosed = TypedDict("UpdateProjectSettingsBodyLobbyConfigClosed", {
    "message": str,
    "until": NotRequired[str],
})

UpdateProjectSettingsBodyLobbyConfig = TypedDict("UpdateProjectSettingsBodyLobbyConfig", {
    "name": str,
    "id": NotRequired[Any],
    "revision": NotRequired[Any],
    "warnings": NotRequired[Any],
    "enabled": NotRequired[bool],
    "timeout": NotRequired[int],
    "serverSettings": NotRequired["UpdateProjectSettingsBodyLobbyConfigServerSettings"],
    "matchmaking": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmaking"],
    "maxPlayers": NotRequired[int],
    "minPlayers": NotRequired[int],
    "spectators": NotRequired["UpdateProjectSettingsBodyLobbyConfigSpectators"],
    "hostLeaveBehavior": NotRequired["LobbyConfigHostLeaveBehavior"],
    "inviteCodeConfig": NotRequired["UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig"],
    "invite": NotRequired["UpdateProjectSettingsBodyLobbyConfigInvite"],
    "lobbyBell": NotRequired[bool],
    "heartbeat": NotRequired[bool],
    "heartbeatTimeout": NotRequired[int],
    "queuePresenceSeconds": NotRequired[int],
    "closed": NotRequired["UpdateProjectSettingsBodyLobbyConfigClosed"],
    "trusted": NotRequired[list[str]],
    "browseBy": NotRequired[list[str]],
    "customProperties": NotRequired[dict[str, Any]],
})

UpdateProjectSettingsBodyPlayerTokens = TypedDict("UpdateProjectSettingsBodyPlayerTokens", {
    "issuer": NotRequired[str],
    "audience": NotRequired[str],
    "jwksUrl": NotRequired[str],
})

UpdateProjectSettingsBody = TypedDict("UpdateProjectSettingsBody", {
    "lobby_configs": NotRequired[list["UpdateProjectSettingsBodyLobbyConfig"]],
    "playerAuth": NotRequired["ProjectSettingsPlayerAuth"],
    "publicPlayerIds": NotRequired[bool],
    "playerTokens": NotRequired["UpdateProjectSettingsBodyPlayerTokens"],
    "trusted": NotRequired[list[str]],
    "closed": NotRequired[Any],
    "tokenSecrets": NotRequired[Any],
    "logins": NotRequired[Any],
    "hooks": NotRequired[Any],
    "revision": NotRequired[Any],
    "warnings": NotRequired[Any],
})

AddTokenSecretBody = TypedDict("AddTokenSecretBody", {
    "secret": NotRequired[str],
})

MakeViewerKeyBody = TypedDict("MakeViewerKeyBody", {
    "name": str,
})

SetHooksBody = TypedDict("SetHooksBody", {
    "url": str,
    "secret": NotRequired[str],
    "format": NotRequired["ProjectSettingsHooksFormat"],
})

LoginBody = TypedDict("LoginBody", {
    "token": str,
})

MintPlayerTokenBody = TypedDict("MintPlayerTokenBody", {
    "attributes": NotRequired[dict[str, Any]],
    "ttl": NotRequired[int],
})

# What games of these lobbies are launched with.
SaveLobbyConfigBodyServerSettings = TypedDict("SaveLobbyConfigBodyServerSettings", {
    # Server size.
    "serverSize": NotRequired[str],
    # Build. A mode can select another by version.
    "gameBuild": NotRequired[str],
    # Games are hosted by. Absent: a game server; `players`: one of its players. A build can also set this to players.
    "hosting": NotRequired[str],
    # Next host after, seconds. Where players host: when the host has had no stream for this long.
    "hostGraceSeconds": NotRequired[int],
    # The result of a hosted game is reported by. Absent: the host; `majority`: most of the players, all the same.
    "results": NotRequired[str],
    # A hosting player may open and free places, and remove players.
    "hostSteers": NotRequired[bool],
    # A game that a host starts is a match. With a result, a roster and webhooks, but no mode. Left out, it is one
    # where the two settings above need it.
    "matchOnStart": NotRequired[bool],
})

# Whether lobbies accept their matches.
SaveLobbyConfigBodyMatchmakingModeMatchConfirmation = TypedDict("SaveLobbyConfigBodyMatchmakingModeMatchConfirmation", {
    # Every lobby must accept the match. Not for very large matches: a single lobby can turn down the match for
    # everyone.
    "enabled": NotRequired[bool],
    # Time to accept, seconds. If matches must be accepted.
    "timeoutSeconds": NotRequired[int],
    # Lobbies see how many players have accepted.
    "showsAccepted": NotRequired[bool],
    # In a party, accepted by. `party`: one player for all; `player`: each player.
    "each": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach"],
})

# Rate players by results.
SaveLobbyConfigBodyMatchmakingModeRating = TypedDict("SaveLobbyConfigBodyMatchmakingModeRating", {
    # Field of the ladder. Modes that name the same field share a ladder. Only the ladder can write it.
    "field": str,
    # Model.
    "system": str,
    # Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by a step of so
    # many points.
    "decay": NotRequired["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay"],
})

SaveLobbyConfigBodyMatchmakingMode = TypedDict("SaveLobbyConfigBodyMatchmakingMode", {
    # Teams.
    "teams": NotRequired[int],
    # Players per team.
    "playersPerTeam": NotRequired[int],
    # Minimum players per team. Less than a full team allows partial matches.
    "minPlayersPerTeam": NotRequired[int],
    # Minimum teams. For modes with many teams.
    "minTeams": NotRequired[int],
    # Minimums that fall with the wait. A list of steps: after so many seconds, a smaller match is enough, and last,
    # bots fill the teams.
    "steps": NotRequired[list["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep"]],
    # Teams of a match have equally many players. For matches that start with less than full teams.
    "sameSize": NotRequired[bool],
    # Longest wait, seconds. Then the search ends. Until then, what a difference rule allows grows to twice its value.
    "timeout": NotRequired[int],
    # Largest party. Larger lobbies cannot queue.
    "maxPartySize": NotRequired[int],
    # Fill open places in games in progress.
    "allowBackfill": NotRequired[bool],
    # Rules. All must pass.
    "rules": NotRequired[list["UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule"]],
    # Another name for `rules`.
    "matchmakingRules": NotRequired[list[Any]],
    # Whether lobbies accept their matches.
    "matchConfirmation": NotRequired["SaveLobbyConfigBodyMatchmakingModeMatchConfirmation"],
    # Teams with named roles (asymmetric).
    "teamComposition": NotRequired[dict[str, dict[str, int]]],
    # Roles that do not play. Comma-separated, such as spectator: they come along without taking a place.
    "excludedFromQueue": NotRequired[list[str]],
    # State field that selects the build. Needs an equals rule on the same field.
    "useVersionFromState": NotRequired[str],
    # When somebody declines, those who accepted. `return`: go back to waiting; `requeue`: keep searching, and keep
    # the time they have waited; `refill`: stay, while others take the open places.
    "onDecline": NotRequired["ModeOnDecline"],
    # Look for others, seconds. If others may take the open places. After that, players who accepted keep searching.
    "refillSeconds": NotRequired[int],
    # No search after a match was turned down, seconds. For the player who declined. Twice as long each time within an
    # hour, up to eight times.
    "declineCooldown": NotRequired[int],
    # Players see why they still wait. Which rule holds them back, and how many others wait.
    "explainsWait": NotRequired[bool],
    # Players may join lobbies during their games. They have no team: the game server sees them as late in their seat
    # tickets.
    "lateJoin": NotRequired[bool],
    # Rate players by results.
    "rating": NotRequired["SaveLobbyConfigBodyMatchmakingModeRating"],
    # Target wait, seconds. Needs a difference rule. Common players then wait about this long too, for a closer
    # opponent.
    "targetWait": NotRequired[float],
    # Rematches, in one against one. Absent: at once; `avoid`: with the last three opponents when both have waited.
    "rematch": NotRequired[str],
    # Who plays whom is said by. Absent: the rules; `external`: your backend.
    "matcher": NotRequired[str],
    # Bell, seconds. The webhook is called when a party has waited this long, at most once in five minutes.
    "bellSeconds": NotRequired[int],
    # Time to come back, seconds. How long a player's place is kept when they drop out of a running game.
    "reconnectSeconds": NotRequired[int],
})

SaveLobbyConfigBodyMatchmaking = TypedDict("SaveLobbyConfigBodyMatchmaking", {
    "modes": NotRequired[dict[str, "SaveLobbyConfigBodyMatchmakingMode"]],
})

# Others may watch a lobby, in places of their own.
SaveLobbyConfigBodySpectators = TypedDict("SaveLobbyConfigBodySpectators", {
    # Spectators of a lobby. At most 200, besides the players.
    "max": NotRequired[int],
    # Spectators hear later, seconds. What Muster tells them, and not what the game server shows them.
    "delaySeconds": NotRequired[int],
})

# Use a custom format instead of codes like MEOW-7K2QXD.
SaveLobbyConfigBodyInviteCodeConfig = TypedDict("SaveLobbyConfigBodyInviteCodeConfig", {
    # Characters. `alphanumeric`: letters and digits; `numeric`: digits; `alphabetic`: letters.
    "type": "LobbyConfigInviteCodeConfigType",
    # Length. 1 to 16, without the prefix.
    "length": int,
    # Prefix.
    "prefix": NotRequired[str],
})

# Each lobby has a link, whose page opens the game.
SaveLobbyConfigBodyInvite = TypedDict("SaveLobbyConfigBodyInvite", {
    # Opens the installed game. {code}, {config} and {project} are filled in.
    "url": NotRequired[str],
    # Opens the game in a browser.
    "web": NotRequired[Any],
})

# Nobody can create a lobby, start a game or search; what is under way goes on.
SaveLobbyConfigBodyClosed = TypedDict("SaveLobbyConfigBodyClosed", {
    # Message for players.
    "message": str,
    # Open again at. Empty: until you save this config open.
    "until": NotRequired[str],
})

SaveLobbyConfigBody = TypedDict("SaveLobbyConfigBody", {
    "name": NotRequired[Any],
    "id": NotRequired[Any],
    "revision": NotRequired[Any],
    "warnings": NotRequired[Any],
    # Enabled. While a config is disabled, defaults apply and nobody can queue.
    "enabled": NotRequired[bool],
    # Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
    "timeout": NotRequired[int],
    # What games of these lobbies are launched with.
    "serverSettings": NotRequired["SaveLobbyConfigBodyServerSettings"],
    "matchmaking": NotRequired["SaveLobbyConfigBodyMatchmaking"],
    # Places of a lobby. Default and maximum number of places.
    "maxPlayers": NotRequired[int],
    # Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
    "minPlayers": NotRequired[int],
    # Others may watch a lobby, in places of their own.
    "spectators": NotRequired["SaveLobbyConfigBodySpectators"],
    # When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
    "hostLeaveBehavior": NotRequired["LobbyConfigHostLeaveBehavior"],
    # Use a custom format instead of codes like MEOW-7K2QXD.
    "inviteCodeConfig": NotRequired["SaveLobbyConfigBodyInviteCodeConfig"],
    # Each lobby has a link, whose page opens the game.
    "invite": NotRequired["SaveLobbyConfigBodyInvite"],
    # Call the webhook when a public lobby has room. At most once in five minutes.
    "lobbyBell": NotRequired[bool],
    # Players must send heartbeats. An open event stream counts as one.
    "heartbeat": NotRequired[bool],
    # Heartbeat timeout, seconds. Players who stay silent for longer are removed.
    "heartbeatTimeout": NotRequired[int],
    # Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
    "queuePresenceSeconds": NotRequired[int],
    # Nobody can create a lobby, start a game or search; what is under way goes on.
    "closed": NotRequired["SaveLobbyConfigBodyClosed"],
    # State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
    "trusted": NotRequired[list[str]],
    # Settings by which players find a lobby. Comma-separated, such as map, difficulty.
    "browseBy": NotRequired[list[str]],
    # JSON object. Passed on to players in every lobby; the service itself ignores them.
    "customProperties": NotRequired[dict[str, Any]],
})

# Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
# `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
SaveBuildBodyLaunch = TypedDict("SaveBuildBodyLaunch", {
    # Program. On the agent's machine.
    "command": NotRequired[str],
    # Arguments of the program.
    "args": NotRequired[list[str]],
    # Or a container image. The agent fetches it when you save.
    "image": NotRequired[str],
    # Memory of a container, MB.
    "memory": NotRequired[int],
    # Processors of a container.
    "cpus": NotRequired[float],
    # Name or group of the fleet to use.
    "fleet": NotRequired[str],
    # `players`: nothing is launched, because a player hosts.
    "host": NotRequired[str],
    # Fleets, in order. The next one is asked where one is full or does not answer. Empty: any fleet.
    "fleets": NotRequired[list[str]],
    # Name of the set of servers within the fleet. On Agones the Fleet to allocate from.
    "fleetName": NotRequired[str],
    # Wait for room, seconds. Where all fleets are full, matches wait in line: first come, first served.
    "capacitySeconds": NotRequired[int],
    # Warm servers. Region and number: how many run before a match needs them.
    "warm": NotRequired[dict[str, int]],
    # Environment variables.
    "env": NotRequired[dict[str, str]],
    # Files. Path and text: written into {folder} before the server starts.
    "files": NotRequired[dict[str, str]],
    # Kept folder. It outlives its servers; one of them uses it at a time. In args and env: {keep}.
    "keep": NotRequired[str],
    # The program runs in a folder of its own.
    "ownFolder": NotRequired[bool],
    # The agent keeps the match's roster in a file.
    "roster": NotRequired[bool],
    # Ready when. Empty: once its ports are open. "report": once the server reports it. Or a text that it prints.
    "ready": NotRequired[Any],
})

SaveBuildBody = TypedDict("SaveBuildBody", {
    "name": NotRequired[Any],
    "failing": NotRequired[Any],
    "failingSince": NotRequired[Any],
    "failure": NotRequired[Any],
    "warnings": NotRequired[Any],
    # Label. Your name for this version; for display only.
    "label": NotRequired[str],
    "version": NotRequired[Any],
    # Status. `ready`: ready; `not_ready`: not ready: do not launch it.
    "status": NotRequired["SaveBuildBodyStatus"],
    # Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a
    # container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of
    # `npm start`.
    "launch": NotRequired["SaveBuildBodyLaunch"],
    # Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
    "ports": NotRequired[list["StartServerBodyPortConfig"]],
})


def part(text: str) -> str:
    """A part of a path."""
    return quote(text, safe="", errors="replace")


class Api:
    """Each endpoint as a function. Whoever inherits from it says how to ask."""

    def _call(self, method: str, path: str, *, body: Any = None, query: Any = None, headers: Any = None) -> Any:
        raise NotImplementedError

    def _open(self, method: str, path: str, *, query: Any = None) -> Any:
        raise NotImplementedError

    def browse_lobbies(self, config: str, *, region: Optional[str] = None, status: Optional["LobbyStatus"] = None, places: Optional[int] = None, sort: Optional["BrowseLobbiesSort"] = None, cursor: Optional[str] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "LobbyPage":
        """Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The list can be a
        second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how many. The next
        one begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`, for settings in
        `browseBy` of the config."""
        return self._call("GET", f"/v3/lobbies/{part(config)}", query={"region": region, "status": status, "places": places, "sort": sort, "cursor": cursor, "limit": limit, "offset": offset})

    def create_lobby(self, config: str, body: "CreateLobbyBody") -> "Lobby":
        """Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller hosts in
        this config. A caller who is a guest in another lobby is still refused. With a `key`, the first caller creates
        the lobby of that key, and all others join it (200)."""
        return self._call("POST", f"/v3/lobbies/{part(config)}", body=body)

    def join_lobby(self, config: str, body: "JoinLobbyBody") -> "Lobby":
        """Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or `lobbyId`. A private
        lobby needs its code, except with the server key. A player who is already in the lobby gets it back unchanged.
        `as: spectator` watches it, at any time, in a config with `spectators`; a player of a waiting lobby stands
        aside by it, and a spectator who joins without it begins to play."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/join", body=body)

    def get_my_lobby(self, config: str, *, or_null: Optional["GetMyLobbyOrNull"] = None) -> "Lobby":
        """Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a 404."""
        return self._call("GET", f"/v3/lobbies/{part(config)}/me", query={"orNull": or_null})

    def update_my_state(self, config: str, body: "UpdateMyStateBody", *, prefer: Optional[str] = None) -> "Lobby":
        """Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If the lobby is
        queued, its ticket changes too and keeps its waiting time."""
        return self._call("PATCH", f"/v3/lobbies/{part(config)}/me", body=body, headers={"prefer": prefer})

    def leave_lobby(self, config: str) -> "Lobby":
        """Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the caller was the
        last player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels matchmaking, and
        declines a match that waits for confirmation."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/me")

    def update_lobby_settings(self, config: str, body: "UpdateLobbySettingsBody", *, prefer: Optional[str] = None) -> "Lobby":
        """Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers` cannot be less
        than the number of players in the lobby."""
        return self._call("PATCH", f"/v3/lobbies/{part(config)}/me/settings", body=body, headers={"prefer": prefer})

    def kick_player(self, config: str, player_id: str) -> "Lobby":
        """Kick a player (host). The player gets one more update of the lobby, without itself in it."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/me/players/{part(player_id)}")

    def start_game(self, config: str) -> "Lobby":
        """Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once the server
        lives, at most a second after its launch, and always shows it launching. An update says when it is running. A
        server that ends at once is a `LAUNCH_FAILED`."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/start")

    def end_match(self, config: str) -> "Lobby":
        """End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the same players,
        code and settings."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/end-match")

    def start_matchmaking(self, config: str, body: "StartMatchmakingBody") -> "Lobby":
        """Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes` in the place
        of `mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but the first always at
        once. The first match takes it out of the others. A mode that finds nobody within its timeout drops out, and
        the last one ends the search."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/matchmaking", body=body)

    def cancel_matchmaking(self, config: str) -> "Lobby":
        """Take the lobby out of the queue (host)"""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/me/matchmaking")

    def confirm_match(self, config: str) -> "Lobby":
        """Accept a match. One player accepts for the whole lobby. The server launches when every lobby of the match has
        accepted. After the deadline it is too late."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/confirm-match")

    def decline_match(self, config: str) -> "Lobby":
        """Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`, those that
        had accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and others may
        take its places."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/me/confirm-match")

    def send_heartbeat(self, config: str) -> "Ok":
        """Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event stream. Send
        it more often than every `heartbeatTimeout` seconds."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/heartbeat")

    def stream_events(self, config: str, *, changes: Optional[str] = None, lobby: Optional[str] = None) -> Any:
        """Follow the caller's lobby with server-sent events. Each player has one stream: a second one replaces the
        first, whose last event is `replaced`. Do not reopen that one. You can open it before the player has a lobby
        (`connected` with null). It continues with the next lobby after the player leaves or is kicked, and after
        `lobby_deleted`. `id` is the revision of the lobby. With `Last-Event-ID`, a client first gets the updates that
        it missed, if kept, and always `connected` with the full lobby. With `changes=1`, `lobby_changed` has the
        operations of RFC 6902 that lead to the next revision. A comment line comes every ten seconds, and `ping`
        every thirty. On this route only, `api-key` and `x-player-id` may be in the query. With `Upgrade: websocket`,
        the same events come as JSON messages `{event, id, data}`, and `last-event-id` may be in the query. Answer
        each `ping` with any message."""
        return self._open("GET", f"/v3/lobbies/{part(config)}/me/events", query={"changes": changes, "lobby": lobby})

    def get_lobby(self, config: str, id: str) -> "Lobby":
        """Read any lobby"""
        return self._call("GET", f"/v3/lobbies/{part(config)}/{part(id)}")

    def delete_lobby(self, config: str, id: str) -> "LobbyDeleted":
        """Delete any lobby. Its players get `lobby_deleted`. Its matchmaking is cancelled, and its server is stopped."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/{part(id)}")

    def list_modes(self, config: str) -> "Modes":
        """See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be ten seconds
        old. The estimate is that of players who queue alone."""
        return self._call("GET", f"/v3/lobbies/{part(config)}/modes")

    def get_lobby_history(self, config: str, id: str) -> "History":
        """Read what happened to a lobby. Oldest first, at least the last 64. Available for a day after the lobby ends."""
        return self._call("GET", f"/v3/lobbies/{part(config)}/{part(id)}/history")

    def put_out_player(self, config: str, id: str, player_id: str) -> "Lobby":
        """Put a player out of any lobby. As the host does, but hosts can be put out too. With the last player the lobby
        is deleted."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/{part(id)}/players/{part(player_id)}")

    def move_to(self, config: str, body: "MoveToBody") -> "Lobby":
        """Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings and streams,
        and is of the other config from then on: it searches the modes of that one. Requests and streams under the
        config that it has left go on. All of its players and spectators move, or nobody: `LOBBY_NOT_MOVED` says why
        for each. It gets another code only if another lobby there has its own, and `maxPlayers` falls to what that
        config allows."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/move", body=body)

    def move_lobby(self, config: str, id: str, body: "MoveToBody") -> "Lobby":
        """Move any lobby to another config. As its host does. May be sent again."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/{part(id)}/move", body=body)

    def get_ice_servers(self, config: str) -> "IceServers":
        """Get STUN and TURN servers. For connections between players. The servers that the operator has set up. While a
        game starts, forms or runs, TURN servers are among them, with credentials that end by themselves. A provider
        that does not answer in time is left out."""
        return self._call("GET", f"/v3/lobbies/{part(config)}/me/ice")

    def send_signal(self, config: str, body: "SendSignalBody") -> "Signalled":
        """Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is not null. `to`
        is a player of the caller's lobby or, once it is `matched`, of any lobby of its match, or `all` for all
        others, or `{player}` for whatever id. It comes as the event `signal` on their open streams, and nothing is
        kept for later. It counts as a request for each lobby that is asked."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/signals", body=body)

    def list_matches(self, *, config: Optional[str] = None, mode: Optional[str] = None, outcome: Optional["MatchSummaryOutcome"] = None, build: Optional[str] = None, region: Optional[str] = None, ref: Optional[str] = None, since: Optional[str] = None, until: Optional[str] = None, limit: Optional[int] = None) -> "Matches":
        """List the latest matches. Newest first, as far back as the journal reaches. Filters may leave a page short or
        empty: go on while `next` is not null."""
        return self._call("GET", "/v3/matches", query={"config": config, "mode": mode, "outcome": outcome, "build": build, "region": region, "ref": ref, "since": since, "until": until, "limit": limit})

    def make_match(self, body: "MakeMatchBody") -> "Match":
        """Make a match of lobbies and players that you choose. All of them are matched at once, or nobody is:
        `MATCH_NOT_MADE` names each that cannot be. Lobbies may wait or search. A player without a lobby gets one. The
        teams have the sizes of the mode, in its order. The same request again answers the same match, for a day after
        its end."""
        return self._call("POST", "/v3/matches", body=body)

    def list_tickets(self, config: str, mode: str, *, after: Optional[str] = None, wait: Optional[int] = None) -> "TicketChanges":
        """Read who waits, for a matcher of your own. In a mode with `matcher: "external"`. Answers what came, changed or
        went since `after`, at most 100 tickets, as soon as there is any, at most `wait` seconds later."""
        return self._call("GET", f"/v3/queues/{part(config)}/{part(mode)}/tickets", query={"after": after, "wait": wait})

    def get_match(self, id: str) -> "Match":
        """Read a match: its players, why they met, and how it ended. Available for a day after its end."""
        return self._call("GET", f"/v3/matches/{part(id)}")

    def report_match_result(self, id: str, body: "ReportMatchResultBody") -> "Match":
        """Report the result of a match. As `reportServerResult` does."""
        return self._call("POST", f"/v3/matches/{part(id)}/result", body=body)

    def get_player(self, id: str) -> "PlayerSeen":
        """Read everything that is kept about a player. Looks at known configs."""
        return self._call("GET", f"/v3/players/{part(id)}")

    def get_player_attributes(self, id: str) -> "PlayerAttributes":
        """Read what your backend says about a player. Everything that is kept about the player besides lobbies and
        matches. A player without a record has no attributes."""
        return self._call("GET", f"/v3/players/{part(id)}/attributes")

    def put_player_attributes(self, id: str, body: "PutPlayerAttributesBody", *, if_match: Optional[str] = None) -> "PlayerAttributes":
        """Replace what your backend says about a player. Keys that a config or the project names in `trusted` show in
        the state of the player in lobbies, and only here they can be written. Lobbies that wait or search show the
        change within a second; tickets keep their wait. At most 2 KiB."""
        return self._call("PUT", f"/v3/players/{part(id)}/attributes", body=body, headers={"if-match": if_match})

    def patch_player_attributes(self, id: str, body: "PutPlayerAttributesBody", *, if_match: Optional[str] = None) -> "PlayerAttributes":
        """Merge into what your backend says about a player. Missing keys stay, and null removes a key."""
        return self._call("PATCH", f"/v3/players/{part(id)}/attributes", body=body, headers={"if-match": if_match})

    def delete_player_attributes(self, id: str, *, if_match: Optional[str] = None) -> "PlayerAttributes":
        """Erase what your backend said about a player"""
        return self._call("DELETE", f"/v3/players/{part(id)}/attributes", headers={"if-match": if_match})

    def change_attributes(self, body: "ChangeAttributesBody") -> "ChangedAttributes":
        """Change the attributes of up to 500 players. Merges, or replaces with `replace: true`. After an error, some may
        have changed: send the same again."""
        return self._call("POST", "/v3/players/attributes", body=body)

    def rematch(self, config: str) -> "Lobby":
        """Ask for a rematch (host). Within 30 seconds of the end of a match. Once the host of each of its lobbies has
        asked, the same lobbies play the same mode again, in the same teams and on the same build, without a queue.
        `rematch` of each lobby counts. Asking again changes nothing."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/rematch")

    def decline_rematch(self, config: str) -> "Lobby":
        """Say no to a rematch (host). There is no rematch of that match then. Searching, starting a game and leaving say
        the same."""
        return self._call("DELETE", f"/v3/lobbies/{part(config)}/me/rematch")

    def change_host(self, config: str, body: "ChangeHostBody") -> "Lobby":
        """Let another player host. More than half of the others must say that the host is gone."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/host", body=body)

    def report_result(self, config: str, id: str, body: "ReportMatchResultBody") -> "VotedResult":
        """Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`: what more than
        half of the players say is the result, until a minute after the match. Each has one vote, and the next
        replaces it."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/matches/{part(id)}/result", body=body)

    def report_link(self, config: str, id: str, body: "ReportLinkBody") -> "Ok":
        """Say how two players are connected. Operators read it on the match's page. The next report of the same two
        replaces it."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/me/matches/{part(id)}/links", body=body)

    def quick_join(self, config: str, body: "QuickJoinBody") -> "Lobby":
        """Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free places,
        lobbies in the region of `create` come first, then the fullest. If there is none, creates one by `create`,
        which must fit too: never two while one has a place. `where` asks for settings in `browseBy` of the config:
        ranges such as `1..3`, or values, which the new lobby gets."""
        return self._call("POST", f"/v3/lobbies/{part(config)}/quick-join", body=body)

    def where_am_i(self) -> "Whereabouts":
        """Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of the project,
        of which there are at most 20. It is no sign of life, and counts as a request for each config."""
        return self._call("GET", "/v3/me")

    def list_regions(self) -> "Regions":
        """List the regions, and where to measure how far away they are. Of the fleets that have an `echo`. Send what you
        measured as state, for a `latency` rule."""
        return self._call("GET", "/v3/regions")

    def get_ratings(self, *, config: Optional[str] = None, mode: Optional[str] = None, around: Optional[str] = None, season: Optional[int] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "Ladder":
        """Read the ladder of a rated mode, the best first. A client key sees ids if the project has `publicPlayerIds`."""
        return self._call("GET", "/v3/ratings", query={"config": config, "mode": mode, "around": around, "season": season, "limit": limit, "offset": offset})

    def export_ratings(self, *, config: Optional[str] = None, mode: Optional[str] = None, after: Optional[str] = None) -> str:
        """Read the players of a ladder as they are kept"""
        return self._call("GET", "/v3/ratings/export", query={"config": config, "mode": mode, "after": after})

    def import_ratings(self, body: str, *, config: Optional[str] = None, mode: Optional[str] = None) -> "ImportedRatings":
        """Set players of a ladder. Lines as the export has them, up to 64 KiB. All are set or none. The same again
        changes nothing."""
        return self._call("POST", "/v3/ratings/import", body=body, query={"config": config, "mode": mode})

    def end_rating_season(self, body: "EndRatingSeasonBody") -> "RatingSeason":
        """End a season of a ladder. Keeps its ladder, and brings players back to the start by `factor`. The same again
        changes nothing."""
        return self._call("POST", "/v3/ratings/seasons", body=body)

    def list_bans(self, *, player_id: Optional[str] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "BanPage":
        """List the bans that hold, newest first"""
        return self._call("GET", "/v3/bans", query={"playerId": player_id, "limit": limit, "offset": offset})

    def ban_player(self, id: str, body: "BanPlayerBody") -> "Ban":
        """Ban a player. From one config, or without `config` from all. The player leaves its lobbies there, and gets a
        403 `BANNED` for creating, joining, starting, searching and the event stream, everywhere within three seconds.
        At most 5,000 bans."""
        return self._call("PUT", f"/v3/bans/{part(id)}", body=body)

    def unban_player(self, id: str, *, config: Optional[str] = None) -> "Unbanned":
        """Lift a player's bans. All of them, or with `config` the ban from that config."""
        return self._call("DELETE", f"/v3/bans/{part(id)}", query={"config": config})

    def get_server(self, id: str) -> "ServerRecord":
        """Read a server. With the server key, the answer also says how it ended."""
        return self._call("GET", f"/v3/servers/{part(id)}")

    def stop_server(self, id: str) -> "ServerRecord":
        """Stop a server. Answers with the stopped server. Its lobbies go back to `waiting`."""
        return self._call("DELETE", f"/v3/servers/{part(id)}")

    def list_servers(self, *, include_launching: Optional["GetMyLobbyOrNull"] = None, include_stopped: Optional["GetMyLobbyOrNull"] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "ServerPage":
        """List the project's servers. Newest first. Lists running servers, and others if you ask for them. Stopped
        servers are kept for an hour. If there are more than 2,000, only the newest are listed, and each can be read
        for at least ten minutes."""
        return self._call("GET", "/v3/servers", query={"include_launching": include_launching, "include_stopped": include_stopped, "limit": limit, "offset": offset})

    def start_server(self, body: "StartServerBody") -> "Server":
        """Start a server without a lobby. It runs until it exits, its `ttl` is over, or you stop it."""
        return self._call("POST", "/v3/servers/start", body=body)

    def update_server(self, id: str, body: "UpdateServerBody") -> "Server":
        """Replace a server's custom_data"""
        return self._call("POST", f"/v3/servers/{part(id)}/update", body=body)

    def restart_server(self, id: str, body: "RestartServerBody") -> "Server":
        """Restart a running server. Ends the process and launches it again, with the same id and new ports. It is
        `launching` until it runs. Fields that the body leaves out stay."""
        return self._call("POST", f"/v3/servers/{part(id)}/restart", body=body)

    def read_server_logs(self, id: str, *, start_time: Optional[Any] = None, limit: Optional[int] = None, raw: Optional["GetMyLobbyOrNull"] = None) -> "ServerLogs":
        """Read a server's last output. Lines of its current or last run, oldest first, from the last 256 KiB. Not
        available for servers on Agones."""
        return self._call("GET", f"/v3/servers/{part(id)}/logs", query={"start_time": start_time, "limit": limit, "raw": raw})

    def report_server_status(self, id: str, body: "ReportServerStatusBody", *, wait: Optional[int] = None) -> "Server":
        """Report a server's status (fleet or game server). Needs no key. The bearer token is the one that the instance
        got at launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or after so
        many seconds."""
        return self._call("POST", f"/v3/servers/{part(id)}/status", body=body, query={"wait": wait})

    def report_server_result(self, id: str, body: "ReportMatchResultBody") -> "Match":
        """Report the result of the match (game server). Needs no key. The bearer token is the one that the instance got
        at launch. Each team of the match is named once, all with a `rank` (1 is the best) or all with a `score` (the
        highest is the best). A match has one result: the same again changes nothing, and another is refused. It is
        taken from when the server runs, for as long as the match is remembered."""
        return self._call("POST", f"/v3/servers/{part(id)}/result", body=body)

    def read_seat(self, id: str, body: "ReadSeatBody") -> "Seat":
        """Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs no key: the
        bearer token is that of the instance. Only tickets for this instance are read; any other, an old one and a
        forged one are a 403."""
        return self._call("POST", f"/v3/servers/{part(id)}/seats", body=body)

    def set_places(self, id: str, body: "SetPlacesBody") -> "GameRoster":
        """Say which places in the match are open, and remove players. For the game server with the token that it got at
        launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated
        request harmless."""
        return self._call("POST", f"/v3/servers/{part(id)}/places", body=body)

    def read_roster(self, id: str, *, after: Optional[int] = None, wait: Optional[int] = None) -> "GameRoster":
        """Read the players and their places in the match. For the game server with the token that it got at launch, or a
        backend with the server key. Answers as soon as the roster has another revision than `after`, at most `wait`
        seconds later. From the first request on, the lobbies of the match report who leaves and comes back."""
        return self._call("GET", f"/v3/servers/{part(id)}/roster", query={"after": after, "wait": wait})

    def get_project_settings(self) -> "ProjectSettings":
        """Read the project with all its lobby configs"""
        return self._call("GET", "/v3/projects/settings")

    def update_project_settings(self, body: "UpdateProjectSettingsBody", *, if_match: Optional[str] = None) -> "ProjectSettingsSaved":
        """Save several lobby configs and settings of the project. Replaces each config and setting in the body, and
        leaves the others. Saves all of them or none. An unknown field beside the settings is a 400; one in a config
        is saved and named in `warnings`."""
        return self._call("POST", "/v3/projects/settings", body=body, headers={"if-match": if_match})

    def add_token_secret(self, body: "AddTokenSecretBody") -> "TokenSecret":
        """Create a secret that signs player tokens, or add your own. Only this answer shows it. The newest secret before
        it stays valid; older ones become invalid."""
        return self._call("POST", "/v3/projects/token-secrets", body=body)

    def delete_token_secret(self, id: str) -> "SecretDeleted":
        """Delete a secret. Within three seconds, tokens that it signed are refused. Open streams continue until their
        token expires."""
        return self._call("DELETE", f"/v3/projects/token-secrets/{part(id)}")

    def rotate_seat_keys(self) -> "SeatKeys":
        """Rotate the key that signs seat tickets. The next key, which is already published, signs from now on. The old
        key stays published until its tickets expire."""
        return self._call("POST", "/v3/projects/seat-keys")

    def list_keys(self) -> "KeyPage":
        """List the project's keys. Names and kinds, never the keys."""
        return self._call("GET", "/v3/projects/keys")

    def make_viewer_key(self, body: "MakeViewerKeyBody") -> "ViewerKey":
        """Make a viewer key. It reads what the server key reads, except secrets, and changes nothing. Only this answer
        shows it."""
        return self._call("POST", "/v3/projects/keys", body=body)

    def revoke_key(self, id: str) -> "KeyRevoked":
        """Revoke a viewer key. Within three seconds it is refused, and within ten its streams end. Other keys are
        revoked in `API_KEYS`."""
        return self._call("DELETE", f"/v3/projects/keys/{part(id)}")

    def set_login(self, provider: str, body: dict[str, Any]) -> "LoginSet":
        """Let players log in with a provider. Replaces the settings of that provider as a whole. docs/logins.md lists
        them. They hold secrets, so nothing reads them back."""
        return self._call("PUT", f"/v3/projects/logins/{part(provider)}", body=body)

    def delete_login(self, provider: str) -> "LoginDeleted":
        """No longer let players log in with a provider. Players' existing tokens stay valid until they expire."""
        return self._call("DELETE", f"/v3/projects/logins/{part(provider)}")

    def set_hooks(self, body: "SetHooksBody") -> "HooksSet":
        """Let your backend hear of matches. docs/webhooks.md has the events. Nothing reads the secret back. With a
        `format`, a chat hears that somebody waits, and nothing else; its address is a secret, and needs no other."""
        return self._call("PUT", "/v3/projects/hooks", body=body)

    def delete_hooks(self) -> "HooksDeleted":
        """No longer let your backend hear of matches. What it has not acknowledged is dropped."""
        return self._call("DELETE", "/v3/projects/hooks")

    def login(self, provider: str, body: "LoginBody") -> "PlayerToken":
        """Log in. Exchanges what the platform gave the player for a player token of an hour. The player is
        `provider:id`."""
        return self._call("POST", f"/v3/login/{part(provider)}", body=body)

    def mint_player_token(self, id: str, body: "MintPlayerTokenBody") -> "PlayerToken":
        """Create a token for a player. For projects with `playerAuth: "token"`. Your backend calls this when it knows
        who the player is, and gives the token to the game."""
        return self._call("POST", f"/v3/players/{part(id)}/token", body=body)

    def list_lobby_configs(self) -> "Configs":
        """List the lobby configs"""
        return self._call("GET", "/v3/lobby-configs")

    def get_lobby_config(self, name: str) -> "LobbyConfig":
        """Read a lobby config"""
        return self._call("GET", f"/v3/lobby-configs/{part(name)}")

    def save_lobby_config(self, name: str, body: "SaveLobbyConfigBody", *, if_match: Optional[str] = None) -> "LobbyConfigSaved":
        """Save a lobby config. Replaces the whole config. Missing fields take their defaults. If a field is wrong, the
        detail of the 400 names it (`matchmaking.modes.ranked.rules[1].field`), and nothing is saved. `warnings` name
        unknown fields, which have no effect, and a `gameBuild` that does not exist. Queued lobbies continue under the
        new rules."""
        return self._call("PUT", f"/v3/lobby-configs/{part(name)}", body=body, headers={"if-match": if_match})

    def delete_lobby_config(self, name: str, *, if_match: Optional[str] = None) -> "ConfigDeleted":
        """Delete a lobby config. Its lobbies continue with the defaults. Queued lobbies are sent back."""
        return self._call("DELETE", f"/v3/lobby-configs/{part(name)}", headers={"if-match": if_match})

    def list_audit(self, *, by: Optional[str] = None, kind: Optional["AuditPageItemKind"] = None, on: Optional[str] = None, until: Optional[str] = None, limit: Optional[int] = None) -> "AuditPage":
        """List what operators did. Newest first: saves, kicks, bans, ends, stops, erased attributes and secrets, at
        least the last 10,000. Refused requests are not in it."""
        return self._call("GET", "/v3/audit", query={"by": by, "kind": kind, "on": on, "until": until, "limit": limit})

    def get_lobby_config_history(self, name: str) -> "ConfigHistory":
        """List earlier revisions of a lobby config. The last 50 revisions, newest first. Works for deleted configs too."""
        return self._call("GET", f"/v3/lobby-configs/{part(name)}/history")

    def restore_lobby_config(self, name: str, revision: str, *, if_match: Optional[str] = None) -> "LobbyConfigSaved":
        """Restore an earlier revision of a lobby config. Saves it as a new revision."""
        return self._call("POST", f"/v3/lobby-configs/{part(name)}/history/{part(revision)}/restore", headers={"if-match": if_match})

    def list_builds(self, *, name: Optional[str] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "Builds":
        """List the builds. The build `default` always exists."""
        return self._call("GET", "/v3/builds", query={"name": name, "limit": limit, "offset": offset})

    def get_build(self, name: str, *, check: Optional["GetMyLobbyOrNull"] = None) -> "BuildRead":
        """Get a build. Its name is its id. With `check=true`, `warnings` say why fleets could not launch it now, such as
        an image that is being fetched."""
        return self._call("GET", f"/v3/builds/{part(name)}", query={"check": check})

    def save_build(self, name: str, body: "SaveBuildBody") -> "BuildSaved":
        """Save a build. Raises its version by one. `warnings` name unknown fields, and say why a fleet could not launch
        it, such as a missing program. It is saved anyway."""
        return self._call("PUT", f"/v3/builds/{part(name)}", body=body)

    def delete_build(self, name: str) -> "BuildDeleted":
        """Delete a build. Matches that need it then fail, and their lobbies go back to `waiting`. If you delete
        `default`, it is the sample server again."""
        return self._call("DELETE", f"/v3/builds/{part(name)}")

    def get_build_history(self, name: str) -> "BuildHistory":
        """List earlier revisions of a build. The last 50 revisions, newest first. Works for deleted builds too. A build
        that was never saved has none."""
        return self._call("GET", f"/v3/builds/{part(name)}/history")

    def restore_build(self, name: str, revision: str) -> "BuildSaved":
        """Restore an earlier revision of a build. Saves it as a new version. Games that run keep theirs."""
        return self._call("POST", f"/v3/builds/{part(name)}/history/{part(revision)}/restore")

    def get_health(self) -> "Ok":
        """Check that the service is up"""
        return self._call("GET", "/health")

    def get_metrics(self) -> str:
        """Read counts and gauges for Prometheus. Needs the server key, or the key in `METRICS_KEY`, as `api-key` or
        bearer token. A server key of one project among several sees only what belongs to that project."""
        return self._call("GET", "/metrics")

    def get_seat_keys(self, *, project: Optional[str] = None) -> "SeatKeys":
        """Read the public keys of seat tickets. A project that does not exist has keys that sign nothing, so that nobody
        can find out which projects there are."""
        return self._call("GET", "/.well-known/jwks.json", query={"project": project})
