// Package muster is the client of Muster for Go: players (bots, tools, tests) and game servers, with the standard library
// alone. See Client and GameServer.
package muster

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

// passing are the codes after which the same request may succeed, with nothing changed by the caller.
var passing = map[string]bool{
	"NETWORK": true, "TIMEOUT": true, "BAD_ANSWER": true, "REQUEST_TIMEOUT": true, "RATE_LIMITED": true,
	"STORAGE_FULL": true, "OVERLOADED": true, "UNAVAILABLE": true, "INTERNAL": true,
}

// Error is every failure.
type Error struct {
	// Code is one of the service's (Codes), or NETWORK, TIMEOUT, BAD_ANSWER or NO_MATCH.
	Code   string
	Detail string
	// Status is that of HTTP; 0 when no answer came.
	Status int
	// RetryAfter is what the service asked to wait; 0 if it did not say.
	RetryAfter time.Duration
	// Issues say what is wrong, and where, with VALIDATION_ERROR.
	Issues []ErrorBodyIssue
	// Reason says why there is no match, with NO_MATCH.
	Reason string
}

func (failed *Error) Error() string { return failed.Code + ": " + failed.Detail }

// IsPassing tells whether a retry may help. The call may still have worked.
func (failed *Error) IsPassing() bool { return passing[failed.Code] }

// CodeOf is the code of an Error, and empty for any other error.
func CodeOf(err error) string {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}

// Values for a query or headers. Nil pointers are left out.
type values map[string]string

func (list values) add(name string, value any) {
	of := reflect.ValueOf(value)
	if of.Kind() == reflect.Pointer {
		if of.IsNil() {
			return
		}
		of = of.Elem()
	}
	list[name] = fmt.Sprint(of.Interface())
}

type request struct {
	query, headers values
	body           any
}

func newRequest() *request { return &request{query: values{}, headers: values{}} }

// API has a method for each endpoint.
type API struct {
	// URL is the address of the service, without the version.
	URL string
	// Key is a client key in games. Use a server key only where no player can read it.
	Key string
	// Timeout of a call; 15 s if it is 0.
	Timeout time.Duration
	// HTTP sends the requests; nil: a client without HTTP/2. Its Timeout must be 0, because it would end streams.
	HTTP *http.Client
	// Token is asked for a player token when one is needed. Nil: the service trusts ids.
	Token func(ctx context.Context) (string, error)

	player string
	bearer string
	mutex  sync.Mutex
	token  string
}

// withoutHTTP2 sends what has no HTTP of its own. HTTP/2 shares one connection, and a request that times out does not close it: of one that
// died with its network, all that follow would die (golang/go#36026).
var withoutHTTP2 = &http.Client{Transport: &http.Transport{
	Proxy:               http.ProxyFromEnvironment,
	TLSHandshakeTimeout: 10 * time.Second,
	IdleConnTimeout:     90 * time.Second,
	TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
}}

func (api *API) currentToken(ctx context.Context) (string, error) {
	api.mutex.Lock()
	defer api.mutex.Unlock()
	if api.Token != nil && api.token == "" {
		token, err := api.Token(ctx)
		if err != nil {
			return "", err
		}
		api.token = token
	}
	return api.token, nil
}

func (api *API) forgetToken() {
	api.mutex.Lock()
	api.token = ""
	api.mutex.Unlock()
}

func isRefusedToken(err error) bool {
	code := CodeOf(err)
	return code == "PLAYER_TOKEN_EXPIRED" || code == "PLAYER_TOKEN_INVALID"
}

// send answers whatever HTTP status comes. Its body is unread.
func (api *API) send(ctx context.Context, method, path string, asked *request) (*http.Response, error) {
	var body io.Reader
	kind := "application/json"
	switch given := asked.body.(type) {
	case nil:
	case string:
		body, kind = strings.NewReader(given), "application/x-ndjson"
	default:
		text, err := json.Marshal(given)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	query := url.Values{}
	for name, value := range asked.query {
		query.Set(name, value)
	}
	address := strings.TrimRight(api.URL, "/") + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	token, err := api.currentToken(ctx)
	if err != nil {
		return nil, &Error{Code: "NETWORK", Detail: "there is no player token: " + err.Error()}
	}
	headers := values{"api-key": api.Key, "x-player-id": api.player, "x-player-token": token, "authorization": api.bearer}
	if body != nil {
		headers["content-type"] = kind
	}
	for name, value := range asked.headers {
		headers[name] = value
	}
	for name, value := range headers {
		if value != "" {
			sent.Header.Set(name, headerText(value))
		}
	}
	client := api.HTTP
	if client == nil {
		client = withoutHTTP2
	}
	answer, err := client.Do(sent)
	if err != nil {
		return nil, networkError(ctx, err)
	}
	return answer, nil
}

func networkError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Code: "TIMEOUT", Detail: err.Error()}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Error{Code: "NETWORK", Detail: err.Error()}
}

