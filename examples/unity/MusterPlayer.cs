// One player of a Muster service, from Unity: its lobby, its calls, its event stream.
// The raw protocol by UnityWebRequest and JsonUtility; see README.md beside this file.
// What must hold: the lobby shown is the newest that was told, by its revision.

using System;
using System.Collections;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

namespace Muster
{
    public sealed class MusterPlayer : MonoBehaviour
    {
        /// Seconds until a stream must have sent its first event, and without a byte until it is dead.
        const float ConnectSeconds = 10f, SilenceSeconds = 45f;
        const float PollSeconds = 3f, HeartbeatSeconds = 10f, RetryStreamSeconds = 300f;
        /// So many streams in a row without an event, and polling takes over.
        const int MuteStreams = 2;

        public string baseUrl = "http://127.0.0.1:8787";
        /// The client key: a game never holds the server key.
        public string apiKey = "client_dev_key";
        public string config = "arena";
        /// Whoever says it is this player is believed, unless the project wants player tokens.
        public string playerId = "ann";
        public string playerToken = "";
        /// Fetches a token from your backend into `playerToken`, for projects that want one. Started when the
        /// service asks for a token, and when the one it has is over.
        public Func<IEnumerator> RefreshToken;

        /// Null while the player is in no lobby.
        public Lobby Lobby { get; private set; }
        public QueueStats Queue { get; private set; }

        /// The player's seat ticket: the first thing to send to the game server, which knows the player by it.
        public string Ticket { get { return Lobby == null || Lobby.server == null ? null : Lobby.server.ticket; } }

        public event Action<Lobby> LobbyChanged;
        /// A search is over without a game: `timeout`, `declined`, `launch_failed`, ...
        public event Action<string> SearchEnded;
        /// The lobby is over for this player: `left`, `deleted`, `kicked`, `replaced`, `gone`, `refused`.
        public event Action<string> Closed;
        /// The game server runs: connect to it. Told once a server.
        public event Action<string, int> GameReady;
        /// Another player of the lobby or match has sent a signal: the JSON of `from` and `data`.
        public event Action<string> SignalHeard;
        /// Signals to this player may be lost: begin anew what they were for.
        public event Action SignalsLost;
        /// What the service refused: its `code`, and its `detail` for the log.
        public event Action<string, string> Refused;

        UnityWebRequest stream;
        string lastId, connectedTo, over;
        bool isFollowing;

        public void Create(string name, int maxPlayers, PlayerState state)
        {
            var body = new CreateBody { name = name, maxPlayers = maxPlayers, state = state };
            Enter(Send("POST", "", JsonUtility.ToJson(body)));
        }

        public void Join(string code, PlayerState state)
        {
            Enter(Send("POST", "/join", JsonUtility.ToJson(new JoinBody { code = code, state = state })));
        }

        public void SetState(PlayerState state)
        {
            StartCoroutine(Send("PATCH", "/me", JsonUtility.ToJson(new StateBody { state = state })));
        }

        public void StartMatchmaking(string mode)
        {
            StartCoroutine(Send("POST", "/me/matchmaking", JsonUtility.ToJson(new ModeBody { mode = mode })));
        }

        public void CancelMatchmaking() { StartCoroutine(Send("DELETE", "/me/matchmaking")); }
        public void ConfirmMatch() { StartCoroutine(Send("POST", "/me/confirm-match")); }
        public void DeclineMatch() { StartCoroutine(Send("DELETE", "/me/confirm-match")); }
        /// `body` is the JSON of `to` (a player, or `all`) and `data`, up to 4 KiB.
        public void SendSignal(string body) { StartCoroutine(Send("POST", "/me/signals", body)); }
        public void StartGame() { StartCoroutine(Send("POST", "/me/start")); }
        public void EndMatch() { StartCoroutine(Send("POST", "/me/end-match")); }
        public void Leave() { StartCoroutine(SendLeave()); }

        /// Goes on where the player was: after a restart of the game, say.
        public void Resume() { Enter(Send("GET", "/me")); }

        void OnDisable()
        {
            // A component that is only disabled would keep its coroutines.
            StopAllCoroutines();
            if (stream != null)
            {
                stream.Abort();
                stream.Dispose();
                stream = null;
            }
            isFollowing = false;
        }

