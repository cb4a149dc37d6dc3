// Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    /// <summary>The texts that the service uses, by what they are.</summary>
    public static class Texts
    {
        public static readonly string[] Codes = { "VALIDATION_ERROR", "LOBBY_FULL", "LOBBY_NOT_ACCEPTING", "INVALID_ACTION", "NO_MATCHMAKING_MODES", "MODE_NOT_FOUND", "PARTY_SIZE_EXCEEDED", "ALREADY_IN_QUEUE", "UNAUTHORIZED", "PLAYER_TOKEN_MISSING", "PLAYER_TOKEN_INVALID", "PLAYER_TOKEN_EXPIRED", "LOGIN_REFUSED", "FORBIDDEN", "FIELD_NOT_YOURS", "NOT_HOST", "BANNED", "COOLDOWN", "LOBBY_NOT_FOUND", "PLAYER_NOT_FOUND", "SERVER_NOT_FOUND", "CONFIG_NOT_FOUND", "BUILD_NOT_FOUND", "LOGS_NOT_AVAILABLE", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "ALREADY_IN_LOBBY", "GAME_ALREADY_RUNNING", "RESULT_EXISTS", "NOT_HOST_ANY_MORE", "INVALID_STATE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "INTERNAL", "CLOSED", "LAUNCH_FAILED", "CODES_EXHAUSTED", "SERVERS_EXHAUSTED", "STORAGE_FULL", "OVERLOADED", "UNAVAILABLE" };
        public static readonly string[] Events = { "connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "ping" };
        public static readonly string[] LobbyStatus = { "waiting", "in_queue", "starting", "matched", "match_found", "in_game" };
        public static readonly string[] ServerStatus = { "launching", "running", "stopped" };
        public static readonly string[] ServerServiceType = { "match_based", "persistent_world", "player_hosted" };
        public static readonly string[] LobbyReturnedReason = { "timeout", "unmatchable", "cancelled", "player_left", "away", "declined", "confirm_timeout", "launch_failed", "config_changed", "server_crashed" };
        public static readonly string[] GameRosterPlayerStatus = { "here", "away", "left", "kicked" };
        public static readonly string[] LobbyChangeOpOp = { "add", "replace", "remove" };
        public static readonly string[] BuildPortProtocol = { "udp", "tcp" };
        public static readonly string[] MatchSummaryOutcome = { "confirming", "launching", "running", "ended", "crashed", "failed" };
        public static readonly string[] BrowseLobbiesSort = { "newest", "players" };
        public static readonly string[] GetMyLobbyOrNull = { "true", "false" };
    }

    [Serializable]
    public sealed class Player
    {
        /// <summary>The value sent in x-player-id.</summary>
        public string id;
        /// <summary>Free-form; null until set.</summary>
        public Dictionary<string, object> state;
        /// <summary>True for exactly one player.</summary>
        public bool isHost;
    }

    /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
    [Serializable]
    public sealed class QueueStatsWaitEstimate
    {
        /// <summary>Seconds within which half of like parties had a match.</summary>
        public double p50;
        /// <summary>Nine of ten; null where too many waited for longer.</summary>
        public double? p90;
        /// <summary>Parties of as many players, also those that gave up or still wait.</summary>
        public long of;
    }

    /// <summary>Why the lobby still waits, where that is known.</summary>
    [Serializable]
    public sealed class QueueStatsWait
    {
        /// <summary>Other lobbies that all rules let through.</summary>
        public long inReach;
        public long compared;
        /// <summary>Without this most others would fit, in words.</summary>
        public string because;
        /// <summary>Until more come into reach.</summary>
        public double? opensInSeconds;
        /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
        public QueueStatsWaitEstimate estimate;
    }

    [Serializable]
    public sealed class QueueStats
    {
        public long playersSearching;
        public long lobbiesInQueue;
        public double avgWaitSeconds;
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait wait;
    }

    [Serializable]
    public sealed class QueueStatsEventMode
    {
        public long playersSearching;
        public long lobbiesInQueue;
        public double avgWaitSeconds;
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait wait;
        public string mode;
    }

    [Serializable]
    public sealed class QueueStatsEvent
    {
        public long playersSearching;
        public long lobbiesInQueue;
        public double avgWaitSeconds;
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait wait;
        /// <summary>Of a search of several modes: each that is searched now, the first one first.</summary>
        public List<QueueStatsEventMode> modes;
    }

    [Serializable]
    public sealed class ModesMode
    {
        public string mode;
        public long playersSearching;
        public long lobbiesInQueue;
        public double avgWaitSeconds;
        /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
        public QueueStatsWaitEstimate estimate;
    }

    [Serializable]
    public sealed class Modes
    {
        public List<ModesMode> modes;
    }

    [Serializable]
    public sealed class MatchmakingMode
    {
        public string mode;
        /// <summary>Still ahead: the mode is searched from then on.</summary>
        public string since;
        /// <summary>In the answer to GET /me.</summary>
        public QueueStats queueStats;
    }

    /// <summary>How many players are looked for in place of those who said no.</summary>
    [Serializable]
    public sealed class MatchmakingConfirmationRefill
    {
        public long players;
        public string until;
    }

    /// <summary>While match_found.</summary>
    [Serializable]
    public sealed class MatchmakingConfirmation
    {
        public string deadline;
        /// <summary>Whether this lobby has accepted.</summary>
        public bool confirmed;
        /// <summary>Players who accepted, if the mode shows it.</summary>
        public long? accepted;
        public long? needed;
        /// <summary>Players in the lobby who have accepted, if the mode asks each player.</summary>
        public List<string> acceptedBy;
        /// <summary>How many players are looked for in place of those who said no.</summary>
        public MatchmakingConfirmationRefill refill;
    }

    /// <summary>While matched, if no server has room: the match's place in line.</summary>
    [Serializable]
    public sealed class MatchmakingWaitingForServer
    {
        public long position;
        public string since;
    }

    [Serializable]
    public sealed class Matchmaking
    {
        public string mode;
        public string startedAt;
        /// <summary>While in_queue.</summary>
        public QueueStats queueStats;
        /// <summary>While in_queue, of a search that was begun with `modes`: those that are searched.</summary>
        public List<MatchmakingMode> modes;
        /// <summary>While match_found.</summary>
        public MatchmakingConfirmation confirmation;
        /// <summary>While matched, if no server has room: the match's place in line.</summary>
        public MatchmakingWaitingForServer waiting_for_server;
    }

    [Serializable]
    public sealed class Port
    {
        public string name;
        /// <summary>Connect to this host, on external_port.</summary>
        public string host;
        public long external_port;
        public long internal_port;
        /// <summary>udp or tcp.</summary>
        public string protocol;
        public bool tls_enabled;
        /// <summary>Behind a proxy: wss://host:external_port, then this.</summary>
        public string path;
    }

    [Serializable]
    public sealed class Server
    {
        public string instance_id;
        public string name;
        public string status;
        public string region;
        /// <summary>Empty until the ports are known.</summary>
        public List<Port> network_ports;
        public string startup_args;
        public string service_type;
        public string compute_size;
        /// <summary>Name of its build.</summary>
        public string version_tag;
        /// <summary>Version of its build: how often it had been saved.</summary>
        public long? version;
        public string started_at;
        public string stopped_at;
        public bool auto_restart;
        /// <summary>What the game server is told; of a match, `{}` to strangers.</summary>
        public Dictionary<string, object> custom_data;
        /// <summary>Seconds it may run; null without a limit of its own.</summary>
        public long? ttl;
        /// <summary>Whether it was warm: started before a match needed it.</summary>
        public bool is_pool_server;
        /// <summary>When a match took it; null of others.</summary>
        public string pool_claimed_at;
        /// <summary>The match it was launched for.</summary>
        public string match_id;
        public string created_at;
        public string updated_at;
        /// <summary>In the own view of a player of the game: what its server knows the player by.</summary>
        public string ticket;
        public string host_player;
        public long? term;
        public string host_token;
    }

    /// <summary>Only while waiting: why the last search or start brought no game.</summary>
    [Serializable]
    public sealed class LobbyReturned
    {
        /// <summary>Empty after a start by the host.</summary>
        public string mode;
        public string reason;
        /// <summary>With `unmatchable` after a change of the party's own: why it no longer fits the mode.</summary>
        public string detail;
        /// <summary>Seconds, with `launch_failed`.</summary>
        public long? retryAfter;
        public string at;
    }

    [Serializable]
    public sealed class LobbyLastResultTeamPlayer
    {
        public string id;
        public double? score;
        /// <summary>The player left before the end.</summary>
        public bool? abandoned;
    }

    [Serializable]
    public sealed class LobbyLastResultTeam
    {
        /// <summary>Index in the teams of the match.</summary>
        public long team;
        /// <summary>1 is the best.</summary>
        public long? rank;
        /// <summary>The highest is the best.</summary>
        public double? score;
        public List<LobbyLastResultTeamPlayer> players;
    }

    /// <summary>Of the last match that was reported.</summary>
    [Serializable]
    public sealed class LobbyLastResult
    {
        public string matchId;
        public string at;
        public List<LobbyLastResultTeam> teams;
    }

    [Serializable]
    public sealed class Lobby
    {
        public string id;
        /// <summary>Invite code; private lobbies have one too.</summary>
        public string code;
        public string name;
        public string config;
        public string status;
        /// <summary>Player id of the host.</summary>
        public string host;
        public long maxPlayers;
        public long currentPlayers;
        public string region;
        public bool isPrivate;
        public bool allowLateJoin;
        public Dictionary<string, object> settings;
        /// <summary>Longest present first.</summary>
        public List<Player> players;
        /// <summary>Null without a game server.</summary>
        public Server server;
        /// <summary>While in_queue, match_found or matched.</summary>
        public Matchmaking matchmaking;
        /// <summary>Shared by all lobbies of one match.</summary>
        public string matchId;
        /// <summary>Only while waiting: why the last search or start brought no game.</summary>
        public LobbyReturned returned;
        /// <summary>Of the last match that was reported.</summary>
        public LobbyLastResult lastResult;
        /// <summary>A page that brings a friend in; where the config has `invite`.</summary>
        public string invite_url;
        /// <summary>The config's.</summary>
        public Dictionary<string, object> customProperties;
        /// <summary>One more with every visible change.</summary>
        public long revision;
        public string createdAt;
        /// <summary>Rises with every visible change.</summary>
        public string updatedAt;
    }

    [Serializable]
    public sealed class LobbyPage
    {
        /// <summary>Without private lobbies.</summary>
        public List<Lobby> lobbies;
        public long total;
        public long limit;
        public long offset;
        public bool hasMore;
        /// <summary>Goes on after this page.</summary>
        public string cursor;
    }

    [Serializable]
    public sealed class GameRosterOpen
    {
        public long team;
        public long places;
    }

    [Serializable]
    public sealed class GameRosterPlayer
    {
        public string id;
        /// <summary>The lobby that the player came in with.</summary>
        public string lobby;
        /// <summary>Index in the teams of the match.</summary>
        public long team;
        public string role;
        /// <summary>As the player came in. Null: not known.</summary>
        public Dictionary<string, object> state;
        /// <summary>`away`: the player dropped out, and the place is kept.</summary>
        public string status;
        /// <summary>While `away`: until when.</summary>
        public string until;
        /// <summary>The roster's revision when this last changed.</summary>
        public long revision;
    }

    [Serializable]
    public sealed class GameRoster
    {
        public string match;
        /// <summary>Rises with every change.</summary>
        public long revision;
        /// <summary>The open places.</summary>
        public List<GameRosterOpen> open;
        /// <summary>Those whose place has changed after `after`.</summary>
        public List<GameRosterPlayer> players;
    }

    [Serializable]
    public sealed class Signal
    {
        /// <summary>The player who sent it.</summary>
        public string from;
        /// <summary>Of the host, in a match that a player hosts.</summary>
        public long? term;
        /// <summary>What the sender sent, up to 4 KiB of JSON.</summary>
        public object data;
    }

    [Serializable]
    public sealed class Signalled
    {
        /// <summary>How many players it was for.</summary>
        public long players;
        /// <summary>How many of them had an open stream, and so were told.</summary>
        public long streaming;
    }

    [Serializable]
    public sealed class IceServersIceServer
    {
        public List<string> urls;
        public string username;
        public string credential;
    }

    [Serializable]
    public sealed class IceServers
    {
        /// <summary>What an RTCPeerConnection takes. Empty if the service has none.</summary>
        public List<IceServersIceServer> iceServers;
        /// <summary>Seconds until the first of the credentials ends.</summary>
        public long ttl;
    }

    [Serializable]
    public sealed class LobbyChangeOp
    {
        public string op;
        /// <summary>A JSON pointer (RFC 6901) into the lobby.</summary>
        public string path;
        public object value;
    }

    [Serializable]
    public sealed class LobbyChange
    {
        /// <summary>What the lobby is now.</summary>
        public long revision;
        /// <summary>The revision that the operations are to be applied to.</summary>
        public long from;
        /// <summary>Operations of RFC 6902, in order.</summary>
        public List<LobbyChangeOp> ops;
    }

    [Serializable]
    public sealed class VotedResult
    {
        /// <summary>The match has a result.</summary>
        public bool isTaken;
        /// <summary>How many players have a vote.</summary>
        public long? players;
        public long? voted;
        /// <summary>How many of them say the same.</summary>
        public long? same;
    }

    [Serializable]
    public sealed class LobbyGone
    {
        public string id;
    }

    [Serializable]
    public sealed class MatchmakingEnded
    {
        public string id;
        /// <summary>Empty after a start by the host.</summary>
        public string mode;
        public string reason;
        /// <summary>With `unmatchable` after a change of the party's own: why it no longer fits the mode.</summary>
        public string detail;
        /// <summary>Seconds, with `launch_failed`.</summary>
        public long? retryAfter;
    }

    [Serializable]
    public sealed class RegionsRegion
    {
        public string region;
        /// <summary>Answers every GET with nothing.</summary>
        public string http;
        /// <summary>host:port; sends back what comes, up to 64 bytes.</summary>
        public string udp;
    }

    [Serializable]
    public sealed class Regions
    {
        public List<RegionsRegion> regions;
    }

    [Serializable]
    public sealed class ServerRecord
    {
        public string instance_id;
        public string name;
        public string status;
        public string region;
        /// <summary>Empty until the ports are known.</summary>
        public List<Port> network_ports;
        public string startup_args;
        public string service_type;
        public string compute_size;
        /// <summary>Name of its build.</summary>
        public string version_tag;
        /// <summary>Version of its build: how often it had been saved.</summary>
        public long? version;
        public string started_at;
        public string stopped_at;
        public bool auto_restart;
        /// <summary>What the game server is told; of a match, `{}` to strangers.</summary>
        public Dictionary<string, object> custom_data;
        /// <summary>Seconds it may run; null without a limit of its own.</summary>
        public long? ttl;
        /// <summary>Whether it was warm: started before a match needed it.</summary>
        public bool is_pool_server;
        /// <summary>When a match took it; null of others.</summary>
        public string pool_claimed_at;
        /// <summary>The match it was launched for.</summary>
        public string match_id;
        public string created_at;
        public string updated_at;
        /// <summary>In the own view of a player of the game: what its server knows the player by.</summary>
        public string ticket;
        public string host_player;
        public long? term;
        public string host_token;
        /// <summary>Exit code of the last run; 128 + n after signal n.</summary>
        public long? exit_code;
        /// <summary>The signal that ended it, such as SIGSEGV.</summary>
        public string signal;
        /// <summary>Its last 4 KiB of output; null in lists.</summary>
        public string output;
        /// <summary>Why it failed, what is amiss while it lives, or who ended it; null if nothing is.</summary>
        public string detail;
        /// <summary>It was told to end, or its time was over.</summary>
        public bool? asked;
        public string host_reason;
    }

    [Serializable]
    public sealed class PlayerToken
    {
        /// <summary>A JWT that the game sends as `authorization: Bearer`.</summary>
        public string token;
        public string player;
        public string expiresAt;
        /// <summary>Of a login with Discord: for `authenticate`.</summary>
        public string accessToken;
    }

    [Serializable]
    public sealed class Seat
    {
        public string player;
        /// <summary>Null after a direct start.</summary>
        public string match;
        public string lobby;
        /// <summary>Index in the teams. Null after a direct start, and without a place in the match.</summary>
        public long? team;
        public string team_name;
        public string role;
        /// <summary>The player joined the lobby during the game.</summary>
        public bool late;
    }

    [Serializable]
    public sealed class SeatKeysKey
    {
        public string kty;
        public string crv;
        public string x;
        public string kid;
        public string alg;
        public string use;
    }

    /// <summary>A JWK set: the current key, the next one, and older ones whose tickets are still valid.</summary>
    [Serializable]
    public sealed class SeatKeys
    {
        public List<SeatKeysKey> keys;
    }

    [Serializable]
    public sealed class Happening
    {
        public string at;
        /// <summary>What happened: `entered`, `kicked`, `launched`.</summary>
        public string kind;
        /// <summary>`player:` and an id, or `operator:` and the name or fingerprint of a server key.</summary>
        public string by;
        public string lobbyId;
        public string playerId;
        public string matchId;
        /// <summary>The reason as a code.</summary>
        public string reason;
        /// <summary>The reason as text.</summary>
        public string detail;
    }

    [Serializable]
    public sealed class MatchTeamLobbyPlayerStay
    {
        public long team;
        public string lobbyId;
        public string role;
    }

    [Serializable]
    public sealed class MatchTeamLobbyPlayer
    {
        public string id;
        public string role;
        /// <summary>Every stay in the match, oldest first. Absent: there was one.</summary>
        public List<MatchTeamLobbyPlayerStay> stays;
    }

    [Serializable]
    public sealed class MatchTeamLobby
    {
        public string lobbyId;
        public double waitedSeconds;
        /// <summary>Whoever was in the match, each once: where they first took a place, or else where they first came
        /// in.</summary>
        public List<MatchTeamLobbyPlayer> players;
    }

    [Serializable]
    public sealed class MatchTeam
    {
        public string name;
        public List<MatchTeamLobby> lobbies;
    }

    [Serializable]
    public sealed class MatchRule
    {
        public string rule;
        public List<object> values;
    }

    [Serializable]
    public sealed class MatchQualityPing
    {
        public double worst;
        public double mean;
    }

    [Serializable]
    public sealed class MatchQualityWaits
    {
        public double p50;
        public double max;
    }

    /// <summary>As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the
    /// players measured to the region in ms, and the lobbies' waits in seconds.</summary>
    [Serializable]
    public sealed class MatchQuality
    {
        public List<double> win;
        public double? gap;
        public MatchQualityPing ping;
        public MatchQualityWaits waits;
    }

    [Serializable]
    public sealed class MatchBot
    {
        public long team;
        public string role;
        public long count;
    }

    [Serializable]
    public sealed class MatchServer
    {
        public string id;
        public string status;
        public long? exitCode;
        public string signal;
        public string detail;
    }

    /// <summary>Absent until one is reported.</summary>
    [Serializable]
    public sealed class MatchResult
    {
        public string at;
        public List<LobbyLastResultTeam> teams;
        public Dictionary<string, object> data;
    }

    [Serializable]
    public sealed class MatchLink
    {
        public string from;
        public string to;
        /// <summary>By a TURN server.</summary>
        public bool isRelayed;
        /// <summary>The round trip.</summary>
        public long ms;
    }

    /// <summary>What players said of the result.</summary>
    [Serializable]
    public sealed class MatchVotes
    {
        /// <summary>How many players have a vote.</summary>
        public long players;
        public long voted;
        /// <summary>How many of them say the same.</summary>
        public long same;
    }

    [Serializable]
    public sealed class MatchRatingChange
    {
        public string id;
        public long rating;
        public long uncertainty;
        public long before;
    }

    /// <summary>What the result did to ratings. Absent until then.</summary>
    [Serializable]
    public sealed class MatchRating
    {
        public string field;
        public List<MatchRatingChange> changes;
    }

    [Serializable]
    public sealed class Match
    {
        public string id;
        public string config;
        public string mode;
        public string outcome;
        /// <summary>Why it ended or failed.</summary>
        public string reason;
        public string detail;
        public string build;
        public string formedAt;
        public string runningAt;
        public string endedAt;
        public List<MatchTeam> teams;
        /// <summary>The values that each rule compared, longest wait first.</summary>
        public List<MatchRule> rules;
        /// <summary>As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what
        /// the players measured to the region in ms, and the lobbies' waits in seconds.</summary>
        public MatchQuality quality;
        /// <summary>The places that bots had when it began. Absent without bots.</summary>
        public List<MatchBot> bots;
        public MatchServer server;
        /// <summary>Oldest first.</summary>
        public List<Happening> history;
        /// <summary>Absent until one is reported.</summary>
        public MatchResult result;
        /// <summary>How players are connected, as they say.</summary>
        public List<MatchLink> links;
        /// <summary>What players said of the result.</summary>
        public MatchVotes votes;
        /// <summary>What the result did to ratings. Absent until then.</summary>
        public MatchRating rating;
    }

    [Serializable]
    public sealed class WhereaboutsLobby
    {
        public string id;
        public string config;
        public string status;
        /// <summary>That it searches, or that its match is of.</summary>
        public string mode;
        public string invite_url;
    }

    [Serializable]
    public sealed class WhereaboutsKept
    {
        public string id;
        public string config;
        public string mode;
        public string code;
        public string until;
    }

    [Serializable]
    public sealed class Whereabouts
    {
        public string player;
        public List<WhereaboutsLobby> lobbies;
        public List<WhereaboutsKept> kept;
    }

    [Serializable]
    public sealed class LadderPlayer
    {
        public long place;
        public string player;
        public long rating;
        public long uncertainty;
        public long games;
    }

    [Serializable]
    public sealed class Ladder
    {
        public long season;
        public long total;
        public long limit;
        public long offset;
        public bool has_more;
        public List<LadderPlayer> players;
    }

    [Serializable]
    public sealed class Ok
    {
        public string status;
    }

    [Serializable]
    public sealed class CreateLobbyBody
    {
        public string name;
        public long? maxPlayers;
        public string region;
        public bool? isPrivate;
        public bool? allowLateJoin;
        public Dictionary<string, object> settings;
        public Dictionary<string, object> state;
        public bool? forceFresh;
        public string key;
    }

    [Serializable]
    public sealed class JoinLobbyBody
    {
        public string code;
        public string inviteCode;
        public string lobbyId;
        public Dictionary<string, object> state;
    }

    [Serializable]
    public sealed class UpdateMyStateBody
    {
        public Dictionary<string, object> state;
    }

    [Serializable]
    public sealed class UpdateLobbySettingsBody
    {
        public string name;
        public long? maxPlayers;
        public bool? isPrivate;
        public bool? allowLateJoin;
        public string region;
        public Dictionary<string, object> settings;
    }

    [Serializable]
    public sealed class StartMatchmakingBody
    {
        public string mode;
        public List<object> modes;
    }

    [Serializable]
    public sealed class SendSignalBody
    {
        public object to;
        public object data;
    }

    [Serializable]
    public sealed class ReportMatchResultBodyTeamPlayer
    {
        public string id;
        public double? score;
        public bool? abandoned;
    }

    [Serializable]
    public sealed class ReportMatchResultBodyTeam
    {
        public long team;
        public long? rank;
        public double? score;
        public List<ReportMatchResultBodyTeamPlayer> players;
    }

    [Serializable]
    public sealed class ReportMatchResultBody
    {
        public List<ReportMatchResultBodyTeam> teams;
        public Dictionary<string, object> data;
    }

    [Serializable]
    public sealed class ChangeHostBody
    {
        public long term;
        public bool? unreachable;
        public bool? resign;
    }

    [Serializable]
    public sealed class ReportLinkBody
    {
        public string to;
        public bool isRelayed;
        public long ms;
    }

    [Serializable]
    public sealed class QuickJoinBodyCreate
    {
        public string name;
        public long? maxPlayers;
        public string region;
        public bool? isPrivate;
        public bool? allowLateJoin;
        public Dictionary<string, object> settings;
        public Dictionary<string, object> state;
        public bool? forceFresh;
    }

    [Serializable]
    public sealed class QuickJoinBody
    {
        public Dictionary<string, string> where;
        public long? places;
        public Dictionary<string, object> state;
        public QuickJoinBodyCreate create;
    }

    [Serializable]
    public sealed class ReportServerStatusBodyNetworkPort
    {
        public string name;
        public string host;
        public long external_port;
        public long internal_port;
        public string protocol;
        public bool? tls_enabled;
    }

    [Serializable]
    public sealed class ReportServerStatusBody
    {
        public string status;
        public List<ReportServerStatusBodyNetworkPort> network_ports;
        public long? exit_code;
        public string signal;
        public string detail;
        public string output;
        public bool? asked;
    }

    [Serializable]
    public sealed class ReadSeatBody
    {
        public string ticket;
    }

    [Serializable]
    public sealed class SetPlacesBody
    {
        public long? open;
        public long? team;
        public string until;
        public string release;
        public string kick;
        public List<string> present;
        public long? after;
    }

    [Serializable]
    public sealed class LoginBody
    {
        public string token;
    }

    /// <summary>Each endpoint as a method. Whoever inherits from it says how to ask.</summary>
    public abstract class Api
    {
        protected abstract Task<T> Call<T>(string method, string path, object body, Dictionary<string, object> headers, CancellationToken token);

        protected static string Part(string text)
        {
            return Uri.EscapeDataString(text);
        }

        static string QueryOf(Dictionary<string, object> query)
        {
            var parts = new List<string>();
            foreach (var each in query ?? new Dictionary<string, object>())
            {
                if (each.Value != null) { parts.Add(Part(each.Key) + "=" + Part(TextOf(each.Value))); }
            }
            return parts.Count == 0 ? "" : "?" + string.Join("&", parts);
        }

        static string TextOf(object value)
        {
            return value is bool ? ((bool)value ? "true" : "false") : Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        /// <summary>Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The
        /// list can be a second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how
        /// many. The next one begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`,
        /// for settings in `browseBy` of the config.</summary>
        public Task<LobbyPage> BrowseLobbies(string config, string region = null, string status = null, long? places = null, string sort = null, string cursor = null, long? limit = null, long? offset = null, CancellationToken token = default(CancellationToken))
        {
            return Call<LobbyPage>("GET", $"/v3/lobbies/{Part(config)}" + QueryOf(new Dictionary<string, object> { { "region", region }, { "status", status }, { "places", places }, { "sort", sort }, { "cursor", cursor }, { "limit", limit }, { "offset", offset } }), null, null, token);
        }

        /// <summary>Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller
        /// hosts in this config. A caller who is a guest in another lobby is still refused. With a `key`, the first
        /// caller creates the lobby of that key, and all others join it (200).</summary>
        public Task<Lobby> CreateLobby(string config, CreateLobbyBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}" + QueryOf(null), body, null, token);
        }

        /// <summary>Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or
        /// `lobbyId`. A private lobby needs its code, except with the server key. A player who is already in the
        /// lobby gets it back unchanged.</summary>
        public Task<Lobby> JoinLobby(string config, JoinLobbyBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/join" + QueryOf(null), body, null, token);
        }

        /// <summary>Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a
        /// 404.</summary>
        public Task<Lobby> GetMyLobby(string config, string orNull = null, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("GET", $"/v3/lobbies/{Part(config)}/me" + QueryOf(new Dictionary<string, object> { { "orNull", orNull } }), null, null, token);
        }

        /// <summary>Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If
        /// the lobby is queued, its ticket changes too and keeps its waiting time.</summary>
        public Task<Lobby> UpdateMyState(string config, UpdateMyStateBody body, string prefer = null, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("PATCH", $"/v3/lobbies/{Part(config)}/me" + QueryOf(null), body, new Dictionary<string, object> { { "prefer", prefer } }, token);
        }

        /// <summary>Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the
        /// caller was the last player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels
        /// matchmaking, and declines a match that waits for confirmation.</summary>
        public Task<Lobby> LeaveLobby(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("DELETE", $"/v3/lobbies/{Part(config)}/me" + QueryOf(null), null, null, token);
        }

        /// <summary>Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers`
        /// cannot be less than the number of players in the lobby.</summary>
        public Task<Lobby> UpdateLobbySettings(string config, UpdateLobbySettingsBody body, string prefer = null, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("PATCH", $"/v3/lobbies/{Part(config)}/me/settings" + QueryOf(null), body, new Dictionary<string, object> { { "prefer", prefer } }, token);
        }

        /// <summary>Kick a player (host). The player gets one more update of the lobby, without itself in
        /// it.</summary>
        public Task<Lobby> KickPlayer(string config, string playerId, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("DELETE", $"/v3/lobbies/{Part(config)}/me/players/{Part(playerId)}" + QueryOf(null), null, null, token);
        }

        /// <summary>Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once
        /// the server lives, at most a second after its launch, and always shows it launching. An update says when it
        /// is running. A server that ends at once is a `LAUNCH_FAILED`.</summary>
        public Task<Lobby> StartGame(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/me/start" + QueryOf(null), null, null, token);
        }

        /// <summary>End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the
        /// same players, code and settings.</summary>
        public Task<Lobby> EndMatch(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/me/end-match" + QueryOf(null), null, null, token);
        }

        /// <summary>Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes`
        /// in the place of `mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but
        /// the first always at once. The first match takes it out of the others. A mode that finds nobody within its
        /// timeout drops out, and the last one ends the search.</summary>
        public Task<Lobby> StartMatchmaking(string config, StartMatchmakingBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/me/matchmaking" + QueryOf(null), body, null, token);
        }

        /// <summary>Take the lobby out of the queue (host)</summary>
        public Task<Lobby> CancelMatchmaking(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("DELETE", $"/v3/lobbies/{Part(config)}/me/matchmaking" + QueryOf(null), null, null, token);
        }

        /// <summary>Accept a match. One player accepts for the whole lobby. The server launches when every lobby of
        /// the match has accepted. After the deadline it is too late.</summary>
        public Task<Lobby> ConfirmMatch(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/me/confirm-match" + QueryOf(null), null, null, token);
        }

        /// <summary>Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`,
        /// those that had accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and
        /// others may take its places.</summary>
        public Task<Lobby> DeclineMatch(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("DELETE", $"/v3/lobbies/{Part(config)}/me/confirm-match" + QueryOf(null), null, null, token);
        }

        /// <summary>Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event
        /// stream. Send it more often than every `heartbeatTimeout` seconds.</summary>
        public Task<Ok> SendHeartbeat(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Ok>("POST", $"/v3/lobbies/{Part(config)}/me/heartbeat" + QueryOf(null), null, null, token);
        }

        /// <summary>Follow the caller's lobby with server-sent events. Each player has one stream: a second one
        /// replaces the first, whose last event is `replaced`. Do not reopen that one. You can open it before the
        /// player has a lobby (`connected` with null). It continues with the next lobby after the player leaves or is
        /// kicked, and after `lobby_deleted`. `id` is the revision of the lobby. With `Last-Event-ID`, a client first
        /// gets the updates that it missed, if they are still kept, and always `connected` with the full lobby. With
        /// `changes=1`, `lobby_changed` has the operations of RFC 6902 that lead to the next revision. A comment line
        /// comes every ten seconds, and `ping` every thirty. On this route only, `api-key` and `x-player-id` may be
        /// in the query. With `Upgrade: websocket`, the same events come as JSON messages `{event, id, data}`, and
        /// `last-event-id` may be in the query. Answer each `ping` with any message.</summary>
        public string StreamEvents(string config, string changes = null, string lobby = null)
        {
            return $"/v3/lobbies/{Part(config)}/me/events" + QueryOf(new Dictionary<string, object> { { "changes", changes }, { "lobby", lobby } });
        }

        /// <summary>See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be
        /// ten seconds old. The estimate is that of players who queue alone.</summary>
        public Task<Modes> ListModes(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<Modes>("GET", $"/v3/lobbies/{Part(config)}/modes" + QueryOf(null), null, null, token);
        }

        /// <summary>Get STUN and TURN servers. For connections between players. The servers that the operator has set
        /// up. While a game starts, forms or runs, TURN servers are among them, with credentials that end by
        /// themselves. A provider that does not answer in time is left out.</summary>
        public Task<IceServers> GetIceServers(string config, CancellationToken token = default(CancellationToken))
        {
            return Call<IceServers>("GET", $"/v3/lobbies/{Part(config)}/me/ice" + QueryOf(null), null, null, token);
        }

        /// <summary>Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is
        /// not null. `to` is a player of the caller's lobby or, once it is `matched`, of any lobby of its match, or
        /// `all` for all others, or `{player}` for whatever id. It comes as the event `signal` on their open streams,
        /// and nothing is kept for later. It counts as a request for each lobby that is asked.</summary>
        public Task<Signalled> SendSignal(string config, SendSignalBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Signalled>("POST", $"/v3/lobbies/{Part(config)}/me/signals" + QueryOf(null), body, null, token);
        }

        /// <summary>Let another player host. More than half of the others must say that the host is gone.</summary>
        public Task<Lobby> ChangeHost(string config, ChangeHostBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/me/host" + QueryOf(null), body, null, token);
        }

        /// <summary>Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`:
        /// what more than half of the players say is the result, until a minute after the match. Each has one vote,
        /// and the next replaces it.</summary>
        public Task<VotedResult> ReportResult(string config, string id, ReportMatchResultBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<VotedResult>("POST", $"/v3/lobbies/{Part(config)}/me/matches/{Part(id)}/result" + QueryOf(null), body, null, token);
        }

        /// <summary>Say how two players are connected. Operators read it on the match's page. The next report of the
        /// same two replaces it.</summary>
        public Task<Ok> ReportLink(string config, string id, ReportLinkBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Ok>("POST", $"/v3/lobbies/{Part(config)}/me/matches/{Part(id)}/links" + QueryOf(null), body, null, token);
        }

        /// <summary>Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free
        /// places, lobbies in the region of `create` come first, then the fullest. If there is none, creates one by
        /// `create`, which must fit too: never two while one has a place. `where` asks for settings in `browseBy` of
        /// the config: ranges such as `1..3`, or values, which the new lobby gets.</summary>
        public Task<Lobby> QuickJoin(string config, QuickJoinBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Lobby>("POST", $"/v3/lobbies/{Part(config)}/quick-join" + QueryOf(null), body, null, token);
        }

        /// <summary>Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of
        /// the project, of which there are at most 20. It is no sign of life, and counts as a request for each
        /// config.</summary>
        public Task<Whereabouts> WhereAmI(CancellationToken token = default(CancellationToken))
        {
            return Call<Whereabouts>("GET", "/v3/me" + QueryOf(null), null, null, token);
        }

        /// <summary>List the regions, and where to measure how far away they are. Of the fleets that have an `echo`.
        /// Send what you measured as state, for a `latency` rule.</summary>
        public Task<Regions> ListRegions(CancellationToken token = default(CancellationToken))
        {
            return Call<Regions>("GET", "/v3/regions" + QueryOf(null), null, null, token);
        }

        /// <summary>Read the ladder of a rated mode, the best first. A client key sees ids if the project has
        /// `publicPlayerIds`.</summary>
        public Task<Ladder> GetRatings(string config = null, string mode = null, string around = null, long? season = null, long? limit = null, long? offset = null, CancellationToken token = default(CancellationToken))
        {
            return Call<Ladder>("GET", "/v3/ratings" + QueryOf(new Dictionary<string, object> { { "config", config }, { "mode", mode }, { "around", around }, { "season", season }, { "limit", limit }, { "offset", offset } }), null, null, token);
        }

        /// <summary>Read a server. With the server key, the answer also says how it ended.</summary>
        public Task<ServerRecord> GetServer(string id, CancellationToken token = default(CancellationToken))
        {
            return Call<ServerRecord>("GET", $"/v3/servers/{Part(id)}" + QueryOf(null), null, null, token);
        }

        /// <summary>Report a server's status (fleet or game server). Needs no key. The bearer token is the one that
        /// the instance got at launch. With `wait`, a warm server that has no match yet is answered as soon as it has
        /// one, or after so many seconds.</summary>
        public Task<Server> ReportServerStatus(string id, ReportServerStatusBody body, long? wait = null, CancellationToken token = default(CancellationToken))
        {
            return Call<Server>("POST", $"/v3/servers/{Part(id)}/status" + QueryOf(new Dictionary<string, object> { { "wait", wait } }), body, null, token);
        }

        /// <summary>Report the result of the match (game server). Needs no key. The bearer token is the one that the
        /// instance got at launch. Each team of the match is named once, all with a `rank` (1 is the best) or all
        /// with a `score` (the highest is the best). A match has one result: the same again changes nothing, and
        /// another is refused. It is taken from when the server runs, for as long as the match is
        /// remembered.</summary>
        public Task<Match> ReportServerResult(string id, ReportMatchResultBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Match>("POST", $"/v3/servers/{Part(id)}/result" + QueryOf(null), body, null, token);
        }

        /// <summary>Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs
        /// no key: the bearer token is that of the instance. Only tickets for this instance are read; any other, an
        /// old one and a forged one are a 403.</summary>
        public Task<Seat> ReadSeat(string id, ReadSeatBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<Seat>("POST", $"/v3/servers/{Part(id)}/seats" + QueryOf(null), body, null, token);
        }

        /// <summary>Say which places in the match are open, and remove players. For the game server with the token
        /// that it got at launch, or a backend with the server key. All of the request is done, or nothing. `after`
        /// makes a repeated request harmless.</summary>
        public Task<GameRoster> SetPlaces(string id, SetPlacesBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<GameRoster>("POST", $"/v3/servers/{Part(id)}/places" + QueryOf(null), body, null, token);
        }

        /// <summary>Read the players and their places in the match. For the game server with the token that it got at
        /// launch, or a backend with the server key. Answers as soon as the roster has another revision than `after`,
        /// at most `wait` seconds later. From the first request on, the lobbies of the match report who leaves and
        /// comes back.</summary>
        public Task<GameRoster> ReadRoster(string id, long? after = null, long? wait = null, CancellationToken token = default(CancellationToken))
        {
            return Call<GameRoster>("GET", $"/v3/servers/{Part(id)}/roster" + QueryOf(new Dictionary<string, object> { { "after", after }, { "wait", wait } }), null, null, token);
        }

        /// <summary>Log in. Exchanges what the platform gave the player for a player token of an hour. The player is
        /// `provider:id`.</summary>
        public Task<PlayerToken> Login(string provider, LoginBody body, CancellationToken token = default(CancellationToken))
        {
            return Call<PlayerToken>("POST", $"/v3/login/{Part(provider)}" + QueryOf(null), body, null, token);
        }

        /// <summary>Check that the service is up</summary>
        public Task<Ok> GetHealth(CancellationToken token = default(CancellationToken))
        {
            return Call<Ok>("GET", "/health" + QueryOf(null), null, null, token);
        }

        /// <summary>Read the public keys of seat tickets. A project that does not exist has keys that sign nothing,
        /// so that nobody can find out which projects there are.</summary>
        public Task<SeatKeys> GetSeatKeys(string project = null, CancellationToken token = default(CancellationToken))
        {
            return Call<SeatKeys>("GET", "/.well-known/jwks.json" + QueryOf(new Dictionary<string, object> { { "project", project } }), null, null, token);
        }
    }
}
