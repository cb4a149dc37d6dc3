// Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    /// <summary>The texts that the service uses, by what they are.</summary>
    public static class Texts
    {
        public static readonly string[] Codes = { "VALIDATION_ERROR", "LOBBY_FULL", "LOBBY_NOT_ACCEPTING", "INVALID_ACTION", "NO_MATCHMAKING_MODES", "MODE_NOT_FOUND", "PARTY_SIZE_EXCEEDED", "ALREADY_IN_QUEUE", "UNAUTHORIZED", "PLAYER_TOKEN_MISSING", "PLAYER_TOKEN_INVALID", "PLAYER_TOKEN_EXPIRED", "LOGIN_REFUSED", "FORBIDDEN", "FIELD_NOT_YOURS", "NOT_HOST", "BANNED", "COOLDOWN", "LOBBY_NOT_FOUND", "PLAYER_NOT_FOUND", "SERVER_NOT_FOUND", "CONFIG_NOT_FOUND", "BUILD_NOT_FOUND", "LOGS_NOT_AVAILABLE", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "ALREADY_IN_LOBBY", "GAME_ALREADY_RUNNING", "LOBBY_NOT_MOVED", "MATCH_NOT_MADE", "REF_EXISTS", "RESULT_EXISTS", "NOT_HOST_ANY_MORE", "INVALID_STATE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "INTERNAL", "CLOSED", "LAUNCH_FAILED", "CODES_EXHAUSTED", "SERVERS_EXHAUSTED", "STORAGE_FULL", "OVERLOADED", "UNAVAILABLE" };
        public static readonly string[] Events = { "connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping" };
        public static readonly string[] LobbyStatus = { "waiting", "in_queue", "starting", "matched", "match_found", "in_game" };
        public static readonly string[] ServerStatus = { "launching", "running", "stopped" };
        public static readonly string[] ServerServiceType = { "match_based", "persistent_world", "player_hosted" };
        public static readonly string[] LobbyReturnedReason = { "timeout", "unmatchable", "cancelled", "player_left", "away", "declined", "confirm_timeout", "launch_failed", "config_changed", "server_crashed" };
        public static readonly string[] GameRosterPlayerStatus = { "here", "away", "left", "kicked" };
        public static readonly string[] LobbyChangeOpOp = { "add", "replace", "remove" };
        public static readonly string[] BuildPortProtocol = { "udp", "tcp" };
        public static readonly string[] MatchSummaryOutcome = { "confirming", "launching", "running", "ended", "crashed", "failed" };
        public static readonly string[] MatchMadeBy = { "host", "key", "rematch" };
        public static readonly string[] BrowseLobbiesSort = { "newest", "players" };
        public static readonly string[] JoinLobbyBodyAs = { "player", "spectator" };
        public static readonly string[] GetMyLobbyOrNull = { "true", "false" };
    }

    public sealed partial class Player : Wire
    {
        public Player() : base(new Dictionary<string, object>()) { }
        public Player(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>The value sent in x-player-id.</summary>
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        /// <summary>Free-form; null until set.</summary>
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        /// <summary>True for exactly one player.</summary>
        public bool IsHost { get { return Get<bool>("isHost"); } set { Put("isHost", value); } }
    }

    /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
    public sealed partial class QueueStatsWaitEstimate : Wire
    {
        public QueueStatsWaitEstimate() : base(new Dictionary<string, object>()) { }
        public QueueStatsWaitEstimate(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>Seconds within which half of like parties had a match.</summary>
        public double P50 { get { return Get<double>("p50"); } set { Put("p50", value); } }
        /// <summary>Nine of ten; null where too many waited for longer.</summary>
        public double? P90 { get { return Get<double?>("p90"); } set { Put("p90", value); } }
        /// <summary>Parties of as many players, also those that gave up or still wait.</summary>
        public long Of { get { return Get<long>("of"); } set { Put("of", value); } }
    }

    /// <summary>Why the lobby still waits, where that is known.</summary>
    public sealed partial class QueueStatsWait : Wire
    {
        public QueueStatsWait() : base(new Dictionary<string, object>()) { }
        public QueueStatsWait(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>Other lobbies that all rules let through.</summary>
        public long InReach { get { return Get<long>("inReach"); } set { Put("inReach", value); } }
        public long Compared { get { return Get<long>("compared"); } set { Put("compared", value); } }
        /// <summary>Without this most others would fit, in words.</summary>
        public string Because { get { return Get<string>("because"); } set { Put("because", value); } }
        /// <summary>Until more come into reach.</summary>
        public double? OpensInSeconds { get { return Get<double?>("opensInSeconds"); } set { Put("opensInSeconds", value); } }
        /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
        public QueueStatsWaitEstimate Estimate { get { return One("estimate", each => new QueueStatsWaitEstimate(each)); } set { Put("estimate", value); } }
    }

    public sealed partial class QueueStats : Wire
    {
        public QueueStats() : base(new Dictionary<string, object>()) { }
        public QueueStats(Dictionary<string, object> fields) : base(fields) { }
        public long PlayersSearching { get { return Get<long>("playersSearching"); } set { Put("playersSearching", value); } }
        public long LobbiesInQueue { get { return Get<long>("lobbiesInQueue"); } set { Put("lobbiesInQueue", value); } }
        public double AvgWaitSeconds { get { return Get<double>("avgWaitSeconds"); } set { Put("avgWaitSeconds", value); } }
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait Wait { get { return One("wait", each => new QueueStatsWait(each)); } set { Put("wait", value); } }
    }

    public sealed partial class QueueStatsEventMode : Wire
    {
        public QueueStatsEventMode() : base(new Dictionary<string, object>()) { }
        public QueueStatsEventMode(Dictionary<string, object> fields) : base(fields) { }
        public long PlayersSearching { get { return Get<long>("playersSearching"); } set { Put("playersSearching", value); } }
        public long LobbiesInQueue { get { return Get<long>("lobbiesInQueue"); } set { Put("lobbiesInQueue", value); } }
        public double AvgWaitSeconds { get { return Get<double>("avgWaitSeconds"); } set { Put("avgWaitSeconds", value); } }
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait Wait { get { return One("wait", each => new QueueStatsWait(each)); } set { Put("wait", value); } }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
    }

    public sealed partial class QueueStatsEvent : Wire
    {
        public QueueStatsEvent() : base(new Dictionary<string, object>()) { }
        public QueueStatsEvent(Dictionary<string, object> fields) : base(fields) { }
        public long PlayersSearching { get { return Get<long>("playersSearching"); } set { Put("playersSearching", value); } }
        public long LobbiesInQueue { get { return Get<long>("lobbiesInQueue"); } set { Put("lobbiesInQueue", value); } }
        public double AvgWaitSeconds { get { return Get<double>("avgWaitSeconds"); } set { Put("avgWaitSeconds", value); } }
        /// <summary>Why the lobby still waits, where that is known.</summary>
        public QueueStatsWait Wait { get { return One("wait", each => new QueueStatsWait(each)); } set { Put("wait", value); } }
        /// <summary>Of a search of several modes: each that is searched now, the first one first.</summary>
        public IReadOnlyList<QueueStatsEventMode> Modes { get { return Many("modes", each => new QueueStatsEventMode(each)); } set { Put("modes", value); } }
    }

    public sealed partial class ModesMode : Wire
    {
        public ModesMode() : base(new Dictionary<string, object>()) { }
        public ModesMode(Dictionary<string, object> fields) : base(fields) { }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public long PlayersSearching { get { return Get<long>("playersSearching"); } set { Put("playersSearching", value); } }
        public long LobbiesInQueue { get { return Get<long>("lobbiesInQueue"); } set { Put("lobbiesInQueue", value); } }
        public double AvgWaitSeconds { get { return Get<double>("avgWaitSeconds"); } set { Put("avgWaitSeconds", value); } }
        /// <summary>How long like parties waited of late; null where too few had a match yet.</summary>
        public QueueStatsWaitEstimate Estimate { get { return One("estimate", each => new QueueStatsWaitEstimate(each)); } set { Put("estimate", value); } }
    }

    public sealed partial class Modes : Wire
    {
        public Modes() : base(new Dictionary<string, object>()) { }
        public Modes(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<ModesMode> ItsModes { get { return Many("modes", each => new ModesMode(each)); } set { Put("modes", value); } }
    }

    public sealed partial class MatchmakingMode : Wire
    {
        public MatchmakingMode() : base(new Dictionary<string, object>()) { }
        public MatchmakingMode(Dictionary<string, object> fields) : base(fields) { }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        /// <summary>Still ahead: the mode is searched from then on.</summary>
        public string Since { get { return Get<string>("since"); } set { Put("since", value); } }
        /// <summary>In the answer to GET /me.</summary>
        public QueueStats QueueStats { get { return One("queueStats", each => new QueueStats(each)); } set { Put("queueStats", value); } }
    }

    /// <summary>How many players are looked for in place of those who said no.</summary>
    public sealed partial class MatchmakingConfirmationRefill : Wire
    {
        public MatchmakingConfirmationRefill() : base(new Dictionary<string, object>()) { }
        public MatchmakingConfirmationRefill(Dictionary<string, object> fields) : base(fields) { }
        public long Players { get { return Get<long>("players"); } set { Put("players", value); } }
        public string Until { get { return Get<string>("until"); } set { Put("until", value); } }
    }

    /// <summary>While match_found.</summary>
    public sealed partial class MatchmakingConfirmation : Wire
    {
        public MatchmakingConfirmation() : base(new Dictionary<string, object>()) { }
        public MatchmakingConfirmation(Dictionary<string, object> fields) : base(fields) { }
        public string Deadline { get { return Get<string>("deadline"); } set { Put("deadline", value); } }
        /// <summary>Whether this lobby has accepted.</summary>
        public bool Confirmed { get { return Get<bool>("confirmed"); } set { Put("confirmed", value); } }
        /// <summary>Players who accepted, if the mode shows it.</summary>
        public long? Accepted { get { return Get<long?>("accepted"); } set { Put("accepted", value); } }
        public long? Needed { get { return Get<long?>("needed"); } set { Put("needed", value); } }
        /// <summary>Players in the lobby who have accepted, if the mode asks each player.</summary>
        public IReadOnlyList<string> AcceptedBy { get { return Plain<string>("acceptedBy"); } set { Put("acceptedBy", value); } }
        /// <summary>How many players are looked for in place of those who said no.</summary>
        public MatchmakingConfirmationRefill Refill { get { return One("refill", each => new MatchmakingConfirmationRefill(each)); } set { Put("refill", value); } }
    }

    /// <summary>While matched, if no server has room: the match's place in line.</summary>
    public sealed partial class MatchmakingWaitingForServer : Wire
    {
        public MatchmakingWaitingForServer() : base(new Dictionary<string, object>()) { }
        public MatchmakingWaitingForServer(Dictionary<string, object> fields) : base(fields) { }
        public long Position { get { return Get<long>("position"); } set { Put("position", value); } }
        public string Since { get { return Get<string>("since"); } set { Put("since", value); } }
    }

    public sealed partial class Matchmaking : Wire
    {
        public Matchmaking() : base(new Dictionary<string, object>()) { }
        public Matchmaking(Dictionary<string, object> fields) : base(fields) { }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string StartedAt { get { return Get<string>("startedAt"); } set { Put("startedAt", value); } }
        /// <summary>While in_queue.</summary>
        public QueueStats QueueStats { get { return One("queueStats", each => new QueueStats(each)); } set { Put("queueStats", value); } }
        /// <summary>While in_queue, of a search that was begun with `modes`: those that are searched.</summary>
        public IReadOnlyList<MatchmakingMode> Modes { get { return Many("modes", each => new MatchmakingMode(each)); } set { Put("modes", value); } }
        /// <summary>While match_found.</summary>
        public MatchmakingConfirmation Confirmation { get { return One("confirmation", each => new MatchmakingConfirmation(each)); } set { Put("confirmation", value); } }
        /// <summary>While matched, if no server has room: the match's place in line.</summary>
        public MatchmakingWaitingForServer WaitingForServer { get { return One("waiting_for_server", each => new MatchmakingWaitingForServer(each)); } set { Put("waiting_for_server", value); } }
    }

    public sealed partial class Port : Wire
    {
        public Port() : base(new Dictionary<string, object>()) { }
        public Port(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        /// <summary>Connect to this host, on external_port.</summary>
        public string Host { get { return Get<string>("host"); } set { Put("host", value); } }
        public long ExternalPort { get { return Get<long>("external_port"); } set { Put("external_port", value); } }
        public long InternalPort { get { return Get<long>("internal_port"); } set { Put("internal_port", value); } }
        /// <summary>udp or tcp.</summary>
        public string Protocol { get { return Get<string>("protocol"); } set { Put("protocol", value); } }
        public bool TlsEnabled { get { return Get<bool>("tls_enabled"); } set { Put("tls_enabled", value); } }
        /// <summary>Behind a proxy: wss://host:external_port, then this.</summary>
        public string Path { get { return Get<string>("path"); } set { Put("path", value); } }
    }

    public sealed partial class Server : Wire
    {
        public Server() : base(new Dictionary<string, object>()) { }
        public Server(Dictionary<string, object> fields) : base(fields) { }
        public string InstanceId { get { return Get<string>("instance_id"); } set { Put("instance_id", value); } }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        /// <summary>Empty until the ports are known.</summary>
        public IReadOnlyList<Port> NetworkPorts { get { return Many("network_ports", each => new Port(each)); } set { Put("network_ports", value); } }
        public string StartupArgs { get { return Get<string>("startup_args"); } set { Put("startup_args", value); } }
        public string ServiceType { get { return Get<string>("service_type"); } set { Put("service_type", value); } }
        public string ComputeSize { get { return Get<string>("compute_size"); } set { Put("compute_size", value); } }
        /// <summary>Name of its build.</summary>
        public string VersionTag { get { return Get<string>("version_tag"); } set { Put("version_tag", value); } }
        /// <summary>Version of its build: how often it had been saved.</summary>
        public long? Version { get { return Get<long?>("version"); } set { Put("version", value); } }
        public string StartedAt { get { return Get<string>("started_at"); } set { Put("started_at", value); } }
        public string StoppedAt { get { return Get<string>("stopped_at"); } set { Put("stopped_at", value); } }
        public bool AutoRestart { get { return Get<bool>("auto_restart"); } set { Put("auto_restart", value); } }
        /// <summary>What the game server is told; of a match, `{}` to strangers.</summary>
        public Dictionary<string, object> CustomData { get { return Get<Dictionary<string, object>>("custom_data"); } set { Put("custom_data", value); } }
        /// <summary>Seconds it may run; null without a limit of its own.</summary>
        public long? Ttl { get { return Get<long?>("ttl"); } set { Put("ttl", value); } }
        /// <summary>Whether it was warm: started before a match needed it.</summary>
        public bool IsPoolServer { get { return Get<bool>("is_pool_server"); } set { Put("is_pool_server", value); } }
        /// <summary>When a match took it; null of others.</summary>
        public string PoolClaimedAt { get { return Get<string>("pool_claimed_at"); } set { Put("pool_claimed_at", value); } }
        /// <summary>The match it was launched for.</summary>
        public string MatchId { get { return Get<string>("match_id"); } set { Put("match_id", value); } }
        public string CreatedAt { get { return Get<string>("created_at"); } set { Put("created_at", value); } }
        public string UpdatedAt { get { return Get<string>("updated_at"); } set { Put("updated_at", value); } }
        /// <summary>In the own view of a player of the game: what its server knows the player by.</summary>
        public string Ticket { get { return Get<string>("ticket"); } set { Put("ticket", value); } }
        public string HostPlayer { get { return Get<string>("host_player"); } set { Put("host_player", value); } }
        public long? Term { get { return Get<long?>("term"); } set { Put("term", value); } }
        public string HostToken { get { return Get<string>("host_token"); } set { Put("host_token", value); } }
    }

    /// <summary>Only while waiting: why the last search or start brought no game.</summary>
    public sealed partial class LobbyReturned : Wire
    {
        public LobbyReturned() : base(new Dictionary<string, object>()) { }
        public LobbyReturned(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>Empty after a start by the host.</summary>
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string Reason { get { return Get<string>("reason"); } set { Put("reason", value); } }
        /// <summary>With `unmatchable` after a change of the party's own: why it no longer fits the mode.</summary>
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
        /// <summary>Seconds, with `launch_failed`.</summary>
        public long? RetryAfter { get { return Get<long?>("retryAfter"); } set { Put("retryAfter", value); } }
        public string At { get { return Get<string>("at"); } set { Put("at", value); } }
    }

    /// <summary>Only while waiting after a match of which a rematch was asked for: how many lobbies said
    /// yes.</summary>
    public sealed partial class LobbyRematch : Wire
    {
        public LobbyRematch() : base(new Dictionary<string, object>()) { }
        public LobbyRematch(Dictionary<string, object> fields) : base(fields) { }
        public long Yes { get { return Get<long>("yes"); } set { Put("yes", value); } }
        public long Needed { get { return Get<long>("needed"); } set { Put("needed", value); } }
        public string Until { get { return Get<string>("until"); } set { Put("until", value); } }
    }

    public sealed partial class LobbyLastResultTeamPlayer : Wire
    {
        public LobbyLastResultTeamPlayer() : base(new Dictionary<string, object>()) { }
        public LobbyLastResultTeamPlayer(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public double? Score { get { return Get<double?>("score"); } set { Put("score", value); } }
        /// <summary>The player left before the end.</summary>
        public bool? Abandoned { get { return Get<bool?>("abandoned"); } set { Put("abandoned", value); } }
    }

    public sealed partial class LobbyLastResultTeam : Wire
    {
        public LobbyLastResultTeam() : base(new Dictionary<string, object>()) { }
        public LobbyLastResultTeam(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>Index in the teams of the match.</summary>
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        /// <summary>1 is the best.</summary>
        public long? Rank { get { return Get<long?>("rank"); } set { Put("rank", value); } }
        /// <summary>The highest is the best.</summary>
        public double? Score { get { return Get<double?>("score"); } set { Put("score", value); } }
        public IReadOnlyList<LobbyLastResultTeamPlayer> Players { get { return Many("players", each => new LobbyLastResultTeamPlayer(each)); } set { Put("players", value); } }
    }

    /// <summary>Of the last match that was reported.</summary>
    public sealed partial class LobbyLastResult : Wire
    {
        public LobbyLastResult() : base(new Dictionary<string, object>()) { }
        public LobbyLastResult(Dictionary<string, object> fields) : base(fields) { }
        public string MatchId { get { return Get<string>("matchId"); } set { Put("matchId", value); } }
        public string At { get { return Get<string>("at"); } set { Put("at", value); } }
        public IReadOnlyList<LobbyLastResultTeam> Teams { get { return Many("teams", each => new LobbyLastResultTeam(each)); } set { Put("teams", value); } }
    }

    public sealed partial class LobbySpectator : Wire
    {
        public LobbySpectator() : base(new Dictionary<string, object>()) { }
        public LobbySpectator(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
    }

    public sealed partial class Lobby : Wire
    {
        public Lobby() : base(new Dictionary<string, object>()) { }
        public Lobby(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        /// <summary>Invite code; private lobbies have one too.</summary>
        public string Code { get { return Get<string>("code"); } set { Put("code", value); } }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public string Config { get { return Get<string>("config"); } set { Put("config", value); } }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        /// <summary>Player id of the host.</summary>
        public string Host { get { return Get<string>("host"); } set { Put("host", value); } }
        public long MaxPlayers { get { return Get<long>("maxPlayers"); } set { Put("maxPlayers", value); } }
        public long CurrentPlayers { get { return Get<long>("currentPlayers"); } set { Put("currentPlayers", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        public bool IsPrivate { get { return Get<bool>("isPrivate"); } set { Put("isPrivate", value); } }
        public bool AllowLateJoin { get { return Get<bool>("allowLateJoin"); } set { Put("allowLateJoin", value); } }
        public Dictionary<string, object> Settings { get { return Get<Dictionary<string, object>>("settings"); } set { Put("settings", value); } }
        /// <summary>Longest present first.</summary>
        public IReadOnlyList<Player> Players { get { return Many("players", each => new Player(each)); } set { Put("players", value); } }
        /// <summary>Null without a game server.</summary>
        public Server Server { get { return One("server", each => new Server(each)); } set { Put("server", value); } }
        /// <summary>While in_queue, match_found or matched.</summary>
        public Matchmaking Matchmaking { get { return One("matchmaking", each => new Matchmaking(each)); } set { Put("matchmaking", value); } }
        /// <summary>Shared by all lobbies of one match.</summary>
        public string MatchId { get { return Get<string>("matchId"); } set { Put("matchId", value); } }
        /// <summary>Only while waiting: why the last search or start brought no game.</summary>
        public LobbyReturned Returned { get { return One("returned", each => new LobbyReturned(each)); } set { Put("returned", value); } }
        /// <summary>Only while waiting after a match of which a rematch was asked for: how many lobbies said
        /// yes.</summary>
        public LobbyRematch Rematch { get { return One("rematch", each => new LobbyRematch(each)); } set { Put("rematch", value); } }
        /// <summary>Of the last match that was reported.</summary>
        public LobbyLastResult LastResult { get { return One("lastResult", each => new LobbyLastResult(each)); } set { Put("lastResult", value); } }
        /// <summary>A page that brings a friend in; where the config has `invite`.</summary>
        public string InviteUrl { get { return Get<string>("invite_url"); } set { Put("invite_url", value); } }
        /// <summary>The config's.</summary>
        public Dictionary<string, object> CustomProperties { get { return Get<Dictionary<string, object>>("customProperties"); } set { Put("customProperties", value); } }
        /// <summary>One more with every visible change.</summary>
        public long Revision { get { return Get<long>("revision"); } set { Put("revision", value); } }
        public string CreatedAt { get { return Get<string>("createdAt"); } set { Put("createdAt", value); } }
        /// <summary>Rises with every visible change.</summary>
        public string UpdatedAt { get { return Get<string>("updatedAt"); } set { Put("updatedAt", value); } }
        /// <summary>How many watch, if anybody.</summary>
        public long? CurrentSpectators { get { return Get<long?>("currentSpectators"); } set { Put("currentSpectators", value); } }
        /// <summary>Who watches, longest present first. Not in lists.</summary>
        public IReadOnlyList<LobbySpectator> Spectators { get { return Many("spectators", each => new LobbySpectator(each)); } set { Put("spectators", value); } }
        /// <summary>The caller watches the lobby.</summary>
        public string As { get { return Get<string>("as"); } set { Put("as", value); } }
    }

    public sealed partial class LobbyPage : Wire
    {
        public LobbyPage() : base(new Dictionary<string, object>()) { }
        public LobbyPage(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>Without private lobbies.</summary>
        public IReadOnlyList<Lobby> Lobbies { get { return Many("lobbies", each => new Lobby(each)); } set { Put("lobbies", value); } }
        public long Total { get { return Get<long>("total"); } set { Put("total", value); } }
        public long Limit { get { return Get<long>("limit"); } set { Put("limit", value); } }
        public long Offset { get { return Get<long>("offset"); } set { Put("offset", value); } }
        public bool HasMore { get { return Get<bool>("hasMore"); } set { Put("hasMore", value); } }
        /// <summary>Goes on after this page.</summary>
        public string Cursor { get { return Get<string>("cursor"); } set { Put("cursor", value); } }
    }

    public sealed partial class GameRosterOpen : Wire
    {
        public GameRosterOpen() : base(new Dictionary<string, object>()) { }
        public GameRosterOpen(Dictionary<string, object> fields) : base(fields) { }
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        public long Places { get { return Get<long>("places"); } set { Put("places", value); } }
    }

    public sealed partial class GameRosterPlayer : Wire
    {
        public GameRosterPlayer() : base(new Dictionary<string, object>()) { }
        public GameRosterPlayer(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        /// <summary>The lobby that the player came in with.</summary>
        public string Lobby { get { return Get<string>("lobby"); } set { Put("lobby", value); } }
        /// <summary>Index in the teams of the match.</summary>
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        public string Role { get { return Get<string>("role"); } set { Put("role", value); } }
        /// <summary>As the player came in. Null: not known.</summary>
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        /// <summary>`away`: the player dropped out, and the place is kept.</summary>
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        /// <summary>While `away`: until when.</summary>
        public string Until { get { return Get<string>("until"); } set { Put("until", value); } }
        /// <summary>The roster's revision when this last changed.</summary>
        public long Revision { get { return Get<long>("revision"); } set { Put("revision", value); } }
    }

    public sealed partial class GameRoster : Wire
    {
        public GameRoster() : base(new Dictionary<string, object>()) { }
        public GameRoster(Dictionary<string, object> fields) : base(fields) { }
        public string Match { get { return Get<string>("match"); } set { Put("match", value); } }
        /// <summary>Rises with every change.</summary>
        public long Revision { get { return Get<long>("revision"); } set { Put("revision", value); } }
        /// <summary>The open places.</summary>
        public IReadOnlyList<GameRosterOpen> Open { get { return Many("open", each => new GameRosterOpen(each)); } set { Put("open", value); } }
        /// <summary>Those whose place has changed after `after`.</summary>
        public IReadOnlyList<GameRosterPlayer> Players { get { return Many("players", each => new GameRosterPlayer(each)); } set { Put("players", value); } }
    }

    public sealed partial class Signal : Wire
    {
        public Signal() : base(new Dictionary<string, object>()) { }
        public Signal(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>The player who sent it.</summary>
        public string From { get { return Get<string>("from"); } set { Put("from", value); } }
        /// <summary>Of the host, in a match that a player hosts.</summary>
        public long? Term { get { return Get<long?>("term"); } set { Put("term", value); } }
        /// <summary>What the sender sent, up to 4 KiB of JSON.</summary>
        public object Data { get { return Get<object>("data"); } set { Put("data", value); } }
    }

    public sealed partial class Signalled : Wire
    {
        public Signalled() : base(new Dictionary<string, object>()) { }
        public Signalled(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>How many players it was for.</summary>
        public long Players { get { return Get<long>("players"); } set { Put("players", value); } }
        /// <summary>How many of them had an open stream, and so were told.</summary>
        public long Streaming { get { return Get<long>("streaming"); } set { Put("streaming", value); } }
    }

    public sealed partial class IceServersIceServer : Wire
    {
        public IceServersIceServer() : base(new Dictionary<string, object>()) { }
        public IceServersIceServer(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<string> Urls { get { return Plain<string>("urls"); } set { Put("urls", value); } }
        public string Username { get { return Get<string>("username"); } set { Put("username", value); } }
        public string Credential { get { return Get<string>("credential"); } set { Put("credential", value); } }
    }

    public sealed partial class IceServers : Wire
    {
        public IceServers() : base(new Dictionary<string, object>()) { }
        public IceServers(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>What an RTCPeerConnection takes. Empty if the service has none.</summary>
        public IReadOnlyList<IceServersIceServer> ItsIceServers { get { return Many("iceServers", each => new IceServersIceServer(each)); } set { Put("iceServers", value); } }
        /// <summary>Seconds until the first of the credentials ends.</summary>
        public long Ttl { get { return Get<long>("ttl"); } set { Put("ttl", value); } }
    }

    public sealed partial class LobbyChangeOp : Wire
    {
        public LobbyChangeOp() : base(new Dictionary<string, object>()) { }
        public LobbyChangeOp(Dictionary<string, object> fields) : base(fields) { }
        public string Op { get { return Get<string>("op"); } set { Put("op", value); } }
        /// <summary>A JSON pointer (RFC 6901) into the lobby.</summary>
        public string Path { get { return Get<string>("path"); } set { Put("path", value); } }
        public object Value { get { return Get<object>("value"); } set { Put("value", value); } }
    }

    public sealed partial class LobbyChange : Wire
    {
        public LobbyChange() : base(new Dictionary<string, object>()) { }
        public LobbyChange(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>What the lobby is now.</summary>
        public long Revision { get { return Get<long>("revision"); } set { Put("revision", value); } }
        /// <summary>The revision that the operations are to be applied to.</summary>
        public long From { get { return Get<long>("from"); } set { Put("from", value); } }
        /// <summary>Operations of RFC 6902, in order.</summary>
        public IReadOnlyList<LobbyChangeOp> Ops { get { return Many("ops", each => new LobbyChangeOp(each)); } set { Put("ops", value); } }
    }

    public sealed partial class VotedResult : Wire
    {
        public VotedResult() : base(new Dictionary<string, object>()) { }
        public VotedResult(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>The match has a result.</summary>
        public bool IsTaken { get { return Get<bool>("isTaken"); } set { Put("isTaken", value); } }
        /// <summary>How many players have a vote.</summary>
        public long? Players { get { return Get<long?>("players"); } set { Put("players", value); } }
        public long? Voted { get { return Get<long?>("voted"); } set { Put("voted", value); } }
        /// <summary>How many of them say the same.</summary>
        public long? Same { get { return Get<long?>("same"); } set { Put("same", value); } }
    }

    public sealed partial class LobbyGone : Wire
    {
        public LobbyGone() : base(new Dictionary<string, object>()) { }
        public LobbyGone(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
    }

    public sealed partial class MatchmakingEnded : Wire
    {
        public MatchmakingEnded() : base(new Dictionary<string, object>()) { }
        public MatchmakingEnded(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        /// <summary>Empty after a start by the host.</summary>
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string Reason { get { return Get<string>("reason"); } set { Put("reason", value); } }
        /// <summary>With `unmatchable` after a change of the party's own: why it no longer fits the mode.</summary>
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
        /// <summary>Seconds, with `launch_failed`.</summary>
        public long? RetryAfter { get { return Get<long?>("retryAfter"); } set { Put("retryAfter", value); } }
    }

    public sealed partial class RegionsRegion : Wire
    {
        public RegionsRegion() : base(new Dictionary<string, object>()) { }
        public RegionsRegion(Dictionary<string, object> fields) : base(fields) { }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        /// <summary>Answers every GET with nothing.</summary>
        public string Http { get { return Get<string>("http"); } set { Put("http", value); } }
        /// <summary>host:port; sends back what comes, up to 64 bytes.</summary>
        public string Udp { get { return Get<string>("udp"); } set { Put("udp", value); } }
    }

    public sealed partial class Regions : Wire
    {
        public Regions() : base(new Dictionary<string, object>()) { }
        public Regions(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<RegionsRegion> ItsRegions { get { return Many("regions", each => new RegionsRegion(each)); } set { Put("regions", value); } }
    }

    public sealed partial class ServerRecord : Wire
    {
        public ServerRecord() : base(new Dictionary<string, object>()) { }
        public ServerRecord(Dictionary<string, object> fields) : base(fields) { }
        public string InstanceId { get { return Get<string>("instance_id"); } set { Put("instance_id", value); } }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        /// <summary>Empty until the ports are known.</summary>
        public IReadOnlyList<Port> NetworkPorts { get { return Many("network_ports", each => new Port(each)); } set { Put("network_ports", value); } }
        public string StartupArgs { get { return Get<string>("startup_args"); } set { Put("startup_args", value); } }
        public string ServiceType { get { return Get<string>("service_type"); } set { Put("service_type", value); } }
        public string ComputeSize { get { return Get<string>("compute_size"); } set { Put("compute_size", value); } }
        /// <summary>Name of its build.</summary>
        public string VersionTag { get { return Get<string>("version_tag"); } set { Put("version_tag", value); } }
        /// <summary>Version of its build: how often it had been saved.</summary>
        public long? Version { get { return Get<long?>("version"); } set { Put("version", value); } }
        public string StartedAt { get { return Get<string>("started_at"); } set { Put("started_at", value); } }
        public string StoppedAt { get { return Get<string>("stopped_at"); } set { Put("stopped_at", value); } }
        public bool AutoRestart { get { return Get<bool>("auto_restart"); } set { Put("auto_restart", value); } }
        /// <summary>What the game server is told; of a match, `{}` to strangers.</summary>
        public Dictionary<string, object> CustomData { get { return Get<Dictionary<string, object>>("custom_data"); } set { Put("custom_data", value); } }
        /// <summary>Seconds it may run; null without a limit of its own.</summary>
        public long? Ttl { get { return Get<long?>("ttl"); } set { Put("ttl", value); } }
        /// <summary>Whether it was warm: started before a match needed it.</summary>
        public bool IsPoolServer { get { return Get<bool>("is_pool_server"); } set { Put("is_pool_server", value); } }
        /// <summary>When a match took it; null of others.</summary>
        public string PoolClaimedAt { get { return Get<string>("pool_claimed_at"); } set { Put("pool_claimed_at", value); } }
        /// <summary>The match it was launched for.</summary>
        public string MatchId { get { return Get<string>("match_id"); } set { Put("match_id", value); } }
        public string CreatedAt { get { return Get<string>("created_at"); } set { Put("created_at", value); } }
        public string UpdatedAt { get { return Get<string>("updated_at"); } set { Put("updated_at", value); } }
        /// <summary>In the own view of a player of the game: what its server knows the player by.</summary>
        public string Ticket { get { return Get<string>("ticket"); } set { Put("ticket", value); } }
        public string HostPlayer { get { return Get<string>("host_player"); } set { Put("host_player", value); } }
        public long? Term { get { return Get<long?>("term"); } set { Put("term", value); } }
        public string HostToken { get { return Get<string>("host_token"); } set { Put("host_token", value); } }
        /// <summary>Exit code of the last run; 128 + n after signal n.</summary>
        public long? ExitCode { get { return Get<long?>("exit_code"); } set { Put("exit_code", value); } }
        /// <summary>The signal that ended it, such as SIGSEGV.</summary>
        public string Signal { get { return Get<string>("signal"); } set { Put("signal", value); } }
        /// <summary>Its last 4 KiB of output; null in lists.</summary>
        public string Output { get { return Get<string>("output"); } set { Put("output", value); } }
        /// <summary>Why it failed, what is amiss while it lives, or who ended it; null if nothing is.</summary>
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
        /// <summary>It was told to end, or its time was over.</summary>
        public bool? Asked { get { return Get<bool?>("asked"); } set { Put("asked", value); } }
        public string HostReason { get { return Get<string>("host_reason"); } set { Put("host_reason", value); } }
    }

    public sealed partial class PlayerToken : Wire
    {
        public PlayerToken() : base(new Dictionary<string, object>()) { }
        public PlayerToken(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>A JWT that the game sends as `authorization: Bearer`.</summary>
        public string Token { get { return Get<string>("token"); } set { Put("token", value); } }
        public string Player { get { return Get<string>("player"); } set { Put("player", value); } }
        public string ExpiresAt { get { return Get<string>("expiresAt"); } set { Put("expiresAt", value); } }
        /// <summary>Of a login with Discord: for `authenticate`.</summary>
        public string AccessToken { get { return Get<string>("accessToken"); } set { Put("accessToken", value); } }
    }

    public sealed partial class Seat : Wire
    {
        public Seat() : base(new Dictionary<string, object>()) { }
        public Seat(Dictionary<string, object> fields) : base(fields) { }
        public string Player { get { return Get<string>("player"); } set { Put("player", value); } }
        /// <summary>Null after a direct start; of a spectator then the id of the server.</summary>
        public string Match { get { return Get<string>("match"); } set { Put("match", value); } }
        public string Lobby { get { return Get<string>("lobby"); } set { Put("lobby", value); } }
        /// <summary>Index in the teams. Null after a direct start, and without a place in the match.</summary>
        public long? Team { get { return Get<long?>("team"); } set { Put("team", value); } }
        public string TeamName { get { return Get<string>("team_name"); } set { Put("team_name", value); } }
        public string Role { get { return Get<string>("role"); } set { Put("role", value); } }
        /// <summary>The player joined the lobby during the game.</summary>
        public bool Late { get { return Get<bool>("late"); } set { Put("late", value); } }
        /// <summary>The holder watches the lobby.</summary>
        public bool? Spectator { get { return Get<bool?>("spectator"); } set { Put("spectator", value); } }
    }

    public sealed partial class SeatKeysKey : Wire
    {
        public SeatKeysKey() : base(new Dictionary<string, object>()) { }
        public SeatKeysKey(Dictionary<string, object> fields) : base(fields) { }
        public string Kty { get { return Get<string>("kty"); } set { Put("kty", value); } }
        public string Crv { get { return Get<string>("crv"); } set { Put("crv", value); } }
        public string X { get { return Get<string>("x"); } set { Put("x", value); } }
        public string Kid { get { return Get<string>("kid"); } set { Put("kid", value); } }
        public string Alg { get { return Get<string>("alg"); } set { Put("alg", value); } }
        public string Use { get { return Get<string>("use"); } set { Put("use", value); } }
    }

    /// <summary>A JWK set: the current key, the next one, and older ones whose tickets are still valid.</summary>
    public sealed partial class SeatKeys : Wire
    {
        public SeatKeys() : base(new Dictionary<string, object>()) { }
        public SeatKeys(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<SeatKeysKey> Keys { get { return Many("keys", each => new SeatKeysKey(each)); } set { Put("keys", value); } }
    }

    public sealed partial class Happening : Wire
    {
        public Happening() : base(new Dictionary<string, object>()) { }
        public Happening(Dictionary<string, object> fields) : base(fields) { }
        public string At { get { return Get<string>("at"); } set { Put("at", value); } }
        /// <summary>What happened: `entered`, `kicked`, `launched`.</summary>
        public string Kind { get { return Get<string>("kind"); } set { Put("kind", value); } }
        /// <summary>`player:` and an id, or `operator:` and the name or fingerprint of a server key.</summary>
        public string By { get { return Get<string>("by"); } set { Put("by", value); } }
        public string LobbyId { get { return Get<string>("lobbyId"); } set { Put("lobbyId", value); } }
        public string PlayerId { get { return Get<string>("playerId"); } set { Put("playerId", value); } }
        public string MatchId { get { return Get<string>("matchId"); } set { Put("matchId", value); } }
        /// <summary>The reason as a code.</summary>
        public string Reason { get { return Get<string>("reason"); } set { Put("reason", value); } }
        /// <summary>The reason as text.</summary>
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
    }

    public sealed partial class MatchTeamLobbyPlayerStay : Wire
    {
        public MatchTeamLobbyPlayerStay() : base(new Dictionary<string, object>()) { }
        public MatchTeamLobbyPlayerStay(Dictionary<string, object> fields) : base(fields) { }
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        public string LobbyId { get { return Get<string>("lobbyId"); } set { Put("lobbyId", value); } }
        public string Role { get { return Get<string>("role"); } set { Put("role", value); } }
    }

    public sealed partial class MatchTeamLobbyPlayer : Wire
    {
        public MatchTeamLobbyPlayer() : base(new Dictionary<string, object>()) { }
        public MatchTeamLobbyPlayer(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public string Role { get { return Get<string>("role"); } set { Put("role", value); } }
        /// <summary>Every stay in the match, oldest first. Absent: there was one.</summary>
        public IReadOnlyList<MatchTeamLobbyPlayerStay> Stays { get { return Many("stays", each => new MatchTeamLobbyPlayerStay(each)); } set { Put("stays", value); } }
    }

    public sealed partial class MatchTeamLobby : Wire
    {
        public MatchTeamLobby() : base(new Dictionary<string, object>()) { }
        public MatchTeamLobby(Dictionary<string, object> fields) : base(fields) { }
        public string LobbyId { get { return Get<string>("lobbyId"); } set { Put("lobbyId", value); } }
        public double WaitedSeconds { get { return Get<double>("waitedSeconds"); } set { Put("waitedSeconds", value); } }
        /// <summary>Whoever was in the match, each once: where they first took a place, or else where they first came
        /// in.</summary>
        public IReadOnlyList<MatchTeamLobbyPlayer> Players { get { return Many("players", each => new MatchTeamLobbyPlayer(each)); } set { Put("players", value); } }
    }

    public sealed partial class MatchTeam : Wire
    {
        public MatchTeam() : base(new Dictionary<string, object>()) { }
        public MatchTeam(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public IReadOnlyList<MatchTeamLobby> Lobbies { get { return Many("lobbies", each => new MatchTeamLobby(each)); } set { Put("lobbies", value); } }
    }

    public sealed partial class MatchRule : Wire
    {
        public MatchRule() : base(new Dictionary<string, object>()) { }
        public MatchRule(Dictionary<string, object> fields) : base(fields) { }
        public string Rule { get { return Get<string>("rule"); } set { Put("rule", value); } }
        public IReadOnlyList<object> Values { get { return Plain<object>("values"); } set { Put("values", value); } }
    }

    public sealed partial class MatchQualityPing : Wire
    {
        public MatchQualityPing() : base(new Dictionary<string, object>()) { }
        public MatchQualityPing(Dictionary<string, object> fields) : base(fields) { }
        public double Worst { get { return Get<double>("worst"); } set { Put("worst", value); } }
        public double Mean { get { return Get<double>("mean"); } set { Put("mean", value); } }
    }

    public sealed partial class MatchQualityWaits : Wire
    {
        public MatchQualityWaits() : base(new Dictionary<string, object>()) { }
        public MatchQualityWaits(Dictionary<string, object> fields) : base(fields) { }
        public double P50 { get { return Get<double>("p50"); } set { Put("p50", value); } }
        public double Max { get { return Get<double>("max"); } set { Put("max", value); } }
    }

    /// <summary>As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what
    /// the players measured to the region in ms, and the lobbies' waits in seconds.</summary>
    public sealed partial class MatchQuality : Wire
    {
        public MatchQuality() : base(new Dictionary<string, object>()) { }
        public MatchQuality(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<double> Win { get { return Plain<double>("win"); } set { Put("win", value); } }
        public double? Gap { get { return Get<double?>("gap"); } set { Put("gap", value); } }
        public MatchQualityPing Ping { get { return One("ping", each => new MatchQualityPing(each)); } set { Put("ping", value); } }
        public MatchQualityWaits Waits { get { return One("waits", each => new MatchQualityWaits(each)); } set { Put("waits", value); } }
    }

    public sealed partial class MatchBot : Wire
    {
        public MatchBot() : base(new Dictionary<string, object>()) { }
        public MatchBot(Dictionary<string, object> fields) : base(fields) { }
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        public string Role { get { return Get<string>("role"); } set { Put("role", value); } }
        public long Count { get { return Get<long>("count"); } set { Put("count", value); } }
    }

    public sealed partial class MatchServer : Wire
    {
        public MatchServer() : base(new Dictionary<string, object>()) { }
        public MatchServer(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        public long? ExitCode { get { return Get<long?>("exitCode"); } set { Put("exitCode", value); } }
        public string Signal { get { return Get<string>("signal"); } set { Put("signal", value); } }
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
    }

    /// <summary>Absent until one is reported.</summary>
    public sealed partial class MatchResult : Wire
    {
        public MatchResult() : base(new Dictionary<string, object>()) { }
        public MatchResult(Dictionary<string, object> fields) : base(fields) { }
        public string At { get { return Get<string>("at"); } set { Put("at", value); } }
        public IReadOnlyList<LobbyLastResultTeam> Teams { get { return Many("teams", each => new LobbyLastResultTeam(each)); } set { Put("teams", value); } }
        public Dictionary<string, object> Data { get { return Get<Dictionary<string, object>>("data"); } set { Put("data", value); } }
    }

    public sealed partial class MatchLink : Wire
    {
        public MatchLink() : base(new Dictionary<string, object>()) { }
        public MatchLink(Dictionary<string, object> fields) : base(fields) { }
        public string From { get { return Get<string>("from"); } set { Put("from", value); } }
        public string To { get { return Get<string>("to"); } set { Put("to", value); } }
        /// <summary>By a TURN server.</summary>
        public bool IsRelayed { get { return Get<bool>("isRelayed"); } set { Put("isRelayed", value); } }
        /// <summary>The round trip.</summary>
        public long Ms { get { return Get<long>("ms"); } set { Put("ms", value); } }
    }

    /// <summary>What players said of the result.</summary>
    public sealed partial class MatchVotes : Wire
    {
        public MatchVotes() : base(new Dictionary<string, object>()) { }
        public MatchVotes(Dictionary<string, object> fields) : base(fields) { }
        /// <summary>How many players have a vote.</summary>
        public long Players { get { return Get<long>("players"); } set { Put("players", value); } }
        public long Voted { get { return Get<long>("voted"); } set { Put("voted", value); } }
        /// <summary>How many of them say the same.</summary>
        public long Same { get { return Get<long>("same"); } set { Put("same", value); } }
    }

    public sealed partial class MatchRatingChange : Wire
    {
        public MatchRatingChange() : base(new Dictionary<string, object>()) { }
        public MatchRatingChange(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public long Rating { get { return Get<long>("rating"); } set { Put("rating", value); } }
        public long Uncertainty { get { return Get<long>("uncertainty"); } set { Put("uncertainty", value); } }
        public long Before { get { return Get<long>("before"); } set { Put("before", value); } }
    }

    /// <summary>What the result did to ratings. Absent until then.</summary>
    public sealed partial class MatchRating : Wire
    {
        public MatchRating() : base(new Dictionary<string, object>()) { }
        public MatchRating(Dictionary<string, object> fields) : base(fields) { }
        public string Field { get { return Get<string>("field"); } set { Put("field", value); } }
        public IReadOnlyList<MatchRatingChange> Changes { get { return Many("changes", each => new MatchRatingChange(each)); } set { Put("changes", value); } }
    }

    public sealed partial class Match : Wire
    {
        public Match() : base(new Dictionary<string, object>()) { }
        public Match(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public string Config { get { return Get<string>("config"); } set { Put("config", value); } }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string Outcome { get { return Get<string>("outcome"); } set { Put("outcome", value); } }
        /// <summary>Why it ended or failed.</summary>
        public string Reason { get { return Get<string>("reason"); } set { Put("reason", value); } }
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
        public string Build { get { return Get<string>("build"); } set { Put("build", value); } }
        public string FormedAt { get { return Get<string>("formedAt"); } set { Put("formedAt", value); } }
        public string RunningAt { get { return Get<string>("runningAt"); } set { Put("runningAt", value); } }
        public string EndedAt { get { return Get<string>("endedAt"); } set { Put("endedAt", value); } }
        public IReadOnlyList<MatchTeam> Teams { get { return Many("teams", each => new MatchTeam(each)); } set { Put("teams", value); } }
        /// <summary>The values that each rule compared, longest wait first.</summary>
        public IReadOnlyList<MatchRule> Rules { get { return Many("rules", each => new MatchRule(each)); } set { Put("rules", value); } }
        /// <summary>As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what
        /// the players measured to the region in ms, and the lobbies' waits in seconds.</summary>
        public MatchQuality Quality { get { return One("quality", each => new MatchQuality(each)); } set { Put("quality", value); } }
        /// <summary>The places that bots had when it began. Absent without bots.</summary>
        public IReadOnlyList<MatchBot> Bots { get { return Many("bots", each => new MatchBot(each)); } set { Put("bots", value); } }
        /// <summary>Who made it. Absent: matchmaking.</summary>
        public string MadeBy { get { return Get<string>("made_by"); } set { Put("made_by", value); } }
        /// <summary>What its maker calls it.</summary>
        public string Ref { get { return Get<string>("ref"); } set { Put("ref", value); } }
        public MatchServer Server { get { return One("server", each => new MatchServer(each)); } set { Put("server", value); } }
        /// <summary>Oldest first.</summary>
        public IReadOnlyList<Happening> History { get { return Many("history", each => new Happening(each)); } set { Put("history", value); } }
        /// <summary>Absent until one is reported.</summary>
        public MatchResult Result { get { return One("result", each => new MatchResult(each)); } set { Put("result", value); } }
        /// <summary>How players are connected, as they say.</summary>
        public IReadOnlyList<MatchLink> Links { get { return Many("links", each => new MatchLink(each)); } set { Put("links", value); } }
        /// <summary>What players said of the result.</summary>
        public MatchVotes Votes { get { return One("votes", each => new MatchVotes(each)); } set { Put("votes", value); } }
        /// <summary>What the result did to ratings. Absent until then.</summary>
        public MatchRating Rating { get { return One("rating", each => new MatchRating(each)); } set { Put("rating", value); } }
    }

    public sealed partial class WhereaboutsLobby : Wire
    {
        public WhereaboutsLobby() : base(new Dictionary<string, object>()) { }
        public WhereaboutsLobby(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public string Config { get { return Get<string>("config"); } set { Put("config", value); } }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        /// <summary>That it searches, or that its match is of.</summary>
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string InviteUrl { get { return Get<string>("invite_url"); } set { Put("invite_url", value); } }
        /// <summary>The player only watches.</summary>
        public string As { get { return Get<string>("as"); } set { Put("as", value); } }
    }

    public sealed partial class WhereaboutsKept : Wire
    {
        public WhereaboutsKept() : base(new Dictionary<string, object>()) { }
        public WhereaboutsKept(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public string Config { get { return Get<string>("config"); } set { Put("config", value); } }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public string Code { get { return Get<string>("code"); } set { Put("code", value); } }
        public string Until { get { return Get<string>("until"); } set { Put("until", value); } }
    }

    public sealed partial class Whereabouts : Wire
    {
        public Whereabouts() : base(new Dictionary<string, object>()) { }
        public Whereabouts(Dictionary<string, object> fields) : base(fields) { }
        public string Player { get { return Get<string>("player"); } set { Put("player", value); } }
        public IReadOnlyList<WhereaboutsLobby> Lobbies { get { return Many("lobbies", each => new WhereaboutsLobby(each)); } set { Put("lobbies", value); } }
        public IReadOnlyList<WhereaboutsKept> Kept { get { return Many("kept", each => new WhereaboutsKept(each)); } set { Put("kept", value); } }
    }

    public sealed partial class LadderPlayer : Wire
    {
        public LadderPlayer() : base(new Dictionary<string, object>()) { }
        public LadderPlayer(Dictionary<string, object> fields) : base(fields) { }
        public long Place { get { return Get<long>("place"); } set { Put("place", value); } }
        public string Player { get { return Get<string>("player"); } set { Put("player", value); } }
        public long Rating { get { return Get<long>("rating"); } set { Put("rating", value); } }
        public long Uncertainty { get { return Get<long>("uncertainty"); } set { Put("uncertainty", value); } }
        public long Games { get { return Get<long>("games"); } set { Put("games", value); } }
    }

    public sealed partial class Ladder : Wire
    {
        public Ladder() : base(new Dictionary<string, object>()) { }
        public Ladder(Dictionary<string, object> fields) : base(fields) { }
        public long Season { get { return Get<long>("season"); } set { Put("season", value); } }
        public long Total { get { return Get<long>("total"); } set { Put("total", value); } }
        public long Limit { get { return Get<long>("limit"); } set { Put("limit", value); } }
        public long Offset { get { return Get<long>("offset"); } set { Put("offset", value); } }
        public bool HasMore { get { return Get<bool>("has_more"); } set { Put("has_more", value); } }
        public IReadOnlyList<LadderPlayer> Players { get { return Many("players", each => new LadderPlayer(each)); } set { Put("players", value); } }
    }

    public sealed partial class Ok : Wire
    {
        public Ok() : base(new Dictionary<string, object>()) { }
        public Ok(Dictionary<string, object> fields) : base(fields) { }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
    }

    public sealed partial class CreateLobbyBody : Wire
    {
        public CreateLobbyBody() : base(new Dictionary<string, object>()) { }
        public CreateLobbyBody(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public long? MaxPlayers { get { return Get<long?>("maxPlayers"); } set { Put("maxPlayers", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        public bool? IsPrivate { get { return Get<bool?>("isPrivate"); } set { Put("isPrivate", value); } }
        public bool? AllowLateJoin { get { return Get<bool?>("allowLateJoin"); } set { Put("allowLateJoin", value); } }
        public Dictionary<string, object> Settings { get { return Get<Dictionary<string, object>>("settings"); } set { Put("settings", value); } }
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        public bool? ForceFresh { get { return Get<bool?>("forceFresh"); } set { Put("forceFresh", value); } }
        public string Key { get { return Get<string>("key"); } set { Put("key", value); } }
    }

    public sealed partial class JoinLobbyBody : Wire
    {
        public JoinLobbyBody() : base(new Dictionary<string, object>()) { }
        public JoinLobbyBody(Dictionary<string, object> fields) : base(fields) { }
        public string Code { get { return Get<string>("code"); } set { Put("code", value); } }
        public string InviteCode { get { return Get<string>("inviteCode"); } set { Put("inviteCode", value); } }
        public string LobbyId { get { return Get<string>("lobbyId"); } set { Put("lobbyId", value); } }
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        public string As { get { return Get<string>("as"); } set { Put("as", value); } }
    }

    public sealed partial class UpdateMyStateBody : Wire
    {
        public UpdateMyStateBody() : base(new Dictionary<string, object>()) { }
        public UpdateMyStateBody(Dictionary<string, object> fields) : base(fields) { }
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
    }

    public sealed partial class UpdateLobbySettingsBody : Wire
    {
        public UpdateLobbySettingsBody() : base(new Dictionary<string, object>()) { }
        public UpdateLobbySettingsBody(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public long? MaxPlayers { get { return Get<long?>("maxPlayers"); } set { Put("maxPlayers", value); } }
        public bool? IsPrivate { get { return Get<bool?>("isPrivate"); } set { Put("isPrivate", value); } }
        public bool? AllowLateJoin { get { return Get<bool?>("allowLateJoin"); } set { Put("allowLateJoin", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        public Dictionary<string, object> Settings { get { return Get<Dictionary<string, object>>("settings"); } set { Put("settings", value); } }
    }

    public sealed partial class StartMatchmakingBody : Wire
    {
        public StartMatchmakingBody() : base(new Dictionary<string, object>()) { }
        public StartMatchmakingBody(Dictionary<string, object> fields) : base(fields) { }
        public string Mode { get { return Get<string>("mode"); } set { Put("mode", value); } }
        public IReadOnlyList<object> Modes { get { return Plain<object>("modes"); } set { Put("modes", value); } }
    }

    public sealed partial class MoveToBody : Wire
    {
        public MoveToBody() : base(new Dictionary<string, object>()) { }
        public MoveToBody(Dictionary<string, object> fields) : base(fields) { }
        public string Config { get { return Get<string>("config"); } set { Put("config", value); } }
    }

    public sealed partial class SendSignalBody : Wire
    {
        public SendSignalBody() : base(new Dictionary<string, object>()) { }
        public SendSignalBody(Dictionary<string, object> fields) : base(fields) { }
        public object To { get { return Get<object>("to"); } set { Put("to", value); } }
        public object Data { get { return Get<object>("data"); } set { Put("data", value); } }
    }

    public sealed partial class ReportMatchResultBodyTeamPlayer : Wire
    {
        public ReportMatchResultBodyTeamPlayer() : base(new Dictionary<string, object>()) { }
        public ReportMatchResultBodyTeamPlayer(Dictionary<string, object> fields) : base(fields) { }
        public string Id { get { return Get<string>("id"); } set { Put("id", value); } }
        public double? Score { get { return Get<double?>("score"); } set { Put("score", value); } }
        public bool? Abandoned { get { return Get<bool?>("abandoned"); } set { Put("abandoned", value); } }
    }

    public sealed partial class ReportMatchResultBodyTeam : Wire
    {
        public ReportMatchResultBodyTeam() : base(new Dictionary<string, object>()) { }
        public ReportMatchResultBodyTeam(Dictionary<string, object> fields) : base(fields) { }
        public long Team { get { return Get<long>("team"); } set { Put("team", value); } }
        public long? Rank { get { return Get<long?>("rank"); } set { Put("rank", value); } }
        public double? Score { get { return Get<double?>("score"); } set { Put("score", value); } }
        public IReadOnlyList<ReportMatchResultBodyTeamPlayer> Players { get { return Many("players", each => new ReportMatchResultBodyTeamPlayer(each)); } set { Put("players", value); } }
    }

    public sealed partial class ReportMatchResultBody : Wire
    {
        public ReportMatchResultBody() : base(new Dictionary<string, object>()) { }
        public ReportMatchResultBody(Dictionary<string, object> fields) : base(fields) { }
        public IReadOnlyList<ReportMatchResultBodyTeam> Teams { get { return Many("teams", each => new ReportMatchResultBodyTeam(each)); } set { Put("teams", value); } }
        public Dictionary<string, object> Data { get { return Get<Dictionary<string, object>>("data"); } set { Put("data", value); } }
    }

    public sealed partial class ChangeHostBody : Wire
    {
        public ChangeHostBody() : base(new Dictionary<string, object>()) { }
        public ChangeHostBody(Dictionary<string, object> fields) : base(fields) { }
        public long Term { get { return Get<long>("term"); } set { Put("term", value); } }
        public bool? Unreachable { get { return Get<bool?>("unreachable"); } set { Put("unreachable", value); } }
        public bool? Resign { get { return Get<bool?>("resign"); } set { Put("resign", value); } }
    }

    public sealed partial class ReportLinkBody : Wire
    {
        public ReportLinkBody() : base(new Dictionary<string, object>()) { }
        public ReportLinkBody(Dictionary<string, object> fields) : base(fields) { }
        public string To { get { return Get<string>("to"); } set { Put("to", value); } }
        public bool IsRelayed { get { return Get<bool>("isRelayed"); } set { Put("isRelayed", value); } }
        public long Ms { get { return Get<long>("ms"); } set { Put("ms", value); } }
    }

    public sealed partial class QuickJoinBodyCreate : Wire
    {
        public QuickJoinBodyCreate() : base(new Dictionary<string, object>()) { }
        public QuickJoinBodyCreate(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public long? MaxPlayers { get { return Get<long?>("maxPlayers"); } set { Put("maxPlayers", value); } }
        public string Region { get { return Get<string>("region"); } set { Put("region", value); } }
        public bool? IsPrivate { get { return Get<bool?>("isPrivate"); } set { Put("isPrivate", value); } }
        public bool? AllowLateJoin { get { return Get<bool?>("allowLateJoin"); } set { Put("allowLateJoin", value); } }
        public Dictionary<string, object> Settings { get { return Get<Dictionary<string, object>>("settings"); } set { Put("settings", value); } }
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        public bool? ForceFresh { get { return Get<bool?>("forceFresh"); } set { Put("forceFresh", value); } }
    }

    public sealed partial class QuickJoinBody : Wire
    {
        public QuickJoinBody() : base(new Dictionary<string, object>()) { }
        public QuickJoinBody(Dictionary<string, object> fields) : base(fields) { }
        public Dictionary<string, object> Where { get { return Get<Dictionary<string, object>>("where"); } set { Put("where", value); } }
        public long? Places { get { return Get<long?>("places"); } set { Put("places", value); } }
        public Dictionary<string, object> State { get { return Get<Dictionary<string, object>>("state"); } set { Put("state", value); } }
        public QuickJoinBodyCreate Create { get { return One("create", each => new QuickJoinBodyCreate(each)); } set { Put("create", value); } }
    }

    public sealed partial class ReportServerStatusBodyNetworkPort : Wire
    {
        public ReportServerStatusBodyNetworkPort() : base(new Dictionary<string, object>()) { }
        public ReportServerStatusBodyNetworkPort(Dictionary<string, object> fields) : base(fields) { }
        public string Name { get { return Get<string>("name"); } set { Put("name", value); } }
        public string Host { get { return Get<string>("host"); } set { Put("host", value); } }
        public long ExternalPort { get { return Get<long>("external_port"); } set { Put("external_port", value); } }
        public long InternalPort { get { return Get<long>("internal_port"); } set { Put("internal_port", value); } }
        public string Protocol { get { return Get<string>("protocol"); } set { Put("protocol", value); } }
        public bool? TlsEnabled { get { return Get<bool?>("tls_enabled"); } set { Put("tls_enabled", value); } }
    }

    public sealed partial class ReportServerStatusBody : Wire
    {
        public ReportServerStatusBody() : base(new Dictionary<string, object>()) { }
        public ReportServerStatusBody(Dictionary<string, object> fields) : base(fields) { }
        public string Status { get { return Get<string>("status"); } set { Put("status", value); } }
        public IReadOnlyList<ReportServerStatusBodyNetworkPort> NetworkPorts { get { return Many("network_ports", each => new ReportServerStatusBodyNetworkPort(each)); } set { Put("network_ports", value); } }
        public long? ExitCode { get { return Get<long?>("exit_code"); } set { Put("exit_code", value); } }
        public string Signal { get { return Get<string>("signal"); } set { Put("signal", value); } }
        public string Detail { get { return Get<string>("detail"); } set { Put("detail", value); } }
        public string Output { get { return Get<string>("output"); } set { Put("output", value); } }
        public bool? Asked { get { return Get<bool?>("asked"); } set { Put("asked", value); } }
    }

    public sealed partial class ReadSeatBody : Wire
    {
        public ReadSeatBody() : base(new Dictionary<string, object>()) { }
        public ReadSeatBody(Dictionary<string, object> fields) : base(fields) { }
        public string Ticket { get { return Get<string>("ticket"); } set { Put("ticket", value); } }
    }

    public sealed partial class SetPlacesBody : Wire
    {
        public SetPlacesBody() : base(new Dictionary<string, object>()) { }
        public SetPlacesBody(Dictionary<string, object> fields) : base(fields) { }
        public long? Open { get { return Get<long?>("open"); } set { Put("open", value); } }
        public long? Team { get { return Get<long?>("team"); } set { Put("team", value); } }
        public string Until { get { return Get<string>("until"); } set { Put("until", value); } }
        public string Release { get { return Get<string>("release"); } set { Put("release", value); } }
        public string Kick { get { return Get<string>("kick"); } set { Put("kick", value); } }
        public IReadOnlyList<string> Present { get { return Plain<string>("present"); } set { Put("present", value); } }
        public long? After { get { return Get<long?>("after"); } set { Put("after", value); } }
    }

    public sealed partial class LoginBody : Wire
    {
        public LoginBody() : base(new Dictionary<string, object>()) { }
        public LoginBody(Dictionary<string, object> fields) : base(fields) { }
        public string Token { get { return Get<string>("token"); } set { Put("token", value); } }
    }

    /// <summary>A function for each endpoint. The stream is followed by MusterClient.</summary>
    public sealed partial class Api
    {
        /// <summary>Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The
        /// list can be a second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how
        /// many. The next one begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`,
        /// for settings in `browseBy` of the config.</summary>
        public Task<LobbyPage> BrowseLobbies(string config, string region = null, string status = null, long? places = null, string sort = null, string cursor = null, long? limit = null, long? offset = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/lobbies/" + Part(config)) { Query = { { "region", region }, { "status", status }, { "places", places }, { "sort", sort }, { "cursor", cursor }, { "limit", limit }, { "offset", offset } } }, each => new LobbyPage(each), cancel);

        /// <summary>Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller
        /// hosts in this config. A caller who is a guest in another lobby is still refused. With a `key`, the first
        /// caller creates the lobby of that key, and all others join it (200).</summary>
        public Task<Lobby> CreateLobby(string config, CreateLobbyBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config)) { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or
        /// `lobbyId`. A private lobby needs its code, except with the server key. A player who is already in the
        /// lobby gets it back unchanged. `as: spectator` watches it, at any time, in a config with `spectators`; a
        /// player of a waiting lobby stands aside by it, and a spectator who joins without it begins to
        /// play.</summary>
        public Task<Lobby> JoinLobby(string config, JoinLobbyBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/join") { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a
        /// 404.</summary>
        public Task<Lobby> GetMyLobby(string config, string orNull = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/lobbies/" + Part(config) + "/me") { Query = { { "orNull", orNull } } }, each => new Lobby(each), cancel);

        /// <summary>Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If
        /// the lobby is queued, its ticket changes too and keeps its waiting time.</summary>
        public Task<Lobby> UpdateMyState(string config, UpdateMyStateBody body, string prefer = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("PATCH", "/v3/lobbies/" + Part(config) + "/me") { Headers = { { "prefer", prefer } }, Body = body }, each => new Lobby(each), cancel);

        /// <summary>Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the
        /// caller was the last player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels
        /// matchmaking, and declines a match that waits for confirmation.</summary>
        public Task<Lobby> LeaveLobby(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("DELETE", "/v3/lobbies/" + Part(config) + "/me"), each => new Lobby(each), cancel);

        /// <summary>Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers`
        /// cannot be less than the number of players in the lobby.</summary>
        public Task<Lobby> UpdateLobbySettings(string config, UpdateLobbySettingsBody body, string prefer = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("PATCH", "/v3/lobbies/" + Part(config) + "/me/settings") { Headers = { { "prefer", prefer } }, Body = body }, each => new Lobby(each), cancel);

        /// <summary>Kick a player (host). The player gets one more update of the lobby, without itself in
        /// it.</summary>
        public Task<Lobby> KickPlayer(string config, string playerId, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("DELETE", "/v3/lobbies/" + Part(config) + "/me/players/" + Part(playerId)), each => new Lobby(each), cancel);

        /// <summary>Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once
        /// the server lives, at most a second after its launch, and always shows it launching. An update says when it
        /// is running. A server that ends at once is a `LAUNCH_FAILED`.</summary>
        public Task<Lobby> StartGame(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/start"), each => new Lobby(each), cancel);

        /// <summary>End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the
        /// same players, code and settings.</summary>
        public Task<Lobby> EndMatch(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/end-match"), each => new Lobby(each), cancel);

        /// <summary>Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes`
        /// in the place of `mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but
        /// the first always at once. The first match takes it out of the others. A mode that finds nobody within its
        /// timeout drops out, and the last one ends the search.</summary>
        public Task<Lobby> StartMatchmaking(string config, StartMatchmakingBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/matchmaking") { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Take the lobby out of the queue (host)</summary>
        public Task<Lobby> CancelMatchmaking(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("DELETE", "/v3/lobbies/" + Part(config) + "/me/matchmaking"), each => new Lobby(each), cancel);

        /// <summary>Accept a match. One player accepts for the whole lobby. The server launches when every lobby of
        /// the match has accepted. After the deadline it is too late.</summary>
        public Task<Lobby> ConfirmMatch(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/confirm-match"), each => new Lobby(each), cancel);

        /// <summary>Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`,
        /// those that had accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and
        /// others may take its places.</summary>
        public Task<Lobby> DeclineMatch(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("DELETE", "/v3/lobbies/" + Part(config) + "/me/confirm-match"), each => new Lobby(each), cancel);

        /// <summary>Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event
        /// stream. Send it more often than every `heartbeatTimeout` seconds.</summary>
        public Task<Ok> SendHeartbeat(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/heartbeat"), each => new Ok(each), cancel);

        /// <summary>See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be
        /// ten seconds old. The estimate is that of players who queue alone.</summary>
        public Task<Modes> ListModes(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/lobbies/" + Part(config) + "/modes"), each => new Modes(each), cancel);

        /// <summary>Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings
        /// and streams, and is of the other config from then on: it searches the modes of that one. Requests and
        /// streams under the config that it has left go on. All of its players and spectators move, or nobody:
        /// `LOBBY_NOT_MOVED` says why for each. It gets another code only if another lobby there has its own, and
        /// `maxPlayers` falls to what that config allows.</summary>
        public Task<Lobby> MoveTo(string config, MoveToBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/move") { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Get STUN and TURN servers. For connections between players. The servers that the operator has set
        /// up. While a game starts, forms or runs, TURN servers are among them, with credentials that end by
        /// themselves. A provider that does not answer in time is left out.</summary>
        public Task<IceServers> GetIceServers(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/lobbies/" + Part(config) + "/me/ice"), each => new IceServers(each), cancel);

        /// <summary>Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is
        /// not null. `to` is a player of the caller's lobby or, once it is `matched`, of any lobby of its match, or
        /// `all` for all others, or `{player}` for whatever id. It comes as the event `signal` on their open streams,
        /// and nothing is kept for later. It counts as a request for each lobby that is asked.</summary>
        public Task<Signalled> SendSignal(string config, SendSignalBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/signals") { Body = body }, each => new Signalled(each), cancel);

        /// <summary>Ask for a rematch (host). Within 30 seconds of the end of a match. Once the host of each of its
        /// lobbies has asked, the same lobbies play the same mode again, in the same teams and on the same build,
        /// without a queue. `rematch` of each lobby counts. Asking again changes nothing.</summary>
        public Task<Lobby> Rematch(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/rematch"), each => new Lobby(each), cancel);

        /// <summary>Say no to a rematch (host). There is no rematch of that match then. Searching, starting a game
        /// and leaving say the same.</summary>
        public Task<Lobby> DeclineRematch(string config, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("DELETE", "/v3/lobbies/" + Part(config) + "/me/rematch"), each => new Lobby(each), cancel);

        /// <summary>Let another player host. More than half of the others must say that the host is gone.</summary>
        public Task<Lobby> ChangeHost(string config, ChangeHostBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/host") { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`:
        /// what more than half of the players say is the result, until a minute after the match. Each has one vote,
        /// and the next replaces it.</summary>
        public Task<VotedResult> ReportResult(string config, string id, ReportMatchResultBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/matches/" + Part(id) + "/result") { Body = body }, each => new VotedResult(each), cancel);

        /// <summary>Say how two players are connected. Operators read it on the match's page. The next report of the
        /// same two replaces it.</summary>
        public Task<Ok> ReportLink(string config, string id, ReportLinkBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/me/matches/" + Part(id) + "/links") { Body = body }, each => new Ok(each), cancel);

        /// <summary>Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free
        /// places, lobbies in the region of `create` come first, then the fullest. If there is none, creates one by
        /// `create`, which must fit too: never two while one has a place. `where` asks for settings in `browseBy` of
        /// the config: ranges such as `1..3`, or values, which the new lobby gets.</summary>
        public Task<Lobby> QuickJoin(string config, QuickJoinBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/lobbies/" + Part(config) + "/quick-join") { Body = body }, each => new Lobby(each), cancel);

        /// <summary>Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of
        /// the project, of which there are at most 20. It is no sign of life, and counts as a request for each
        /// config.</summary>
        public Task<Whereabouts> WhereAmI(CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/me"), each => new Whereabouts(each), cancel);

        /// <summary>List the regions, and where to measure how far away they are. Of the fleets that have an `echo`.
        /// Send what you measured as state, for a `latency` rule.</summary>
        public Task<Regions> ListRegions(CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/regions"), each => new Regions(each), cancel);

        /// <summary>Read the ladder of a rated mode, the best first. A client key sees ids if the project has
        /// `publicPlayerIds`.</summary>
        public Task<Ladder> GetRatings(string config = null, string mode = null, string around = null, long? season = null, long? limit = null, long? offset = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/ratings") { Query = { { "config", config }, { "mode", mode }, { "around", around }, { "season", season }, { "limit", limit }, { "offset", offset } } }, each => new Ladder(each), cancel);

        /// <summary>Read a server. With the server key, the answer also says how it ended.</summary>
        public Task<ServerRecord> GetServer(string id, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/servers/" + Part(id)), each => new ServerRecord(each), cancel);

        /// <summary>Report a server's status (fleet or game server). Needs no key. The bearer token is the one that
        /// the instance got at launch. With `wait`, a warm server that has no match yet is answered as soon as it has
        /// one, or after so many seconds.</summary>
        public Task<Server> ReportServerStatus(string id, ReportServerStatusBody body, long? wait = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/servers/" + Part(id) + "/status") { Query = { { "wait", wait } }, Body = body }, each => new Server(each), cancel);

        /// <summary>Report the result of the match (game server). Needs no key. The bearer token is the one that the
        /// instance got at launch. Each team of the match is named once, all with a `rank` (1 is the best) or all
        /// with a `score` (the highest is the best). A match has one result: the same again changes nothing, and
        /// another is refused. It is taken from when the server runs, for as long as the match is
        /// remembered.</summary>
        public Task<Match> ReportServerResult(string id, ReportMatchResultBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/servers/" + Part(id) + "/result") { Body = body }, each => new Match(each), cancel);

        /// <summary>Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs
        /// no key: the bearer token is that of the instance. Only tickets for this instance are read; any other, an
        /// old one and a forged one are a 403.</summary>
        public Task<Seat> ReadSeat(string id, ReadSeatBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/servers/" + Part(id) + "/seats") { Body = body }, each => new Seat(each), cancel);

        /// <summary>Say which places in the match are open, and remove players. For the game server with the token
        /// that it got at launch, or a backend with the server key. All of the request is done, or nothing. `after`
        /// makes a repeated request harmless.</summary>
        public Task<GameRoster> SetPlaces(string id, SetPlacesBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/servers/" + Part(id) + "/places") { Body = body }, each => new GameRoster(each), cancel);

        /// <summary>Read the players and their places in the match. For the game server with the token that it got at
        /// launch, or a backend with the server key. Answers as soon as the roster has another revision than `after`,
        /// at most `wait` seconds later. From the first request on, the lobbies of the match report who leaves and
        /// comes back.</summary>
        public Task<GameRoster> ReadRoster(string id, long? after = null, long? wait = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/v3/servers/" + Part(id) + "/roster") { Query = { { "after", after }, { "wait", wait } } }, each => new GameRoster(each), cancel);

        /// <summary>Log in. Exchanges what the platform gave the player for a player token of an hour. The player is
        /// `provider:id`.</summary>
        public Task<PlayerToken> Login(string provider, LoginBody body, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("POST", "/v3/login/" + Part(provider)) { Body = body }, each => new PlayerToken(each), cancel);

        /// <summary>Check that the service is up</summary>
        public Task<Ok> GetHealth(CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/health"), each => new Ok(each), cancel);

        /// <summary>Read the public keys of seat tickets. A project that does not exist has keys that sign nothing,
        /// so that nobody can find out which projects there are.</summary>
        public Task<SeatKeys> GetSeatKeys(string project = null, CancellationToken cancel = default(CancellationToken)) =>
            Call(new Ask("GET", "/.well-known/jwks.json") { Query = { { "project", project } } }, each => new SeatKeys(each), cancel);
    }
}
