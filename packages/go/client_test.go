package muster

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is for what comes at once.
const patience = 20 * time.Second

// simulatedMuster does on command what a service does rarely, or at a moment that cannot be chosen.
type simulatedMuster struct {
	*httptest.Server
	mutex        sync.Mutex
	lobby        map[string]any
	streams      []chan string
	calls        chan string
	isMute       bool
	isLeftBefore bool
	over         chan struct{}
}

func newSimulatedMuster(t *testing.T) *simulatedMuster {
	service := &simulatedMuster{lobby: shown("waiting", 1, nil), calls: make(chan string, 1000), over: make(chan struct{})}
	service.Server = httptest.NewServer(service)
	t.Cleanup(func() {
		close(service.over)
		service.Close()
	})
	return service
}

func shown(status string, revision int, hostPlayer any) map[string]any {
	ports := []any{map[string]any{"host": "127.0.0.1", "external_port": 7}}
	if hostPlayer != nil {
		ports = nil
	}
	server := map[string]any{"instance_id": "i", "status": "running", "network_ports": ports, "host_player": hostPlayer}
	lobby := map[string]any{"id": "l", "revision": revision, "status": status, "host": "ann", "players": []any{map[string]any{"id": "ann"}}}
	if status == "in_game" {
		lobby["server"] = server
	}
	return lobby
}

func (service *simulatedMuster) show(lobby map[string]any) {
	service.mutex.Lock()
	defer service.mutex.Unlock()
	service.lobby = lobby
}

func (service *simulatedMuster) ServeHTTP(answer http.ResponseWriter, asked *http.Request) {
	service.mutex.Lock()
	defer service.mutex.Unlock()
	switch {
	case strings.HasSuffix(asked.URL.Path, "/me/events"):
		service.stream(answer, asked)
		return
	case asked.Method == "GET":
		service.calls <- "poll"
	case asked.Method == "DELETE" && service.isLeftBefore:
		answer.WriteHeader(404)
		fmt.Fprint(answer, `{"error":"Lobby not found","detail":"","status":404,"code":"LOBBY_NOT_FOUND"}`)
		return
	case strings.HasSuffix(asked.URL.Path, "/matchmaking"):
		service.lobby = shown("in_queue", 2, nil)
	default:
		service.calls <- asked.URL.Path
	}
	_ = json.NewEncoder(answer).Encode(service.lobby)
}

func (service *simulatedMuster) stream(answer http.ResponseWriter, asked *http.Request) {
	says := make(chan string, 9)
	if !service.isMute {
		for _, each := range service.streams {
			each <- "event: replaced\ndata: null\n\n"
		}
		service.streams = append(service.streams, says)
		answer.Header().Set("content-type", "text/event-stream")
		fmt.Fprint(answer, connected(service.lobby))
		answer.(http.Flusher).Flush()
	}
	service.calls <- "stream"
	service.mutex.Unlock()
	defer service.mutex.Lock()
	for {
		select {
		case frame := <-says:
			fmt.Fprint(answer, frame)
			answer.(http.Flusher).Flush()
		case <-asked.Context().Done():
			return
		case <-service.over:
			return
		}
	}
}

func connected(lobby map[string]any) string {
	text, _ := json.Marshal(lobby)
	return fmt.Sprintf("event: connected\ndata: %s\n\n", text)
}

func (service *simulatedMuster) player() *Client {
	me := NewClient(service.URL, "key", "arena", "ann")
	me.Following.Poll = 10 * time.Millisecond
	return me
}

func next[T any](t *testing.T, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(patience):
		t.Fatal("nothing came")
	}
	return value
}

func (service *simulatedMuster) until(t *testing.T, what string) {
	t.Helper()
	for next(t, service.calls) != what {
	}
}

// hearing follows until the test ends.
func hearing(t *testing.T, me *Client) <-chan Event {
	heard := make(chan Event, 1000)
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	go func() {
		_ = me.Events(ctx, func(event Event) error {
			heard <- event
			return nil
		})
	}()
	return heard
}

// playing is what comes of Play.
func playing(t *testing.T, me *Client) <-chan error {
	failed := make(chan error, 1)
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	go func() {
		_, err := me.Play(ctx, "duel")
		failed <- err
	}()
	return failed
}

func reasonOf(err error) string {
	var failed *Error
	errors.As(err, &failed)
	return failed.Code + " " + failed.Reason
}

func TestAFollowingEndsWhenThePlayerLeaves(t *testing.T) {
	for _, isLeftBefore := range []bool{false, true} {
		service := newSimulatedMuster(t)
		service.isLeftBefore = isLeftBefore
		me := service.player()
		heard := hearing(t, me)
		if first := next(t, heard); first.Type != "connected" {
			t.Fatal(first)
		}
		if err := me.Leave(context.Background()); err != nil {
			t.Fatal(err)
		}
		if last := next(t, heard); last.Type != "closed" || last.Reason != "left" {
			t.Fatal(last)
		}
	}
}

