// Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.

package muster

import (
	"context"
	"net/http"
	"net/url"
)

// Codes has the status of each code that the service answers.
var Codes = map[string]int{
	"VALIDATION_ERROR":     400,
	"LOBBY_FULL":           400,
	"LOBBY_NOT_ACCEPTING":  400,
	"INVALID_ACTION":       400,
	"NO_MATCHMAKING_MODES": 400,
	"MODE_NOT_FOUND":       400,
	"PARTY_SIZE_EXCEEDED":  400,
	"ALREADY_IN_QUEUE":     400,
	"UNAUTHORIZED":         401,
	"PLAYER_TOKEN_MISSING": 401,
	"PLAYER_TOKEN_INVALID": 401,
	"PLAYER_TOKEN_EXPIRED": 401,
	"LOGIN_REFUSED":        401,
	"FORBIDDEN":            403,
	"FIELD_NOT_YOURS":      403,
	"NOT_HOST":             403,
	"BANNED":               403,
	"COOLDOWN":             403,
	"LOBBY_NOT_FOUND":      404,
	"PLAYER_NOT_FOUND":     404,
	"SERVER_NOT_FOUND":     404,
	"CONFIG_NOT_FOUND":     404,
	"BUILD_NOT_FOUND":      404,
	"LOGS_NOT_AVAILABLE":   404,
	"NOT_FOUND":            404,
	"METHOD_NOT_ALLOWED":   405,
	"REQUEST_TIMEOUT":      408,
	"ALREADY_IN_LOBBY":     409,
	"GAME_ALREADY_RUNNING": 409,
	"LOBBY_NOT_MOVED":      409,
	"MATCH_NOT_MADE":       409,
	"REF_EXISTS":           409,
	"RESULT_EXISTS":        409,
	"NOT_HOST_ANY_MORE":    409,
	"INVALID_STATE":        409,
	"PRECONDITION_FAILED":  412,
	"PAYLOAD_TOO_LARGE":    413,
	"RATE_LIMITED":         429,
	"INTERNAL":             500,
	"CLOSED":               503,
	"LAUNCH_FAILED":        503,
	"CODES_EXHAUSTED":      503,
	"SERVERS_EXHAUSTED":    503,
	"STORAGE_FULL":         503,
	"OVERLOADED":           503,
	"UNAVAILABLE":          503,
}

// Events are the names of the events of the stream.
var Events = []string{"connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping"}

// LobbyStatus is one of some texts.
type LobbyStatus string

// Values of LobbyStatus.
const (
	LobbyStatusInGame     LobbyStatus = "in_game"
	LobbyStatusMatchFound LobbyStatus = "match_found"
	LobbyStatusMatched    LobbyStatus = "matched"
	LobbyStatusStarting   LobbyStatus = "starting"
	LobbyStatusInQueue    LobbyStatus = "in_queue"
	LobbyStatusWaiting    LobbyStatus = "waiting"
)

// ServerStatus is one of some texts.
type ServerStatus string

// Values of ServerStatus.
const (
	ServerStatusStopped   ServerStatus = "stopped"
	ServerStatusRunning   ServerStatus = "running"
	ServerStatusLaunching ServerStatus = "launching"
)

// ServerServiceType is one of some texts.
type ServerServiceType string

// Values of ServerServiceType.
const (
	ServerServiceTypePlayerHosted    ServerServiceType = "player_hosted"
	ServerServiceTypePersistentWorld ServerServiceType = "persistent_world"
	ServerServiceTypeMatchBased      ServerServiceType = "match_based"
)

// LobbyReturnedReason is one of some texts.
type LobbyReturnedReason string

// Values of LobbyReturnedReason.
const (
	LobbyReturnedReasonServerCrashed  LobbyReturnedReason = "server_crashed"
	LobbyReturnedReasonConfigChanged  LobbyReturnedReason = "config_changed"
	LobbyReturnedReasonLaunchFailed   LobbyReturnedReason = "launch_failed"
	LobbyReturnedReasonConfirmTimeout LobbyReturnedReason = "confirm_timeout"
	LobbyReturnedReasonDeclined       LobbyReturnedReason = "declined"
	LobbyReturnedReasonAway           LobbyReturnedReason = "away"
	LobbyReturnedReasonPlayerLeft     LobbyReturnedReason = "player_left"
	LobbyReturnedReasonCancelled      LobbyReturnedReason = "cancelled"
	LobbyReturnedReasonUnmatchable    LobbyReturnedReason = "unmatchable"
	LobbyReturnedReasonTimeout        LobbyReturnedReason = "timeout"
)

// GameRosterPlayerStatus is one of some texts.
type GameRosterPlayerStatus string

// Values of GameRosterPlayerStatus.
const (
	GameRosterPlayerStatusKicked GameRosterPlayerStatus = "kicked"
	GameRosterPlayerStatusLeft   GameRosterPlayerStatus = "left"
	GameRosterPlayerStatusAway   GameRosterPlayerStatus = "away"
	GameRosterPlayerStatusHere   GameRosterPlayerStatus = "here"
)

// LobbyChangeOpOp is one of some texts.
type LobbyChangeOpOp string

// Values of LobbyChangeOpOp.
const (
	LobbyChangeOpOpRemove  LobbyChangeOpOp = "remove"
	LobbyChangeOpOpReplace LobbyChangeOpOp = "replace"
	LobbyChangeOpOpAdd     LobbyChangeOpOp = "add"
)

// RuleType is one of some texts.
type RuleType string

// Values of RuleType.
const (
	RuleTypeAvoid      RuleType = "avoid"
	RuleTypeLatency    RuleType = "latency"
	RuleTypeBalance    RuleType = "balance"
	RuleTypeExpression RuleType = "expression"
	RuleTypeRegion     RuleType = "region"
	RuleTypeNotEquals  RuleType = "not_equals"
	RuleTypeEquals     RuleType = "equals"
	RuleTypeDifference RuleType = "difference"
)

// ModeOnDecline is one of some texts.
type ModeOnDecline string

// Values of ModeOnDecline.
const (
	ModeOnDeclineRefill  ModeOnDecline = "refill"
	ModeOnDeclineRequeue ModeOnDecline = "requeue"
	ModeOnDeclineReturn  ModeOnDecline = "return"
)

// LobbyConfigHostLeaveBehavior is one of some texts.
type LobbyConfigHostLeaveBehavior string

// Values of LobbyConfigHostLeaveBehavior.
const (
	LobbyConfigHostLeaveBehaviorDelete  LobbyConfigHostLeaveBehavior = "delete"
	LobbyConfigHostLeaveBehaviorPromote LobbyConfigHostLeaveBehavior = "promote"
)

// LobbyConfigInviteCodeConfigType is one of some texts.
type LobbyConfigInviteCodeConfigType string

// Values of LobbyConfigInviteCodeConfigType.
const (
	LobbyConfigInviteCodeConfigTypeAlphabetic   LobbyConfigInviteCodeConfigType = "alphabetic"
	LobbyConfigInviteCodeConfigTypeAlphanumeric LobbyConfigInviteCodeConfigType = "alphanumeric"
	LobbyConfigInviteCodeConfigTypeNumeric      LobbyConfigInviteCodeConfigType = "numeric"
)

// ProjectSettingsPlayerAuth is one of some texts.
type ProjectSettingsPlayerAuth string

// Values of ProjectSettingsPlayerAuth.
const (
	ProjectSettingsPlayerAuthToken ProjectSettingsPlayerAuth = "token"
	ProjectSettingsPlayerAuthTrust ProjectSettingsPlayerAuth = "trust"
)

// ProjectSettingsHooksFormat is one of some texts.
type ProjectSettingsHooksFormat string

// Values of ProjectSettingsHooksFormat.
const (
	ProjectSettingsHooksFormatSlack   ProjectSettingsHooksFormat = "slack"
	ProjectSettingsHooksFormatDiscord ProjectSettingsHooksFormat = "discord"
)

// BuildStatus is one of some texts.
type BuildStatus string

// Values of BuildStatus.
const (
	BuildStatusNotReady BuildStatus = "not_ready"
	BuildStatusReady    BuildStatus = "ready"
)

// BuildPortProtocol is one of some texts.
type BuildPortProtocol string

// Values of BuildPortProtocol.
const (
	BuildPortProtocolTcp BuildPortProtocol = "tcp"
	BuildPortProtocolUDP BuildPortProtocol = "udp"
)

// KeyPageKeyKind is one of some texts.
type KeyPageKeyKind string

// Values of KeyPageKeyKind.
const (
	KeyPageKeyKindViewer KeyPageKeyKind = "viewer"
	KeyPageKeyKindServer KeyPageKeyKind = "server"
	KeyPageKeyKindClient KeyPageKeyKind = "client"
)

// MatchSummaryOutcome is one of some texts.
type MatchSummaryOutcome string

// Values of MatchSummaryOutcome.
const (
	MatchSummaryOutcomeFailed     MatchSummaryOutcome = "failed"
	MatchSummaryOutcomeCrashed    MatchSummaryOutcome = "crashed"
	MatchSummaryOutcomeEnded      MatchSummaryOutcome = "ended"
	MatchSummaryOutcomeRunning    MatchSummaryOutcome = "running"
	MatchSummaryOutcomeLaunching  MatchSummaryOutcome = "launching"
	MatchSummaryOutcomeConfirming MatchSummaryOutcome = "confirming"
)

// MatchSummaryMadeBy is one of some texts.
type MatchSummaryMadeBy string

// Values of MatchSummaryMadeBy.
const (
	MatchSummaryMadeByRematch MatchSummaryMadeBy = "rematch"
	MatchSummaryMadeByKey     MatchSummaryMadeBy = "key"
)

// MatchSummaryResultOutcome is one of some texts.
type MatchSummaryResultOutcome string

// Values of MatchSummaryResultOutcome.
const (
	MatchSummaryResultOutcomeLost  MatchSummaryResultOutcome = "lost"
	MatchSummaryResultOutcomeDrawn MatchSummaryResultOutcome = "drawn"
	MatchSummaryResultOutcomeWon   MatchSummaryResultOutcome = "won"
)

// MatchMadeBy is one of some texts.
type MatchMadeBy string

// Values of MatchMadeBy.
const (
	MatchMadeByRematch MatchMadeBy = "rematch"
	MatchMadeByKey     MatchMadeBy = "key"
	MatchMadeByHost    MatchMadeBy = "host"
)

// AuditPageItemKind is one of some texts.
type AuditPageItemKind string

// Values of AuditPageItemKind.
const (
	AuditPageItemKindRatingsImported   AuditPageItemKind = "ratings_imported"
	AuditPageItemKindSeasonEnded       AuditPageItemKind = "season_ended"
	AuditPageItemKindAttributesDeleted AuditPageItemKind = "attributes_deleted"
	AuditPageItemKindServersStopped    AuditPageItemKind = "servers_stopped"
	AuditPageItemKindServerStopped     AuditPageItemKind = "server_stopped"
	AuditPageItemKindServerRestarted   AuditPageItemKind = "server_restarted"
	AuditPageItemKindLobbyMoved        AuditPageItemKind = "lobby_moved"
	AuditPageItemKindLobbyDeleted      AuditPageItemKind = "lobby_deleted"
	AuditPageItemKindMatchEnded        AuditPageItemKind = "match_ended"
	AuditPageItemKindGameEnded         AuditPageItemKind = "game_ended"
	AuditPageItemKindLeftQueue         AuditPageItemKind = "left_queue"
	AuditPageItemKindKicked            AuditPageItemKind = "kicked"
	AuditPageItemKindUnbanned          AuditPageItemKind = "unbanned"
	AuditPageItemKindBanned            AuditPageItemKind = "banned"
	AuditPageItemKindSecretsChanged    AuditPageItemKind = "secrets_changed"
	AuditPageItemKindBuildDeleted      AuditPageItemKind = "build_deleted"
	AuditPageItemKindBuildSaved        AuditPageItemKind = "build_saved"
	AuditPageItemKindSettingsSaved     AuditPageItemKind = "settings_saved"
	AuditPageItemKindConfigDeleted     AuditPageItemKind = "config_deleted"
	AuditPageItemKindConfigSaved       AuditPageItemKind = "config_saved"
)

// ErrorBodyCode is one of some texts.
type ErrorBodyCode string

// Values of ErrorBodyCode.
const (
	ErrorBodyCodeUNAVAILABLE        ErrorBodyCode = "UNAVAILABLE"
	ErrorBodyCodeOVERLOADED         ErrorBodyCode = "OVERLOADED"
	ErrorBodyCodeSTORAGEFULL        ErrorBodyCode = "STORAGE_FULL"
	ErrorBodyCodeSERVERSEXHAUSTED   ErrorBodyCode = "SERVERS_EXHAUSTED"
	ErrorBodyCodeCODESEXHAUSTED     ErrorBodyCode = "CODES_EXHAUSTED"
	ErrorBodyCodeLAUNCHFAILED       ErrorBodyCode = "LAUNCH_FAILED"
	ErrorBodyCodeCLOSED             ErrorBodyCode = "CLOSED"
	ErrorBodyCodeINTERNAL           ErrorBodyCode = "INTERNAL"
	ErrorBodyCodeRATELIMITED        ErrorBodyCode = "RATE_LIMITED"
	ErrorBodyCodePAYLOADTOOLARGE    ErrorBodyCode = "PAYLOAD_TOO_LARGE"
	ErrorBodyCodePRECONDITIONFAILED ErrorBodyCode = "PRECONDITION_FAILED"
	ErrorBodyCodeINVALIDSTATE       ErrorBodyCode = "INVALID_STATE"
	ErrorBodyCodeNOTHOSTANYMORE     ErrorBodyCode = "NOT_HOST_ANY_MORE"
	ErrorBodyCodeRESULTEXISTS       ErrorBodyCode = "RESULT_EXISTS"
	ErrorBodyCodeREFEXISTS          ErrorBodyCode = "REF_EXISTS"
	ErrorBodyCodeMATCHNOTMADE       ErrorBodyCode = "MATCH_NOT_MADE"
	ErrorBodyCodeLOBBYNOTMOVED      ErrorBodyCode = "LOBBY_NOT_MOVED"
	ErrorBodyCodeGAMEALREADYRUNNING ErrorBodyCode = "GAME_ALREADY_RUNNING"
	ErrorBodyCodeALREADYINLOBBY     ErrorBodyCode = "ALREADY_IN_LOBBY"
	ErrorBodyCodeREQUESTTIMEOUT     ErrorBodyCode = "REQUEST_TIMEOUT"
	ErrorBodyCodeMETHODNOTALLOWED   ErrorBodyCode = "METHOD_NOT_ALLOWED"
	ErrorBodyCodeNOTFOUND           ErrorBodyCode = "NOT_FOUND"
	ErrorBodyCodeLOGSNOTAVAILABLE   ErrorBodyCode = "LOGS_NOT_AVAILABLE"
	ErrorBodyCodeBUILDNOTFOUND      ErrorBodyCode = "BUILD_NOT_FOUND"
	ErrorBodyCodeCONFIGNOTFOUND     ErrorBodyCode = "CONFIG_NOT_FOUND"
	ErrorBodyCodeSERVERNOTFOUND     ErrorBodyCode = "SERVER_NOT_FOUND"
	ErrorBodyCodePLAYERNOTFOUND     ErrorBodyCode = "PLAYER_NOT_FOUND"
	ErrorBodyCodeLOBBYNOTFOUND      ErrorBodyCode = "LOBBY_NOT_FOUND"
	ErrorBodyCodeCOOLDOWN           ErrorBodyCode = "COOLDOWN"
	ErrorBodyCodeBANNED             ErrorBodyCode = "BANNED"
	ErrorBodyCodeNOTHOST            ErrorBodyCode = "NOT_HOST"
	ErrorBodyCodeFIELDNOTYOURS      ErrorBodyCode = "FIELD_NOT_YOURS"
	ErrorBodyCodeFORBIDDEN          ErrorBodyCode = "FORBIDDEN"
	ErrorBodyCodeLOGINREFUSED       ErrorBodyCode = "LOGIN_REFUSED"
	ErrorBodyCodePLAYERTOKENEXPIRED ErrorBodyCode = "PLAYER_TOKEN_EXPIRED"
	ErrorBodyCodePLAYERTOKENINVALID ErrorBodyCode = "PLAYER_TOKEN_INVALID"
	ErrorBodyCodePLAYERTOKENMISSING ErrorBodyCode = "PLAYER_TOKEN_MISSING"
	ErrorBodyCodeUNAUTHORIZED       ErrorBodyCode = "UNAUTHORIZED"
	ErrorBodyCodeALREADYINQUEUE     ErrorBodyCode = "ALREADY_IN_QUEUE"
	ErrorBodyCodePARTYSIZEEXCEEDED  ErrorBodyCode = "PARTY_SIZE_EXCEEDED"
	ErrorBodyCodeMODENOTFOUND       ErrorBodyCode = "MODE_NOT_FOUND"
	ErrorBodyCodeNOMATCHMAKINGMODES ErrorBodyCode = "NO_MATCHMAKING_MODES"
	ErrorBodyCodeINVALIDACTION      ErrorBodyCode = "INVALID_ACTION"
	ErrorBodyCodeLOBBYNOTACCEPTING  ErrorBodyCode = "LOBBY_NOT_ACCEPTING"
	ErrorBodyCodeLOBBYFULL          ErrorBodyCode = "LOBBY_FULL"
	ErrorBodyCodeVALIDATIONERROR    ErrorBodyCode = "VALIDATION_ERROR"
)

// BrowseLobbiesSort is one of some texts.
type BrowseLobbiesSort string

// Values of BrowseLobbiesSort.
const (
	BrowseLobbiesSortPlayers BrowseLobbiesSort = "players"
	BrowseLobbiesSortNewest  BrowseLobbiesSort = "newest"
)

// JoinLobbyBodyAs is one of some texts.
type JoinLobbyBodyAs string

// Values of JoinLobbyBodyAs.
const (
	JoinLobbyBodyAsSpectator JoinLobbyBodyAs = "spectator"
	JoinLobbyBodyAsPlayer    JoinLobbyBodyAs = "player"
)

// GetMyLobbyOrNull is one of some texts.
type GetMyLobbyOrNull string

// Values of GetMyLobbyOrNull.
const (
	GetMyLobbyOrNullFalse GetMyLobbyOrNull = "false"
	GetMyLobbyOrNullTrue  GetMyLobbyOrNull = "true"
)

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach is one of some texts.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach string

// Values of UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach.
const (
	UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEachPlayer UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach = "player"
	UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEachParty  UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach = "party"
)

// SaveBuildBodyStatus is one of some texts.
type SaveBuildBodyStatus string

// Values of SaveBuildBodyStatus.
const (
	SaveBuildBodyStatusNotReady SaveBuildBodyStatus = "not_ready"
	SaveBuildBodyStatusReady    SaveBuildBodyStatus = "ready"
)

// Player is a type of the API.
type Player struct {
	// The value sent in x-player-id.
	ID string `json:"id"`
	// Free-form; null until set.
	State map[string]any `json:"state"`
	// True for exactly one player.
	IsHost bool `json:"isHost"`
}

// QueueStatsWaitEstimate: How long like parties waited of late; null where too few had a match yet.
type QueueStatsWaitEstimate struct {
	// Seconds within which half of like parties had a match.
	P50 float64 `json:"p50"`
	// Nine of ten; null where too many waited for longer.
	P90 *float64 `json:"p90"`
	// Parties of as many players, also those that gave up or still wait.
	Of int `json:"of"`
}

// QueueStatsWait: Why the lobby still waits, where that is known.
type QueueStatsWait struct {
	// Other lobbies that all rules let through.
	InReach int `json:"inReach"`
	// Compared is compared.
	Compared int `json:"compared"`
	// Without this most others would fit, in words.
	Because *string `json:"because"`
	// Until more come into reach.
	OpensInSeconds *float64 `json:"opensInSeconds"`
	// How long like parties waited of late; null where too few had a match yet.
	Estimate *QueueStatsWaitEstimate `json:"estimate"`
}

// QueueStats is a type of the API.
type QueueStats struct {
	// PlayersSearching is playersSearching.
	PlayersSearching int `json:"playersSearching"`
	// LobbiesInQueue is lobbiesInQueue.
	LobbiesInQueue int `json:"lobbiesInQueue"`
	// AvgWaitSeconds is avgWaitSeconds.
	AvgWaitSeconds float64 `json:"avgWaitSeconds"`
	// Why the lobby still waits, where that is known.
	Wait *QueueStatsWait `json:"wait,omitempty"`
}

