package muster

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"time"
)

// Client is one player in one lobby config. Each endpoint is a method; Play, Follow, Whereabouts, QuickJoin and Leave are what
// most games need.
type Client struct {
	API
	Config string
	ID     string
	// State is the player's in a lobby that Play makes: what the mode's rules read.
	State map[string]any
	// Following says how Events, Follow and Play follow the lobby.
	Following  Following
	departures int64
	left       chan struct{}
}

// NewClient makes a client. Nothing is asked yet.
func NewClient(url, key, config, id string) *Client {
	return &Client{API: API{URL: url, Key: key, player: id}, Config: config, ID: id}
}

// Game is a match to connect to.
type Game struct {
	Host string
	Port int
	// Ticket is for the game server, which knows the player by it. Empty if the service could not sign one.
	Ticket string
	// Team is the index of the player's team; nil without a place in one.
	Team  *int
	Lobby *Lobby
	// Ended brings the newest lobby once the game is over for the player, and is closed then. Without a lobby: see Err.
	Ended <-chan *Lobby
	err   error
}

// Err says why the match could not be followed to its end. Read it after Ended is closed.
func (match *Game) Err() error { return match.err }

// AddressOf says where to connect. False: the lobby is in no game, or its server does not run. Where a player hosts the game, it is that
// player's id, and port 0.
func AddressOf(lobby *Lobby) (host string, port int, ok bool) {
	if lobby == nil || lobby.Status != LobbyStatusInGame || lobby.Server == nil {
		return "", 0, false
	}
	server := lobby.Server
	if server.Status != ServerStatusRunning {
		return "", 0, false
	}
	if len(server.NetworkPorts) == 0 {
		if server.HostPlayer == nil {
			return "", 0, false
		}
		return *server.HostPlayer, 0, true
	}
	return server.NetworkPorts[0].Host, server.NetworkPorts[0].ExternalPort, true
}

// FindMyLobby reads the player's lobby; nil without one.
func (player *Client) FindMyLobby(ctx context.Context) (*Lobby, error) {
	isNull := GetMyLobbyOrNullTrue
	lobby, err := player.GetMyLobby(ctx, player.Config, GetMyLobbyOptions{OrNull: &isNull})
	if CodeOf(err) == "LOBBY_NOT_FOUND" || err == nil && lobby.ID == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lobby, nil
}

// Follow calls show with the player's lobby as it changes, until it is over for the player. Nil: there is none yet.
func (player *Client) Follow(ctx context.Context, show func(*Lobby) error) error {
	return player.Events(ctx, func(event Event) error {
		if event.Type == "connected" || event.Type == "lobby_updated" {
			return show(event.Lobby)
		}
		return nil
	})
}

// WhereAmI reads the player's lobbies in all configs. It is not a sign of life.
func (player *Client) WhereAmI(ctx context.Context) ([]WhereaboutsLobby, error) {
	where, err := player.API.WhereAmI(ctx)
	return where.Lobbies, err
}

// QuickJoin joins the fullest public lobby that fits, or else creates one.
func (player *Client) QuickJoin(ctx context.Context, wanted QuickJoinBody) (Lobby, error) {
	return player.API.QuickJoin(ctx, player.Config, wanted)
}

// Leave leaves the lobby, and the game with it. It does nothing without a lobby.
func (player *Client) Leave(ctx context.Context) error {
	atomic.AddInt64(&player.departures, 1)
	_, err := player.LeaveLobby(ctx, player.Config)
	if err != nil && CodeOf(err) != "LOBBY_NOT_FOUND" {
		return err
	}
	player.mutex.Lock()
	defer player.mutex.Unlock()
	if player.left != nil {
		close(player.left)
		player.left = nil
	}
	return nil
}

// whenLeft is closed once the player has left the lobby, of which a stream says nothing where others stay in it.
func (player *Client) whenLeft() <-chan struct{} {
	player.mutex.Lock()
	defer player.mutex.Unlock()
	if player.left == nil {
		player.left = make(chan struct{})
	}
	return player.left
}

// errFound ends the search.
var errFound = errors.New("found")

