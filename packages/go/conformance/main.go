// The conformance of this package: prints the lines of packages/conformance/steps.json.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	muster "muster.example/go"
)

var (
	url, key, config, player, scenario, extra = os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
	ctx                                       = context.Background()
	tokens                                    = 0
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func refused(what string, err error) {
	var failed *muster.Error
	if !errors.As(err, &failed) {
		fmt.Println(what, "worked", err)
		return
	}
	words := []any{what, failed.Code, failed.Status}
	for _, issue := range failed.Issues {
		words = append(words, issue.Path)
	}
	fmt.Println(words...)
}

func client() *muster.Client {
	me := muster.NewClient(url, key, config, player)
	me.Following = muster.Following{
		Connect: 4 * time.Second, Silence: 3 * time.Second, Poll: 300 * time.Millisecond, Heartbeat: time.Second,
		OnState: func(state string) {
			if state == "polling" {
				fmt.Println("state polling")
			}
		},
	}
	if scenario == "calls" || scenario == "token" {
		me.Token = func(context.Context) (string, error) {
			tokens++
			return fmt.Sprintf("t%d", tokens), nil
		}
	}
	return me
}

func calls() {
	me := client()
	must(me.GetHealth(ctx))
	fmt.Println("health ok")
	fmt.Println("where_am_i", len(must(me.WhereAmI(ctx))))
	den := muster.CreateLobbyBody{Name: "Den"}
	must(me.CreateLobby(ctx, config, den))
	fmt.Println("create ok")
	_, err := me.CreateLobby(ctx, config, den)
	refused("create again", err)
	fmt.Println("where_am_i", len(must(me.WhereAmI(ctx))))
	state := map[string]any{"text": `zwölf 😀 "quoted"`}
	lobby := must(me.UpdateMyState(ctx, config, muster.UpdateMyStateBody{State: state}, muster.UpdateMyStateOptions{}))
	fmt.Println("state", lobby.Players[0].State["text"])
	name, none := "Den", 0
	set := must(me.UpdateLobbySettings(ctx, config, muster.UpdateLobbySettingsBody{Name: &name}, muster.UpdateLobbySettingsOptions{}))
	fmt.Println("settings", set.Name)
	_, err = me.UpdateLobbySettings(ctx, config, muster.UpdateLobbySettingsBody{MaxPlayers: &none}, muster.UpdateLobbySettingsOptions{})
	refused("settings wrong", err)
	fmt.Println("moved", must(me.MoveTo(ctx, config, muster.MoveToBody{Config: "hall"})).Config)
	_, err = me.MoveTo(ctx, config, muster.MoveToBody{Config: "nosuch"})
	refused("move unknown", err)
	_, err = me.Rematch(ctx, config)
	refused("rematch", err)
	mode := "nosuch"
	_, err = me.StartMatchmaking(ctx, config, muster.StartMatchmakingBody{Mode: &mode})
	refused("mode unknown", err)
	must(0, me.Leave(ctx))
	fmt.Println("leave ok")
	must(0, me.Leave(ctx))
	fmt.Println("leave again ok")
	_, err = me.GetMyLobby(ctx, config, muster.GetMyLobbyOptions{})
	refused("lobby gone", err)
	found := must(me.FindMyLobby(ctx))
	fmt.Println("find", map[bool]string{true: "none", false: "one"}[found == nil])
	must(me.QuickJoin(ctx, muster.QuickJoinBody{Create: muster.QuickJoinBodyCreate{Name: "Den"}}))
	fmt.Println("token renewed")
	must(me.SendHeartbeat(ctx, config))
	must(0, me.Leave(ctx))
	fmt.Println("leave ok")
	fmt.Println("retry after 503 ok")
	_, err = me.DeclineMatch(ctx, config)
	refused("not Muster", err)
	_, err = muster.NewClient(url, "nosuch", config, player).WhereAmI(ctx)
	refused("wrong key", err)
	_, err = muster.NewClient("http://127.0.0.1:1", key, config, player).WhereAmI(ctx)
	refused("nobody there", err)
}

func follow(me *muster.Client) {
	shown, at := "", config
	must(0, me.Events(ctx, func(event muster.Event) error {
		switch {
		case event.Lobby != nil:
			mark, isMarked := event.Lobby.Settings["mark"]
			if !isMarked {
				mark = "-"
			}
			if event.Lobby.Config != at {
				at = event.Lobby.Config
				fmt.Println("moved", at)
			}
			line := fmt.Sprint("lobby ", event.Lobby.Status, " ", len(event.Lobby.Players), " ", mark)
			isHere := event.Lobby.As != nil
			for _, member := range event.Lobby.Players {
				isHere = isHere || member.ID == player
			}
			if line != shown && isHere {
				fmt.Println(line)
				if mark == "leave" {
					must(0, me.Leave(ctx))
					fmt.Println("leave ok")
				}
			}
			shown = line
		case event.Type == "matchmaking_timeout":
			fmt.Println("search ended", event.Ended.Reason)
		case event.Type == "signal":
			fmt.Println("signal", event.Signal.Data.(map[string]any)["text"])
		case event.Type == "closed":
			fmt.Println("closed", event.Reason)
		}
		return nil
	}))
}

func joined() {
	me := client()
	must(me.JoinLobby(ctx, config, muster.JoinLobbyBody{Code: &extra}))
	fmt.Println("join ok")
	follow(me)
}

func created() {
	me := client()
	isPrivate := true
	must(me.CreateLobby(ctx, config, muster.CreateLobbyBody{Name: "Den", IsPrivate: &isPrivate}))
	fmt.Println("create ok")
	follow(me)
}

func play() {
	me := client()
	game := must(me.Play(ctx, "solo"))
	fmt.Printf("in_game %s:%d\n", game.Host, game.Port)
	fmt.Println("ticket of team", *game.Team)
	fmt.Println("ended", (<-game.Ended).Status)
	game = must(me.Play(ctx, "agreed"))
	fmt.Printf("confirmed %s:%d\n", game.Host, game.Port)
	fmt.Println("ended", (<-game.Ended).Status)
	_, err := me.Play(ctx, "never")
	var failed *muster.Error
	errors.As(err, &failed)
	fmt.Println("no match", failed.Reason)
}

func lost() {
	me := client()
	must(me.JoinLobby(ctx, config, muster.JoinLobbyBody{Code: &extra}))
	fmt.Println("join ok")
	_, err := me.Play(ctx, "large")
	var failed *muster.Error
	errors.As(err, &failed)
	fmt.Println("no match", failed.Reason)
}

func watch() {
	me := client()
	as := muster.JoinLobbyBodyAsSpectator
	must(me.JoinLobby(ctx, config, muster.JoinLobbyBody{Code: &extra, As: &as}))
	fmt.Println("watch ok")
	game := must(me.Play(ctx, "solo"))
	fmt.Printf("watching %s:%d\n", game.Host, game.Port)
	if game.Ticket != "" && game.Team == nil {
		fmt.Println("ticket of no team")
	}
	fmt.Println("ended", (<-game.Ended).Status)
	follow(me)
}

var errShown = errors.New("it is shown")

func shows(me *muster.Client, holds func(*muster.Lobby) bool) (found *muster.Lobby) {
	err := me.Follow(ctx, func(lobby *muster.Lobby) error {
		if lobby == nil || !holds(lobby) {
			return nil
		}
		found = lobby
		return errShown
	})
	if err != errShown {
		must(0, err)
	}
	return found
}

func rematch() {
	me := client()
	game := must(me.Play(ctx, "duel"))
	fmt.Printf("in_game %s:%d\n", game.Host, game.Port)
	fmt.Println("ended", (<-game.Ended).Status)
	asked := shows(me, func(lobby *muster.Lobby) bool { return lobby.Rematch != nil }).Rematch
	fmt.Println("rematch", asked.Yes, "of", asked.Needed)
	must(me.Rematch(ctx, config))
	host, port, _ := muster.AddressOf(shows(me, func(lobby *muster.Lobby) bool {
		_, _, isThere := muster.AddressOf(lobby)
		return isThere
	}))
	fmt.Printf("again %s:%d\n", host, port)
	fmt.Println("ended", shows(me, func(lobby *muster.Lobby) bool { return lobby.Status == muster.LobbyStatusWaiting }).Status)
	asked = must(me.Rematch(ctx, config)).Rematch
	fmt.Println("rematch", asked.Yes, "of", asked.Needed)
	shows(me, func(lobby *muster.Lobby) bool { return lobby.Rematch == nil })
	fmt.Println("no rematch")
}

func server() {
	game := must(muster.NewGameServer())
	players := game.Players()
	fmt.Println("match", game.Match.Mode, len(players))
	seat := must(game.SeatOf(extra))
	fmt.Println("seat", map[bool]string{true: "in its team", false: "elsewhere"}[*seat.Team == players[seat.Player]])
	_, err := game.SeatOf(extra[:len(extra)-4] + "AAAA")
	fmt.Println("forged", map[bool]string{true: "refused", false: "taken"}[err != nil])
	result := func(first, second float64) error {
		return game.ReportResult(ctx, muster.ReportMatchResultBody{
			Teams: []muster.ReportMatchResultBodyTeam{{Team: 0, Score: &first}, {Team: 1, Score: &second}},
		})
	}
	must(0, result(3, 1))
	fmt.Println("result ok")
	must(0, result(3, 1))
	fmt.Println("result once")
	refused("other result", result(0, 9))
}

func main() {
	map[string]func(){
		"calls": calls, "follow": joined, "token": joined, "poll": joined, "replaced": created, "deleted": created, "play": play,
		"lost": lost, "watch": watch, "rematch": rematch, "server": server,
	}[scenario]()
}