// QueueStatsEventMode is a type of the API.
type QueueStatsEventMode struct {
	// PlayersSearching is playersSearching.
	PlayersSearching int `json:"playersSearching"`
	// LobbiesInQueue is lobbiesInQueue.
	LobbiesInQueue int `json:"lobbiesInQueue"`
	// AvgWaitSeconds is avgWaitSeconds.
	AvgWaitSeconds float64 `json:"avgWaitSeconds"`
	// Why the lobby still waits, where that is known.
	Wait *QueueStatsWait `json:"wait,omitempty"`
	// Mode is mode.
	Mode string `json:"mode"`
}

// QueueStatsEvent is a type of the API.
type QueueStatsEvent struct {
	// PlayersSearching is playersSearching.
	PlayersSearching int `json:"playersSearching"`
	// LobbiesInQueue is lobbiesInQueue.
	LobbiesInQueue int `json:"lobbiesInQueue"`
	// AvgWaitSeconds is avgWaitSeconds.
	AvgWaitSeconds float64 `json:"avgWaitSeconds"`
	// Why the lobby still waits, where that is known.
	Wait *QueueStatsWait `json:"wait,omitempty"`
	// Of a search of several modes: each that is searched now, the first one first.
	Modes []QueueStatsEventMode `json:"modes,omitempty"`
}

// ModesMode is a type of the API.
type ModesMode struct {
	// Mode is mode.
	Mode string `json:"mode"`
	// PlayersSearching is playersSearching.
	PlayersSearching int `json:"playersSearching"`
	// LobbiesInQueue is lobbiesInQueue.
	LobbiesInQueue int `json:"lobbiesInQueue"`
	// AvgWaitSeconds is avgWaitSeconds.
	AvgWaitSeconds float64 `json:"avgWaitSeconds"`
	// How long like parties waited of late; null where too few had a match yet.
	Estimate *QueueStatsWaitEstimate `json:"estimate"`
}

// Modes is a type of the API.
type Modes struct {
	// Modes is modes.
	Modes []ModesMode `json:"modes"`
}

// TicketChangesTicketPlayer is a type of the API.
type TicketChangesTicketPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// Roles is roles.
	Roles []string `json:"roles"`
}

// TicketChangesTicket is a type of the API.
type TicketChangesTicket struct {
	// ID is id.
	ID string `json:"id"`
	// LobbyID is lobbyId.
	LobbyID string `json:"lobbyId"`
	// Since when it waits.
	Since string `json:"since"`
	// Those who take a place. No role: any.
	Players []TicketChangesTicketPlayer `json:"players"`
	// Means of numbers, and what all of them share.
	State map[string]any `json:"state"`
	// Region is region.
	Region string `json:"region"`
	// That all accept. Empty: any.
	Regions []string `json:"regions"`
}

// TicketChanges is a type of the API.
type TicketChanges struct {
	// Tickets is tickets.
	Tickets []TicketChangesTicket `json:"tickets"`
	// Tickets that went.
	Gone []string `json:"gone"`
	// The `after` of the next request.
	Next string `json:"next"`
	// Forget what you know: this is the first page of all tickets.
	Whole bool `json:"whole"`
}

// MatchmakingMode is a type of the API.
type MatchmakingMode struct {
	// Mode is mode.
	Mode string `json:"mode"`
	// Still ahead: the mode is searched from then on.
	Since string `json:"since"`
	// In the answer to GET /me.
	QueueStats *QueueStats `json:"queueStats,omitempty"`
}

// MatchmakingConfirmationRefill: How many players are looked for in place of those who said no.
type MatchmakingConfirmationRefill struct {
	// Players is players.
	Players int `json:"players"`
	// Until is until.
	Until string `json:"until"`
}

// MatchmakingConfirmation: While match_found.
type MatchmakingConfirmation struct {
	// Deadline is deadline.
	Deadline string `json:"deadline"`
	// Whether this lobby has accepted.
	Confirmed bool `json:"confirmed"`
	// Players who accepted, if the mode shows it.
	Accepted *int `json:"accepted,omitempty"`
	// Needed is needed.
	Needed *int `json:"needed,omitempty"`
	// Players in the lobby who have accepted, if the mode asks each player.
	AcceptedBy []string `json:"acceptedBy,omitempty"`
	// How many players are looked for in place of those who said no.
	Refill *MatchmakingConfirmationRefill `json:"refill,omitempty"`
}

// MatchmakingWaitingForServer: While matched, if no server has room: the match's place in line.
type MatchmakingWaitingForServer struct {
	// Position is position.
	Position int `json:"position"`
	// Since is since.
	Since string `json:"since"`
}

// Matchmaking is a type of the API.
type Matchmaking struct {
	// Mode is mode.
	Mode string `json:"mode"`
	// StartedAt is startedAt.
	StartedAt string `json:"startedAt"`
	// While in_queue.
	QueueStats *QueueStats `json:"queueStats,omitempty"`
	// While in_queue, of a search that was begun with `modes`: those that are searched.
	Modes []MatchmakingMode `json:"modes,omitempty"`
	// While match_found.
	Confirmation *MatchmakingConfirmation `json:"confirmation,omitempty"`
	// While matched, if no server has room: the match's place in line.
	WaitingForServer *MatchmakingWaitingForServer `json:"waiting_for_server,omitempty"`
}

// Port is a type of the API.
type Port struct {
	// Name is name.
	Name string `json:"name"`
	// Connect to this host, on external_port.
	Host string `json:"host"`
	// ExternalPort is external_port.
	ExternalPort int `json:"external_port"`
	// InternalPort is internal_port.
	InternalPort int `json:"internal_port"`
	// udp or tcp.
	Protocol string `json:"protocol"`
	// TLSEnabled is tls_enabled.
	TLSEnabled bool `json:"tls_enabled"`
	// Behind a proxy: wss://host:external_port, then this.
	Path *string `json:"path,omitempty"`
}

// Server is a type of the API.
type Server struct {
	// InstanceID is instance_id.
	InstanceID string `json:"instance_id"`
	// Name is name.
	Name string `json:"name"`
	// Status is status.
	Status ServerStatus `json:"status"`
	// Region is region.
	Region string `json:"region"`
	// Empty until the ports are known.
	NetworkPorts []Port `json:"network_ports"`
	// StartupArgs is startup_args.
	StartupArgs *string `json:"startup_args"`
	// ServiceType is service_type.
	ServiceType ServerServiceType `json:"service_type"`
	// ComputeSize is compute_size.
	ComputeSize *string `json:"compute_size"`
	// Name of its build.
	VersionTag *string `json:"version_tag"`
	// Version of its build: how often it had been saved.
	Version *int `json:"version"`
	// StartedAt is started_at.
	StartedAt *string `json:"started_at"`
	// StoppedAt is stopped_at.
	StoppedAt *string `json:"stopped_at"`
	// AutoRestart is auto_restart.
	AutoRestart bool `json:"auto_restart"`
	// What the game server is told; of a match, `{}` to strangers.
	CustomData map[string]any `json:"custom_data"`
	// Seconds it may run; null without a limit of its own.
	TTL *int `json:"ttl"`
	// Whether it was warm: started before a match needed it.
	IsPoolServer bool `json:"is_pool_server"`
	// When a match took it; null of others.
	PoolClaimedAt *string `json:"pool_claimed_at"`
	// The match it was launched for.
	MatchID *string `json:"match_id"`
	// CreatedAt is created_at.
	CreatedAt string `json:"created_at"`
	// UpdatedAt is updated_at.
	UpdatedAt string `json:"updated_at"`
	// In the own view of a player of the game: what its server knows the player by.
	Ticket *string `json:"ticket,omitempty"`
	// HostPlayer is host_player.
	HostPlayer *string `json:"host_player,omitempty"`
	// Term is term.
	Term *int `json:"term,omitempty"`
	// HostToken is host_token.
	HostToken *string `json:"host_token,omitempty"`
}

// LobbyReturned: Only while waiting: why the last search or start brought no game.
type LobbyReturned struct {
	// Empty after a start by the host.
	Mode string `json:"mode"`
	// Reason is reason.
	Reason LobbyReturnedReason `json:"reason"`
	// With `unmatchable` after a change of the party's own: why it no longer fits the mode.
	Detail *string `json:"detail,omitempty"`
	// Seconds, with `launch_failed`.
	RetryAfter *int `json:"retryAfter,omitempty"`
	// At is at.
	At string `json:"at"`
}

// LobbyRematch: Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
type LobbyRematch struct {
	// Yes is yes.
	Yes int `json:"yes"`
	// Needed is needed.
	Needed int `json:"needed"`
	// Until is until.
	Until string `json:"until"`
}

// LobbyLastResultTeamPlayer is a type of the API.
type LobbyLastResultTeamPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// Score is score.
	Score *float64 `json:"score,omitempty"`
	// The player left before the end.
	Abandoned *bool `json:"abandoned,omitempty"`
}

// LobbyLastResultTeam is a type of the API.
type LobbyLastResultTeam struct {
	// Index in the teams of the match.
	Team int `json:"team"`
	// 1 is the best.
	Rank *int `json:"rank,omitempty"`
	// The highest is the best.
	Score *float64 `json:"score,omitempty"`
	// Players is players.
	Players []LobbyLastResultTeamPlayer `json:"players,omitempty"`
}

// LobbyLastResult: Of the last match that was reported.
type LobbyLastResult struct {
	// MatchID is matchId.
	MatchID string `json:"matchId"`
	// At is at.
	At string `json:"at"`
	// Teams is teams.
	Teams []LobbyLastResultTeam `json:"teams"`
}

// LobbySpectator is a type of the API.
type LobbySpectator struct {
	// ID is id.
	ID string `json:"id"`
}

// Lobby is a type of the API.
type Lobby struct {
	// ID is id.
	ID string `json:"id"`
	// Invite code; private lobbies have one too.
	Code string `json:"code"`
	// Name is name.
	Name string `json:"name"`
	// Config is config.
	Config string `json:"config"`
	// Status is status.
	Status LobbyStatus `json:"status"`
	// Player id of the host.
	Host string `json:"host"`
	// MaxPlayers is maxPlayers.
	MaxPlayers int `json:"maxPlayers"`
	// CurrentPlayers is currentPlayers.
	CurrentPlayers int `json:"currentPlayers"`
	// Region is region.
	Region string `json:"region"`
	// IsPrivate is isPrivate.
	IsPrivate bool `json:"isPrivate"`
	// AllowLateJoin is allowLateJoin.
	AllowLateJoin bool `json:"allowLateJoin"`
	// Settings is settings.
	Settings map[string]any `json:"settings"`
	// Longest present first.
	Players []Player `json:"players"`
	// Null without a game server.
	Server *Server `json:"server"`
	// While in_queue, match_found or matched.
	Matchmaking *Matchmaking `json:"matchmaking"`
	// Shared by all lobbies of one match.
	MatchID *string `json:"matchId"`
	// Only while waiting: why the last search or start brought no game.
	Returned *LobbyReturned `json:"returned,omitempty"`
	// Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
	Rematch *LobbyRematch `json:"rematch,omitempty"`
	// Of the last match that was reported.
	LastResult *LobbyLastResult `json:"lastResult,omitempty"`
	// A page that brings a friend in; where the config has `invite`.
	InviteURL *string `json:"invite_url,omitempty"`
	// The config's.
	CustomProperties map[string]any `json:"customProperties"`
	// One more with every visible change.
	Revision int `json:"revision"`
	// CreatedAt is createdAt.
	CreatedAt string `json:"createdAt"`
	// Rises with every visible change.
	UpdatedAt string `json:"updatedAt"`
	// How many watch, if anybody.
	CurrentSpectators *int `json:"currentSpectators,omitempty"`
	// Who watches, longest present first. Not in lists.
	Spectators []LobbySpectator `json:"spectators,omitempty"`
	// The caller watches the lobby.
	As *string `json:"as,omitempty"`
}

// LobbyPage is a type of the API.
type LobbyPage struct {
	// Without private lobbies.
	Lobbies []Lobby `json:"lobbies"`
	// Total is total.
	Total int `json:"total"`
	// Limit is limit.
	Limit int `json:"limit"`
	// Offset is offset.
	Offset int `json:"offset"`
	// HasMore is hasMore.
	HasMore bool `json:"hasMore"`
	// Goes on after this page.
	Cursor *string `json:"cursor,omitempty"`
}

// LobbyDeleted is a type of the API.
type LobbyDeleted struct {
	// Status is status.
	Status string `json:"status"`
	// Present if the server key deleted it.
	ID *string `json:"id,omitempty"`
}

// GameRosterOpen is a type of the API.
type GameRosterOpen struct {
	// Team is team.
	Team int `json:"team"`
	// Places is places.
	Places int `json:"places"`
}

// GameRosterPlayer is a type of the API.
type GameRosterPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// The lobby that the player came in with.
	Lobby string `json:"lobby"`
	// Index in the teams of the match.
	Team int `json:"team"`
	// Role is role.
	Role *string `json:"role"`
	// As the player came in. Null: not known.
	State map[string]any `json:"state"`
	// `away`: the player dropped out, and the place is kept.
	Status GameRosterPlayerStatus `json:"status"`
	// While `away`: until when.
	Until *string `json:"until,omitempty"`
	// The roster's revision when this last changed.
	Revision int `json:"revision"`
}

// GameRoster is a type of the API.
type GameRoster struct {
	// Match is match.
	Match string `json:"match"`
	// Rises with every change.
	Revision int `json:"revision"`
	// The open places.
	Open []GameRosterOpen `json:"open"`
	// Those whose place has changed after `after`.
	Players []GameRosterPlayer `json:"players"`
}

// Signal is a type of the API.
type Signal struct {
	// The player who sent it.
	From string `json:"from"`
	// Of the host, in a match that a player hosts.
	Term *int `json:"term,omitempty"`
	// What the sender sent, up to 4 KiB of JSON.
	Data any `json:"data"`
}

// Signalled is a type of the API.
type Signalled struct {
	// How many players it was for.
	Players int `json:"players"`
	// How many of them had an open stream, and so were told.
	Streaming int `json:"streaming"`
}

// IceServersIceServer is a type of the API.
type IceServersIceServer struct {
	// URLs is urls.
	URLs []string `json:"urls"`
	// Username is username.
	Username *string `json:"username,omitempty"`
	// Credential is credential.
	Credential *string `json:"credential,omitempty"`
}

// IceServers is a type of the API.
type IceServers struct {
	// What an RTCPeerConnection takes. Empty if the service has none.
	IceServers []IceServersIceServer `json:"iceServers"`
	// Seconds until the first of the credentials ends.
	TTL int `json:"ttl"`
}

// LobbyChangeOp is a type of the API.
type LobbyChangeOp struct {
	// Op is op.
	Op LobbyChangeOpOp `json:"op"`
	// A JSON pointer (RFC 6901) into the lobby.
	Path string `json:"path"`
	// Value is value.
	Value any `json:"value,omitempty"`
}

// LobbyChange is a type of the API.
type LobbyChange struct {
	// What the lobby is now.
	Revision int `json:"revision"`
	// The revision that the operations are to be applied to.
	From int `json:"from"`
	// Operations of RFC 6902, in order.
	Ops []LobbyChangeOp `json:"ops"`
}

// VotedResult is a type of the API.
type VotedResult struct {
	// The match has a result.
	IsTaken bool `json:"isTaken"`
	// How many players have a vote.
	Players *int `json:"players,omitempty"`
	// Voted is voted.
	Voted *int `json:"voted,omitempty"`
	// How many of them say the same.
	Same *int `json:"same,omitempty"`
}

// LobbyGone is a type of the API.
type LobbyGone struct {
	// ID is id.
	ID string `json:"id"`
}

// MatchmakingEnded is a type of the API.
type MatchmakingEnded struct {
	// ID is id.
	ID string `json:"id"`
	// Empty after a start by the host.
	Mode string `json:"mode"`
	// Reason is reason.
	Reason LobbyReturnedReason `json:"reason"`
	// With `unmatchable` after a change of the party's own: why it no longer fits the mode.
	Detail *string `json:"detail,omitempty"`
	// Seconds, with `launch_failed`.
	RetryAfter *int `json:"retryAfter,omitempty"`
}

// RegionsRegion is a type of the API.
type RegionsRegion struct {
	// Region is region.
	Region string `json:"region"`
	// Answers every GET with nothing.
	HTTP *string `json:"http"`
	// host:port; sends back what comes, up to 64 bytes.
	UDP *string `json:"udp"`
}

// Regions is a type of the API.
type Regions struct {
	// Regions is regions.
	Regions []RegionsRegion `json:"regions"`
}

// ServerRecord is a type of the API.
type ServerRecord struct {
	// InstanceID is instance_id.
	InstanceID string `json:"instance_id"`
	// Name is name.
	Name string `json:"name"`
	// Status is status.
	Status ServerStatus `json:"status"`
	// Region is region.
	Region string `json:"region"`
	// Empty until the ports are known.
	NetworkPorts []Port `json:"network_ports"`
	// StartupArgs is startup_args.
	StartupArgs *string `json:"startup_args"`
	// ServiceType is service_type.
	ServiceType ServerServiceType `json:"service_type"`
	// ComputeSize is compute_size.
	ComputeSize *string `json:"compute_size"`
	// Name of its build.
	VersionTag *string `json:"version_tag"`
	// Version of its build: how often it had been saved.
	Version *int `json:"version"`
	// StartedAt is started_at.
	StartedAt *string `json:"started_at"`
	// StoppedAt is stopped_at.
	StoppedAt *string `json:"stopped_at"`
	// AutoRestart is auto_restart.
	AutoRestart bool `json:"auto_restart"`
	// What the game server is told; of a match, `{}` to strangers.
	CustomData map[string]any `json:"custom_data"`
	// Seconds it may run; null without a limit of its own.
	TTL *int `json:"ttl"`
	// Whether it was warm: started before a match needed it.
	IsPoolServer bool `json:"is_pool_server"`
	// When a match took it; null of others.
	PoolClaimedAt *string `json:"pool_claimed_at"`
	// The match it was launched for.
	MatchID *string `json:"match_id"`
	// CreatedAt is created_at.
	CreatedAt string `json:"created_at"`
	// UpdatedAt is updated_at.
	UpdatedAt string `json:"updated_at"`
	// In the own view of a player of the game: what its server knows the player by.
	Ticket *string `json:"ticket,omitempty"`
	// HostPlayer is host_player.
	HostPlayer *string `json:"host_player,omitempty"`
	// Term is term.
	Term *int `json:"term,omitempty"`
	// HostToken is host_token.
	HostToken *string `json:"host_token,omitempty"`
	// Exit code of the last run; 128 + n after signal n.
	ExitCode *int `json:"exit_code"`
	// The signal that ended it, such as SIGSEGV.
	Signal *string `json:"signal"`
	// Its last 4 KiB of output; null in lists.
	Output *string `json:"output"`
	// Why it failed, what is amiss while it lives, or who ended it; null if nothing is.
	Detail *string `json:"detail"`
	// It was told to end, or its time was over.
	Asked *bool `json:"asked,omitempty"`
	// HostReason is host_reason.
	HostReason *string `json:"host_reason,omitempty"`
}

// ServerLogsLog is a type of the API.
type ServerLogsLog struct {
	// When the line was seen.
	Timestamp string `json:"timestamp"`
	// Message is message.
	Message string `json:"message"`
	// Always info: lines have no level.
	Level string `json:"level"`
	// The run; changes with each restart.
	Instance string `json:"instance"`
	// Region is region.
	Region string `json:"region"`
}

// ServerLogs is a type of the API.
type ServerLogs struct {
	// Logs is logs.
	Logs []ServerLogsLog `json:"logs"`
	// InstanceID is instance_id.
	InstanceID string `json:"instance_id"`
	// Name of the fleet.
	MachineID string `json:"machine_id"`
	// NextToken is next_token.
	NextToken any `json:"next_token"`
}

// ServerPage is a type of the API.
type ServerPage struct {
	// Servers is servers.
	Servers []ServerRecord `json:"servers"`
	// Total is total.
	Total int `json:"total"`
	// Limit is limit.
	Limit int `json:"limit"`
	// Offset is offset.
	Offset int `json:"offset"`
	// HasMore is has_more.
	HasMore bool `json:"has_more"`
}