// Play searches a match, with the player's lobby or one that is made, accepts it, and returns when its server runs; with a
// NO_MATCH that has a Reason otherwise. It follows the lobby until the game ends or ctx is done, so that the player counts as
// present.
func (player *Client) Play(ctx context.Context, mode string) (*Game, error) {
	begun, err := player.FindMyLobby(ctx)
	if err == nil && begun == nil {
		var made Lobby
		isPrivate := true
		made, err = player.CreateLobby(ctx, player.Config, CreateLobbyBody{Name: "Party", IsPrivate: &isPrivate, State: player.State})
		begun = &made
	}
	if err == nil && begun.Status == LobbyStatusWaiting && begun.Host == player.ID {
		var queued Lobby
		queued, err = player.StartMatchmaking(ctx, player.Config, StartMatchmakingBody{Mode: &mode})
		begun = &queued
	}
	if err != nil {
		return nil, err
	}
	ended := make(chan *Lobby, 1)
	found := make(chan *Game, 1)
	failed := make(chan error, 1)
	search := &search{player: player, begun: begun, isSearching: begun.Status != LobbyStatusWaiting, ended: ended, found: found}
	go func() {
		tell := func(event Event) error { return search.take(ctx, event) }
		err := player.events(ctx, tell, false)
		if err == nil && search.match != nil && search.reason == "replaced" {
			// The game follows its lobby itself. Two streams of a player would replace each other for ever.
			err = player.events(ctx, tell, true)
		}
		if search.match == nil {
			if err == nil {
				err = noMatch(search.reason)
			}
			failed <- err
			return
		}
		if err == nil || err == errFound {
			ended <- search.newest
		} else {
			search.match.err = err
		}
		close(ended)
	}()
	select {
	case match := <-found:
		return match, nil
	case err := <-failed:
		return nil, err
	}
}

type search struct {
	player      *Client
	begun       *Lobby
	newest      *Lobby
	match       *Game
	isSearching bool
	reason      string
	answered    string
	ended       chan *Lobby
	found       chan<- *Game
}

func noMatch(reason string) error {
	return &Error{Code: "NO_MATCH", Detail: "the search ended without a match: " + reason, Reason: reason}
}

// take handles an event of the lobby. errFound: the game is over.
func (search *search) take(ctx context.Context, event Event) error {
	if event.Ended != nil {
		search.reason = string(event.Ended.Reason)
	}
	if event.Type == "closed" {
		search.reason = event.Reason
	}
	if event.Type != "connected" && event.Type != "lobby_updated" {
		return nil
	}
	lobby := event.Lobby
	if search.match != nil {
		if lobby == nil || lobby.ID != search.newest.ID {
			return errFound
		}
		search.newest = lobby
		isSame := lobby.Status == LobbyStatusInGame && lobby.Server != nil && lobby.Server.InstanceID == search.match.Lobby.Server.InstanceID
		if !isSame {
			return errFound
		}
		return nil
	}
	if lobby == nil {
		return noMatch("gone")
	}
	if lobby.ID == search.begun.ID && lobby.Revision < search.begun.Revision {
		return nil
	}
	if host, port, isThere := AddressOf(lobby); isThere {
		match := &Game{Host: host, Port: port, Lobby: lobby, Ended: search.ended}
		if lobby.Server.Ticket != nil {
			match.Ticket = *lobby.Server.Ticket
			match.Team = teamOf(match.Ticket)
		}
		search.match, search.newest = match, lobby
		search.found <- match
		return nil
	}
	if lobby.Status == LobbyStatusWaiting && search.isSearching {
		if search.reason == "" && lobby.Returned != nil {
			search.reason = string(lobby.Returned.Reason)
		}
		return noMatch(search.reason)
	}
	search.isSearching = lobby.Status != LobbyStatusWaiting
	if lobby.Matchmaking != nil && lobby.Matchmaking.Confirmation != nil {
		asked := lobby.Matchmaking.Confirmation
		if !asked.Confirmed && asked.Deadline != search.answered {
			search.answered = asked.Deadline
			go search.player.accept(ctx)
		}
	}
	return nil
}

// accept confirms the match until the service has it.
func (player *Client) accept(ctx context.Context) {
	for try := 0; try < 30; try++ {
		_, err := player.ConfirmMatch(ctx, player.Config)
		var failed *Error
		if !errors.As(err, &failed) || !failed.IsPassing() || pause(ctx, time.Second) != nil {
			return
		}
	}
}

// teamOf is what the player's own ticket claims. The game server verifies it, and the client does not.
func teamOf(ticket string) *int {
	var claims struct{ Team *int }
	if parts := strings.Split(ticket, "."); len(parts) == 3 {
		if text, err := base64.RawURLEncoding.DecodeString(parts[1]); err == nil {
			_ = json.Unmarshal(text, &claims)
		}
	}
	return claims.Team
}
