// One player of a Muster service. Its five verbs are the same in every package: play, follow, whereAmI, quickJoin, leave.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    public sealed class MusterClient
    {
        readonly object gate = new object();
        Session session;
        int leaving;

        public MusterClient(MusterOptions options)
        {
            Api = new Api(options);
        }

        /// <summary>A function for each endpoint, by its name in the API reference.</summary>
        public Api Api { get; }

        internal string Config => Api.Options.Config;

        string Player => Api.Options.Player;

        /// <summary>
        /// Searches, and ends when the game server runs. A player in no lobby gets one of their own. Only the host searches: the
        /// others of the lobby call it too, and get the same match. Cancelling closes the stream, and does not leave the queue.
        /// </summary>
        /// <exception cref="MusterException">NO_MATCH, with its Reason; or why the search was refused.</exception>
        public async Task<MusterMatch> Play(string mode, PlayOptions options = null, CancellationToken cancel = default(CancellationToken))
        {
            options = options ?? new PlayOptions();
            var lobby = await FindMyLobby(cancel) ?? await Api.CreateLobby(Config, OwnLobby(options), cancel);
            if (lobby.Status == "waiting" && lobby.Host == Player)
            {
                lobby = await Api.StartMatchmaking(Config, new StartMatchmakingBody { Mode = mode }, cancel);
            }
            var search = new Search(this, options, lobby, cancel);
            Hold(search, cancel);
            return await search.Found;
        }

        CreateLobbyBody OwnLobby(PlayOptions options)
        {
            var name = Player.Length > 100 ? Player.Substring(0, 100) : Player;
            var body = new CreateLobbyBody { Name = name, IsPrivate = true };
            if (options.State != null) { body.State = options.State; }
            return body;
        }

        /// Follows for a search until its game is over, or until there is no match.
        async void Hold(Search search, CancellationToken cancel)
        {
            using (var link = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                var following = Follow(search.Hear, link.Token);
                await Task.WhenAny(following, search.Over);
                if (following.IsCompleted) { search.End(following); }
                link.Cancel();
                Watch.Forgotten(following);
            }
        }

        /// <summary>
        /// Tells the player's lobby as it changes, until it is over for the player; ends with why: left, deleted, kicked, replaced,
        /// gone. It may begin before there is a lobby. All who follow share one stream; what `onEvent` throws ends its following.
        /// </summary>
        /// <exception cref="MusterException">What waiting cannot mend, such as a wrong key.</exception>
        public async Task<string> Follow(Action<LobbyEvent> onEvent, CancellationToken cancel = default(CancellationToken))
        {
            var listener = new Listener(onEvent);
            using (cancel.Register(() => listener.Done.TrySetCanceled()))
            {
                Join(listener);
                try
                {
                    return await listener.Done.Task;
                }
                finally
                {
                    Part(listener);
                }
            }
        }

        /// <summary>The player's lobbies in all configs: ask first when the game starts. Not a sign of life.</summary>
        public async Task<IReadOnlyList<WhereaboutsLobby>> WhereAmI(CancellationToken cancel = default(CancellationToken))
        {
            return (await Api.WhereAmI(cancel)).Lobbies;
        }

        /// <summary>Joins the fullest public lobby whose settings fit, or creates one.</summary>
        public Task<Lobby> QuickJoin(QuickJoinBody wanted, CancellationToken cancel = default(CancellationToken))
        {
            return Api.QuickJoin(Config, wanted, cancel);
        }

        /// <summary>Leaves the lobby, and a game with it. Does nothing in no lobby.</summary>
        public async Task Leave(CancellationToken cancel = default(CancellationToken))
        {
            // The stream may say that the lobby is deleted before the answer is here.
            Interlocked.Increment(ref leaving);
            try
            {
                await Api.LeaveLobby(Config, cancel);
            }
            catch (MusterException problem) when (problem.Code == "LOBBY_NOT_FOUND")
            {
                // Left already, or over.
            }
            finally
            {
                Interlocked.Decrement(ref leaving);
            }
            Current()?.End("left");
        }

        /// <summary>Null: the player is in no lobby.</summary>
        public Task<Lobby> FindMyLobby(CancellationToken cancel = default(CancellationToken))
        {
            return Api.GetMyLobby(Config, "true", cancel);
        }

        Session Current()
        {
            lock (gate)
            {
                return session;
            }
        }

        void Join(Listener listener)
        {
            Session joined;
            var isNew = false;
            lock (gate)
            {
                if (session == null || !session.Add(listener))
                {
                    isNew = true;
                    session = new Session(() => Volatile.Read(ref leaving) > 0);
                    session.Add(listener);
                }
                joined = session;
            }
            if (isNew) { joined.Run(Api); }
            else { joined.Greet(listener); }
        }

        void Part(Listener listener)
        {
            Session idle;
            lock (gate)
            {
                idle = session != null && session.Remove(listener) ? session : null;
                session = idle == null ? session : null;
            }
            idle?.Stop();
        }

        sealed class Listener
        {
            readonly Action<LobbyEvent> onEvent;
            public readonly TaskCompletionSource<string> Done = Watch.Later<string>();

            public Listener(Action<LobbyEvent> onEvent)
            {
                this.onEvent = onEvent;
            }

            public void Hear(LobbyEvent told)
            {
                if (Done.Task.IsCompleted) { return; }
                try
                {
                    onEvent(told);
                }
                catch (Exception problem)
                {
                    Done.TrySetException(problem);
                }
            }
        }

        /// One following, and all who listen to it.
        sealed class Session
        {
            readonly CancellationTokenSource stop = new CancellationTokenSource();
            /// Events are told one after the other, on whatever thread.
            readonly object order = new object();
            readonly Func<bool> isLeaving;
            List<Listener> listeners = new List<Listener>();
            LobbyEvent last;
            string over;

            public Session(Func<bool> isLeaving)
            {
                this.isLeaving = isLeaving;
            }

            /// False: it is over, or as good as.
            public bool Add(Listener listener)
            {
                lock (stop)
                {
                    var isOn = !stop.IsCancellationRequested;
                    listeners = isOn ? listeners.Concat(new[] { listener }).ToList() : listeners;
                    return isOn;
                }
            }

            /// Who comes later begins with the newest state.
            public void Greet(Listener listener)
            {
                lock (order)
                {
                    if (last != null) { listener.Hear(last); }
                }
            }

            /// Whether nobody listens any more.
            public bool Remove(Listener listener)
            {
                lock (stop)
                {
                    listeners = listeners.Where(each => each != listener).ToList();
                    return listeners.Count == 0;
                }
            }

            public void Stop()
            {
                stop.Cancel();
            }

            public void End(string reason)
            {
                over = over ?? reason;
                stop.Cancel();
            }

            void Tell(LobbyEvent told)
            {
                lock (order)
                {
                    var isState = told.Name == "connected" || told.Name == "lobby_updated";
                    last = isState ? new LobbyEvent { Name = "connected", Lobby = told.Lobby } : last;
                    All().ForEach(each => each.Hear(told));
                }
            }

            List<Listener> All()
            {
                lock (stop)
                {
                    return listeners;
                }
            }

            public async void Run(Api api)
            {
                string reason = null;
                Exception problem = null;
                try
                {
                    reason = await new Follower(api, Tell).Run(stop.Token);
                    reason = isLeaving() ? "left" : reason;
                }
                catch (OperationCanceledException) when (stop.IsCancellationRequested)
                {
                    reason = over;
                }
                catch (Exception failed)
                {
                    problem = failed;
                }
                Stop();
                if (problem == null && reason != null)
                {
                    Tell(new LobbyEvent { Name = "closed", Reason = reason });
                }
                foreach (var each in All())
                {
                    if (problem != null) { each.Done.TrySetException(problem); }
                    else if (reason != null) { each.Done.TrySetResult(reason); }
                    else { each.Done.TrySetCanceled(); }
                }
            }
        }
    }
}