// Rule is a type of the API.
type Rule struct {
	// Type is type.
	Type RuleType `json:"type"`
	// Field is field.
	Field *string `json:"field,omitempty"`
	// Widens with the longer wait of the two.
	MaxDifference *float64 `json:"maxDifference,omitempty"`
	// How far it has widened at the timeout, in a straight line. Twice the maximum if absent.
	WidenTo *float64 `json:"widenTo,omitempty"`
	// How far it has widened, by hand: straight between the points, level after the last.
	Curve [][]any `json:"curve,omitempty"`
	// Each lobby reaches further by the number in the state field `<field>Uncertainty`.
	Uncertainty *bool `json:"uncertainty,omitempty"`
	// MinOverlap is minOverlap.
	MinOverlap *int `json:"minOverlap,omitempty"`
	// Cel is cel.
	Cel *string `json:"cel,omitempty"`
	// Instead of maxDifference: how many points a team's chance to win may be from even, by the ratings of the mode's
	// ladder.
	Win *float64 `json:"win,omitempty"`
	// A region counts if no player of the lobby measured more, in ms.
	MaxMs *float64 `json:"maxMs,omitempty"`
	// How long both wait before they may be opponents. The target wait of the mode, or half of its timeout, if absent.
	AfterSeconds *int `json:"afterSeconds,omitempty"`
}

// ModeStep is a type of the API.
type ModeStep struct {
	// AfterSeconds is afterSeconds.
	AfterSeconds int `json:"afterSeconds"`
	// MinPlayersPerTeam is minPlayersPerTeam.
	MinPlayersPerTeam *int `json:"minPlayersPerTeam,omitempty"`
	// MinTeams is minTeams.
	MinTeams *int `json:"minTeams,omitempty"`
	// Bots is bots.
	Bots *bool `json:"bots,omitempty"`
	// MinHumans is minHumans.
	MinHumans *int `json:"minHumans,omitempty"`
}

// ModeMatchConfirmation: Whether lobbies accept their matches.
type ModeMatchConfirmation struct {
	// Every lobby must accept the match. Not for very large matches: a single lobby can turn down the match for
	// everyone.
	Enabled bool `json:"enabled"`
	// Time to accept, seconds. If matches must be accepted.
	TimeoutSeconds int `json:"timeoutSeconds"`
	// Lobbies see how many players have accepted.
	ShowsAccepted *bool `json:"showsAccepted,omitempty"`
	// In a party, accepted by. `party`: one player for all; `player`: each player.
	Each *string `json:"each,omitempty"`
}

// ModeRatingDecay: Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by
// a step of so many points.
type ModeRatingDecay struct {
	// AfterDays is afterDays.
	AfterDays int `json:"afterDays"`
	// Sigma is sigma.
	Sigma int `json:"sigma"`
}

// ModeRating: Rate players by results.
type ModeRating struct {
	// Field of the ladder. Modes that name the same field share a ladder. Only the ladder can write it.
	Field string `json:"field"`
	// Model.
	System string `json:"system"`
	// Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by a step of so
	// many points.
	Decay *ModeRatingDecay `json:"decay,omitempty"`
}

// Mode is a type of the API.
type Mode struct {
	// Teams.
	Teams int `json:"teams"`
	// Players per team.
	PlayersPerTeam int `json:"playersPerTeam"`
	// Minimum players per team. Less than a full team allows partial matches.
	MinPlayersPerTeam int `json:"minPlayersPerTeam"`
	// Minimum teams. For modes with many teams.
	MinTeams int `json:"minTeams"`
	// Minimums that fall with the wait. A list of steps: after so many seconds, a smaller match is enough, and last,
	// bots fill the teams.
	Steps []ModeStep `json:"steps,omitempty"`
	// Teams of a match have equally many players. For matches that start with less than full teams.
	SameSize *bool `json:"sameSize,omitempty"`
	// Longest wait, seconds. Then the search ends. Until then, what a difference rule allows grows to twice its value.
	Timeout int `json:"timeout"`
	// Largest party. Larger lobbies cannot queue.
	MaxPartySize int `json:"maxPartySize"`
	// Fill open places in games in progress.
	AllowBackfill bool `json:"allowBackfill"`
	// Rules. All must pass.
	Rules []Rule `json:"rules"`
	// Whether lobbies accept their matches.
	MatchConfirmation ModeMatchConfirmation `json:"matchConfirmation"`
	// Teams with named roles (asymmetric).
	TeamComposition map[string]map[string]int `json:"teamComposition"`
	// Roles that do not play. Comma-separated, such as spectator: they come along without taking a place.
	ExcludedFromQueue []string `json:"excludedFromQueue"`
	// State field that selects the build. Needs an equals rule on the same field.
	UseVersionFromState *string `json:"useVersionFromState"`
	// When somebody declines, those who accepted. `return`: go back to waiting; `requeue`: keep searching, and keep the
	// time they have waited; `refill`: stay, while others take the open places.
	OnDecline ModeOnDecline `json:"onDecline"`
	// Look for others, seconds. If others may take the open places. After that, players who accepted keep searching.
	RefillSeconds *int `json:"refillSeconds,omitempty"`
	// No search after a match was turned down, seconds. For the player who declined. Twice as long each time within an
	// hour, up to eight times.
	DeclineCooldown *int `json:"declineCooldown,omitempty"`
	// Players see why they still wait. Which rule holds them back, and how many others wait.
	ExplainsWait *bool `json:"explainsWait,omitempty"`
	// Players may join lobbies during their games. They have no team: the game server sees them as late in their seat
	// tickets.
	LateJoin *bool `json:"lateJoin,omitempty"`
	// Target wait, seconds. Needs a difference rule. Common players then wait about this long too, for a closer
	// opponent.
	TargetWait *float64 `json:"targetWait,omitempty"`
	// Bell, seconds. The webhook is called when a party has waited this long, at most once in five minutes.
	BellSeconds *int `json:"bellSeconds,omitempty"`
	// Time to come back, seconds. How long a player's place is kept when they drop out of a running game.
	ReconnectSeconds *int `json:"reconnectSeconds,omitempty"`
	// Rematches, in one against one. Absent: at once; `avoid`: with the last three opponents when both have waited.
	Rematch *string `json:"rematch,omitempty"`
	// Who plays whom is said by. Absent: the rules; `external`: your backend.
	Matcher *string `json:"matcher,omitempty"`
	// Rate players by results.
	Rating *ModeRating `json:"rating,omitempty"`
}

// LobbyConfigServerSettings: What games of these lobbies are launched with.
type LobbyConfigServerSettings struct {
	// Server size.
	ServerSize string `json:"serverSize"`
	// Build. A mode can select another by version.
	GameBuild *string `json:"gameBuild"`
	// Games are hosted by. Absent: a game server; `players`: one of its players. A build can also set this to players.
	Hosting *string `json:"hosting,omitempty"`
	// Next host after, seconds. Where players host: when the host has had no stream for this long.
	HostGraceSeconds *int `json:"hostGraceSeconds,omitempty"`
	// The result of a hosted game is reported by. Absent: the host; `majority`: most of the players, all the same.
	Results *string `json:"results,omitempty"`
	// A hosting player may open and free places, and remove players.
	HostSteers *bool `json:"hostSteers,omitempty"`
	// A game that a host starts is a match. With a result, a roster and webhooks, but no mode. Left out, it is one where
	// the two settings above need it.
	MatchOnStart *bool `json:"matchOnStart,omitempty"`
}

// LobbyConfigMatchmaking is a type of the API.
type LobbyConfigMatchmaking struct {
	// Modes is modes.
	Modes map[string]Mode `json:"modes"`
}

// LobbyConfigSpectators: Others may watch a lobby, in places of their own.
type LobbyConfigSpectators struct {
	// Spectators of a lobby. At most 200, besides the players.
	Max int `json:"max"`
	// Spectators hear later, seconds. What Muster tells them, and not what the game server shows them.
	DelaySeconds int `json:"delaySeconds"`
}

// LobbyConfigInviteCodeConfig: Use a custom format instead of codes like MEOW-7K2QXD.
type LobbyConfigInviteCodeConfig struct {
	// Characters. `alphanumeric`: letters and digits; `numeric`: digits; `alphabetic`: letters.
	Type LobbyConfigInviteCodeConfigType `json:"type"`
	// Length. 1 to 16, without the prefix.
	Length int `json:"length"`
	// Prefix.
	Prefix *string `json:"prefix"`
}

// LobbyConfigInvite: Each lobby has a link, whose page opens the game.
type LobbyConfigInvite struct {
	// Opens the installed game. {code}, {config} and {project} are filled in.
	URL *string `json:"url,omitempty"`
	// Opens the game in a browser.
	Web *string `json:"web,omitempty"`
}

// LobbyConfigClosed: Nobody can create a lobby, start a game or search; what is under way goes on.
type LobbyConfigClosed struct {
	// Message for players.
	Message string `json:"message"`
	// Open again at. Empty: until you save this config open.
	Until *string `json:"until"`
}

// LobbyConfig is a type of the API.
type LobbyConfig struct {
	// ID is id.
	ID string `json:"id"`
	// The {config} in paths; the id works too.
	Name string `json:"name"`
	// Enabled. While a config is disabled, defaults apply and nobody can queue.
	Enabled bool `json:"enabled"`
	// Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
	Timeout int `json:"timeout"`
	// What games of these lobbies are launched with.
	ServerSettings LobbyConfigServerSettings `json:"serverSettings"`
	// Matchmaking is matchmaking.
	Matchmaking LobbyConfigMatchmaking `json:"matchmaking"`
	// Places of a lobby. Default and maximum number of places.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
	MinPlayers *int `json:"minPlayers,omitempty"`
	// Others may watch a lobby, in places of their own.
	Spectators *LobbyConfigSpectators `json:"spectators,omitempty"`
	// When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
	HostLeaveBehavior LobbyConfigHostLeaveBehavior `json:"hostLeaveBehavior"`
	// Use a custom format instead of codes like MEOW-7K2QXD.
	InviteCodeConfig *LobbyConfigInviteCodeConfig `json:"inviteCodeConfig"`
	// Each lobby has a link, whose page opens the game.
	Invite *LobbyConfigInvite `json:"invite,omitempty"`
	// Call the webhook when a public lobby has room. At most once in five minutes.
	LobbyBell *bool `json:"lobbyBell,omitempty"`
	// Players must send heartbeats. An open event stream counts as one.
	Heartbeat bool `json:"heartbeat"`
	// Heartbeat timeout, seconds. Players who stay silent for longer are removed.
	HeartbeatTimeout int `json:"heartbeatTimeout"`
	// Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
	QueuePresenceSeconds int `json:"queuePresenceSeconds"`
	// State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
	Trusted []string `json:"trusted,omitempty"`
	// Settings by which players find a lobby. Comma-separated, such as map, difficulty.
	BrowseBy []string `json:"browseBy,omitempty"`
	// Nobody can create a lobby, start a game or search; what is under way goes on.
	Closed *LobbyConfigClosed `json:"closed,omitempty"`
	// JSON object. Passed on to players in every lobby; the service itself ignores them.
	CustomProperties map[string]any `json:"customProperties"`
	// One more with every save.
	Revision int `json:"revision"`
}

// Configs is a type of the API.
type Configs struct {
	// LobbyConfigs is lobby_configs.
	LobbyConfigs []LobbyConfig `json:"lobby_configs"`
}

// ProjectSettingsPlayerTokens: What player tokens must contain, and who else may sign them.
type ProjectSettingsPlayerTokens struct {
	// `iss` of every token.
	Issuer *string `json:"issuer"`
	// `aud` of every token.
	Audience *string `json:"audience"`
	// Public keys of your identity provider.
	JwksURL *string `json:"jwksUrl"`
}

// ProjectSettingsTokenSecret is a type of the API.
type ProjectSettingsTokenSecret struct {
	// ID is id.
	ID string `json:"id"`
	// CreatedAt is createdAt.
	CreatedAt string `json:"createdAt"`
}

// ProjectSettingsLogin is a type of the API.
type ProjectSettingsLogin struct {
	// Provider is provider.
	Provider string `json:"provider"`
	// SavedAt is savedAt.
	SavedAt string `json:"savedAt"`
}

// ProjectSettingsHooks is a type of the API.
type ProjectSettingsHooks struct {
	// Of a chat only the beginning.
	URL string `json:"url"`
	// SavedAt is savedAt.
	SavedAt string `json:"savedAt"`
	// Format is format.
	Format *ProjectSettingsHooksFormat `json:"format,omitempty"`
}

// ProjectSettings is a type of the API.
type ProjectSettings struct {
	// LobbyConfigs is lobby_configs.
	LobbyConfigs []LobbyConfig `json:"lobby_configs"`
	// Whether Muster trusts `x-player-id`, or takes the player from a token.
	PlayerAuth ProjectSettingsPlayerAuth `json:"playerAuth"`
	// Whether client keys see player ids in lobbies that they browse.
	PublicPlayerIDs bool `json:"publicPlayerIds"`
	// What player tokens must contain, and who else may sign them.
	PlayerTokens ProjectSettingsPlayerTokens `json:"playerTokens"`
	// State keys that only your backend can write.
	Trusted []string `json:"trusted,omitempty"`
	// Closed is closed.
	Closed any `json:"closed,omitempty"`
	// The secrets, newest first, without their values.
	TokenSecrets []ProjectSettingsTokenSecret `json:"tokenSecrets"`
	// The providers with which players can log in.
	Logins []ProjectSettingsLogin `json:"logins"`
	// Hooks is hooks.
	Hooks *ProjectSettingsHooks `json:"hooks"`
	// The project's revision; the same as `ETag`.
	Revision int `json:"revision"`
}

// Warning is a type of the API.
type Warning struct {
	// From the top of the body.
	Path string `json:"path"`
	// Message is message.
	Message string `json:"message"`
	// The name that was probably meant.
	DidYouMean *string `json:"didYouMean"`
}

// LobbyConfigSaved is a type of the API.
type LobbyConfigSaved struct {
	// ID is id.
	ID string `json:"id"`
	// The {config} in paths; the id works too.
	Name string `json:"name"`
	// Enabled. While a config is disabled, defaults apply and nobody can queue.
	Enabled bool `json:"enabled"`
	// Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
	Timeout int `json:"timeout"`
	// What games of these lobbies are launched with.
	ServerSettings LobbyConfigServerSettings `json:"serverSettings"`
	// Matchmaking is matchmaking.
	Matchmaking LobbyConfigMatchmaking `json:"matchmaking"`
	// Places of a lobby. Default and maximum number of places.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
	MinPlayers *int `json:"minPlayers,omitempty"`
	// Others may watch a lobby, in places of their own.
	Spectators *LobbyConfigSpectators `json:"spectators,omitempty"`
	// When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
	HostLeaveBehavior LobbyConfigHostLeaveBehavior `json:"hostLeaveBehavior"`
	// Use a custom format instead of codes like MEOW-7K2QXD.
	InviteCodeConfig *LobbyConfigInviteCodeConfig `json:"inviteCodeConfig"`
	// Each lobby has a link, whose page opens the game.
	Invite *LobbyConfigInvite `json:"invite,omitempty"`
	// Call the webhook when a public lobby has room. At most once in five minutes.
	LobbyBell *bool `json:"lobbyBell,omitempty"`
	// Players must send heartbeats. An open event stream counts as one.
	Heartbeat bool `json:"heartbeat"`
	// Heartbeat timeout, seconds. Players who stay silent for longer are removed.
	HeartbeatTimeout int `json:"heartbeatTimeout"`
	// Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
	QueuePresenceSeconds int `json:"queuePresenceSeconds"`
	// State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
	Trusted []string `json:"trusted,omitempty"`
	// Settings by which players find a lobby. Comma-separated, such as map, difficulty.
	BrowseBy []string `json:"browseBy,omitempty"`
	// Nobody can create a lobby, start a game or search; what is under way goes on.
	Closed *LobbyConfigClosed `json:"closed,omitempty"`
	// JSON object. Passed on to players in every lobby; the service itself ignores them.
	CustomProperties map[string]any `json:"customProperties"`
	// One more with every save.
	Revision int `json:"revision"`
	// What was saved although it is probably a mistake.
	Warnings []Warning `json:"warnings"`
}

// ProjectSettingsSaved is a type of the API.
type ProjectSettingsSaved struct {
	// LobbyConfigs is lobby_configs.
	LobbyConfigs []LobbyConfig `json:"lobby_configs"`
	// Whether Muster trusts `x-player-id`, or takes the player from a token.
	PlayerAuth ProjectSettingsPlayerAuth `json:"playerAuth"`
	// Whether client keys see player ids in lobbies that they browse.
	PublicPlayerIDs bool `json:"publicPlayerIds"`
	// What player tokens must contain, and who else may sign them.
	PlayerTokens ProjectSettingsPlayerTokens `json:"playerTokens"`
	// State keys that only your backend can write.
	Trusted []string `json:"trusted,omitempty"`
	// Closed is closed.
	Closed any `json:"closed,omitempty"`
	// The secrets, newest first, without their values.
	TokenSecrets []ProjectSettingsTokenSecret `json:"tokenSecrets"`
	// The providers with which players can log in.
	Logins []ProjectSettingsLogin `json:"logins"`
	// Hooks is hooks.
	Hooks *ProjectSettingsHooks `json:"hooks"`
	// The project's revision; the same as `ETag`.
	Revision int `json:"revision"`
	// What was saved although it is probably a mistake.
	Warnings []Warning `json:"warnings"`
}

// ConfigDeleted is a type of the API.
type ConfigDeleted struct {
	// Status is status.
	Status string `json:"status"`
	// Name is name.
	Name string `json:"name"`
}

// BuildLaunch: Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a
// container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of
// `npm start`.
type BuildLaunch struct {
	// Program. On the agent's machine.
	Command *string `json:"command,omitempty"`
	// Arguments of the program.
	Args []string `json:"args,omitempty"`
	// Or a container image. The agent fetches it when you save.
	Image *string `json:"image,omitempty"`
	// Memory of a container, MB.
	Memory *int `json:"memory,omitempty"`
	// Processors of a container.
	Cpus *float64 `json:"cpus,omitempty"`
	// Name or group of the fleet to use.
	Fleet *string `json:"fleet,omitempty"`
	// `players`: nothing is launched, because a player hosts.
	Host *string `json:"host,omitempty"`
	// Fleets, in order. The next one is asked where one is full or does not answer. Empty: any fleet.
	Fleets []string `json:"fleets,omitempty"`
	// Name of the set of servers within the fleet. On Agones the Fleet to allocate from.
	FleetName *string `json:"fleetName,omitempty"`
	// Wait for room, seconds. Where all fleets are full, matches wait in line: first come, first served.
	CapacitySeconds *int `json:"capacitySeconds,omitempty"`
	// Warm servers. Region and number: how many run before a match needs them.
	Warm map[string]int `json:"warm,omitempty"`
	// Environment variables.
	Env map[string]string `json:"env,omitempty"`
	// Files. Path and text: written into {folder} before the server starts.
	Files map[string]string `json:"files,omitempty"`
	// Kept folder. It outlives its servers; one of them uses it at a time. In args and env: {keep}.
	Keep *string `json:"keep,omitempty"`
	// The program runs in a folder of its own.
	OwnFolder *bool `json:"ownFolder,omitempty"`
	// The agent keeps the match's roster in a file.
	Roster *bool `json:"roster,omitempty"`
	// Ready when. Empty: once its ports are open. "report": once the server reports it. Or a text that it prints.
	Ready any `json:"ready,omitempty"`
}

// BuildPort is a type of the API.
type BuildPort struct {
	// Name is name.
	Name string `json:"name"`
	// The port inside of a container; absent: the number that players see.
	InternalPort *int `json:"internal_port,omitempty"`
	// Protocol is protocol.
	Protocol BuildPortProtocol `json:"protocol"`
	// TLS is tls.
	TLS *string `json:"tls,omitempty"`
	// Its distance from the first port.
	Offset *int `json:"offset,omitempty"`
	// Its number on every machine, where one server runs at a time.
	Fixed *int `json:"fixed,omitempty"`
}

