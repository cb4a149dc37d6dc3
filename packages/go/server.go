package muster

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// tries last some five minutes: longer than Muster takes to start again.
const tries = 20

// mostTicket is how long a seat ticket may be, in bytes.
const mostTicket = 4096

// GameServer is the server that Muster has started.
type GameServer struct {
	// Host and Port are where to listen.
	Host string
	Port int
	// Match is who plays; after a direct start it is empty, and players have only their tickets.
	Match struct {
		ID    string `json:"match_id"`
		Mode  string `json:"matchmaking_mode"`
		Teams []struct {
			Name    string `json:"team_name"`
			Lobbies []struct {
				ID      string                     `json:"lobby_id"`
				Players map[string]json.RawMessage `json:"player_states"`
			} `json:"lobbies"`
			// Roles are by player, in modes with roles.
			Roles map[string]string `json:"roles"`
		} `json:"teams"`
	}
	instance string
	keys     map[string]ed25519.PublicKey
	api      API
}

// PlayerSeat is what a ticket says; Match, Team and Role are nil where there is none.
type PlayerSeat struct {
	Player string  `json:"sub"`
	Match  *string `json:"match"`
	Lobby  *string `json:"lobby"`
	Team   *int    `json:"team"`
	Role   *string `json:"role"`
	Late   bool    `json:"late"`
	Aud    string  `json:"aud"`
	Exp    int64   `json:"exp"`
}

// NewGameServer reads what Muster has told this program: the file in MUSTER_CONFIG, or in a cloud MUSTER_JSON.
func NewGameServer() (*GameServer, error) {
	text := []byte(os.Getenv("MUSTER_JSON"))
	if path := os.Getenv("MUSTER_CONFIG"); path != "" {
		read, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text = read
	}
	if len(text) == 0 {
		return nil, errors.New("MUSTER_CONFIG is not set: this program was not started by Muster")
	}
	var told struct {
		InstanceID string          `json:"instance_id"`
		ReportURL  string          `json:"report_url"`
		Token      string          `json:"token"`
		CustomData json.RawMessage `json:"custom_data"`
		SeatKeys   struct {
			Keys []struct{ Kid, X string } `json:"keys"`
		} `json:"seat_keys"`
	}
	server := &GameServer{Host: os.Getenv("MUSTER_HOST"), keys: map[string]ed25519.PublicKey{}}
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(told.CustomData, &server.Match); err != nil {
		return nil, err
	}
	end := strings.LastIndex(told.ReportURL, "/v3/")
	if end < 0 {
		return nil, errors.New("report_url is no address of Muster: " + told.ReportURL)
	}
	server.Port, _ = strconv.Atoi(os.Getenv("MUSTER_PORT"))
	server.instance = told.InstanceID
	server.api = API{URL: told.ReportURL[:end], bearer: "Bearer " + told.Token, Timeout: 40 * time.Second}
	for _, key := range told.SeatKeys.Keys {
		if public, err := base64.RawURLEncoding.DecodeString(key.X); err == nil && len(public) == ed25519.PublicKeySize {
			server.keys[key.Kid] = public
		}
	}
	return server, nil
}

// Players are the ids of those that the match was formed with, and the index of each one's team.
func (server *GameServer) Players() map[string]int {
	players := map[string]int{}
	for index, team := range server.Match.Teams {
		for _, lobby := range team.Lobbies {
			for player := range lobby.Players {
				players[player] = index
			}
		}
	}
	return players
}

// SeatOf is the seat of a ticket that a player has sent, verified without asking anybody. It is an error if the ticket is not
// good here: forged, expired, for another server, or of a player without a place in the match.
func (server *GameServer) SeatOf(ticket string) (*PlayerSeat, error) {
	parts := strings.Split(ticket, ".")
	if len(parts) != 3 || len(ticket) > mostTicket {
		return nil, errors.New("no seat ticket")
	}
	var header struct{ Kid, Typ, Alg string }
	if err := readPart(parts[0], &header); err != nil {
		return nil, err
	}
	public, isKnown := server.keys[header.Kid]
	if !isKnown || header.Typ != "muster-seat+jwt" || header.Alg != "EdDSA" {
		return nil, errors.New("no seat ticket of this project")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, errors.New("not signed by Muster")
	}
	var seat PlayerSeat
	if err := readPart(parts[1], &seat); err != nil {
		return nil, err
	}
	switch {
	case seat.Aud != server.instance:
		return nil, errors.New("for another server")
	case seat.Exp <= time.Now().Unix():
		return nil, errors.New("expired")
	case seat.Match != nil && seat.Team == nil:
		return nil, errors.New("no place in the match")
	}
	return &seat, nil
}

func readPart(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// ReportResult reports the result of the match. What may pass is tried again for some minutes: the same result again changes
// nothing. It is a RESULT_EXISTS if another result was reported before.
func (server *GameServer) ReportResult(ctx context.Context, result ReportMatchResultBody) error {
	return server.ask(ctx, func() error {
		_, err := server.api.ReportServerResult(ctx, server.instance, result)
		return err
	})
}

// Roster reads who has a place in the match now.
func (server *GameServer) Roster(ctx context.Context) (roster GameRoster, err error) {
	err = server.ask(ctx, func() error {
		roster, err = server.api.ReadRoster(ctx, server.instance, ReadRosterOptions{})
		return err
	})
	return roster, err
}

func (server *GameServer) ask(ctx context.Context, call func() error) error {
	for try := 1; ; try++ {
		err := call()
		var failed *Error
		if !errors.As(err, &failed) || !failed.IsPassing() || try == tries {
			return err
		}
		if err := pause(ctx, failed.RetryAfter+backOff(try)); err != nil {
			return err
		}
	}
}