func TestAFollowingThatLeavesReturnsItsOwnError(t *testing.T) {
	me := newSimulatedMuster(t).player()
	own := errors.New("enough")
	err := me.Events(context.Background(), func(Event) error {
		if err := me.Leave(context.Background()); err != nil {
			return err
		}
		return own
	})
	if err != own {
		t.Fatal(err)
	}
}

func TestASearchEndsWhenThePlayerLeaves(t *testing.T) {
	service := newSimulatedMuster(t)
	me := service.player()
	failed := playing(t, me)
	service.until(t, "stream")
	if err := me.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	if reason := reasonOf(next(t, failed)); reason != "NO_MATCH left" {
		t.Fatal(reason)
	}
}

func TestASearchEndsWhenThePlayerIsInNoLobbyOrAnotherOne(t *testing.T) {
	other := shown("waiting", 0, nil)
	other["id"] = "other"
	for want, found := range map[string]map[string]any{"NO_MATCH gone": nil, "NO_MATCH ": other} {
		service := newSimulatedMuster(t)
		failed := playing(t, service.player())
		service.until(t, "stream")
		service.show(found)
		service.streams[0] <- connected(found)
		if reason := reasonOf(next(t, failed)); reason != want {
			t.Fatal(reason)
		}
	}
}

func TestAMatchEndsWhenThePlayerLeaves(t *testing.T) {
	service := newSimulatedMuster(t)
	service.show(shown("in_game", 1, nil))
	me := service.player()
	game, err := me.Play(context.Background(), "duel")
	if err != nil {
		t.Fatal(err)
	}
	if err := me.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	if lobby := next(t, game.Ended); lobby == nil || lobby.Status != LobbyStatusInGame {
		t.Fatal(lobby, game.Err())
	}
}

func TestAMatchGoesOnBesideAFollowing(t *testing.T) {
	service := newSimulatedMuster(t)
	service.show(shown("in_game", 1, nil))
	me := service.player()
	game, err := me.Play(context.Background(), "duel")
	if err != nil {
		t.Fatal(err)
	}
	service.until(t, "stream")
	hearing(t, me)
	service.until(t, "poll")
	service.until(t, "poll")
	select {
	case lobby := <-game.Ended:
		t.Fatal(lobby)
	default:
	}
	service.show(shown("waiting", 2, nil))
	if lobby := next(t, game.Ended); lobby == nil || lobby.Status != LobbyStatusWaiting {
		t.Fatal(lobby, game.Err())
	}
}

func TestWhereNoStreamGetsThroughOneTrialIsBetweenTwoPolls(t *testing.T) {
	service := newSimulatedMuster(t)
	service.isMute = true
	me := service.player()
	me.Following.Connect, me.Following.RetryStream = 200*time.Millisecond, 50*time.Millisecond
	hearing(t, me)
	asked := ""
	for strings.Count(asked, "s") < 4 {
		if call := next(t, service.calls); call == "poll" || call == "stream" {
			asked += call[:1]
		}
	}
	if !regexp.MustCompile("^ssp+sp+s$").MatchString(asked) {
		t.Fatal(asked)
	}
}

func TestAPlayerHostsTheGame(t *testing.T) {
	lobby, err := lobbyOf(shown("in_game", 1, "ben"))
	if host, port, isThere := AddressOf(lobby); host != "ben" || port != 0 || !isThere {
		t.Fatal(host, port, isThere, err)
	}
}

func TestAResultGoesToAServiceBelowAPath(t *testing.T) {
	service := newSimulatedMuster(t)
	t.Setenv("MUSTER_CONFIG", "")
	t.Setenv("MUSTER_JSON", `{"instance_id":"i","token":"t","report_url":"`+service.URL+`/games/v3/servers/i/status","custom_data":{}}`)
	server, err := NewGameServer()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.ReportResult(context.Background(), ReportMatchResultBody{}); err != nil {
		t.Fatal(err)
	}
	if path := next(t, service.calls); path != "/games/v3/servers/i/result" {
		t.Fatal(path)
	}
}

func TestRequestsShareNoConnectionOfHTTP2(t *testing.T) {
	protocols := make(chan string, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		protocols <- asked.Proto
		fmt.Fprint(answer, "{}")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	trusted := filepath.Join(t.TempDir(), "server.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	if err := os.WriteFile(trusted, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	if _, err := NewClient(server.URL, "key", "arena", "ann").GetHealth(context.Background()); err != nil {
		t.Fatal(err)
	}
	if protocol := next(t, protocols); protocol != "HTTP/1.1" {
		t.Fatal(protocol)
	}
}