// Build is a type of the API.
type Build struct {
	// Name is name.
	Name string `json:"name"`
	// One more with every save of this name.
	Version int `json:"version"`
	// Label. Your name for this version; for display only.
	Label *string `json:"label"`
	// Status. `ready`: ready; `not_ready`: not ready: do not launch it.
	Status BuildStatus `json:"status"`
	// Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
	// `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
	Launch BuildLaunch `json:"launch"`
	// Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
	Ports []BuildPort `json:"ports"`
	// Its last three launches failed. Muster keeps launching it.
	Failing *bool `json:"failing,omitempty"`
	// When the first of these failed.
	FailingSince *string `json:"failingSince,omitempty"`
	// Why its last launch failed; absent once one has run.
	Failure *string `json:"failure,omitempty"`
}

// BuildRead is a type of the API.
type BuildRead struct {
	// Name is name.
	Name string `json:"name"`
	// One more with every save of this name.
	Version int `json:"version"`
	// Label. Your name for this version; for display only.
	Label *string `json:"label"`
	// Status. `ready`: ready; `not_ready`: not ready: do not launch it.
	Status BuildStatus `json:"status"`
	// Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
	// `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
	Launch BuildLaunch `json:"launch"`
	// Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
	Ports []BuildPort `json:"ports"`
	// Its last three launches failed. Muster keeps launching it.
	Failing *bool `json:"failing,omitempty"`
	// When the first of these failed.
	FailingSince *string `json:"failingSince,omitempty"`
	// Why its last launch failed; absent once one has run.
	Failure *string `json:"failure,omitempty"`
	// What was saved although it is probably a mistake.
	Warnings []Warning `json:"warnings,omitempty"`
}

// BuildSaved is a type of the API.
type BuildSaved struct {
	// Name is name.
	Name string `json:"name"`
	// One more with every save of this name.
	Version int `json:"version"`
	// Label. Your name for this version; for display only.
	Label *string `json:"label"`
	// Status. `ready`: ready; `not_ready`: not ready: do not launch it.
	Status BuildStatus `json:"status"`
	// Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
	// `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
	Launch BuildLaunch `json:"launch"`
	// Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
	Ports []BuildPort `json:"ports"`
	// Its last three launches failed. Muster keeps launching it.
	Failing *bool `json:"failing,omitempty"`
	// When the first of these failed.
	FailingSince *string `json:"failingSince,omitempty"`
	// Why its last launch failed; absent once one has run.
	Failure *string `json:"failure,omitempty"`
	// What was saved although it is probably a mistake.
	Warnings []Warning `json:"warnings"`
}

// Builds is a type of the API.
type Builds struct {
	// Builds is builds.
	Builds []Build `json:"builds"`
	// Total is total.
	Total int `json:"total"`
	// Limit is limit.
	Limit int `json:"limit"`
	// Offset is offset.
	Offset int `json:"offset"`
	// HasMore is has_more.
	HasMore bool `json:"has_more"`
}

// BuildDeleted is a type of the API.
type BuildDeleted struct {
	// Status is status.
	Status string `json:"status"`
	// Name is name.
	Name string `json:"name"`
}

// PlayerAttributes is a type of the API.
type PlayerAttributes struct {
	// Player is player.
	Player string `json:"player"`
	// The revision of the record; the same as `ETag`.
	Revision int `json:"revision"`
	// Attributes is attributes.
	Attributes map[string]any `json:"attributes"`
}

// ChangedAttributesPlayer is a type of the API.
type ChangedAttributesPlayer struct {
	// Player is player.
	Player string `json:"player"`
	// The revision of the record; the same as `ETag`.
	Revision int `json:"revision"`
}

// ChangedAttributes is a type of the API.
type ChangedAttributes struct {
	// Players is players.
	Players []ChangedAttributesPlayer `json:"players"`
}

// Ban is a type of the API.
type Ban struct {
	// PlayerID is playerId.
	PlayerID string `json:"playerId"`
	// Null: in all configs.
	Config *string `json:"config"`
	// Null: until it is lifted.
	Until *string `json:"until"`
	// What the player is told.
	Reason *string `json:"reason"`
	// CreatedAt is createdAt.
	CreatedAt string `json:"createdAt"`
	// By is by.
	By string `json:"by"`
}

// BanPage is a type of the API.
type BanPage struct {
	// Bans is bans.
	Bans []Ban `json:"bans"`
	// Total is total.
	Total int `json:"total"`
	// Limit is limit.
	Limit int `json:"limit"`
	// Offset is offset.
	Offset int `json:"offset"`
	// HasMore is has_more.
	HasMore bool `json:"has_more"`
}

// Unbanned is a type of the API.
type Unbanned struct {
	// Status is status.
	Status string `json:"status"`
	// PlayerID is playerId.
	PlayerID string `json:"playerId"`
}

// PlayerToken is a type of the API.
type PlayerToken struct {
	// A JWT that the game sends as `authorization: Bearer`.
	Token string `json:"token"`
	// Player is player.
	Player string `json:"player"`
	// ExpiresAt is expiresAt.
	ExpiresAt string `json:"expiresAt"`
	// Of a login with Discord: for `authenticate`.
	AccessToken *string `json:"accessToken,omitempty"`
}

// TokenSecret is a type of the API.
type TokenSecret struct {
	// The `kid` of tokens that the service signs with it.
	ID string `json:"id"`
	// The HS256 key, as UTF-8 text.
	Secret string `json:"secret"`
	// CreatedAt is createdAt.
	CreatedAt string `json:"createdAt"`
}

// SecretDeleted is a type of the API.
type SecretDeleted struct {
	// Status is status.
	Status string `json:"status"`
	// ID is id.
	ID string `json:"id"`
}

// KeyPageKey is a type of the API.
type KeyPageKey struct {
	// It grants nothing. Histories name a key without a name by it.
	ID string `json:"id"`
	// `viewer`: it reads what the server key reads, except secrets, and changes nothing.
	Kind KeyPageKeyKind `json:"kind"`
	// Name is name.
	Name *string `json:"name"`
	// Null: it is in `API_KEYS`, and cannot be revoked here.
	CreatedAt *string `json:"createdAt"`
	// This request was sent with it.
	IsYours bool `json:"isYours"`
}

// KeyPage is a type of the API.
type KeyPage struct {
	// Keys is keys.
	Keys []KeyPageKey `json:"keys"`
}

// ViewerKey is a type of the API.
type ViewerKey struct {
	// ID is id.
	ID string `json:"id"`
	// Kind is kind.
	Kind string `json:"kind"`
	// Name is name.
	Name string `json:"name"`
	// CreatedAt is createdAt.
	CreatedAt string `json:"createdAt"`
	// Only this answer shows it.
	Key string `json:"key"`
}

// KeyRevoked is a type of the API.
type KeyRevoked struct {
	// Status is status.
	Status string `json:"status"`
	// ID is id.
	ID string `json:"id"`
}

// Seat is a type of the API.
type Seat struct {
	// Player is player.
	Player string `json:"player"`
	// Null after a direct start; of a spectator then the id of the server.
	Match *string `json:"match"`
	// Lobby is lobby.
	Lobby string `json:"lobby"`
	// Index in the teams. Null after a direct start, and without a place in the match.
	Team *int `json:"team"`
	// TeamName is team_name.
	TeamName *string `json:"team_name"`
	// Role is role.
	Role *string `json:"role"`
	// The player joined the lobby during the game.
	Late bool `json:"late"`
	// The holder watches the lobby.
	Spectator *bool `json:"spectator,omitempty"`
}

// SeatKeysKey is a type of the API.
type SeatKeysKey struct {
	// Kty is kty.
	Kty string `json:"kty"`
	// Crv is crv.
	Crv string `json:"crv"`
	// X is x.
	X string `json:"x"`
	// Kid is kid.
	Kid string `json:"kid"`
	// Alg is alg.
	Alg string `json:"alg"`
	// Use is use.
	Use string `json:"use"`
}

// SeatKeys: A JWK set: the current key, the next one, and older ones whose tickets are still valid.
type SeatKeys struct {
	// Keys is keys.
	Keys []SeatKeysKey `json:"keys"`
}

// LoginSet is a type of the API.
type LoginSet struct {
	// Status is status.
	Status string `json:"status"`
	// Provider is provider.
	Provider string `json:"provider"`
}

// LoginDeleted is a type of the API.
type LoginDeleted struct {
	// Status is status.
	Status string `json:"status"`
	// Provider is provider.
	Provider string `json:"provider"`
}

// HooksSet is a type of the API.
type HooksSet struct {
	// Status is status.
	Status string `json:"status"`
	// URL is url.
	URL string `json:"url"`
}

// HooksDeleted is a type of the API.
type HooksDeleted struct {
	// Status is status.
	Status string `json:"status"`
}

// Happening is a type of the API.
type Happening struct {
	// At is at.
	At string `json:"at"`
	// What happened: `entered`, `kicked`, `launched`.
	Kind string `json:"kind"`
	// `player:` and an id, or `operator:` and the name or fingerprint of a server key.
	By *string `json:"by"`
	// LobbyID is lobbyId.
	LobbyID *string `json:"lobbyId"`
	// PlayerID is playerId.
	PlayerID *string `json:"playerId"`
	// MatchID is matchId.
	MatchID *string `json:"matchId"`
	// The reason as a code.
	Reason *string `json:"reason"`
	// The reason as text.
	Detail *string `json:"detail"`
}

// MatchSummaryResultRating is a type of the API.
type MatchSummaryResultRating struct {
	// Before is before.
	Before float64 `json:"before"`
	// Rating is rating.
	Rating float64 `json:"rating"`
}

// MatchSummaryResult: Of one player.
type MatchSummaryResult struct {
	// Rank is rank.
	Rank int `json:"rank"`
	// Score is score.
	Score *float64 `json:"score"`
	// Abandoned is abandoned.
	Abandoned bool `json:"abandoned"`
	// Outcome is outcome.
	Outcome MatchSummaryResultOutcome `json:"outcome"`
	// Rating is rating.
	Rating *MatchSummaryResultRating `json:"rating,omitempty"`
}

// MatchSummary is a type of the API.
type MatchSummary struct {
	// ID is id.
	ID string `json:"id"`
	// Config is config.
	Config string `json:"config"`
	// Mode is mode.
	Mode string `json:"mode"`
	// Outcome is outcome.
	Outcome MatchSummaryOutcome `json:"outcome"`
	// Reason is reason.
	Reason *string `json:"reason"`
	// FormedAt is formedAt.
	FormedAt string `json:"formedAt"`
	// EndedAt is endedAt.
	EndedAt *string `json:"endedAt"`
	// Players is players.
	Players int `json:"players"`
	// Whether it started short.
	Short bool `json:"short"`
	// Region is region.
	Region *string `json:"region"`
	// Who made it. Absent: matchmaking.
	MadeBy *MatchSummaryMadeBy `json:"made_by,omitempty"`
	// What its maker calls it.
	Ref *string `json:"ref,omitempty"`
	// Build is build.
	Build *string `json:"build"`
	// The longest wait of its lobbies.
	WaitedSeconds float64 `json:"waitedSeconds"`
	// Null unless it ran and has ended.
	PlayedSeconds *int `json:"playedSeconds"`
	// Of one player.
	Result *MatchSummaryResult `json:"result,omitempty"`
}

// MatchTeamLobbyPlayerStay is a type of the API.
type MatchTeamLobbyPlayerStay struct {
	// Team is team.
	Team int `json:"team"`
	// LobbyID is lobbyId.
	LobbyID string `json:"lobbyId"`
	// Role is role.
	Role *string `json:"role"`
}

// MatchTeamLobbyPlayer is a type of the API.
type MatchTeamLobbyPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// Role is role.
	Role *string `json:"role"`
	// Every stay in the match, oldest first. Absent: there was one.
	Stays []MatchTeamLobbyPlayerStay `json:"stays,omitempty"`
}

// MatchTeamLobby is a type of the API.
type MatchTeamLobby struct {
	// LobbyID is lobbyId.
	LobbyID string `json:"lobbyId"`
	// WaitedSeconds is waitedSeconds.
	WaitedSeconds float64 `json:"waitedSeconds"`
	// Whoever was in the match, each once: where they first took a place, or else where they first came in.
	Players []MatchTeamLobbyPlayer `json:"players"`
}

// MatchTeam is a type of the API.
type MatchTeam struct {
	// Name is name.
	Name *string `json:"name"`
	// Lobbies is lobbies.
	Lobbies []MatchTeamLobby `json:"lobbies"`
}

// MatchRule is a type of the API.
type MatchRule struct {
	// Rule is rule.
	Rule string `json:"rule"`
	// Values is values.
	Values []any `json:"values"`
}

// MatchQualityPing is a type of the API.
type MatchQualityPing struct {
	// Worst is worst.
	Worst float64 `json:"worst"`
	// Mean is mean.
	Mean float64 `json:"mean"`
}

// MatchQualityWaits is a type of the API.
type MatchQualityWaits struct {
	// P50 is p50.
	P50 float64 `json:"p50"`
	// Max is max.
	Max float64 `json:"max"`
}

// MatchQuality: As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the
// players measured to the region in ms, and the lobbies' waits in seconds.
type MatchQuality struct {
	// Win is win.
	Win []float64 `json:"win,omitempty"`
	// Gap is gap.
	Gap *float64 `json:"gap,omitempty"`
	// Ping is ping.
	Ping *MatchQualityPing `json:"ping,omitempty"`
	// Waits is waits.
	Waits MatchQualityWaits `json:"waits"`
}

// MatchBot is a type of the API.
type MatchBot struct {
	// Team is team.
	Team int `json:"team"`
	// Role is role.
	Role *string `json:"role,omitempty"`
	// Count is count.
	Count int `json:"count"`
}

// MatchServer is a type of the API.
type MatchServer struct {
	// ID is id.
	ID string `json:"id"`
	// Status is status.
	Status string `json:"status"`
	// ExitCode is exitCode.
	ExitCode *int `json:"exitCode"`
	// Signal is signal.
	Signal *string `json:"signal"`
	// Detail is detail.
	Detail *string `json:"detail"`
}

// MatchResult: Absent until one is reported.
type MatchResult struct {
	// At is at.
	At string `json:"at"`
	// Teams is teams.
	Teams []LobbyLastResultTeam `json:"teams"`
	// Data is data.
	Data map[string]any `json:"data,omitempty"`
}

// MatchLink is a type of the API.
type MatchLink struct {
	// From is from.
	From string `json:"from"`
	// To is to.
	To string `json:"to"`
	// By a TURN server.
	IsRelayed bool `json:"isRelayed"`
	// The round trip.
	Ms int `json:"ms"`
}

// MatchVotes: What players said of the result.
type MatchVotes struct {
	// How many players have a vote.
	Players int `json:"players"`
	// Voted is voted.
	Voted int `json:"voted"`
	// How many of them say the same.
	Same int `json:"same"`
}

// MatchRatingChange is a type of the API.
type MatchRatingChange struct {
	// ID is id.
	ID string `json:"id"`
	// Rating is rating.
	Rating int `json:"rating"`
	// Uncertainty is uncertainty.
	Uncertainty int `json:"uncertainty"`
	// Before is before.
	Before int `json:"before"`
}

// MatchRating: What the result did to ratings. Absent until then.
type MatchRating struct {
	// Field is field.
	Field string `json:"field"`
	// Changes is changes.
	Changes []MatchRatingChange `json:"changes"`
}

// Match is a type of the API.
type Match struct {
	// ID is id.
	ID string `json:"id"`
	// Config is config.
	Config string `json:"config"`
	// Mode is mode.
	Mode string `json:"mode"`
	// Outcome is outcome.
	Outcome MatchSummaryOutcome `json:"outcome"`
	// Why it ended or failed.
	Reason *string `json:"reason"`
	// Detail is detail.
	Detail *string `json:"detail"`
	// Build is build.
	Build *string `json:"build"`
	// FormedAt is formedAt.
	FormedAt string `json:"formedAt"`
	// RunningAt is runningAt.
	RunningAt *string `json:"runningAt"`
	// EndedAt is endedAt.
	EndedAt *string `json:"endedAt"`
	// Teams is teams.
	Teams []MatchTeam `json:"teams"`
	// The values that each rule compared, longest wait first.
	Rules []MatchRule `json:"rules"`
	// As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players
	// measured to the region in ms, and the lobbies' waits in seconds.
	Quality *MatchQuality `json:"quality,omitempty"`
	// The places that bots had when it began. Absent without bots.
	Bots []MatchBot `json:"bots,omitempty"`
	// Who made it. Absent: matchmaking.
	MadeBy *MatchMadeBy `json:"made_by,omitempty"`
	// What its maker calls it.
	Ref *string `json:"ref,omitempty"`
	// Server is server.
	Server *MatchServer `json:"server"`
	// Oldest first.
	History []Happening `json:"history"`
	// Absent until one is reported.
	Result *MatchResult `json:"result,omitempty"`
	// How players are connected, as they say.
	Links []MatchLink `json:"links,omitempty"`
	// What players said of the result.
	Votes *MatchVotes `json:"votes,omitempty"`
	// What the result did to ratings. Absent until then.
	Rating *MatchRating `json:"rating,omitempty"`
}

// PlayerSeenPlace is a type of the API.
type PlayerSeenPlace struct {
	// Config is config.
	Config string `json:"config"`
	// LobbyID is lobbyId.
	LobbyID string `json:"lobbyId"`
	// LobbyStatus is lobbyStatus.
	LobbyStatus string `json:"lobbyStatus"`
	// Whether the player has an open stream.
	Streaming bool `json:"streaming"`
	// The player only watches.
	As *string `json:"as,omitempty"`
}

// PlayerSeen is a type of the API.
type PlayerSeen struct {
	// ID is id.
	ID string `json:"id"`
	// Places is places.
	Places []PlayerSeenPlace `json:"places"`
	// The latest matches, newest first.
	Matches []MatchSummary `json:"matches"`
	// Attributes is attributes.
	Attributes map[string]any `json:"attributes"`
	// Bans is bans.
	Bans []Ban `json:"bans"`
}

// ConfigRevision is a type of the API.
type ConfigRevision struct {
	// Revision is revision.
	Revision int `json:"revision"`
	// SavedAt is savedAt.
	SavedAt string `json:"savedAt"`
	// Name or fingerprint of the key that saved it.
	Key *string `json:"key"`
	// Null if this revision deleted the config.
	Config *LobbyConfig `json:"config"`
}

// BuildRevision is a type of the API.
type BuildRevision struct {
	// Revision is revision.
	Revision int `json:"revision"`
	// SavedAt is savedAt.
	SavedAt string `json:"savedAt"`
	// Name or fingerprint of the key that saved it.
	Key *string `json:"key"`
	// Null if this revision deleted the build.
	Build *Build `json:"build"`
}

// BuildHistory is a type of the API.
type BuildHistory struct {
	// Newest first.
	Items []BuildRevision `json:"items"`
}

// AuditPageItem is a type of the API.
type AuditPageItem struct {
	// At is at.
	At string `json:"at"`
	// Kind is kind.
	Kind AuditPageItemKind `json:"kind"`
	// `operator:` and the name or fingerprint of a server key.
	By string `json:"by"`
	// What was changed. Null: the project.
	On *string `json:"on"`
	// The outcome as text.
	Detail *string `json:"detail"`
}

// AuditPage is a type of the API.
type AuditPage struct {
	// Newest first.
	Items []AuditPageItem `json:"items"`
	// The `until` that goes on. Null: there are no more.
	Next *string `json:"next"`
}

// Matches is a type of the API.
type Matches struct {
	// Newest first.
	Items []MatchSummary `json:"items"`
	// The `until` that goes on. Null: there are no more.
	Next *string `json:"next"`
}

// History is a type of the API.
type History struct {
	// Oldest first.
	Items []Happening `json:"items"`
}

// ConfigHistory is a type of the API.
type ConfigHistory struct {
	// Newest first.
	Items []ConfigRevision `json:"items"`
}

// WhereaboutsLobby is a type of the API.
type WhereaboutsLobby struct {
	// ID is id.
	ID string `json:"id"`
	// Config is config.
	Config string `json:"config"`
	// Status is status.
	Status LobbyStatus `json:"status"`
	// That it searches, or that its match is of.
	Mode *string `json:"mode"`
	// InviteURL is invite_url.
	InviteURL *string `json:"invite_url,omitempty"`
	// The player only watches.
	As *string `json:"as,omitempty"`
}

// WhereaboutsKept is a type of the API.
type WhereaboutsKept struct {
	// ID is id.
	ID string `json:"id"`
	// Config is config.
	Config string `json:"config"`
	// Mode is mode.
	Mode *string `json:"mode"`
	// Code is code.
	Code string `json:"code"`
	// Until is until.
	Until *string `json:"until"`
}