        /// Makes the call, and follows the lobby that it leads to.
        void Enter(IEnumerator call)
        {
            over = null;
            StartCoroutine(call);
            if (!isFollowing)
            {
                isFollowing = true;
                StartCoroutine(Follow());
            }
        }

        UnityWebRequest Request(string method, string path, DownloadHandler into)
        {
            var url = baseUrl + "/v3/lobbies/" + Uri.EscapeDataString(config) + path;
            var request = new UnityWebRequest(url, method) { downloadHandler = into };
            request.SetRequestHeader("api-key", apiKey);
            // Percent-encoded (RFC 8187): a header carries no more than ASCII everywhere.
            request.SetRequestHeader("x-player-id", "utf-8''" + Uri.EscapeDataString(playerId));
            if (playerToken != "")
            {
                request.SetRequestHeader("x-player-token", playerToken);
            }
            return request;
        }

        /// Whether the service wants another token, and somebody can fetch one.
        bool WantsToken(UnityWebRequest request)
        {
            var problem = request.responseCode == 401 ? ProblemIn(request.downloadHandler.text) : null;
            return RefreshToken != null && problem != null && problem.code.StartsWith("PLAYER_TOKEN", StringComparison.Ordinal);
        }

        IEnumerator Send(string method, string path, string json = null, bool isAgain = false)
        {
            var wantsToken = false;
            using (var request = Request(method, path, new DownloadHandlerBuffer()))
            {
                if (json != null)
                {
                    request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(json));
                    request.SetRequestHeader("Content-Type", "application/json");
                }
                request.timeout = 30;
                yield return request.SendWebRequest();
                if (request.result == UnityWebRequest.Result.Success)
                {
                    Show(JsonUtility.FromJson<Lobby>(request.downloadHandler.text));
                }
                else if (!isAgain && WantsToken(request))
                {
                    wantsToken = true;
                }
                else
                {
                    Tell(request);
                }
            }
            if (wantsToken)
            {
                yield return RefreshToken();
                yield return Send(method, path, json, true);
            }
        }

        IEnumerator SendLeave(bool isAgain = false)
        {
            var wantsToken = false;
            using (var request = Request("DELETE", "/me", new DownloadHandlerBuffer()))
            {
                yield return request.SendWebRequest();
                if (request.result == UnityWebRequest.Result.Success)
                {
                    over = "left";
                }
                else if (!isAgain && WantsToken(request))
                {
                    wantsToken = true;
                }
                else
                {
                    Tell(request);
                }
            }
            if (wantsToken)
            {
                yield return RefreshToken();
                yield return SendLeave(true);
            }
        }

        void Tell(UnityWebRequest request)
        {
            var isAnswer = request.result == UnityWebRequest.Result.ProtocolError;
            var problem = isAnswer ? ProblemIn(request.downloadHandler.text) : null;
            if (Refused != null)
            {
                Refused(problem == null ? "NETWORK" : problem.code, problem == null ? request.error : problem.detail);
            }
        }

