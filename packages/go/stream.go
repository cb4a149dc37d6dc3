package muster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// steady is how long a stream lasts that ends a row of failures.
const steady = 10 * time.Second

// mostMute streams in a row without a first event, and polling takes over.
const mostMute = 2

// Event is what happened. Type is connected, lobby_updated, queue_stats, matchmaking_timeout, signal, signals_lost,
// lobby_deleted or, as the last one, closed.
type Event struct {
	Type string
	// Lobby is there with connected and lobby_updated; nil: the player is in none.
	Lobby  *Lobby
	Stats  *QueueStatsEvent
	Ended  *MatchmakingEnded
	Signal *Signal
	// Reason says why it closed: deleted, kicked, left, replaced or gone.
	Reason string
}

// Following says how the lobby is followed. What is 0 has its default.
type Following struct {
	// Connect is how long a stream has for its first event: 10 s.
	Connect time.Duration
	// Silence without a byte means that a stream is dead: 45 s.
	Silence time.Duration
	// Poll is the time between two polls, 3 s, where no stream gets through; and Heartbeat that between heartbeats: 10 s.
	Poll, Heartbeat time.Duration
	// RetryStream is how long it polls before it tries a stream again: 60 s.
	RetryStream time.Duration
	// OnState is called with connecting, streaming, waiting or polling.
	OnState func(state string)
}

func (how Following) filled() Following {
	set := func(at *time.Duration, usual time.Duration) {
		if *at == 0 {
			*at = usual
		}
	}
	set(&how.Connect, 10*time.Second)
	set(&how.Silence, 45*time.Second)
	set(&how.Poll, 3*time.Second)
	set(&how.Heartbeat, 10*time.Second)
	set(&how.RetryStream, time.Minute)
	return how
}

type follower struct {
	player *Client
	how    Following
	tell   func(Event) error
	state  string
	known  *Lobby
	// shown is the lobby as a stream showed it, for the changes that follow; nil: none did.
	shown     any
	shownID   string
	revision  int
	lastID    string
	failures  int
	atLeast   time.Duration
	mute      int
	isRefused bool
	departed  int64
}

// errOver ends the following; its reason is told.
type errOver string

func (over errOver) Error() string { return string(over) }

// Events calls tell with each event of the player's lobby until the lobby is over for the player. It reconnects, goes on where
// it stopped, and polls where no stream gets through. It returns early with what tell returns, with ctx.Err(), or with what
// waiting cannot mend, such as a wrong key.
func (player *Client) Events(ctx context.Context, tell func(Event) error) error {
	return player.events(ctx, tell, false)
}

// events does so; polls: without a stream.
func (player *Client) events(ctx context.Context, tell func(Event) error, polls bool) error {
	each := &follower{player: player, how: player.Following.filled(), tell: tell}
	each.departed = atomic.LoadInt64(&player.departures)
	left := player.whenLeft()
	within, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-left:
			end()
		case <-within.Done():
		}
	}()
	for {
		run := each.stream
		if polls || each.mute >= mostMute {
			run = each.poll
		}
		err := run(within)
		if within.Err() != nil && ctx.Err() == nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = errOver("left")
		}
		var over errOver
		if errors.As(err, &over) {
			return tell(Event{Type: "closed", Reason: string(over)})
		}
		if err != nil {
			return err
		}
		if each.failures > 0 && each.mute < mostMute {
			each.enter("waiting")
			wait := each.atLeast + backOff(each.failures)
			each.atLeast = 0
			_ = pause(within, wait) // What ended it, the next run finds.
		}
	}
}

func (each *follower) enter(state string) {
	if each.state != state {
		each.state = state
		if each.how.OnState != nil {
			each.how.OnState(state)
		}
	}
}

// failed notes a failure that may pass, and returns any other.
func (each *follower) failed(ctx context.Context, err error) error {
	var failed *Error
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !errors.As(err, &failed) || !failed.IsPassing() {
		return err
	}
	each.failures++
	each.atLeast = failed.RetryAfter
	return nil
}

func (each *follower) stream(ctx context.Context) error {
	each.enter("connecting")
	var openedAt time.Time
	err := each.read(ctx, func(name, data, id string) error {
		if name == "replaced" {
			return errOver("replaced")
		}
		isFirst := openedAt.IsZero()
		if isFirst {
			openedAt = time.Now()
		}
		each.mute = 0
		each.enter("streaming")
		return each.take(name, []byte(data), id, isFirst)
	})
	var failed *Error
	isEnd := err == io.EOF // A clean end comes from a proxy, which may be buffering everything.
	if !isEnd && !errors.As(err, &failed) {
		return err
	}
	if !openedAt.IsZero() && time.Since(openedAt) > steady {
		each.failures = 0
	}
	if openedAt.IsZero() && (isEnd || failed.Code == "BAD_ANSWER" || failed.Code == "TIMEOUT") {
		each.mute++
	}
	if isEnd {
		each.failures++
		return nil
	}
	isRefusal := each.player.Token != nil && isRefusedToken(err)
	isFirst := isRefusal && !each.isRefused
	each.isRefused = isRefusal
	if isRefusal {
		each.player.forgetToken()
	}
	if isFirst {
		return nil
	}
	return each.failed(ctx, err)
}