// Whereabouts is a type of the API.
type Whereabouts struct {
	// Player is player.
	Player string `json:"player"`
	// Lobbies is lobbies.
	Lobbies []WhereaboutsLobby `json:"lobbies"`
	// Kept is kept.
	Kept []WhereaboutsKept `json:"kept,omitempty"`
}

// LadderPlayer is a type of the API.
type LadderPlayer struct {
	// Place is place.
	Place int `json:"place"`
	// Player is player.
	Player string `json:"player"`
	// Rating is rating.
	Rating int `json:"rating"`
	// Uncertainty is uncertainty.
	Uncertainty int `json:"uncertainty"`
	// Games is games.
	Games int `json:"games"`
}

// Ladder is a type of the API.
type Ladder struct {
	// Season is season.
	Season int `json:"season"`
	// Total is total.
	Total int `json:"total"`
	// Limit is limit.
	Limit int `json:"limit"`
	// Offset is offset.
	Offset int `json:"offset"`
	// HasMore is has_more.
	HasMore bool `json:"has_more"`
	// Players is players.
	Players []LadderPlayer `json:"players"`
}

// ImportedRatings is a type of the API.
type ImportedRatings struct {
	// Changed is changed.
	Changed int `json:"changed"`
}

// RatingSeason is a type of the API.
type RatingSeason struct {
	// Season is season.
	Season int `json:"season"`
	// Whether the one before is still being archived.
	IsEnding bool `json:"isEnding"`
}

// Ok is a type of the API.
type Ok struct {
	// Status is status.
	Status string `json:"status"`
}

// ErrorBodyIssue is a type of the API.
type ErrorBodyIssue struct {
	// From the top of the body: `rules[1].field`.
	Path string `json:"path"`
	// Message is message.
	Message string `json:"message"`
}

// ErrorBody is a type of the API.
type ErrorBody struct {
	// Short message.
	Error string `json:"error"`
	// What exactly was wrong; names the field.
	Detail string `json:"detail"`
	// The HTTP status.
	Status int `json:"status"`
	// For programs: its meaning never changes.
	Code ErrorBodyCode `json:"code"`
	// With `VALIDATION_ERROR`, `MATCH_NOT_MADE` and `LOBBY_NOT_MOVED`: what is wrong, and where.
	Issues []ErrorBodyIssue `json:"issues,omitempty"`
	// With `BANNED`: when it ends.
	Until *string `json:"until,omitempty"`
	// With `LAUNCH_FAILED`, for a server key.
	InstanceID *string `json:"instance_id,omitempty"`
	// As in the header `x-request-id`.
	RequestID *string `json:"requestId,omitempty"`
}

// CreateLobbyBody is a type of the API.
type CreateLobbyBody struct {
	// Name is name.
	Name string `json:"name"`
	// MaxPlayers is maxPlayers.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// Region is region.
	Region *string `json:"region,omitempty"`
	// IsPrivate is isPrivate.
	IsPrivate *bool `json:"isPrivate,omitempty"`
	// AllowLateJoin is allowLateJoin.
	AllowLateJoin *bool `json:"allowLateJoin,omitempty"`
	// Settings is settings.
	Settings map[string]any `json:"settings,omitempty"`
	// State is state.
	State map[string]any `json:"state,omitempty"`
	// ForceFresh is forceFresh.
	ForceFresh *bool `json:"forceFresh,omitempty"`
	// Key is key.
	Key *string `json:"key,omitempty"`
}

// JoinLobbyBody is a type of the API.
type JoinLobbyBody struct {
	// Code is code.
	Code *string `json:"code,omitempty"`
	// InviteCode is inviteCode.
	InviteCode *string `json:"inviteCode,omitempty"`
	// LobbyID is lobbyId.
	LobbyID *string `json:"lobbyId,omitempty"`
	// State is state.
	State map[string]any `json:"state,omitempty"`
	// As is as.
	As *JoinLobbyBodyAs `json:"as,omitempty"`
}

// UpdateMyStateBody is a type of the API.
type UpdateMyStateBody struct {
	// State is state.
	State map[string]any `json:"state"`
}

// UpdateLobbySettingsBody is a type of the API.
type UpdateLobbySettingsBody struct {
	// Name is name.
	Name *string `json:"name,omitempty"`
	// MaxPlayers is maxPlayers.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// IsPrivate is isPrivate.
	IsPrivate *bool `json:"isPrivate,omitempty"`
	// AllowLateJoin is allowLateJoin.
	AllowLateJoin *bool `json:"allowLateJoin,omitempty"`
	// Region is region.
	Region *string `json:"region,omitempty"`
	// Settings is settings.
	Settings map[string]any `json:"settings,omitempty"`
}

// StartMatchmakingBody is a type of the API.
type StartMatchmakingBody struct {
	// Mode is mode.
	Mode *string `json:"mode,omitempty"`
	// Modes is modes.
	Modes []any `json:"modes,omitempty"`
}

// MoveToBody is a type of the API.
type MoveToBody struct {
	// Config is config.
	Config string `json:"config"`
}

// SendSignalBody is a type of the API.
type SendSignalBody struct {
	// To is to.
	To any `json:"to"`
	// Data is data.
	Data any `json:"data"`
}

// MakeMatchBodyTeam is a type of the API.
type MakeMatchBodyTeam struct {
	// Name is name.
	Name *string `json:"name,omitempty"`
	// Lobbies is lobbies.
	Lobbies []string `json:"lobbies,omitempty"`
	// Players is players.
	Players []string `json:"players,omitempty"`
}

// MakeMatchBody is a type of the API.
type MakeMatchBody struct {
	// Config is config.
	Config string `json:"config"`
	// Mode is mode.
	Mode string `json:"mode"`
	// Teams is teams.
	Teams []MakeMatchBodyTeam `json:"teams"`
	// Rules is rules.
	Rules *bool `json:"rules,omitempty"`
	// Confirm is confirm.
	Confirm *bool `json:"confirm,omitempty"`
	// Rated is rated.
	Rated *bool `json:"rated,omitempty"`
	// Region is region.
	Region *string `json:"region,omitempty"`
	// Build is build.
	Build *string `json:"build,omitempty"`
	// Ref is ref.
	Ref string `json:"ref"`
}

// ReportMatchResultBodyTeamPlayer is a type of the API.
type ReportMatchResultBodyTeamPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// Score is score.
	Score *float64 `json:"score,omitempty"`
	// Abandoned is abandoned.
	Abandoned *bool `json:"abandoned,omitempty"`
}

// ReportMatchResultBodyTeam is a type of the API.
type ReportMatchResultBodyTeam struct {
	// Team is team.
	Team int `json:"team"`
	// Rank is rank.
	Rank *int `json:"rank,omitempty"`
	// Score is score.
	Score *float64 `json:"score,omitempty"`
	// Players is players.
	Players []ReportMatchResultBodyTeamPlayer `json:"players,omitempty"`
}

// ReportMatchResultBody is a type of the API.
type ReportMatchResultBody struct {
	// Teams is teams.
	Teams []ReportMatchResultBodyTeam `json:"teams"`
	// Data is data.
	Data map[string]any `json:"data,omitempty"`
}

// PutPlayerAttributesBody is a type of the API.
type PutPlayerAttributesBody struct {
	// Attributes is attributes.
	Attributes map[string]any `json:"attributes"`
}

// ChangeAttributesBodyPlayer is a type of the API.
type ChangeAttributesBodyPlayer struct {
	// ID is id.
	ID string `json:"id"`
	// Attributes is attributes.
	Attributes map[string]any `json:"attributes"`
}

// ChangeAttributesBody is a type of the API.
type ChangeAttributesBody struct {
	// Players is players.
	Players []ChangeAttributesBodyPlayer `json:"players"`
	// Replace is replace.
	Replace *bool `json:"replace,omitempty"`
}

// ChangeHostBody is a type of the API.
type ChangeHostBody struct {
	// Term is term.
	Term int `json:"term"`
	// Unreachable is unreachable.
	Unreachable *bool `json:"unreachable,omitempty"`
	// Resign is resign.
	Resign *bool `json:"resign,omitempty"`
}

// ReportLinkBody is a type of the API.
type ReportLinkBody struct {
	// To is to.
	To string `json:"to"`
	// IsRelayed is isRelayed.
	IsRelayed bool `json:"isRelayed"`
	// Ms is ms.
	Ms int `json:"ms"`
}

// QuickJoinBodyCreate is a type of the API.
type QuickJoinBodyCreate struct {
	// Name is name.
	Name string `json:"name"`
	// MaxPlayers is maxPlayers.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// Region is region.
	Region *string `json:"region,omitempty"`
	// IsPrivate is isPrivate.
	IsPrivate *bool `json:"isPrivate,omitempty"`
	// AllowLateJoin is allowLateJoin.
	AllowLateJoin *bool `json:"allowLateJoin,omitempty"`
	// Settings is settings.
	Settings map[string]any `json:"settings,omitempty"`
	// State is state.
	State map[string]any `json:"state,omitempty"`
	// ForceFresh is forceFresh.
	ForceFresh *bool `json:"forceFresh,omitempty"`
}

// QuickJoinBody is a type of the API.
type QuickJoinBody struct {
	// Where is where.
	Where map[string]any `json:"where,omitempty"`
	// Places is places.
	Places *int `json:"places,omitempty"`
	// State is state.
	State map[string]any `json:"state,omitempty"`
	// Create is create.
	Create QuickJoinBodyCreate `json:"create"`
}

// EndRatingSeasonBody is a type of the API.
type EndRatingSeasonBody struct {
	// Config is config.
	Config string `json:"config"`
	// Mode is mode.
	Mode string `json:"mode"`
	// Season is season.
	Season int `json:"season"`
	// Factor is factor.
	Factor float64 `json:"factor"`
}

// BanPlayerBody is a type of the API.
type BanPlayerBody struct {
	// Config is config.
	Config *string `json:"config,omitempty"`
	// Until is until.
	Until *string `json:"until,omitempty"`
	// Reason is reason.
	Reason *string `json:"reason,omitempty"`
}

// StartServerBodyPortConfig is a type of the API.
type StartServerBodyPortConfig struct {
	// Name is name.
	Name string `json:"name"`
	// InternalPort is internal_port.
	InternalPort *int `json:"internal_port,omitempty"`
	// Protocol is protocol.
	Protocol *BuildPortProtocol `json:"protocol,omitempty"`
	// TLS is tls.
	TLS *string `json:"tls,omitempty"`
	// Offset is offset.
	Offset *int `json:"offset,omitempty"`
	// Fixed is fixed.
	Fixed *int `json:"fixed,omitempty"`
}

// StartServerBody is a type of the API.
type StartServerBody struct {
	// Name is name.
	Name *string `json:"name,omitempty"`
	// Region is region.
	Region *string `json:"region,omitempty"`
	// ComputeSize is compute_size.
	ComputeSize *string `json:"compute_size,omitempty"`
	// VersionTag is version_tag.
	VersionTag *string `json:"version_tag,omitempty"`
	// CustomData is custom_data.
	CustomData map[string]any `json:"custom_data,omitempty"`
	// TTL is ttl.
	TTL *int `json:"ttl,omitempty"`
	// MatchID is match_id.
	MatchID *string `json:"match_id,omitempty"`
	// Version is version.
	Version *int `json:"version,omitempty"`
	// StartupArgs is startup_args.
	StartupArgs *string `json:"startup_args,omitempty"`
	// EnvironmentVariables is environment_variables.
	EnvironmentVariables map[string]string `json:"environment_variables,omitempty"`
	// PortConfigs is port_configs.
	PortConfigs []StartServerBodyPortConfig `json:"port_configs,omitempty"`
	// AutoRestart is auto_restart.
	AutoRestart *bool `json:"auto_restart,omitempty"`
}

// UpdateServerBody is a type of the API.
type UpdateServerBody struct {
	// CustomData is custom_data.
	CustomData map[string]any `json:"custom_data"`
}

// RestartServerBody is a type of the API.
type RestartServerBody struct {
	// Name is name.
	Name *string `json:"name,omitempty"`
	// ComputeSize is compute_size.
	ComputeSize *string `json:"compute_size,omitempty"`
	// VersionTag is version_tag.
	VersionTag *string `json:"version_tag,omitempty"`
	// CustomData is custom_data.
	CustomData map[string]any `json:"custom_data,omitempty"`
	// TTL is ttl.
	TTL *int `json:"ttl,omitempty"`
	// MatchID is match_id.
	MatchID *string `json:"match_id,omitempty"`
	// Version is version.
	Version *int `json:"version,omitempty"`
	// StartupArgs is startup_args.
	StartupArgs *string `json:"startup_args,omitempty"`
	// EnvironmentVariables is environment_variables.
	EnvironmentVariables map[string]string `json:"environment_variables,omitempty"`
	// PortConfigs is port_configs.
	PortConfigs []StartServerBodyPortConfig `json:"port_configs,omitempty"`
	// AutoRestart is auto_restart.
	AutoRestart *bool `json:"auto_restart,omitempty"`
}

// ReportServerStatusBodyNetworkPort is a type of the API.
type ReportServerStatusBodyNetworkPort struct {
	// Name is name.
	Name string `json:"name"`
	// Host is host.
	Host string `json:"host"`
	// ExternalPort is external_port.
	ExternalPort int `json:"external_port"`
	// InternalPort is internal_port.
	InternalPort int `json:"internal_port"`
	// Protocol is protocol.
	Protocol BuildPortProtocol `json:"protocol"`
	// TLSEnabled is tls_enabled.
	TLSEnabled *bool `json:"tls_enabled,omitempty"`
}

// ReportServerStatusBody is a type of the API.
type ReportServerStatusBody struct {
	// Status is status.
	Status ServerStatus `json:"status"`
	// NetworkPorts is network_ports.
	NetworkPorts []ReportServerStatusBodyNetworkPort `json:"network_ports,omitempty"`
	// ExitCode is exit_code.
	ExitCode *int `json:"exit_code,omitempty"`
	// Signal is signal.
	Signal *string `json:"signal,omitempty"`
	// Detail is detail.
	Detail *string `json:"detail,omitempty"`
	// Output is output.
	Output *string `json:"output,omitempty"`
	// Asked is asked.
	Asked *bool `json:"asked,omitempty"`
}

// ReadSeatBody is a type of the API.
type ReadSeatBody struct {
	// Ticket is ticket.
	Ticket string `json:"ticket"`
}