        /// Null for what is no answer of the service: some proxy's error page, say.
        static Problem ProblemIn(string text)
        {
            try
            {
                var problem = JsonUtility.FromJson<Problem>(text);
                return problem == null || string.IsNullOrEmpty(problem.code) ? null : problem;
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// Keeps a stream open until the lobby is over, and asks every few seconds where none gets through.
        IEnumerator Follow()
        {
            var failures = 0;
            var mute = 0;
            var wasRefused = false;
            while (over == null)
            {
                if (mute >= MuteStreams)
                {
                    yield return Poll();
                    mute = 0;
                    continue;
                }
                var events = new EventStream(Take);
                var begunAt = Time.realtimeSinceStartup;
                stream = Request("GET", "/me/events", events);
                stream.SetRequestHeader("Accept", "text/event-stream");
                if (lastId != null)
                {
                    stream.SetRequestHeader("Last-Event-ID", lastId);
                }
                var sending = stream.SendWebRequest();
                while (!sending.isDone && over == null && events.Silence < (events.IsOpen ? SilenceSeconds : ConnectSeconds))
                {
                    yield return null;
                }
                var status = stream.responseCode;
                stream.Abort();
                stream.Dispose();
                stream = null;
                var isRefused = status == 401 && RefreshToken != null;
                var wantsToken = events.IsTokenOver || (isRefused && !wasRefused);
                wasRefused = isRefused;
                var isForGood = status == 400 || status == 401 || status == 403;
                over = over ?? (isForGood && !wantsToken ? "refused" : null);
                if (over == null && wantsToken && RefreshToken != null)
                {
                    yield return RefreshToken();
                }
                mute = events.IsOpen ? 0 : mute + (status == 0 ? 0 : 1);
                failures = Time.realtimeSinceStartup - begunAt > 10f && events.IsOpen ? 1 : failures + 1;
                if (over == null)
                {
                    var most = Mathf.Min(30f, 0.5f * Mathf.Pow(2f, failures - 1));
                    yield return new WaitForSecondsRealtime(UnityEngine.Random.Range(0f, most));
                }
            }
            isFollowing = false;
            ShowNone();
            if (Closed != null)
            {
                Closed(over);
            }
        }

        IEnumerator Poll()
        {
            var until = Time.realtimeSinceStartup + RetryStreamSeconds;
            var beatAt = 0f;
            while (over == null && Time.realtimeSinceStartup < until)
            {
                using (var request = Request("GET", "/me", new DownloadHandlerBuffer()))
                {
                    request.timeout = 30;
                    yield return request.SendWebRequest();
                    if (request.result == UnityWebRequest.Result.Success)
                    {
                        Show(JsonUtility.FromJson<Lobby>(request.downloadHandler.text));
                    }
                    else if (request.responseCode == 404 && Lobby != null)
                    {
                        over = "gone";
                    }
                    else if (WantsToken(request))
                    {
                        yield return RefreshToken();
                    }
                }
                if (Lobby != null && Time.realtimeSinceStartup >= beatAt)
                {
                    beatAt = Time.realtimeSinceStartup + HeartbeatSeconds;
                    using (var beat = Request("POST", "/me/heartbeat", new DownloadHandlerBuffer()))
                    {
                        yield return beat.SendWebRequest();
                    }
                }
                yield return new WaitForSecondsRealtime(PollSeconds);
            }
        }

        void Take(string name, string id, string data)
        {
            switch (name)
            {
                case "connected":
                    lastId = data == "null" ? null : id;
                    if (data == "null") { ShowNone(); } else { Show(JsonUtility.FromJson<Lobby>(data)); }
                    break;
                case "lobby_updated":
                    lastId = id;
                    Show(JsonUtility.FromJson<Lobby>(data));
                    if (Lobby != null && !Lobby.Has(playerId)) { over = "kicked"; }
                    break;
                case "queue_stats":
                    Queue = JsonUtility.FromJson<QueueStats>(data);
                    break;
                case "matchmaking_timeout":
                    if (SearchEnded != null) { SearchEnded(JsonUtility.FromJson<Ended>(data).reason); }
                    break;
                case "signal":
                    if (SignalHeard != null) { SignalHeard(data); }
                    break;
                case "signals_lost":
                    if (SignalsLost != null) { SignalsLost(); }
                    break;
                case "lobby_deleted":
                    over = "deleted";
                    break;
                case "replaced":
                    over = "replaced";
                    break;
            }
        }

        void Show(Lobby told)
        {
            var isKnown = Lobby != null && Lobby.id == told.id;
            if (isKnown ? told.revision <= Lobby.revision : !told.Has(playerId))
            {
                return;
            }
            Lobby = told;
            if (LobbyChanged != null) { LobbyChanged(told); }
            Port port;
            if (told.Has(playerId) && told.TryAddress(out port) && connectedTo != told.server.instance_id)
            {
                connectedTo = told.server.instance_id;
                if (GameReady != null) { GameReady(port.host, port.external_port); }
            }
        }

        void ShowNone()
        {
            lastId = null;
            if (Lobby != null)
            {
                Lobby = null;
                if (LobbyChanged != null) { LobbyChanged(null); }
            }
        }
    }
}
