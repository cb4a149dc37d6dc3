// What a game server needs of Muster: its match, the seats of its players, and where its result goes.
//
//	go run seat_ticket.go muster.json TICKET            verifies a seat ticket, offline
//	go run seat_ticket.go muster.json --result TEAMS    reports [{"team": 0, "score": 13}, ...]
package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// takesSpectators tells whether players may watch a match in which they have no place.
const takesSpectators = false

// Muster is what a game server reads of its muster.json.
type Muster struct {
	InstanceID string `json:"instance_id"`
	ResultURL  string `json:"result_url"`
	Token      string
	Match      Match `json:"custom_data"`
	SeatKeys   struct {
		Keys []struct{ Kid, X string } `json:"keys"`
	} `json:"seat_keys"`
}

// Match is who plays; after a direct start it is empty, and players have only their tickets.
type Match struct {
	ID    string `json:"match_id"`
	Mode  string `json:"matchmaking_mode"`
	Teams []struct {
		Name    string `json:"team_name"`
		Lobbies []struct {
			ID      string                     `json:"lobby_id"`
			Players map[string]json.RawMessage `json:"player_states"`
		}
		// By player, in modes with roles.
		Roles map[string]string
	}
}

// Team is the result of one team, by its index in the match. All have a rank, or all have a score.
type Team struct {
	Team  int      `json:"team"`
	Rank  int      `json:"rank,omitempty"`
	Score *float64 `json:"score,omitempty"`
}

// Seat is what a ticket says; Match, Team and Role are nil where there is none.
type Seat struct {
	Sub, Aud string
	Exp      int64
	Match    *string
	Team     *int
	Role     *string
}

// ReadMuster reads muster.json, whose path is in MUSTER_CONFIG.
func ReadMuster(path string) (muster Muster, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &muster)
	}
	return muster, err
}

// ReportResult reports the result, and again while the service is away: the same result again changes nothing.
func ReportResult(muster Muster, teams []Team) error {
	body, err := json.Marshal(map[string][]Team{"teams": teams})
	if err != nil {
		return err
	}
	client := http.Client{Timeout: 15 * time.Second}
	for try := 1; ; try++ {
		passes, err := report(&client, muster, body)
		if !passes || try == 20 {
			return err
		}
		time.Sleep(time.Duration(try) * time.Second)
	}
}

// report tells whether another try may help.
func report(client *http.Client, muster Muster, body []byte) (passes bool, err error) {
	request, err := http.NewRequest("POST", muster.ResultURL, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header.Set("Authorization", "Bearer "+muster.Token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return true, err
	}
	defer answer.Body.Close()
	if answer.StatusCode == 200 {
		return false, nil
	}
	text, _ := io.ReadAll(answer.Body)
	status := answer.StatusCode
	return status >= 500 || status == 429 || status == 408, fmt.Errorf("%d: %s", status, text)
}

// SeatOf answers the seat a ticket is for, or why it is none of this server's.
func SeatOf(ticket string, muster Muster, now time.Time) (seat Seat, err error) {
	parts := strings.Split(ticket, ".")
	if len(parts) != 3 {
		return seat, errors.New("no seat ticket of this project")
	}
	var header struct{ Kid, Typ, Alg string }
	if err = read(parts[0], &header); err != nil {
		return seat, err
	}
	var public []byte
	for _, key := range muster.SeatKeys.Keys {
		if key.Kid == header.Kid && header.Typ == "muster-seat+jwt" && header.Alg == "EdDSA" {
			public, _ = base64.RawURLEncoding.DecodeString(key.X)
		}
	}
	if len(public) != ed25519.PublicKeySize {
		return seat, errors.New("no seat ticket of this project")
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	if !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), signature) {
		return seat, errors.New("not signed by Muster")
	}
	if err = read(parts[1], &seat); err != nil {
		return seat, err
	}
	if seat.Aud != muster.InstanceID {
		return seat, errors.New("for another server")
	}
	if seat.Exp <= now.Unix() {
		return seat, errors.New("expired")
	}
	if seat.Match != nil && seat.Team == nil && !takesSpectators {
		return seat, errors.New("no place in the match")
	}
	return seat, nil
}

func read(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func main() {
	muster, err := ReadMuster(os.Args[1])
	if err == nil && os.Args[2] == "--result" {
		var teams []Team
		if err = json.Unmarshal([]byte(os.Args[3]), &teams); err == nil {
			err = ReportResult(muster, teams)
		}
		if err == nil {
			fmt.Println("reported for", len(muster.Match.Teams), "teams of", muster.Match.Mode)
			return
		}
	}
	var seat Seat
	if err == nil {
		seat, err = SeatOf(os.Args[2], muster, time.Now())
	}
	if err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
	team, role := "null", "null"
	if seat.Team != nil {
		team = fmt.Sprint(*seat.Team)
	}
	if seat.Role != nil {
		role = *seat.Role
	}
	fmt.Printf("%s team %s role %s\n", seat.Sub, team, role)
}