// call reads the JSON of a 2xx answer. What is refused as too much is asked again while there is time, and what is refused
// for its token once, with a new one.
func (api *API) call(ctx context.Context, method, path string, asked *request, into any) error {
	timeout := api.Timeout
	if timeout == 0 {
		timeout = 15 * time.Second
	}
	until := time.Now().Add(timeout)
	isRenewed := api.Token == nil
	for {
		limited, cancel := context.WithTimeout(ctx, timeout)
		err := api.once(limited, method, path, asked, into)
		cancel()
		var failed *Error
		if !errors.As(err, &failed) {
			return err
		}
		if !isRenewed && isRefusedToken(err) {
			isRenewed = true
			api.forgetToken()
			continue
		}
		wait := failed.RetryAfter
		if wait == 0 {
			wait = time.Second
		}
		// The jitter keeps clients that were refused together from coming back together.
		wait += time.Duration(rand.Float64() * float64(time.Second))
		isUndone := failed.Code == "OVERLOADED" || failed.Code == "RATE_LIMITED"
		if !isUndone || time.Now().Add(wait).After(until) {
			return err
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

func (api *API) once(ctx context.Context, method, path string, asked *request, into any) error {
	answer, err := api.send(ctx, method, path, asked)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return networkError(ctx, err)
	}
	if answer.StatusCode < 200 || answer.StatusCode >= 300 {
		return errorOf(answer, text)
	}
	if plain, isText := into.(*string); isText {
		*plain = string(text)
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		detail := "something else than Muster answers at this address"
		return &Error{Code: "BAD_ANSWER", Detail: detail, Status: answer.StatusCode}
	}
	return nil
}

// open opens the event stream. Any HTTP status is an answer.
func (api *API) open(ctx context.Context, method, path string, asked *request) (*http.Response, error) {
	asked.headers["accept"] = "text/event-stream"
	// Go would ask for gzip by itself, and something between that compresses also holds back.
	asked.headers["accept-encoding"] = "identity"
	return api.send(ctx, method, path, asked)
}

// errorOf is the error of an answer that is not 2xx. What is not the service's own JSON comes from something before it.
func errorOf(answer *http.Response, text []byte) error {
	failed := &Error{Status: answer.StatusCode}
	if seconds, err := strconv.Atoi(answer.Header.Get("retry-after")); err == nil && seconds > 0 {
		failed.RetryAfter = time.Duration(seconds) * time.Second
	}
	var told ErrorBody
	if json.Unmarshal(text, &told) == nil && told.Code != "" {
		failed.Code, failed.Detail, failed.Issues = string(told.Code), told.Detail, told.Issues
		return failed
	}
	failed.Detail = fmt.Sprintf("HTTP %d from something in front of the service", failed.Status)
	failed.Code = map[int]string{429: "RATE_LIMITED", 503: "UNAVAILABLE"}[failed.Status]
	if failed.Code == "" {
		failed.Code = "BAD_ANSWER"
	}
	return failed
}

// headerText is percent-encoded (RFC 8187) if it would not arrive unchanged.
func headerText(text string) string {
	isPlain := strings.TrimSpace(text) == text && !strings.HasPrefix(strings.ToLower(text), "utf-8''")
	for _, each := range text {
		isPlain = isPlain && each >= ' ' && each <= '~'
	}
	if isPlain {
		return text
	}
	return "utf-8''" + url.PathEscape(strings.ToValidUTF8(text, "\ufffd"))
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// backOff is full jitter: a random wait below a ceiling that doubles with each failure, to 30 s.
func backOff(failures int) time.Duration {
	most := math.Min(30, 0.5*math.Pow(2, float64(failures-1)))
	return time.Duration(rand.Float64() * most * float64(time.Second))
}
