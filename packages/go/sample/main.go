// Two bots meet and play: go run ./sample [URL]
package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	muster "muster.example/go"
)

func main() {
	url := "http://127.0.0.1:8787"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	var bots sync.WaitGroup
	for _, name := range []string{"ann", "ben"} {
		bots.Add(1)
		go func(name string) {
			defer bots.Done()
			play(muster.NewClient(url, "client_dev_key", "arena", name))
		}(name)
	}
	bots.Wait()
}

func play(me *muster.Client) {
	ctx := context.Background()
	defer me.Leave(ctx)
	game, err := me.Play(ctx, "duel")
	if err != nil {
		fmt.Println(me.ID+":", err)
		return
	}
	fmt.Printf("%s connects to %s:%d\n", me.ID, game.Host, game.Port)
	if lobby := <-game.Ended; lobby != nil {
		fmt.Println(me.ID, "is back in", lobby.Status)
	}
}
