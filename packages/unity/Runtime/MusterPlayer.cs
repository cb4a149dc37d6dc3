// One player, as a component: set it up in the inspector, and ask it from scripts. All of it happens on the main thread, and ends
// with the object: what is awaited is cancelled, and the player leaves the lobby, at the end of play mode too.

using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Events;

namespace Muster
{
    [AddComponentMenu("Muster/Player"), DisallowMultipleComponent]
    public sealed class MusterPlayer : MonoBehaviour
    {
        [Header("Service")]
        [Tooltip("Without a version: https://muster.example.com")]
        public string url = "http://127.0.0.1:8787";
        [Tooltip("A game never holds the server key.")]
        public string clientKey = "client_dev_key";
        public string config = "arena";

        [Header("Player")]
        [Tooltip("Empty: a new one each time. Whoever says it is this player is believed, unless the project wants player tokens.")]
        public string playerId = "";
        [Tooltip("Leaves the lobby when this object is destroyed, as at the end of play mode. Off: the player may come back.")]
        public bool leavesAtEnd = true;

        [Header("Tells")]
        [Tooltip("The game server runs: its host and port. Told once a server.")]
        public UnityEvent<string, int> onGameReady = new UnityEvent<string, int>();
        [Tooltip("The lobby is over: left, deleted, kicked, replaced, gone, or the code of an error.")]
        public UnityEvent<string> onClosed = new UnityEvent<string>();

        /// <summary>As onGameReady, with ticket and team. Its Ended is there for who called Play.</summary>
        public event Action<MusterMatch> GameReady;
        /// <summary>Null: the player is in none.</summary>
        public event Action<Lobby> LobbyChanged;
        /// <summary>Whatever else comes: queue_stats, matchmaking_timeout, signal, signals_lost, ...</summary>
        public event Action<LobbyEvent> Heard;
        /// <summary>Fetches a player token from your backend, for projects that want one. Set it before the first call.</summary>
        public Func<CancellationToken, Task<string>> Token;

        readonly CancellationTokenSource life = new CancellationTokenSource();
        MusterClient client;
        string connectedTo;
        bool isFollowing;

        /// <summary>As last heard; null in no lobby.</summary>
        public Lobby Lobby { get; private set; }

        /// <summary>The client beneath, which has a function for each endpoint in Api.</summary>
        public MusterClient Client
        {
            get
            {
                if (client == null)
                {
                    playerId = playerId == "" ? "player-" + Guid.NewGuid().ToString("N").Substring(0, 12) : playerId;
                    client = new MusterClient(new MusterOptions
                    {
                        Url = url, Key = clientKey, Config = config, Player = playerId, Token = Token, Platform = UnityPlatform.Current,
                    });
                }
                return client;
            }
        }

        /// <summary>Searches, and ends when the game server runs: see MusterClient.Play.</summary>
        public Task<MusterMatch> Play(string mode, PlayOptions options = null, CancellationToken cancel = default(CancellationToken))
        {
            // The match holds the token until it has ended.
            var link = CancellationTokenSource.CreateLinkedTokenSource(cancel, life.Token);
            Follow();
            return Client.Play(mode, options, link.Token);
        }

        /// <summary>From now on, the events of this component tell the player's lobby, until it is over. Begins by itself with other calls.</summary>
        public async void Follow(CancellationToken cancel = default(CancellationToken))
        {
            if (isFollowing) { return; }
            isFollowing = true;
            var why = "";
            try { why = await Alive(cancel, link => Client.Follow(Hear, link)); }
            catch (OperationCanceledException) { return; }
            catch (MusterException problem)
            {
                why = problem.Code;
                Debug.LogWarning("Muster: " + problem.Message);
            }
            finally { isFollowing = false; }
            Show(null);
            onClosed.Invoke(why);
        }

        public Task<IReadOnlyList<WhereaboutsLobby>> WhereAmI(CancellationToken cancel = default(CancellationToken)) =>
            Alive(cancel, link => Client.WhereAmI(link));

        public Task<Lobby> QuickJoin(QuickJoinBody wanted, CancellationToken cancel = default(CancellationToken)) =>
            Entered(cancel, link => Client.QuickJoin(wanted, link));

        public Task<Lobby> Create(CreateLobbyBody lobby, CancellationToken cancel = default(CancellationToken)) =>
            Entered(cancel, link => Client.Api.CreateLobby(config, lobby, link));

        public Task<Lobby> Join(string code, Dictionary<string, object> state = null, CancellationToken cancel = default(CancellationToken))
        {
            var body = new JoinLobbyBody { Code = code };
            if (state != null) { body.State = state; }
            return Entered(cancel, link => Client.Api.JoinLobby(config, body, link));
        }

        /// <summary>Merges: what is not named stays, null removes.</summary>
        public Task<Lobby> SetState(Dictionary<string, object> state, CancellationToken cancel = default(CancellationToken)) =>
            Alive(cancel, link => Client.Api.UpdateMyState(config, new UpdateMyStateBody { State = state }, null, link));

        public Task<Lobby> CancelMatchmaking(CancellationToken cancel = default(CancellationToken)) =>
            Alive(cancel, link => Client.Api.CancelMatchmaking(config, link));

        /// <summary>Host only: ends the game for all its lobbies.</summary>
        public Task<Lobby> EndMatch(CancellationToken cancel = default(CancellationToken)) =>
            Alive(cancel, link => Client.Api.EndMatch(config, link));

        public Task Leave(CancellationToken cancel = default(CancellationToken)) =>
            Alive(cancel, async link =>
            {
                await Client.Leave(link);
                return true;
            });

        Task<Lobby> Entered(CancellationToken cancel, Func<CancellationToken, Task<Lobby>> call)
        {
            Follow();
            return Alive(cancel, call);
        }

        async Task<T> Alive<T>(CancellationToken cancel, Func<CancellationToken, Task<T>> call)
        {
            using (var link = CancellationTokenSource.CreateLinkedTokenSource(cancel, life.Token)) { return await call(link.Token); }
        }

        void Hear(LobbyEvent told)
        {
            if (told.Name == "connected" || told.Name == "lobby_updated") { Show(told.Lobby); }
            else if (told.Name != "closed" && Heard != null) { Heard(told); }
        }

        void Show(Lobby lobby)
        {
            if (lobby == null && Lobby == null) { return; }
            Lobby = lobby;
            if (LobbyChanged != null) { LobbyChanged(lobby); }
            var match = lobby == null ? null : MusterMatch.Of(lobby);
            if (match == null || lobby.Server.InstanceId == connectedTo) { return; }
            connectedTo = lobby.Server.InstanceId;
            onGameReady.Invoke(match.Host, match.Port);
            if (GameReady != null) { GameReady(match); }
        }

        void OnDestroy()
        {
            life.Cancel();
            // The engine finishes a request that has begun, also at the end of play mode. A build that quits may be too quick: then
            // the service removes the player after the config's heartbeatTimeout.
            // A call that was cancelled may have made the lobby, so no lobby heard of is no reason to stay.
            if (leavesAtEnd && client != null) { LeaveBehind(client); }
        }

        static async void LeaveBehind(MusterClient client)
        {
            try { await client.Leave(); }
            catch (Exception problem) when (problem is MusterException || problem is OperationCanceledException) { }
        }
    }
}