// SetPlacesBody is a type of the API.
type SetPlacesBody struct {
	// Open is open.
	Open *int `json:"open,omitempty"`
	// Team is team.
	Team *int `json:"team,omitempty"`
	// Until is until.
	Until *string `json:"until,omitempty"`
	// Release is release.
	Release *string `json:"release,omitempty"`
	// Kick is kick.
	Kick *string `json:"kick,omitempty"`
	// Present is present.
	Present []string `json:"present,omitempty"`
	// After is after.
	After *int `json:"after,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigServerSettings is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigServerSettings struct {
	// ServerSize is serverSize.
	ServerSize *string `json:"serverSize,omitempty"`
	// GameBuild is gameBuild.
	GameBuild *string `json:"gameBuild,omitempty"`
	// Hosting is hosting.
	Hosting *string `json:"hosting,omitempty"`
	// HostGraceSeconds is hostGraceSeconds.
	HostGraceSeconds *int `json:"hostGraceSeconds,omitempty"`
	// Results is results.
	Results *string `json:"results,omitempty"`
	// HostSteers is hostSteers.
	HostSteers *bool `json:"hostSteers,omitempty"`
	// MatchOnStart is matchOnStart.
	MatchOnStart *bool `json:"matchOnStart,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep struct {
	// AfterSeconds is afterSeconds.
	AfterSeconds int `json:"afterSeconds"`
	// MinPlayersPerTeam is minPlayersPerTeam.
	MinPlayersPerTeam *int `json:"minPlayersPerTeam,omitempty"`
	// MinTeams is minTeams.
	MinTeams *int `json:"minTeams,omitempty"`
	// Bots is bots.
	Bots *bool `json:"bots,omitempty"`
	// MinHumans is minHumans.
	MinHumans *int `json:"minHumans,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule struct {
	// Type is type.
	Type RuleType `json:"type"`
	// Field is field.
	Field *string `json:"field,omitempty"`
	// Widens with the longer wait of the two.
	MaxDifference *float64 `json:"maxDifference,omitempty"`
	// How far it has widened at the timeout, in a straight line. Twice the maximum if absent.
	WidenTo *float64 `json:"widenTo,omitempty"`
	// How far it has widened, by hand: straight between the points, level after the last.
	Curve [][]any `json:"curve,omitempty"`
	// Each lobby reaches further by the number in the state field `<field>Uncertainty`.
	Uncertainty *bool `json:"uncertainty,omitempty"`
	// MinOverlap is minOverlap.
	MinOverlap *int `json:"minOverlap,omitempty"`
	// Cel is cel.
	Cel *string `json:"cel,omitempty"`
	// Instead of maxDifference: how many points a team's chance to win may be from even, by the ratings of the mode's
	// ladder.
	Win *float64 `json:"win,omitempty"`
	// A region counts if no player of the lobby measured more, in ms.
	MaxMs *float64 `json:"maxMs,omitempty"`
	// How long both wait before they may be opponents. The target wait of the mode, or half of its timeout, if absent.
	AfterSeconds *int `json:"afterSeconds,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation struct {
	// Enabled is enabled.
	Enabled *bool `json:"enabled,omitempty"`
	// TimeoutSeconds is timeoutSeconds.
	TimeoutSeconds *int `json:"timeoutSeconds,omitempty"`
	// ShowsAccepted is showsAccepted.
	ShowsAccepted *bool `json:"showsAccepted,omitempty"`
	// Each is each.
	Each *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach `json:"each,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay struct {
	// AfterDays is afterDays.
	AfterDays int `json:"afterDays"`
	// Sigma is sigma.
	Sigma int `json:"sigma"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating struct {
	// Field is field.
	Field string `json:"field"`
	// System is system.
	System string `json:"system"`
	// Decay is decay.
	Decay *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay `json:"decay,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmakingMode is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmakingMode struct {
	// Teams is teams.
	Teams *int `json:"teams,omitempty"`
	// PlayersPerTeam is playersPerTeam.
	PlayersPerTeam *int `json:"playersPerTeam,omitempty"`
	// MinPlayersPerTeam is minPlayersPerTeam.
	MinPlayersPerTeam *int `json:"minPlayersPerTeam,omitempty"`
	// MinTeams is minTeams.
	MinTeams *int `json:"minTeams,omitempty"`
	// Steps is steps.
	Steps []UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep `json:"steps,omitempty"`
	// SameSize is sameSize.
	SameSize *bool `json:"sameSize,omitempty"`
	// Timeout is timeout.
	Timeout *int `json:"timeout,omitempty"`
	// MaxPartySize is maxPartySize.
	MaxPartySize *int `json:"maxPartySize,omitempty"`
	// AllowBackfill is allowBackfill.
	AllowBackfill *bool `json:"allowBackfill,omitempty"`
	// Rules is rules.
	Rules []UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule `json:"rules,omitempty"`
	// Another name for `rules`.
	MatchmakingRules []any `json:"matchmakingRules,omitempty"`
	// MatchConfirmation is matchConfirmation.
	MatchConfirmation *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmation `json:"matchConfirmation,omitempty"`
	// TeamComposition is teamComposition.
	TeamComposition map[string]map[string]int `json:"teamComposition,omitempty"`
	// ExcludedFromQueue is excludedFromQueue.
	ExcludedFromQueue []string `json:"excludedFromQueue,omitempty"`
	// UseVersionFromState is useVersionFromState.
	UseVersionFromState *string `json:"useVersionFromState,omitempty"`
	// OnDecline is onDecline.
	OnDecline *ModeOnDecline `json:"onDecline,omitempty"`
	// RefillSeconds is refillSeconds.
	RefillSeconds *int `json:"refillSeconds,omitempty"`
	// DeclineCooldown is declineCooldown.
	DeclineCooldown *int `json:"declineCooldown,omitempty"`
	// ExplainsWait is explainsWait.
	ExplainsWait *bool `json:"explainsWait,omitempty"`
	// LateJoin is lateJoin.
	LateJoin *bool `json:"lateJoin,omitempty"`
	// Rating is rating.
	Rating *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRating `json:"rating,omitempty"`
	// TargetWait is targetWait.
	TargetWait *float64 `json:"targetWait,omitempty"`
	// Rematch is rematch.
	Rematch *string `json:"rematch,omitempty"`
	// Matcher is matcher.
	Matcher *string `json:"matcher,omitempty"`
	// BellSeconds is bellSeconds.
	BellSeconds *int `json:"bellSeconds,omitempty"`
	// ReconnectSeconds is reconnectSeconds.
	ReconnectSeconds *int `json:"reconnectSeconds,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigMatchmaking is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigMatchmaking struct {
	// Modes is modes.
	Modes map[string]UpdateProjectSettingsBodyLobbyConfigMatchmakingMode `json:"modes,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigSpectators is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigSpectators struct {
	// Max is max.
	Max *int `json:"max,omitempty"`
	// DelaySeconds is delaySeconds.
	DelaySeconds *int `json:"delaySeconds,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig struct {
	// Type is type.
	Type LobbyConfigInviteCodeConfigType `json:"type"`
	// Length is length.
	Length int `json:"length"`
	// Prefix is prefix.
	Prefix *string `json:"prefix,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigInvite is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigInvite struct {
	// URL is url.
	URL *string `json:"url,omitempty"`
	// Web is web.
	Web any `json:"web,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfigClosed is a type of the API.
type UpdateProjectSettingsBodyLobbyConfigClosed struct {
	// Message is message.
	Message string `json:"message"`
	// Until is until.
	Until *string `json:"until,omitempty"`
}

// UpdateProjectSettingsBodyLobbyConfig is a type of the API.
type UpdateProjectSettingsBodyLobbyConfig struct {
	// Name is name.
	Name string `json:"name"`
	// ID is id.
	ID any `json:"id,omitempty"`
	// Revision is revision.
	Revision any `json:"revision,omitempty"`
	// Warnings is warnings.
	Warnings any `json:"warnings,omitempty"`
	// Enabled is enabled.
	Enabled *bool `json:"enabled,omitempty"`
	// Timeout is timeout.
	Timeout *int `json:"timeout,omitempty"`
	// ServerSettings is serverSettings.
	ServerSettings *UpdateProjectSettingsBodyLobbyConfigServerSettings `json:"serverSettings,omitempty"`
	// Matchmaking is matchmaking.
	Matchmaking *UpdateProjectSettingsBodyLobbyConfigMatchmaking `json:"matchmaking,omitempty"`
	// MaxPlayers is maxPlayers.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// MinPlayers is minPlayers.
	MinPlayers *int `json:"minPlayers,omitempty"`
	// Spectators is spectators.
	Spectators *UpdateProjectSettingsBodyLobbyConfigSpectators `json:"spectators,omitempty"`
	// HostLeaveBehavior is hostLeaveBehavior.
	HostLeaveBehavior *LobbyConfigHostLeaveBehavior `json:"hostLeaveBehavior,omitempty"`
	// InviteCodeConfig is inviteCodeConfig.
	InviteCodeConfig *UpdateProjectSettingsBodyLobbyConfigInviteCodeConfig `json:"inviteCodeConfig,omitempty"`
	// Invite is invite.
	Invite *UpdateProjectSettingsBodyLobbyConfigInvite `json:"invite,omitempty"`
	// LobbyBell is lobbyBell.
	LobbyBell *bool `json:"lobbyBell,omitempty"`
	// Heartbeat is heartbeat.
	Heartbeat *bool `json:"heartbeat,omitempty"`
	// HeartbeatTimeout is heartbeatTimeout.
	HeartbeatTimeout *int `json:"heartbeatTimeout,omitempty"`
	// QueuePresenceSeconds is queuePresenceSeconds.
	QueuePresenceSeconds *int `json:"queuePresenceSeconds,omitempty"`
	// Closed is closed.
	Closed *UpdateProjectSettingsBodyLobbyConfigClosed `json:"closed,omitempty"`
	// Trusted is trusted.
	Trusted []string `json:"trusted,omitempty"`
	// BrowseBy is browseBy.
	BrowseBy []string `json:"browseBy,omitempty"`
	// CustomProperties is customProperties.
	CustomProperties map[string]any `json:"customProperties,omitempty"`
}

// UpdateProjectSettingsBodyPlayerTokens is a type of the API.
type UpdateProjectSettingsBodyPlayerTokens struct {
	// Issuer is issuer.
	Issuer *string `json:"issuer,omitempty"`
	// Audience is audience.
	Audience *string `json:"audience,omitempty"`
	// JwksURL is jwksUrl.
	JwksURL *string `json:"jwksUrl,omitempty"`
}

// UpdateProjectSettingsBody is a type of the API.
type UpdateProjectSettingsBody struct {
	// LobbyConfigs is lobby_configs.
	LobbyConfigs []UpdateProjectSettingsBodyLobbyConfig `json:"lobby_configs,omitempty"`
	// PlayerAuth is playerAuth.
	PlayerAuth *ProjectSettingsPlayerAuth `json:"playerAuth,omitempty"`
	// PublicPlayerIDs is publicPlayerIds.
	PublicPlayerIDs *bool `json:"publicPlayerIds,omitempty"`
	// PlayerTokens is playerTokens.
	PlayerTokens *UpdateProjectSettingsBodyPlayerTokens `json:"playerTokens,omitempty"`
	// Trusted is trusted.
	Trusted []string `json:"trusted,omitempty"`
	// Closed is closed.
	Closed any `json:"closed,omitempty"`
	// TokenSecrets is tokenSecrets.
	TokenSecrets any `json:"tokenSecrets,omitempty"`
	// Logins is logins.
	Logins any `json:"logins,omitempty"`
	// Hooks is hooks.
	Hooks any `json:"hooks,omitempty"`
	// Revision is revision.
	Revision any `json:"revision,omitempty"`
	// Warnings is warnings.
	Warnings any `json:"warnings,omitempty"`
}

// AddTokenSecretBody is a type of the API.
type AddTokenSecretBody struct {
	// Secret is secret.
	Secret *string `json:"secret,omitempty"`
}

// MakeViewerKeyBody is a type of the API.
type MakeViewerKeyBody struct {
	// Name is name.
	Name string `json:"name"`
}

// SetHooksBody is a type of the API.
type SetHooksBody struct {
	// URL is url.
	URL string `json:"url"`
	// Secret is secret.
	Secret *string `json:"secret,omitempty"`
	// Format is format.
	Format *ProjectSettingsHooksFormat `json:"format,omitempty"`
}

// LoginBody is a type of the API.
type LoginBody struct {
	// Token is token.
	Token string `json:"token"`
}

// MintPlayerTokenBody is a type of the API.
type MintPlayerTokenBody struct {
	// Attributes is attributes.
	Attributes map[string]any `json:"attributes,omitempty"`
	// TTL is ttl.
	TTL *int `json:"ttl,omitempty"`
}

// SaveLobbyConfigBodyServerSettings: What games of these lobbies are launched with.
type SaveLobbyConfigBodyServerSettings struct {
	// Server size.
	ServerSize *string `json:"serverSize,omitempty"`
	// Build. A mode can select another by version.
	GameBuild *string `json:"gameBuild,omitempty"`
	// Games are hosted by. Absent: a game server; `players`: one of its players. A build can also set this to players.
	Hosting *string `json:"hosting,omitempty"`
	// Next host after, seconds. Where players host: when the host has had no stream for this long.
	HostGraceSeconds *int `json:"hostGraceSeconds,omitempty"`
	// The result of a hosted game is reported by. Absent: the host; `majority`: most of the players, all the same.
	Results *string `json:"results,omitempty"`
	// A hosting player may open and free places, and remove players.
	HostSteers *bool `json:"hostSteers,omitempty"`
	// A game that a host starts is a match. With a result, a roster and webhooks, but no mode. Left out, it is one where
	// the two settings above need it.
	MatchOnStart *bool `json:"matchOnStart,omitempty"`
}

// SaveLobbyConfigBodyMatchmakingModeMatchConfirmation: Whether lobbies accept their matches.
type SaveLobbyConfigBodyMatchmakingModeMatchConfirmation struct {
	// Every lobby must accept the match. Not for very large matches: a single lobby can turn down the match for
	// everyone.
	Enabled *bool `json:"enabled,omitempty"`
	// Time to accept, seconds. If matches must be accepted.
	TimeoutSeconds *int `json:"timeoutSeconds,omitempty"`
	// Lobbies see how many players have accepted.
	ShowsAccepted *bool `json:"showsAccepted,omitempty"`
	// In a party, accepted by. `party`: one player for all; `player`: each player.
	Each *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeMatchConfirmationEach `json:"each,omitempty"`
}

// SaveLobbyConfigBodyMatchmakingModeRating: Rate players by results.
type SaveLobbyConfigBodyMatchmakingModeRating struct {
	// Field of the ladder. Modes that name the same field share a ladder. Only the ladder can write it.
	Field string `json:"field"`
	// Model.
	System string `json:"system"`
	// Decay of who is away. Each time a player was not rated for so many days, the uncertainty grows by a step of so
	// many points.
	Decay *UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRatingDecay `json:"decay,omitempty"`
}

// SaveLobbyConfigBodyMatchmakingMode is a type of the API.
type SaveLobbyConfigBodyMatchmakingMode struct {
	// Teams.
	Teams *int `json:"teams,omitempty"`
	// Players per team.
	PlayersPerTeam *int `json:"playersPerTeam,omitempty"`
	// Minimum players per team. Less than a full team allows partial matches.
	MinPlayersPerTeam *int `json:"minPlayersPerTeam,omitempty"`
	// Minimum teams. For modes with many teams.
	MinTeams *int `json:"minTeams,omitempty"`
	// Minimums that fall with the wait. A list of steps: after so many seconds, a smaller match is enough, and last,
	// bots fill the teams.
	Steps []UpdateProjectSettingsBodyLobbyConfigMatchmakingModeStep `json:"steps,omitempty"`
	// Teams of a match have equally many players. For matches that start with less than full teams.
	SameSize *bool `json:"sameSize,omitempty"`
	// Longest wait, seconds. Then the search ends. Until then, what a difference rule allows grows to twice its value.
	Timeout *int `json:"timeout,omitempty"`
	// Largest party. Larger lobbies cannot queue.
	MaxPartySize *int `json:"maxPartySize,omitempty"`
	// Fill open places in games in progress.
	AllowBackfill *bool `json:"allowBackfill,omitempty"`
	// Rules. All must pass.
	Rules []UpdateProjectSettingsBodyLobbyConfigMatchmakingModeRule `json:"rules,omitempty"`
	// Another name for `rules`.
	MatchmakingRules []any `json:"matchmakingRules,omitempty"`
	// Whether lobbies accept their matches.
	MatchConfirmation *SaveLobbyConfigBodyMatchmakingModeMatchConfirmation `json:"matchConfirmation,omitempty"`
	// Teams with named roles (asymmetric).
	TeamComposition map[string]map[string]int `json:"teamComposition,omitempty"`
	// Roles that do not play. Comma-separated, such as spectator: they come along without taking a place.
	ExcludedFromQueue []string `json:"excludedFromQueue,omitempty"`
	// State field that selects the build. Needs an equals rule on the same field.
	UseVersionFromState *string `json:"useVersionFromState,omitempty"`
	// When somebody declines, those who accepted. `return`: go back to waiting; `requeue`: keep searching, and keep the
	// time they have waited; `refill`: stay, while others take the open places.
	OnDecline *ModeOnDecline `json:"onDecline,omitempty"`
	// Look for others, seconds. If others may take the open places. After that, players who accepted keep searching.
	RefillSeconds *int `json:"refillSeconds,omitempty"`
	// No search after a match was turned down, seconds. For the player who declined. Twice as long each time within an
	// hour, up to eight times.
	DeclineCooldown *int `json:"declineCooldown,omitempty"`
	// Players see why they still wait. Which rule holds them back, and how many others wait.
	ExplainsWait *bool `json:"explainsWait,omitempty"`
	// Players may join lobbies during their games. They have no team: the game server sees them as late in their seat
	// tickets.
	LateJoin *bool `json:"lateJoin,omitempty"`
	// Rate players by results.
	Rating *SaveLobbyConfigBodyMatchmakingModeRating `json:"rating,omitempty"`
	// Target wait, seconds. Needs a difference rule. Common players then wait about this long too, for a closer
	// opponent.
	TargetWait *float64 `json:"targetWait,omitempty"`
	// Rematches, in one against one. Absent: at once; `avoid`: with the last three opponents when both have waited.
	Rematch *string `json:"rematch,omitempty"`
	// Who plays whom is said by. Absent: the rules; `external`: your backend.
	Matcher *string `json:"matcher,omitempty"`
	// Bell, seconds. The webhook is called when a party has waited this long, at most once in five minutes.
	BellSeconds *int `json:"bellSeconds,omitempty"`
	// Time to come back, seconds. How long a player's place is kept when they drop out of a running game.
	ReconnectSeconds *int `json:"reconnectSeconds,omitempty"`
}

// SaveLobbyConfigBodyMatchmaking is a type of the API.
type SaveLobbyConfigBodyMatchmaking struct {
	// Modes is modes.
	Modes map[string]SaveLobbyConfigBodyMatchmakingMode `json:"modes,omitempty"`
}

// SaveLobbyConfigBodySpectators: Others may watch a lobby, in places of their own.
type SaveLobbyConfigBodySpectators struct {
	// Spectators of a lobby. At most 200, besides the players.
	Max *int `json:"max,omitempty"`
	// Spectators hear later, seconds. What Muster tells them, and not what the game server shows them.
	DelaySeconds *int `json:"delaySeconds,omitempty"`
}

// SaveLobbyConfigBodyInviteCodeConfig: Use a custom format instead of codes like MEOW-7K2QXD.
type SaveLobbyConfigBodyInviteCodeConfig struct {
	// Characters. `alphanumeric`: letters and digits; `numeric`: digits; `alphabetic`: letters.
	Type LobbyConfigInviteCodeConfigType `json:"type"`
	// Length. 1 to 16, without the prefix.
	Length int `json:"length"`
	// Prefix.
	Prefix *string `json:"prefix,omitempty"`
}

// SaveLobbyConfigBodyInvite: Each lobby has a link, whose page opens the game.
type SaveLobbyConfigBodyInvite struct {
	// Opens the installed game. {code}, {config} and {project} are filled in.
	URL *string `json:"url,omitempty"`
	// Opens the game in a browser.
	Web any `json:"web,omitempty"`
}

// SaveLobbyConfigBodyClosed: Nobody can create a lobby, start a game or search; what is under way goes on.
type SaveLobbyConfigBodyClosed struct {
	// Message for players.
	Message string `json:"message"`
	// Open again at. Empty: until you save this config open.
	Until *string `json:"until,omitempty"`
}

// SaveLobbyConfigBody is a type of the API.
type SaveLobbyConfigBody struct {
	// Name is name.
	Name any `json:"name,omitempty"`
	// ID is id.
	ID any `json:"id,omitempty"`
	// Revision is revision.
	Revision any `json:"revision,omitempty"`
	// Warnings is warnings.
	Warnings any `json:"warnings,omitempty"`
	// Enabled. While a config is disabled, defaults apply and nobody can queue.
	Enabled *bool `json:"enabled,omitempty"`
	// Idle timeout, seconds. A waiting lobby is deleted after this long without activity.
	Timeout *int `json:"timeout,omitempty"`
	// What games of these lobbies are launched with.
	ServerSettings *SaveLobbyConfigBodyServerSettings `json:"serverSettings,omitempty"`
	// Matchmaking is matchmaking.
	Matchmaking *SaveLobbyConfigBodyMatchmaking `json:"matchmaking,omitempty"`
	// Places of a lobby. Default and maximum number of places.
	MaxPlayers *int `json:"maxPlayers,omitempty"`
	// Players to start a game. The host cannot start a game with fewer. Queues do not count by it.
	MinPlayers *int `json:"minPlayers,omitempty"`
	// Others may watch a lobby, in places of their own.
	Spectators *SaveLobbyConfigBodySpectators `json:"spectators,omitempty"`
	// When the host leaves. `promote`: promote another player; `delete`: delete the lobby.
	HostLeaveBehavior *LobbyConfigHostLeaveBehavior `json:"hostLeaveBehavior,omitempty"`
	// Use a custom format instead of codes like MEOW-7K2QXD.
	InviteCodeConfig *SaveLobbyConfigBodyInviteCodeConfig `json:"inviteCodeConfig,omitempty"`
	// Each lobby has a link, whose page opens the game.
	Invite *SaveLobbyConfigBodyInvite `json:"invite,omitempty"`
	// Call the webhook when a public lobby has room. At most once in five minutes.
	LobbyBell *bool `json:"lobbyBell,omitempty"`
	// Players must send heartbeats. An open event stream counts as one.
	Heartbeat *bool `json:"heartbeat,omitempty"`
	// Heartbeat timeout, seconds. Players who stay silent for longer are removed.
	HeartbeatTimeout *int `json:"heartbeatTimeout,omitempty"`
	// Presence in a queue, seconds. Then a lobby whose players have all disconnected leaves the queue; 0: never.
	QueuePresenceSeconds *int `json:"queuePresenceSeconds,omitempty"`
	// Nobody can create a lobby, start a game or search; what is under way goes on.
	Closed *SaveLobbyConfigBodyClosed `json:"closed,omitempty"`
	// State fields that players cannot write. Comma-separated, such as mmr: set with PUT /players/{id}/attributes.
	Trusted []string `json:"trusted,omitempty"`
	// Settings by which players find a lobby. Comma-separated, such as map, difficulty.
	BrowseBy []string `json:"browseBy,omitempty"`
	// JSON object. Passed on to players in every lobby; the service itself ignores them.
	CustomProperties map[string]any `json:"customProperties,omitempty"`
}

// SaveBuildBodyLaunch: Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and
// `cpus` of a container, `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample
// server of `npm start`.
type SaveBuildBodyLaunch struct {
	// Program. On the agent's machine.
	Command *string `json:"command,omitempty"`
	// Arguments of the program.
	Args []string `json:"args,omitempty"`
	// Or a container image. The agent fetches it when you save.
	Image *string `json:"image,omitempty"`
	// Memory of a container, MB.
	Memory *int `json:"memory,omitempty"`
	// Processors of a container.
	Cpus *float64 `json:"cpus,omitempty"`
	// Name or group of the fleet to use.
	Fleet *string `json:"fleet,omitempty"`
	// `players`: nothing is launched, because a player hosts.
	Host *string `json:"host,omitempty"`
	// Fleets, in order. The next one is asked where one is full or does not answer. Empty: any fleet.
	Fleets []string `json:"fleets,omitempty"`
	// Name of the set of servers within the fleet. On Agones the Fleet to allocate from.
	FleetName *string `json:"fleetName,omitempty"`
	// Wait for room, seconds. Where all fleets are full, matches wait in line: first come, first served.
	CapacitySeconds *int `json:"capacitySeconds,omitempty"`
	// Warm servers. Region and number: how many run before a match needs them.
	Warm map[string]int `json:"warm,omitempty"`
	// Environment variables.
	Env map[string]string `json:"env,omitempty"`
	// Files. Path and text: written into {folder} before the server starts.
	Files map[string]string `json:"files,omitempty"`
	// Kept folder. It outlives its servers; one of them uses it at a time. In args and env: {keep}.
	Keep *string `json:"keep,omitempty"`
	// The program runs in a folder of its own.
	OwnFolder *bool `json:"ownFolder,omitempty"`
	// The agent keeps the match's roster in a file.
	Roster *bool `json:"roster,omitempty"`
	// Ready when. Empty: once its ports are open. "report": once the server reports it. Or a text that it prints.
	Ready any `json:"ready,omitempty"`
}

// SaveBuildBody is a type of the API.
type SaveBuildBody struct {
	// Name is name.
	Name any `json:"name,omitempty"`
	// Failing is failing.
	Failing any `json:"failing,omitempty"`
	// FailingSince is failingSince.
	FailingSince any `json:"failingSince,omitempty"`
	// Failure is failure.
	Failure any `json:"failure,omitempty"`
	// Warnings is warnings.
	Warnings any `json:"warnings,omitempty"`
	// Label. Your name for this version; for display only.
	Label *string `json:"label,omitempty"`
	// Version is version.
	Version any `json:"version,omitempty"`
	// Status. `ready`: ready; `not_ready`: not ready: do not launch it.
	Status *SaveBuildBodyStatus `json:"status,omitempty"`
	// Launch. All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container,
	// `fleet`, `fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`.
	Launch *SaveBuildBodyLaunch `json:"launch,omitempty"`
	// Ports. Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine.
	Ports []StartServerBodyPortConfig `json:"ports,omitempty"`
}

// BrowseLobbiesOptions: what BrowseLobbies may be asked with.
type BrowseLobbiesOptions struct {
	// Only lobbies of this region.
	Region *string `json:"region,omitempty"`
	// Only lobbies in this status.
	Status *LobbyStatus `json:"status,omitempty"`
	// Only lobbies with so many free places.
	Places *int `json:"places,omitempty"`
	// `players`: the fullest first.
	Sort *BrowseLobbiesSort `json:"sort,omitempty"`
	// Goes on after the answer with this `cursor`.
	Cursor *string `json:"cursor,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// How many to skip.
	Offset *int `json:"offset,omitempty"`
}

// BrowseLobbies: Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The
// list can be a second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how many.
// The next one begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`, for settings
// in `browseBy` of the config.
func (api *API) BrowseLobbies(ctx context.Context, config string, options BrowseLobbiesOptions) (answer LobbyPage, err error) {
	asked := newRequest()
	asked.query.add("region", options.Region)
	asked.query.add("status", options.Status)
	asked.query.add("places", options.Places)
	asked.query.add("sort", options.Sort)
	asked.query.add("cursor", options.Cursor)
	asked.query.add("limit", options.Limit)
	asked.query.add("offset", options.Offset)
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config), asked, &answer)
	return answer, err
}

// CreateLobby: Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller
// hosts in this config. A caller who is a guest in another lobby is still refused. With a `key`, the first caller
// creates the lobby of that key, and all others join it (200).
func (api *API) CreateLobby(ctx context.Context, config string, body CreateLobbyBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config), asked, &answer)
	return answer, err
}

