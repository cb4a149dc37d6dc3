// Follows a player's lobby: one stream after the other, and polls while none gets through.
// What must hold: the lobby told is the newest that was heard, by its revision.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    /// <summary>What following tells. The last one is always `closed`.</summary>
    public sealed class LobbyEvent
    {
        /// <summary>connected, lobby_updated, queue_stats, matchmaking_timeout, signal, signals_lost, lobby_deleted,
        /// polling (no stream gets through), closed.</summary>
        public string Name { get; internal set; }
        /// <summary>With connected and lobby_updated. Null: the player is in no lobby.</summary>
        public Lobby Lobby { get; internal set; }
        /// <summary>What else the event says, as it came.</summary>
        public Dictionary<string, object> Data { get; internal set; }
        /// <summary>With closed: left, deleted, kicked, replaced (by a newer stream of the player), gone (deleted or kicked).</summary>
        public string Reason { get; internal set; }

        internal string Text(string field)
        {
            object value = null;
            return Data != null && Data.TryGetValue(field, out value) ? value as string : null;
        }
    }

    sealed class Follower
    {
        /// So many connections in a row without an event, and polling takes over.
        const int MuteStreams = 2;
        /// So many failures in a row, and a 502 no longer counts as a restart.
        const int BadGateways = 4;
        /// A stream that lasted so long ends a row of failures.
        const double SteadySeconds = 10;

        readonly Api api;
        readonly MusterOptions options;
        readonly Action<LobbyEvent> tell;
        readonly string path;
        /// What was told last, and whether a stream told it: then changes may begin from it.
        Dictionary<string, object> known;
        bool isShown;
        string lastId;
        int failures, mute;
        double atLeast;
        bool wasTokenRefused, isAway;

        public Follower(Api api, Action<LobbyEvent> tell)
        {
            this.api = api;
            this.tell = tell;
            options = api.Options;
            path = "/v3/lobbies/" + Api.Part(options.Config) + "/me";
        }

        /// <summary>Ends with why the lobby is over for the player.</summary>
        /// <exception cref="MusterException">What waiting cannot mend, such as a wrong key.</exception>
        public async Task<string> Run(CancellationToken cancel)
        {
            for (var polls = false; ;)
            {
                var over = polls ? await Poll(cancel) : await new Connection(this).Read(cancel);
                if (over != null) { return over; }
                polls = !polls && mute >= MuteStreams;
                if (polls && !isAway)
                {
                    // Nobody tells the signals of the time without a stream.
                    isAway = true;
                    tell(new LobbyEvent { Name = "polling" });
                    tell(new LobbyEvent { Name = "signals_lost" });
                }
                if (failures > 0 && !polls)
                {
                    var most = Math.Min(options.LongestWaitSeconds, options.FirstWaitSeconds * Math.Pow(2, Math.Min(failures, 30) - 1));
                    var wait = atLeast + api.Platform.Chance() * most;
                    atLeast = 0;
                    await api.Platform.Pause(wait, cancel);
                }
            }
        }

        /// Notes a failure that may pass, and throws any other.
        void Failed(MusterException problem)
        {
            if (!problem.MayPass) { throw problem; }
            failures += 1;
            atLeast = problem.RetryAfter ?? 0;
        }

        /// Tells the lobby. Answers why it is over for the player; null: it is not.
        string See(Dictionary<string, object> lobby, string id, bool isFirst)
        {
            var before = known == null ? null : new Lobby(known);
            var after = lobby == null ? null : new Lobby(lobby);
            isShown = lobby != null;
            lastId = lobby == null ? null : id;
            var isSame = before != null && after != null && before.Id == after.Id;
            if (isSame && !isFirst && after.Revision <= before.Revision) { return null; }
            known = lobby;
            if (after != null && isSame && !after.Has(options.Player)) { return "kicked"; }
            if (after == null && before != null) { return "gone"; }
            tell(new LobbyEvent { Name = isFirst || !isSame ? "connected" : "lobby_updated", Lobby = after });
            return null;
        }

        async Task<string> Poll(CancellationToken cancel)
        {
            var until = api.Platform.Now + options.RetryStreamSeconds;
            var beatAt = 0.0;
            for (var isFirst = true; api.Platform.Now < until; isFirst = false)
            {
                try
                {
                    var lobby = await api.GetMyLobby(options.Config, "true", cancel);
                    if (lobby != null && api.Platform.Now >= beatAt)
                    {
                        beatAt = api.Platform.Now + options.HeartbeatSeconds;
                        await api.SendHeartbeat(options.Config, cancel);
                    }
                    failures = 0;
                    var over = See(lobby?.Fields, null, isFirst);
                    isShown = false;
                    if (over != null) { return over == "kicked" ? "gone" : over; }
                }
                catch (MusterException problem) when (problem.Code != "LOBBY_NOT_FOUND")
                {
                    Failed(problem);
                    return null;
                }
                catch (MusterException)
                {
                    // The lobby ended in between: the next poll finds out.
                }
                await api.Platform.Pause(options.PollSeconds, cancel);
            }
            return null;
        }

        /// One connection of the event stream, from the request to its end.
        sealed class Connection
        {
            readonly Follower follower;
            readonly CancellationTokenSource end = new CancellationTokenSource();
            double heardAt;
            double? openedAt;
            string over;
            bool isTokenOver;

            public Connection(Follower follower)
            {
                this.follower = follower;
                heardAt = Now;
            }

            double Now => follower.api.Platform.Now;

            public async Task<string> Read(CancellationToken cancel)
            {
                using (end)
                {
                    MusterException problem = null;
                    try
                    {
                        var answer = await Answered(cancel);
                        problem = answer.Status != 200 ? MusterException.Of(answer)
                            : answer.ContentType == "text/event-stream" ? null
                            : new MusterException("BAD_ANSWER", "Not an event stream: " + answer.ContentType);
                    }
                    catch (MusterException failed)
                    {
                        problem = failed;
                    }
                    catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
                    {
                        // It was ended here, after its last event or to begin anew.
                    }
                    finally
                    {
                        // What still comes is heard by nobody.
                        end.Cancel();
                    }
                    return over ?? Ended(problem);
                }
            }

            async Task<Answer> Answered(CancellationToken cancel)
            {
                var api = follower.api;
                var options = follower.options;
                var shown = follower.isShown ? follower.known : null;
                var from = shown == null || follower.lastId == null ? "" : "&lobby=" + Api.Part(new Lobby(shown).Id);
                var request = await api.Request("GET", follower.path + "/events?changes=1" + from, cancel);
                request.Headers["Accept"] = "text/event-stream";
                if (from != "") { request.Headers["Last-Event-ID"] = follower.lastId; }
                heardAt = Now;
                var reader = new EventReader(Take, Comment);
                Action<byte[], int> onBytes = (bytes, count) =>
                {
                    if (!end.IsCancellationRequested)
                    {
                        reader.Feed(bytes, count);
                        // Before the first event, bytes are no sign of one.
                        heardAt = openedAt == null ? heardAt : Now;
                    }
                };
                Func<double> until = () => heardAt + (openedAt == null ? options.ConnectSeconds : options.SilenceSeconds);
                using (var link = CancellationTokenSource.CreateLinkedTokenSource(cancel, end.Token))
                {
                    return await Watch.Over(api.Platform, each => api.Platform.Send(request, onBytes, each), until, link.Token);
                }
            }

            void Comment(string text)
            {
                if (text == "token expired")
                {
                    isTokenOver = true;
                    follower.api.ForgetToken();
                }
            }

            void Take(string name, string id, string data)
            {
                if (end.IsCancellationRequested) { return; }
                var isFirst = openedAt == null;
                openedAt = openedAt ?? Now;
                follower.mute = 0;
                follower.wasTokenRefused = false;
                follower.isAway = false;
                var told = Json.ParseObject(data);
                switch (name)
                {
                    case "connected":
                    case "lobby_updated":
                        over = follower.See(told, id, name == "connected");
                        break;
                    case "lobby_changed":
                        Change(told, id, isFirst);
                        break;
                    case "replaced":
                        over = "replaced";
                        break;
                    case "lobby_deleted":
                        follower.tell(new LobbyEvent { Name = name, Data = told });
                        over = "deleted";
                        break;
                    case "ping":
                        break;
                    default:
                        follower.tell(new LobbyEvent { Name = name, Data = told });
                        break;
                }
                if (over != null) { end.Cancel(); }
            }

            void Change(Dictionary<string, object> told, string id, bool isFirst)
            {
                try
                {
                    var change = new LobbyChange(told ?? new Dictionary<string, object>());
                    if (!follower.isShown || new Lobby(follower.known).Revision != change.From)
                    {
                        throw new FormatException("A change of another lobby");
                    }
                    var next = Changes.Applied(follower.known, change.Ops.Select(each => each.Fields));
                    over = follower.See((Dictionary<string, object>)next, id, isFirst);
                }
                catch (FormatException)
                {
                    // It is another lobby than the service's: the next stream begins with the whole one.
                    follower.isShown = false;
                    end.Cancel();
                }
            }

            /// Nothing said that the lobby is over, so another attempt follows.
            string Ended(MusterException problem)
            {
                var isSteady = openedAt != null && Now - openedAt > SteadySeconds;
                follower.failures = isSteady ? 0 : follower.failures;
                if (problem == null)
                {
                    follower.failures += isTokenOver ? 0 : 1;
                    // A clean end without an event comes from a proxy, which may be holding everything back.
                    follower.mute += openedAt == null ? 1 : 0;
                    return null;
                }
                // A service that restarts behind a proxy is away for a moment, and no reason to poll.
                var isAnswered = problem.Status < 500 || follower.failures >= BadGateways;
                var isDumb = problem.Code == "TIMEOUT" || (problem.Code == "BAD_ANSWER" && isAnswered);
                follower.mute += openedAt == null && isDumb ? 1 : 0;
                var renews = problem.IsOfToken && follower.options.Token != null && !follower.wasTokenRefused;
                follower.wasTokenRefused = problem.IsOfToken;
                if (renews)
                {
                    follower.api.ForgetToken();
                    return null;
                }
                follower.Failed(problem);
                return null;
            }
        }
    }
}