// read reads one connection. It returns io.EOF after a clean end.
func (each *follower) read(ctx context.Context, event func(name, data, id string) error) error {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	isLate := int32(0)
	timer := time.AfterFunc(each.how.Connect, func() {
		atomic.StoreInt32(&isLate, 1)
		cancel()
	})
	defer timer.Stop()
	broken := func(err error) error {
		if atomic.LoadInt32(&isLate) == 1 && ctx.Err() == nil {
			return &Error{Code: "TIMEOUT", Detail: "the stream fell silent"}
		}
		return networkError(ctx, err)
	}
	answer, err := each.open(limited)
	if err != nil {
		var failed *Error
		if errors.As(err, &failed) && failed.Code != "NETWORK" {
			return err
		}
		return broken(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		text, _ := io.ReadAll(answer.Body)
		return errorOf(answer, text)
	}
	if !strings.HasPrefix(answer.Header.Get("content-type"), "text/event-stream") {
		return &Error{Code: "BAD_ANSWER", Detail: "not an event stream", Status: 200}
	}
	// A Scanner would stop at a line of 64 KiB, and a lobby can be longer.
	lines := bufio.NewReader(answer.Body)
	name, id := "", ""
	var data []string
	isOpen := false
	for {
		line, err := lines.ReadString('\n')
		if err == nil {
			err = limited.Err() // What was read ahead is not told after the end.
		}
		if err == io.EOF {
			return io.EOF
		}
		if err != nil {
			return broken(err)
		}
		if isOpen {
			timer.Reset(each.how.Silence)
		}
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if len(data) > 0 {
				isOpen = true
				timer.Reset(each.how.Silence)
				if err := event(name, strings.Join(data, "\n"), id); err != nil {
					return err
				}
			}
			name, data = "", nil
		case field == "" && value == "token expired":
			each.player.forgetToken()
		case field == "event":
			name = value
		case field == "data":
			data = append(data, value)
		case field == "id":
			id = value
		}
	}
}

func (each *follower) open(ctx context.Context) (*http.Response, error) {
	changes := "1"
	options := StreamEventsOptions{Changes: &changes}
	if each.lastID != "" {
		options.LastEventID = &each.lastID
		if each.shown != nil {
			options.Lobby = &each.shownID
		}
	}
	return each.player.StreamEvents(ctx, each.player.Config, options)
}

// take makes the event for the game of what a stream said. What only newer clients know is dropped.
func (each *follower) take(name string, data []byte, id string, isFirst bool) error {
	unread := func(err error) error {
		return &Error{Code: "BAD_ANSWER", Detail: "an event is not understood: " + err.Error(), Status: 200}
	}
	told := Event{Type: name}
	var err error
	switch name {
	case "connected", "lobby_updated":
		var raw any
		if err = json.Unmarshal(data, &raw); err == nil {
			told.Lobby, err = each.see(raw, id, name == "lobby_updated")
		}
		if err == nil && name == "lobby_updated" && told.Lobby == nil {
			return nil
		}
	case "lobby_changed":
		var change LobbyChange
		if err = json.Unmarshal(data, &change); err == nil {
			told.Lobby, err = each.change(change, id)
		}
		told.Type = "lobby_updated"
		if isFirst {
			told.Type = "connected"
		}
	case "queue_stats":
		err = json.Unmarshal(data, &told.Stats)
	case "matchmaking_timeout":
		err = json.Unmarshal(data, &told.Ended)
	case "signal":
		err = json.Unmarshal(data, &told.Signal)
	case "signals_lost", "lobby_deleted":
	default:
		return nil
	}
	if err != nil {
		return unread(err)
	}
	if err := each.tell(told); err != nil {
		return err
	}
	return each.over(told)
}