// JoinLobby: Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or `lobbyId`. A
// private lobby needs its code, except with the server key. A player who is already in the lobby gets it back
// unchanged. `as: spectator` watches it, at any time, in a config with `spectators`; a player of a waiting lobby
// stands aside by it, and a spectator who joins without it begins to play.
func (api *API) JoinLobby(ctx context.Context, config string, body JoinLobbyBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/join", asked, &answer)
	return answer, err
}

// GetMyLobbyOptions: what GetMyLobby may be asked with.
type GetMyLobbyOptions struct {
	// OrNull is orNull.
	OrNull *GetMyLobbyOrNull `json:"orNull,omitempty"`
}

// GetMyLobby: Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a 404.
func (api *API) GetMyLobby(ctx context.Context, config string, options GetMyLobbyOptions) (answer Lobby, err error) {
	asked := newRequest()
	asked.query.add("orNull", options.OrNull)
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/me", asked, &answer)
	return answer, err
}

// UpdateMyStateOptions: what UpdateMyState may be asked with.
type UpdateMyStateOptions struct {
	// With `return=minimal`, the answer is `{revision}` alone.
	Prefer *string `json:"prefer,omitempty"`
}

// UpdateMyState: Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If the
// lobby is queued, its ticket changes too and keeps its waiting time.
func (api *API) UpdateMyState(ctx context.Context, config string, body UpdateMyStateBody, options UpdateMyStateOptions) (answer Lobby, err error) {
	asked := newRequest()
	asked.headers.add("prefer", options.Prefer)
	asked.body = body
	err = api.call(ctx, "PATCH", "/v3/lobbies/"+url.PathEscape(config)+"/me", asked, &answer)
	return answer, err
}

// LeaveLobby: Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the caller was
// the last player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels matchmaking, and
// declines a match that waits for confirmation.
func (api *API) LeaveLobby(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/me", asked, &answer)
	return answer, err
}

// UpdateLobbySettingsOptions: what UpdateLobbySettings may be asked with.
type UpdateLobbySettingsOptions struct {
	// With `return=minimal`, the answer is `{revision}` alone.
	Prefer *string `json:"prefer,omitempty"`
}

// UpdateLobbySettings: Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers`
// cannot be less than the number of players in the lobby.
func (api *API) UpdateLobbySettings(ctx context.Context, config string, body UpdateLobbySettingsBody, options UpdateLobbySettingsOptions) (answer Lobby, err error) {
	asked := newRequest()
	asked.headers.add("prefer", options.Prefer)
	asked.body = body
	err = api.call(ctx, "PATCH", "/v3/lobbies/"+url.PathEscape(config)+"/me/settings", asked, &answer)
	return answer, err
}

// KickPlayer: Kick a player (host). The player gets one more update of the lobby, without itself in it.
func (api *API) KickPlayer(ctx context.Context, config string, playerId string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/me/players/"+url.PathEscape(playerId), asked, &answer)
	return answer, err
}

// StartGame: Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once the
// server lives, at most a second after its launch, and always shows it launching. An update says when it is running.
// A server that ends at once is a `LAUNCH_FAILED`.
func (api *API) StartGame(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/start", asked, &answer)
	return answer, err
}

// EndMatch: End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the same
// players, code and settings.
func (api *API) EndMatch(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/end-match", asked, &answer)
	return answer, err
}

// StartMatchmaking: Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes`
// in the place of `mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but the first
// always at once. The first match takes it out of the others. A mode that finds nobody within its timeout drops out,
// and the last one ends the search.
func (api *API) StartMatchmaking(ctx context.Context, config string, body StartMatchmakingBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/matchmaking", asked, &answer)
	return answer, err
}

// CancelMatchmaking: Take the lobby out of the queue (host)
func (api *API) CancelMatchmaking(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/me/matchmaking", asked, &answer)
	return answer, err
}

// ConfirmMatch: Accept a match. One player accepts for the whole lobby. The server launches when every lobby of the
// match has accepted. After the deadline it is too late.
func (api *API) ConfirmMatch(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/confirm-match", asked, &answer)
	return answer, err
}

// DeclineMatch: Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`,
// those that had accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and others
// may take its places.
func (api *API) DeclineMatch(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/me/confirm-match", asked, &answer)
	return answer, err
}

// SendHeartbeat: Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event
// stream. Send it more often than every `heartbeatTimeout` seconds.
func (api *API) SendHeartbeat(ctx context.Context, config string) (answer Ok, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/heartbeat", asked, &answer)
	return answer, err
}

// StreamEventsOptions: what StreamEvents may be asked with.
type StreamEventsOptions struct {
	// With `1`, `lobby_changed` instead of whole lobbies.
	Changes *string `json:"changes,omitempty"`
	// With `changes`: the id of the lobby that `last-event-id` is of.
	Lobby *string `json:"lobby,omitempty"`
	// The last `id` that the client saw.
	LastEventID *string `json:"last-event-id,omitempty"`
}

