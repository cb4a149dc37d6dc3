// Verifies a seat ticket of Muster, offline: go run seat_ticket.go muster.json TICKET
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// takesSpectators tells whether players may watch a match in which they have no place.
const takesSpectators = false

// Muster is what a game server reads of its muster.json.
type Muster struct {
	InstanceID string `json:"instance_id"`
	SeatKeys   struct {
		Keys []struct{ Kid, X string } `json:"keys"`
	} `json:"seat_keys"`
}

// Seat is what a ticket says; Match, Team and Role are nil where there is none.
type Seat struct {
	Sub, Aud string
	Exp      int64
	Match    *string
	Team     *int
	Role     *string
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
	var muster Muster
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &muster)
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