// see remembers a state that a stream showed. Nil, with isUpdate: it is not newer than the one that is known.
func (each *follower) see(raw any, id string, isUpdate bool) (*Lobby, error) {
	lobby, err := lobbyOf(raw)
	if err != nil {
		return nil, err
	}
	if isUpdate && each.known != nil && each.known.ID == lobby.ID && lobby.Revision <= each.known.Revision {
		return nil, nil
	}
	each.known, each.shown, each.lastID = lobby, raw, id
	if lobby == nil {
		each.shown, each.lastID = nil, ""
	} else {
		each.shownID, each.revision = lobby.ID, lobby.Revision
	}
	return lobby, nil
}

func lobbyOf(raw any) (lobby *Lobby, err error) {
	text, err := json.Marshal(raw)
	if err == nil {
		err = json.Unmarshal(text, &lobby)
	}
	return lobby, err
}

// change applies operations. Without the lobby that they begin from, the whole one is asked for, in a new stream.
func (each *follower) change(change LobbyChange, id string) (*Lobby, error) {
	before := each.shown
	each.shown = nil
	if before == nil || each.revision != change.From {
		each.lastID = ""
		return nil, fmt.Errorf("a change begins from revision %d, which is not known", change.From)
	}
	for _, op := range change.Ops {
		keys := strings.Split(op.Path, "/")[1:]
		made, err := operated(before, keys, op)
		if err != nil {
			each.lastID = ""
			return nil, err
		}
		before = made
	}
	return each.see(before, id, false)
}

// operated is the value after one operation of RFC 6902 at that place in it.
func operated(value any, keys []string, op LobbyChangeOp) (any, error) {
	if len(keys) == 0 {
		return op.Value, nil
	}
	key := strings.ReplaceAll(strings.ReplaceAll(keys[0], "~1", "/"), "~0", "~")
	isHere, isNew, isGone := len(keys) == 1, op.Op == "add", op.Op == "remove"
	switch in := value.(type) {
	case []any:
		at, err := strconv.Atoi(key)
		if key == "-" {
			at, err = len(in), nil
		}
		if err != nil || at < 0 || at > len(in) || at == len(in) && !(isHere && isNew) {
			return nil, fmt.Errorf("%s does not fit the lobby", op.Path)
		}
		if isHere && isGone {
			return append(append([]any{}, in[:at]...), in[at+1:]...), nil
		}
		if isHere && isNew {
			return append(append(append([]any{}, in[:at]...), op.Value), in[at:]...), nil
		}
		made, err := operated(in[at], keys[1:], op)
		in[at] = made
		return in, err
	case map[string]any:
		if isHere && isGone {
			delete(in, key)
			return in, nil
		}
		made, err := operated(in[key], keys[1:], op)
		in[key] = made
		return in, err
	}
	return nil, fmt.Errorf("%s does not fit the lobby", op.Path)
}

// over says why the lobby is over for the player, as an errOver. Nil: it goes on.
func (each *follower) over(told Event) error {
	reason := ""
	if told.Type == "lobby_deleted" {
		reason = "deleted"
	} else if told.Type == "lobby_updated" && told.Lobby.As == nil {
		reason = "kicked"
		for _, member := range told.Lobby.Players {
			if member.ID == each.player.ID {
				return nil
			}
		}
	}
	if reason == "" {
		return nil
	}
	return each.closing(reason)
}

func (each *follower) closing(reason string) error {
	if atomic.LoadInt64(&each.player.departures) != each.departed {
		return errOver("left")
	}
	return errOver(reason)
}

func (each *follower) poll(ctx context.Context) error {
	each.mute = mostMute - 1 // One more such stream, and it polls again.
	since, beatAt, isFirst := time.Now(), time.Time{}, true
	for {
		lobby, err := each.player.FindMyLobby(ctx)
		if err == nil && lobby != nil && time.Since(beatAt) >= each.how.Heartbeat {
			beatAt = time.Now()
			_, err = each.player.SendHeartbeat(ctx, each.player.Config)
			if CodeOf(err) == "LOBBY_NOT_FOUND" {
				err = nil
			}
		}
		if err != nil {
			return each.failed(ctx, err)
		}
		each.failures = 0
		each.enter("polling")
		before := each.known
		each.known, each.shown, each.lastID = lobby, nil, ""
		if lobby == nil && before != nil {
			return each.closing("gone")
		}
		told := Event{Lobby: lobby}
		if isFirst || (lobby == nil) != (before == nil) || lobby != nil && lobby.ID != before.ID {
			told.Type = "connected"
		} else if lobby != nil && lobby.Revision > before.Revision {
			told.Type = "lobby_updated"
		}
		if told.Type != "" {
			if err := each.tell(told); err != nil {
				return err
			}
		}
		isFirst = false
		wait := each.how.Poll
		if each.how.Heartbeat < wait {
			wait = each.how.Heartbeat
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
		if time.Since(since) >= each.how.RetryStream {
			return nil
		}
	}
}