// StreamEvents: Follow the caller's lobby with server-sent events. Each player has one stream: a second one replaces
// the first, whose last event is `replaced`. Do not reopen that one. You can open it before the player has a lobby
// (`connected` with null). It continues with the next lobby after the player leaves or is kicked, and after
// `lobby_deleted`. `id` is the revision of the lobby. With `Last-Event-ID`, a client first gets the updates that it
// missed, if kept, and always `connected` with the full lobby. With `changes=1`, `lobby_changed` has the operations
// of RFC 6902 that lead to the next revision. A comment line comes every ten seconds, and `ping` every thirty. On
// this route only, `api-key` and `x-player-id` may be in the query. With `Upgrade: websocket`, the same events come
// as JSON messages `{event, id, data}`, and `last-event-id` may be in the query. Answer each `ping` with any message.
func (api *API) StreamEvents(ctx context.Context, config string, options StreamEventsOptions) (answer *http.Response, err error) {
	asked := newRequest()
	asked.query.add("changes", options.Changes)
	asked.query.add("lobby", options.Lobby)
	asked.headers.add("last-event-id", options.LastEventID)
	return api.open(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/me/events", asked)
}

// GetLobby: Read any lobby
func (api *API) GetLobby(ctx context.Context, config string, id string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// DeleteLobby: Delete any lobby. Its players get `lobby_deleted`. Its matchmaking is cancelled, and its server is
// stopped.
func (api *API) DeleteLobby(ctx context.Context, config string, id string) (answer LobbyDeleted, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// ListModes: See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be ten
// seconds old. The estimate is that of players who queue alone.
func (api *API) ListModes(ctx context.Context, config string) (answer Modes, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/modes", asked, &answer)
	return answer, err
}

// GetLobbyHistory: Read what happened to a lobby. Oldest first, at least the last 64. Available for a day after the
// lobby ends.
func (api *API) GetLobbyHistory(ctx context.Context, config string, id string) (answer History, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/"+url.PathEscape(id)+"/history", asked, &answer)
	return answer, err
}

// PutOutPlayer: Put a player out of any lobby. As the host does, but hosts can be put out too. With the last player
// the lobby is deleted.
func (api *API) PutOutPlayer(ctx context.Context, config string, id string, playerId string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/"+url.PathEscape(id)+"/players/"+url.PathEscape(playerId), asked, &answer)
	return answer, err
}

// MoveTo: Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings and
// streams, and is of the other config from then on: it searches the modes of that one. Requests and streams under the
// config that it has left go on. All of its players and spectators move, or nobody: `LOBBY_NOT_MOVED` says why for
// each. It gets another code only if another lobby there has its own, and `maxPlayers` falls to what that config
// allows.
func (api *API) MoveTo(ctx context.Context, config string, body MoveToBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/move", asked, &answer)
	return answer, err
}

// MoveLobby: Move any lobby to another config. As its host does. May be sent again.
func (api *API) MoveLobby(ctx context.Context, config string, id string, body MoveToBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/"+url.PathEscape(id)+"/move", asked, &answer)
	return answer, err
}

// GetIceServers: Get STUN and TURN servers. For connections between players. The servers that the operator has set
// up. While a game starts, forms or runs, TURN servers are among them, with credentials that end by themselves. A
// provider that does not answer in time is left out.
func (api *API) GetIceServers(ctx context.Context, config string) (answer IceServers, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobbies/"+url.PathEscape(config)+"/me/ice", asked, &answer)
	return answer, err
}

// SendSignal: Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is not
// null. `to` is a player of the caller's lobby or, once it is `matched`, of any lobby of its match, or `all` for all
// others, or `{player}` for whatever id. It comes as the event `signal` on their open streams, and nothing is kept
// for later. It counts as a request for each lobby that is asked.
func (api *API) SendSignal(ctx context.Context, config string, body SendSignalBody) (answer Signalled, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/signals", asked, &answer)
	return answer, err
}

// ListMatchesOptions: what ListMatches may be asked with.
type ListMatchesOptions struct {
	// Only what concerns this config.
	Config *string `json:"config,omitempty"`
	// Only matches of this mode.
	Mode *string `json:"mode,omitempty"`
	// Only matches with this outcome.
	Outcome *MatchSummaryOutcome `json:"outcome,omitempty"`
	// Only matches on this build.
	Build *string `json:"build,omitempty"`
	// Only lobbies of this region.
	Region *string `json:"region,omitempty"`
	// Ref is ref.
	Ref *string `json:"ref,omitempty"`
	// Only matches that formed at this time or later.
	Since *string `json:"since,omitempty"`
	// Only what is older than this time, such as `next`.
	Until *string `json:"until,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
}

// ListMatches: List the latest matches. Newest first, as far back as the journal reaches. Filters may leave a page
// short or empty: go on while `next` is not null.
func (api *API) ListMatches(ctx context.Context, options ListMatchesOptions) (answer Matches, err error) {
	asked := newRequest()
	asked.query.add("config", options.Config)
	asked.query.add("mode", options.Mode)
	asked.query.add("outcome", options.Outcome)
	asked.query.add("build", options.Build)
	asked.query.add("region", options.Region)
	asked.query.add("ref", options.Ref)
	asked.query.add("since", options.Since)
	asked.query.add("until", options.Until)
	asked.query.add("limit", options.Limit)
	err = api.call(ctx, "GET", "/v3/matches", asked, &answer)
	return answer, err
}

// MakeMatch: Make a match of lobbies and players that you choose. All of them are matched at once, or nobody is:
// `MATCH_NOT_MADE` names each that cannot be. Lobbies may wait or search. A player without a lobby gets one. The
// teams have the sizes of the mode, in its order. The same request again answers the same match, for a day after its
// end.
func (api *API) MakeMatch(ctx context.Context, body MakeMatchBody) (answer Match, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/matches", asked, &answer)
	return answer, err
}

// ListTicketsOptions: what ListTickets may be asked with.
type ListTicketsOptions struct {
	// Only players behind this id.
	After *string `json:"after,omitempty"`
	// Wait is wait.
	Wait *int `json:"wait,omitempty"`
}

// ListTickets: Read who waits, for a matcher of your own. In a mode with `matcher: "external"`. Answers what came,
// changed or went since `after`, at most 100 tickets, as soon as there is any, at most `wait` seconds later.
func (api *API) ListTickets(ctx context.Context, config string, mode string, options ListTicketsOptions) (answer TicketChanges, err error) {
	asked := newRequest()
	asked.query.add("after", options.After)
	asked.query.add("wait", options.Wait)
	err = api.call(ctx, "GET", "/v3/queues/"+url.PathEscape(config)+"/"+url.PathEscape(mode)+"/tickets", asked, &answer)
	return answer, err
}

// GetMatch: Read a match: its players, why they met, and how it ended. Available for a day after its end.
func (api *API) GetMatch(ctx context.Context, id string) (answer Match, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/matches/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// ReportMatchResult: Report the result of a match. As `reportServerResult` does.
func (api *API) ReportMatchResult(ctx context.Context, id string, body ReportMatchResultBody) (answer Match, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/matches/"+url.PathEscape(id)+"/result", asked, &answer)
	return answer, err
}

// GetPlayer: Read everything that is kept about a player. Looks at known configs.
func (api *API) GetPlayer(ctx context.Context, id string) (answer PlayerSeen, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/players/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// GetPlayerAttributes: Read what your backend says about a player. Everything that is kept about the player besides
// lobbies and matches. A player without a record has no attributes.
func (api *API) GetPlayerAttributes(ctx context.Context, id string) (answer PlayerAttributes, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/players/"+url.PathEscape(id)+"/attributes", asked, &answer)
	return answer, err
}

// PutPlayerAttributesOptions: what PutPlayerAttributes may be asked with.
type PutPlayerAttributesOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// PutPlayerAttributes: Replace what your backend says about a player. Keys that a config or the project names in
// `trusted` show in the state of the player in lobbies, and only here they can be written. Lobbies that wait or
// search show the change within a second; tickets keep their wait. At most 2 KiB.
func (api *API) PutPlayerAttributes(ctx context.Context, id string, body PutPlayerAttributesBody, options PutPlayerAttributesOptions) (answer PlayerAttributes, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/players/"+url.PathEscape(id)+"/attributes", asked, &answer)
	return answer, err
}

// PatchPlayerAttributesOptions: what PatchPlayerAttributes may be asked with.
type PatchPlayerAttributesOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// PatchPlayerAttributes: Merge into what your backend says about a player. Missing keys stay, and null removes a key.
func (api *API) PatchPlayerAttributes(ctx context.Context, id string, body PutPlayerAttributesBody, options PatchPlayerAttributesOptions) (answer PlayerAttributes, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	asked.body = body
	err = api.call(ctx, "PATCH", "/v3/players/"+url.PathEscape(id)+"/attributes", asked, &answer)
	return answer, err
}

// DeletePlayerAttributesOptions: what DeletePlayerAttributes may be asked with.
type DeletePlayerAttributesOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// DeletePlayerAttributes: Erase what your backend said about a player
func (api *API) DeletePlayerAttributes(ctx context.Context, id string, options DeletePlayerAttributesOptions) (answer PlayerAttributes, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	err = api.call(ctx, "DELETE", "/v3/players/"+url.PathEscape(id)+"/attributes", asked, &answer)
	return answer, err
}

// ChangeAttributes: Change the attributes of up to 500 players. Merges, or replaces with `replace: true`. After an
// error, some may have changed: send the same again.
func (api *API) ChangeAttributes(ctx context.Context, body ChangeAttributesBody) (answer ChangedAttributes, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/players/attributes", asked, &answer)
	return answer, err
}

// Rematch: Ask for a rematch (host). Within 30 seconds of the end of a match. Once the host of each of its lobbies
// has asked, the same lobbies play the same mode again, in the same teams and on the same build, without a queue.
// `rematch` of each lobby counts. Asking again changes nothing.
func (api *API) Rematch(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/rematch", asked, &answer)
	return answer, err
}

// DeclineRematch: Say no to a rematch (host). There is no rematch of that match then. Searching, starting a game and
// leaving say the same.
func (api *API) DeclineRematch(ctx context.Context, config string) (answer Lobby, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/lobbies/"+url.PathEscape(config)+"/me/rematch", asked, &answer)
	return answer, err
}

// ChangeHost: Let another player host. More than half of the others must say that the host is gone.
func (api *API) ChangeHost(ctx context.Context, config string, body ChangeHostBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/host", asked, &answer)
	return answer, err
}

// ReportResult: Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`: what
// more than half of the players say is the result, until a minute after the match. Each has one vote, and the next
// replaces it.
func (api *API) ReportResult(ctx context.Context, config string, id string, body ReportMatchResultBody) (answer VotedResult, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/matches/"+url.PathEscape(id)+"/result", asked, &answer)
	return answer, err
}

// ReportLink: Say how two players are connected. Operators read it on the match's page. The next report of the same
// two replaces it.
func (api *API) ReportLink(ctx context.Context, config string, id string, body ReportLinkBody) (answer Ok, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/me/matches/"+url.PathEscape(id)+"/links", asked, &answer)
	return answer, err
}

// QuickJoin: Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free
// places, lobbies in the region of `create` come first, then the fullest. If there is none, creates one by `create`,
// which must fit too: never two while one has a place. `where` asks for settings in `browseBy` of the config: ranges
// such as `1..3`, or values, which the new lobby gets.
func (api *API) QuickJoin(ctx context.Context, config string, body QuickJoinBody) (answer Lobby, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/lobbies/"+url.PathEscape(config)+"/quick-join", asked, &answer)
	return answer, err
}

// WhereAmI: Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of the
// project, of which there are at most 20. It is no sign of life, and counts as a request for each config.
func (api *API) WhereAmI(ctx context.Context) (answer Whereabouts, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/me", asked, &answer)
	return answer, err
}

// ListRegions: List the regions, and where to measure how far away they are. Of the fleets that have an `echo`. Send
// what you measured as state, for a `latency` rule.
func (api *API) ListRegions(ctx context.Context) (answer Regions, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/regions", asked, &answer)
	return answer, err
}

// GetRatingsOptions: what GetRatings may be asked with.
type GetRatingsOptions struct {
	// Only what concerns this config.
	Config *string `json:"config,omitempty"`
	// Only matches of this mode.
	Mode *string `json:"mode,omitempty"`
	// The player in the middle of the page. One without a rating: the place that a new player would have.
	Around *string `json:"around,omitempty"`
	// A season that is over.
	Season *int `json:"season,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// How many to skip.
	Offset *int `json:"offset,omitempty"`
}

// GetRatings: Read the ladder of a rated mode, the best first. A client key sees ids if the project has
// `publicPlayerIds`.
func (api *API) GetRatings(ctx context.Context, options GetRatingsOptions) (answer Ladder, err error) {
	asked := newRequest()
	asked.query.add("config", options.Config)
	asked.query.add("mode", options.Mode)
	asked.query.add("around", options.Around)
	asked.query.add("season", options.Season)
	asked.query.add("limit", options.Limit)
	asked.query.add("offset", options.Offset)
	err = api.call(ctx, "GET", "/v3/ratings", asked, &answer)
	return answer, err
}

// ExportRatingsOptions: what ExportRatings may be asked with.
type ExportRatingsOptions struct {
	// Only what concerns this config.
	Config *string `json:"config,omitempty"`
	// Only matches of this mode.
	Mode *string `json:"mode,omitempty"`
	// Only players behind this id.
	After *string `json:"after,omitempty"`
}

// ExportRatings: Read the players of a ladder as they are kept
func (api *API) ExportRatings(ctx context.Context, options ExportRatingsOptions) (answer string, err error) {
	asked := newRequest()
	asked.query.add("config", options.Config)
	asked.query.add("mode", options.Mode)
	asked.query.add("after", options.After)
	err = api.call(ctx, "GET", "/v3/ratings/export", asked, &answer)
	return answer, err
}

// ImportRatingsOptions: what ImportRatings may be asked with.
type ImportRatingsOptions struct {
	// Only what concerns this config.
	Config *string `json:"config,omitempty"`
	// Only matches of this mode.
	Mode *string `json:"mode,omitempty"`
}

// ImportRatings: Set players of a ladder. Lines as the export has them, up to 64 KiB. All are set or none. The same
// again changes nothing.
func (api *API) ImportRatings(ctx context.Context, body string, options ImportRatingsOptions) (answer ImportedRatings, err error) {
	asked := newRequest()
	asked.query.add("config", options.Config)
	asked.query.add("mode", options.Mode)
	asked.body = body
	err = api.call(ctx, "POST", "/v3/ratings/import", asked, &answer)
	return answer, err
}

// EndRatingSeason: End a season of a ladder. Keeps its ladder, and brings players back to the start by `factor`. The
// same again changes nothing.
func (api *API) EndRatingSeason(ctx context.Context, body EndRatingSeasonBody) (answer RatingSeason, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/ratings/seasons", asked, &answer)
	return answer, err
}

// ListBansOptions: what ListBans may be asked with.
type ListBansOptions struct {
	// Only bans of this player.
	PlayerID *string `json:"playerId,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// How many to skip.
	Offset *int `json:"offset,omitempty"`
}

// ListBans: List the bans that hold, newest first
func (api *API) ListBans(ctx context.Context, options ListBansOptions) (answer BanPage, err error) {
	asked := newRequest()
	asked.query.add("playerId", options.PlayerID)
	asked.query.add("limit", options.Limit)
	asked.query.add("offset", options.Offset)
	err = api.call(ctx, "GET", "/v3/bans", asked, &answer)
	return answer, err
}

// BanPlayer: Ban a player. From one config, or without `config` from all. The player leaves its lobbies there, and
// gets a 403 `BANNED` for creating, joining, starting, searching and the event stream, everywhere within three
// seconds. At most 5,000 bans.
func (api *API) BanPlayer(ctx context.Context, id string, body BanPlayerBody) (answer Ban, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/bans/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// UnbanPlayerOptions: what UnbanPlayer may be asked with.
type UnbanPlayerOptions struct {
	// Only what concerns this config.
	Config *string `json:"config,omitempty"`
}

// UnbanPlayer: Lift a player's bans. All of them, or with `config` the ban from that config.
func (api *API) UnbanPlayer(ctx context.Context, id string, options UnbanPlayerOptions) (answer Unbanned, err error) {
	asked := newRequest()
	asked.query.add("config", options.Config)
	err = api.call(ctx, "DELETE", "/v3/bans/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// GetServer: Read a server. With the server key, the answer also says how it ended.
func (api *API) GetServer(ctx context.Context, id string) (answer ServerRecord, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/servers/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// StopServer: Stop a server. Answers with the stopped server. Its lobbies go back to `waiting`.
func (api *API) StopServer(ctx context.Context, id string) (answer ServerRecord, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/servers/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// ListServersOptions: what ListServers may be asked with.
type ListServersOptions struct {
	// IncludeLaunching is include_launching.
	IncludeLaunching *GetMyLobbyOrNull `json:"include_launching,omitempty"`
	// IncludeStopped is include_stopped.
	IncludeStopped *GetMyLobbyOrNull `json:"include_stopped,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// How many to skip.
	Offset *int `json:"offset,omitempty"`
}

// ListServers: List the project's servers. Newest first. Lists running servers, and others if you ask for them.
// Stopped servers are kept for an hour. If there are more than 2,000, only the newest are listed, and each can be
// read for at least ten minutes.
func (api *API) ListServers(ctx context.Context, options ListServersOptions) (answer ServerPage, err error) {
	asked := newRequest()
	asked.query.add("include_launching", options.IncludeLaunching)
	asked.query.add("include_stopped", options.IncludeStopped)
	asked.query.add("limit", options.Limit)
	asked.query.add("offset", options.Offset)
	err = api.call(ctx, "GET", "/v3/servers", asked, &answer)
	return answer, err
}

// StartServer: Start a server without a lobby. It runs until it exits, its `ttl` is over, or you stop it.
func (api *API) StartServer(ctx context.Context, body StartServerBody) (answer Server, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/start", asked, &answer)
	return answer, err
}

// UpdateServer: Replace a server's custom_data
func (api *API) UpdateServer(ctx context.Context, id string, body UpdateServerBody) (answer Server, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/update", asked, &answer)
	return answer, err
}

// RestartServer: Restart a running server. Ends the process and launches it again, with the same id and new ports. It
// is `launching` until it runs. Fields that the body leaves out stay.
func (api *API) RestartServer(ctx context.Context, id string, body RestartServerBody) (answer Server, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/restart", asked, &answer)
	return answer, err
}

// ReadServerLogsOptions: what ReadServerLogs may be asked with.
type ReadServerLogsOptions struct {
	// Only lines since then: an RFC 3339 time, or a time ago such as `-1h`.
	StartTime any `json:"start_time,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// With the colours and other codes for terminals that it printed.
	Raw *GetMyLobbyOrNull `json:"raw,omitempty"`
}

// ReadServerLogs: Read a server's last output. Lines of its current or last run, oldest first, from the last 256 KiB.
// Not available for servers on Agones.
func (api *API) ReadServerLogs(ctx context.Context, id string, options ReadServerLogsOptions) (answer ServerLogs, err error) {
	asked := newRequest()
	asked.query.add("start_time", options.StartTime)
	asked.query.add("limit", options.Limit)
	asked.query.add("raw", options.Raw)
	err = api.call(ctx, "GET", "/v3/servers/"+url.PathEscape(id)+"/logs", asked, &answer)
	return answer, err
}

// ReportServerStatusOptions: what ReportServerStatus may be asked with.
type ReportServerStatusOptions struct {
	// Wait is wait.
	Wait *int `json:"wait,omitempty"`
}

// ReportServerStatus: Report a server's status (fleet or game server). Needs no key. The bearer token is the one that
// the instance got at launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or
// after so many seconds.
func (api *API) ReportServerStatus(ctx context.Context, id string, body ReportServerStatusBody, options ReportServerStatusOptions) (answer Server, err error) {
	asked := newRequest()
	asked.query.add("wait", options.Wait)
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/status", asked, &answer)
	return answer, err
}

// ReportServerResult: Report the result of the match (game server). Needs no key. The bearer token is the one that
// the instance got at launch. Each team of the match is named once, all with a `rank` (1 is the best) or all with a
// `score` (the highest is the best). A match has one result: the same again changes nothing, and another is refused.
// It is taken from when the server runs, for as long as the match is remembered.
func (api *API) ReportServerResult(ctx context.Context, id string, body ReportMatchResultBody) (answer Match, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/result", asked, &answer)
	return answer, err
}

// ReadSeat: Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs no key:
// the bearer token is that of the instance. Only tickets for this instance are read; any other, an old one and a
// forged one are a 403.
func (api *API) ReadSeat(ctx context.Context, id string, body ReadSeatBody) (answer Seat, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/seats", asked, &answer)
	return answer, err
}

// SetPlaces: Say which places in the match are open, and remove players. For the game server with the token that it
// got at launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated
// request harmless.
func (api *API) SetPlaces(ctx context.Context, id string, body SetPlacesBody) (answer GameRoster, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/servers/"+url.PathEscape(id)+"/places", asked, &answer)
	return answer, err
}

// ReadRosterOptions: what ReadRoster may be asked with.
type ReadRosterOptions struct {
	// Only players behind this id.
	After *int `json:"after,omitempty"`
	// Wait is wait.
	Wait *int `json:"wait,omitempty"`
}

// ReadRoster: Read the players and their places in the match. For the game server with the token that it got at
// launch, or a backend with the server key. Answers as soon as the roster has another revision than `after`, at most
// `wait` seconds later. From the first request on, the lobbies of the match report who leaves and comes back.
func (api *API) ReadRoster(ctx context.Context, id string, options ReadRosterOptions) (answer GameRoster, err error) {
	asked := newRequest()
	asked.query.add("after", options.After)
	asked.query.add("wait", options.Wait)
	err = api.call(ctx, "GET", "/v3/servers/"+url.PathEscape(id)+"/roster", asked, &answer)
	return answer, err
}

// GetProjectSettings: Read the project with all its lobby configs
func (api *API) GetProjectSettings(ctx context.Context) (answer ProjectSettings, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/projects/settings", asked, &answer)
	return answer, err
}

// UpdateProjectSettingsOptions: what UpdateProjectSettings may be asked with.
type UpdateProjectSettingsOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// UpdateProjectSettings: Save several lobby configs and settings of the project. Replaces each config and setting in
// the body, and leaves the others. Saves all of them or none. An unknown field beside the settings is a 400; one in a
// config is saved and named in `warnings`.
func (api *API) UpdateProjectSettings(ctx context.Context, body UpdateProjectSettingsBody, options UpdateProjectSettingsOptions) (answer ProjectSettingsSaved, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	asked.body = body
	err = api.call(ctx, "POST", "/v3/projects/settings", asked, &answer)
	return answer, err
}

// AddTokenSecret: Create a secret that signs player tokens, or add your own. Only this answer shows it. The newest
// secret before it stays valid; older ones become invalid.
func (api *API) AddTokenSecret(ctx context.Context, body AddTokenSecretBody) (answer TokenSecret, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/projects/token-secrets", asked, &answer)
	return answer, err
}

// DeleteTokenSecret: Delete a secret. Within three seconds, tokens that it signed are refused. Open streams continue
// until their token expires.
func (api *API) DeleteTokenSecret(ctx context.Context, id string) (answer SecretDeleted, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/projects/token-secrets/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// RotateSeatKeys: Rotate the key that signs seat tickets. The next key, which is already published, signs from now
// on. The old key stays published until its tickets expire.
func (api *API) RotateSeatKeys(ctx context.Context) (answer SeatKeys, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/projects/seat-keys", asked, &answer)
	return answer, err
}

// ListKeys: List the project's keys. Names and kinds, never the keys.
func (api *API) ListKeys(ctx context.Context) (answer KeyPage, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/projects/keys", asked, &answer)
	return answer, err
}

// MakeViewerKey: Make a viewer key. It reads what the server key reads, except secrets, and changes nothing. Only
// this answer shows it.
func (api *API) MakeViewerKey(ctx context.Context, body MakeViewerKeyBody) (answer ViewerKey, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/projects/keys", asked, &answer)
	return answer, err
}

// RevokeKey: Revoke a viewer key. Within three seconds it is refused, and within ten its streams end. Other keys are
// revoked in `API_KEYS`.
func (api *API) RevokeKey(ctx context.Context, id string) (answer KeyRevoked, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/projects/keys/"+url.PathEscape(id), asked, &answer)
	return answer, err
}

// SetLogin: Let players log in with a provider. Replaces the settings of that provider as a whole. docs/logins.md
// lists them. They hold secrets, so nothing reads them back.
func (api *API) SetLogin(ctx context.Context, provider string, body map[string]any) (answer LoginSet, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/projects/logins/"+url.PathEscape(provider), asked, &answer)
	return answer, err
}

// DeleteLogin: No longer let players log in with a provider. Players' existing tokens stay valid until they expire.
func (api *API) DeleteLogin(ctx context.Context, provider string) (answer LoginDeleted, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/projects/logins/"+url.PathEscape(provider), asked, &answer)
	return answer, err
}

// SetHooks: Let your backend hear of matches. docs/webhooks.md has the events. Nothing reads the secret back. With a
// `format`, a chat hears that somebody waits, and nothing else; its address is a secret, and needs no other.
func (api *API) SetHooks(ctx context.Context, body SetHooksBody) (answer HooksSet, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/projects/hooks", asked, &answer)
	return answer, err
}

// DeleteHooks: No longer let your backend hear of matches. What it has not acknowledged is dropped.
func (api *API) DeleteHooks(ctx context.Context) (answer HooksDeleted, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/projects/hooks", asked, &answer)
	return answer, err
}

// Login: Log in. Exchanges what the platform gave the player for a player token of an hour. The player is
// `provider:id`.
func (api *API) Login(ctx context.Context, provider string, body LoginBody) (answer PlayerToken, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/login/"+url.PathEscape(provider), asked, &answer)
	return answer, err
}

// MintPlayerToken: Create a token for a player. For projects with `playerAuth: "token"`. Your backend calls this when
// it knows who the player is, and gives the token to the game.
func (api *API) MintPlayerToken(ctx context.Context, id string, body MintPlayerTokenBody) (answer PlayerToken, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "POST", "/v3/players/"+url.PathEscape(id)+"/token", asked, &answer)
	return answer, err
}

// ListLobbyConfigs: List the lobby configs
func (api *API) ListLobbyConfigs(ctx context.Context) (answer Configs, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobby-configs", asked, &answer)
	return answer, err
}

// GetLobbyConfig: Read a lobby config
func (api *API) GetLobbyConfig(ctx context.Context, name string) (answer LobbyConfig, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobby-configs/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// SaveLobbyConfigOptions: what SaveLobbyConfig may be asked with.
type SaveLobbyConfigOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// SaveLobbyConfig: Save a lobby config. Replaces the whole config. Missing fields take their defaults. If a field is
// wrong, the detail of the 400 names it (`matchmaking.modes.ranked.rules[1].field`), and nothing is saved. `warnings`
// name unknown fields, which have no effect, and a `gameBuild` that does not exist. Queued lobbies continue under the
// new rules.
func (api *API) SaveLobbyConfig(ctx context.Context, name string, body SaveLobbyConfigBody, options SaveLobbyConfigOptions) (answer LobbyConfigSaved, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/lobby-configs/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// DeleteLobbyConfigOptions: what DeleteLobbyConfig may be asked with.
type DeleteLobbyConfigOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// DeleteLobbyConfig: Delete a lobby config. Its lobbies continue with the defaults. Queued lobbies are sent back.
func (api *API) DeleteLobbyConfig(ctx context.Context, name string, options DeleteLobbyConfigOptions) (answer ConfigDeleted, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	err = api.call(ctx, "DELETE", "/v3/lobby-configs/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// ListAuditOptions: what ListAudit may be asked with.
type ListAuditOptions struct {
	// Only of this key: `operator:` and its name or fingerprint.
	By *string `json:"by,omitempty"`
	// Only this kind, such as `kicked`.
	Kind *AuditPageItemKind `json:"kind,omitempty"`
	// Only what was done to this config, build, player, lobby, match or server.
	On *string `json:"on,omitempty"`
	// Only what is older than this time, such as `next`.
	Until *string `json:"until,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
}

// ListAudit: List what operators did. Newest first: saves, kicks, bans, ends, stops, erased attributes and secrets,
// at least the last 10,000. Refused requests are not in it.
func (api *API) ListAudit(ctx context.Context, options ListAuditOptions) (answer AuditPage, err error) {
	asked := newRequest()
	asked.query.add("by", options.By)
	asked.query.add("kind", options.Kind)
	asked.query.add("on", options.On)
	asked.query.add("until", options.Until)
	asked.query.add("limit", options.Limit)
	err = api.call(ctx, "GET", "/v3/audit", asked, &answer)
	return answer, err
}

// GetLobbyConfigHistory: List earlier revisions of a lobby config. The last 50 revisions, newest first. Works for
// deleted configs too.
func (api *API) GetLobbyConfigHistory(ctx context.Context, name string) (answer ConfigHistory, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/lobby-configs/"+url.PathEscape(name)+"/history", asked, &answer)
	return answer, err
}

// RestoreLobbyConfigOptions: what RestoreLobbyConfig may be asked with.
type RestoreLobbyConfigOptions struct {
	// Save only if the revision (`ETag`) is still this one.
	IfMatch *string `json:"if-match,omitempty"`
}

// RestoreLobbyConfig: Restore an earlier revision of a lobby config. Saves it as a new revision.
func (api *API) RestoreLobbyConfig(ctx context.Context, name string, revision string, options RestoreLobbyConfigOptions) (answer LobbyConfigSaved, err error) {
	asked := newRequest()
	asked.headers.add("if-match", options.IfMatch)
	err = api.call(ctx, "POST", "/v3/lobby-configs/"+url.PathEscape(name)+"/history/"+url.PathEscape(revision)+"/restore", asked, &answer)
	return answer, err
}

// ListBuildsOptions: what ListBuilds may be asked with.
type ListBuildsOptions struct {
	// Only what has this name.
	Name *string `json:"name,omitempty"`
	// How many at most.
	Limit *int `json:"limit,omitempty"`
	// How many to skip.
	Offset *int `json:"offset,omitempty"`
}

// ListBuilds: List the builds. The build `default` always exists.
func (api *API) ListBuilds(ctx context.Context, options ListBuildsOptions) (answer Builds, err error) {
	asked := newRequest()
	asked.query.add("name", options.Name)
	asked.query.add("limit", options.Limit)
	asked.query.add("offset", options.Offset)
	err = api.call(ctx, "GET", "/v3/builds", asked, &answer)
	return answer, err
}

// GetBuildOptions: what GetBuild may be asked with.
type GetBuildOptions struct {
	// Also ask the fleets whether they could launch it now. Not for a viewer key.
	Check *GetMyLobbyOrNull `json:"check,omitempty"`
}

// GetBuild: Get a build. Its name is its id. With `check=true`, `warnings` say why fleets could not launch it now,
// such as an image that is being fetched.
func (api *API) GetBuild(ctx context.Context, name string, options GetBuildOptions) (answer BuildRead, err error) {
	asked := newRequest()
	asked.query.add("check", options.Check)
	err = api.call(ctx, "GET", "/v3/builds/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// SaveBuild: Save a build. Raises its version by one. `warnings` name unknown fields, and say why a fleet could not
// launch it, such as a missing program. It is saved anyway.
func (api *API) SaveBuild(ctx context.Context, name string, body SaveBuildBody) (answer BuildSaved, err error) {
	asked := newRequest()
	asked.body = body
	err = api.call(ctx, "PUT", "/v3/builds/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// DeleteBuild: Delete a build. Matches that need it then fail, and their lobbies go back to `waiting`. If you delete
// `default`, it is the sample server again.
func (api *API) DeleteBuild(ctx context.Context, name string) (answer BuildDeleted, err error) {
	asked := newRequest()
	err = api.call(ctx, "DELETE", "/v3/builds/"+url.PathEscape(name), asked, &answer)
	return answer, err
}

// GetBuildHistory: List earlier revisions of a build. The last 50 revisions, newest first. Works for deleted builds
// too. A build that was never saved has none.
func (api *API) GetBuildHistory(ctx context.Context, name string) (answer BuildHistory, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/v3/builds/"+url.PathEscape(name)+"/history", asked, &answer)
	return answer, err
}

// RestoreBuild: Restore an earlier revision of a build. Saves it as a new version. Games that run keep theirs.
func (api *API) RestoreBuild(ctx context.Context, name string, revision string) (answer BuildSaved, err error) {
	asked := newRequest()
	err = api.call(ctx, "POST", "/v3/builds/"+url.PathEscape(name)+"/history/"+url.PathEscape(revision)+"/restore", asked, &answer)
	return answer, err
}

// GetHealth: Check that the service is up
func (api *API) GetHealth(ctx context.Context) (answer Ok, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/health", asked, &answer)
	return answer, err
}

// GetMetrics: Read counts and gauges for Prometheus. Needs the server key, or the key in `METRICS_KEY`, as `api-key`
// or bearer token. A server key of one project among several sees only what belongs to that project.
func (api *API) GetMetrics(ctx context.Context) (answer string, err error) {
	asked := newRequest()
	err = api.call(ctx, "GET", "/metrics", asked, &answer)
	return answer, err
}

// GetSeatKeysOptions: what GetSeatKeys may be asked with.
type GetSeatKeysOptions struct {
	// The project whose keys to read. Optional if the service has one project.
	Project *string `json:"project,omitempty"`
}

// GetSeatKeys: Read the public keys of seat tickets. A project that does not exist has keys that sign nothing, so
// that nobody can find out which projects there are.
func (api *API) GetSeatKeys(ctx context.Context, options GetSeatKeysOptions) (answer SeatKeys, err error) {
	asked := newRequest()
	asked.query.add("project", options.Project)
	err = api.call(ctx, "GET", "/.well-known/jwks.json", asked, &answer)
	return answer, err
}
