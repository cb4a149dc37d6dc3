// A match as a game gets it, and the search that finds it.

using System;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    public sealed partial class Lobby
    {
        /// <summary>Whether the player plays in the lobby; of the lobby of a spectator, whether it is theirs.</summary>
        public bool Has(string player) => As == "spectator" || Players.Any(each => each.Id == player);

        /// <summary>Until when a match waits for this lobby to accept it. Null: none does.</summary>
        public string ConfirmUntil
        {
            get
            {
                var asked = Matchmaking?.Confirmation;
                return Status == "match_found" && asked != null && !asked.Confirmed ? asked.Deadline : null;
            }
        }

        /// <summary>
        /// Where to connect. Null unless the lobby is in a game whose server runs. In a game that a player hosts, the host is that
        /// player, and the port 0.
        /// </summary>
        public Port Address
        {
            get
            {
                if (Status != "in_game" || Server?.Status != "running") { return null; }
                var hosted = Server.HostPlayer == null ? null : new Port { Host = Server.HostPlayer };
                return Server.NetworkPorts.FirstOrDefault() ?? hosted;
            }
        }
    }

    public sealed class MusterMatch
    {
        public string Host { get; }
        public int Port { get; }
        /// <summary>The first thing to send to the game server, which knows the player by it. Null: the service signs none.</summary>
        public string Ticket { get; }
        /// <summary>Index of the player's team. Null without a ticket, and without a place in a team.</summary>
        public int? Team { get; }
        /// <summary>The lobby when the match was found.</summary>
        public Lobby Lobby { get; }
        /// <summary>
        /// Ends when the game is over for the player, with why: ended, server_crashed, or why the lobby is over (left, kicked,
        /// deleted, replaced, gone). Until then the player counts as present. Cancelled with the token of Play.
        /// </summary>
        public Task<string> Ended { get; internal set; }

        /// <summary>Null unless the lobby is in a game whose server runs.</summary>
        public static MusterMatch Of(Lobby lobby) => lobby.Address == null ? null : new MusterMatch(lobby, lobby.Address);

        MusterMatch(Lobby lobby, Port port)
        {
            Lobby = lobby;
            Host = port.Host;
            Port = (int)port.ExternalPort;
            Ticket = lobby.Server.Ticket;
            Team = TeamIn(Ticket);
        }

        /// What the own ticket says. The game server verifies it, the player does not.
        static int? TeamIn(string ticket)
        {
            var parts = (ticket ?? "").Split('.');
            try
            {
                var base64 = parts.Length == 3 ? parts[1].Replace('-', '+').Replace('_', '/') : "";
                var claims = Convert.FromBase64String(base64.PadRight((base64.Length + 3) / 4 * 4, '='));
                object team = null;
                Json.ParseObject(Encoding.UTF8.GetString(claims))?.TryGetValue("team", out team);
                return team is long ? (int)(long)team : (int?)null;
            }
            catch (FormatException)
            {
                return null;
            }
        }
    }

    public sealed class PlayOptions
    {
        /// <summary>Of the player, in a lobby that Play creates: what the mode's rules read.</summary>
        public System.Collections.Generic.Dictionary<string, object> State;
        /// <summary>Asked once for each match that wants to be confirmed. Without it, every match is accepted.</summary>
        public Func<Lobby, CancellationToken, Task<bool>> Confirm;
        /// <summary>Called with every state of the lobby until the match is found.</summary>
        public Action<Lobby> OnLobby;
    }

    /// Hears what following tells, from the search to the end of the game.
    sealed class Search
    {
        const double RetrySeconds = 1;
        readonly MusterClient client;
        readonly PlayOptions options;
        readonly CancellationToken cancel;
        readonly TaskCompletionSource<MusterMatch> found = Watch.Later<MusterMatch>();
        readonly TaskCompletionSource<string> ended = Watch.Later<string>();
        /// The search has begun, so a lobby that waits has come back from it.
        bool hasBegun;
        string reason, answered;
        /// The lobby that searches, as it was when the search began. Older states of it say nothing about the search.
        readonly Lobby begun;

        public Search(MusterClient client, PlayOptions options, Lobby begun, CancellationToken cancel)
        {
            this.client = client;
            this.options = options;
            this.cancel = cancel;
            hasBegun = begun.Status != "waiting";
            this.begun = begun;
        }

        public Task<MusterMatch> Found => found.Task;

        public Task Over => ended.Task;

        /// Following is over: so is the search, or the game.
        public void End(Task<string> following)
        {
            if (following.IsCanceled || cancel.IsCancellationRequested)
            {
                found.TrySetCanceled();
                ended.TrySetCanceled();
            }
            else if (following.IsFaulted)
            {
                var problem = following.Exception.InnerException;
                found.TrySetException(problem);
                ended.TrySetException(problem);
                Watch.Forgotten(ended.Task);
            }
            else
            {
                found.TrySetException(MusterException.NoMatch(following.Result));
                ended.TrySetResult(following.Result);
            }
        }

        public void Hear(LobbyEvent told)
        {
            if (told.Name == "matchmaking_timeout") { reason = told.Text("reason"); }
            else if (told.Name == "connected" || told.Name == "lobby_updated") { See(told.Lobby); }
        }

        void See(Lobby lobby)
        {
            if (found.Task.IsCompleted)
            {
                if (found.Task.Status == TaskStatus.RanToCompletion && lobby != null && !IsSameGame(lobby, found.Task.Result.Lobby))
                {
                    ended.TrySetResult(lobby.Returned?.Reason ?? "ended");
                }
                return;
            }
            if (lobby?.Id != begun.Id) { FailingOnFault(Look()); }
            if (lobby?.Id != begun.Id || lobby.Revision < begun.Revision) { return; }
            options.OnLobby?.Invoke(lobby);
            var match = MusterMatch.Of(lobby);
            if (match != null)
            {
                match.Ended = ended.Task;
                found.TrySetResult(match);
                return;
            }
            if (lobby.Status == "waiting" && hasBegun)
            {
                Fail(MusterException.NoMatch(reason ?? lobby.Returned?.Reason ?? "cancelled"));
                return;
            }
            hasBegun = lobby.Status != "waiting";
            var until = lobby.ConfirmUntil;
            if (until != null && until != answered)
            {
                answered = until;
                // Not awaited: a dialog may take its time, and the stream must be read meanwhile.
                FailingOnFault(Confirm(lobby));
            }
        }

        void FailingOnFault(Task task)
        {
            task.ContinueWith(each => Fail(each.Exception.InnerException), TaskContinuationOptions.OnlyOnFaulted);
        }

        /// Fails the search if the player is no longer in its lobby. A stream that was open before that lobby was made may still
        /// tell the time before.
        async Task Look()
        {
            var now = await Surely(() => client.FindMyLobby(cancel));
            if (now?.Id != begun.Id) { Fail(MusterException.NoMatch("gone")); }
        }

        /// Repeats a call until the service answers, or until the search is over: then the default of T.
        async Task<T> Surely<T>(Func<Task<T>> call)
        {
            while (!found.Task.IsCompleted)
            {
                try { return await call(); }
                catch (MusterException problem) when (problem.MayPass) { await client.Api.Platform.Pause(RetrySeconds, cancel); }
            }
            return default(T);
        }

        void Fail(Exception problem)
        {
            found.TrySetException(problem);
            ended.TrySetResult("ended");
        }

        static bool IsSameGame(Lobby lobby, Lobby before) => lobby.Id == before.Id && lobby.Status == "in_game" && lobby.Server?.InstanceId == before.Server.InstanceId;

        async Task Confirm(Lobby lobby)
        {
            var accepts = options.Confirm == null || await options.Confirm(lobby, cancel);
            try
            {
                await Surely(() => accepts ? client.Api.ConfirmMatch(client.Config, cancel) : client.Api.DeclineMatch(client.Config, cancel));
            }
            catch (MusterException problem) when (problem.Code == "INVALID_STATE" || problem.Code == "LOBBY_NOT_FOUND")
            {
                // Another player has answered, or the match is cancelled. The stream says which.
            }
        }
    }
}
