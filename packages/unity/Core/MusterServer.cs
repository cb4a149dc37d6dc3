// A game server that Muster has started: it reads its match, asks what the players' seat tickets are worth, and reports the result.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    /// <summary>A player that the match was formed with. Those who come later have only their ticket.</summary>
    public sealed class MatchPlayer
    {
        public string Id, Lobby;
        /// <summary>Index of the team.</summary>
        public int Team;
        /// <summary>Null in modes without roles.</summary>
        public string Role;
        public Dictionary<string, object> State;
    }

    public sealed class MusterServer
    {
        /// Twenty tries last some five minutes: longer than Muster takes to start again.
        const int MaxTries = 20;
        readonly Api api;
        readonly string id;

        /// <summary>What muster.json says.</summary>
        public Dictionary<string, object> Told { get; }
        /// <summary>Null after a direct start, which has no teams.</summary>
        public string MatchId => In(Data, "match_id") as string;
        public string Mode => In(Data, "matchmaking_mode") as string;
        /// <summary>Where to listen.</summary>
        public string Host => Environment.GetEnvironmentVariable("MUSTER_HOST") ?? "127.0.0.1";
        public int Port => int.Parse(Environment.GetEnvironmentVariable("MUSTER_PORT") ?? "0");
        Dictionary<string, object> Data => In(Told, "custom_data") as Dictionary<string, object>;

        public MusterServer(Dictionary<string, object> told, IPlatform platform = null)
        {
            Told = told;
            id = (string)In(told, "instance_id");
            var url = (string)In(told, "report_url");
            var options = new MusterOptions { Key = "", Platform = platform, Bearer = (string)In(told, "token") };
            options.Url = url.Substring(0, url.IndexOf("/v3/servers/", StringComparison.Ordinal));
            api = new Api(options);
        }

        /// <summary>From the file that MUSTER_CONFIG names, or in clouds from MUSTER_JSON. Null in a program that Muster has not started.</summary>
        public static MusterServer FromEnvironment(IPlatform platform = null)
        {
            var path = Environment.GetEnvironmentVariable("MUSTER_CONFIG");
            var json = string.IsNullOrEmpty(path) ? Environment.GetEnvironmentVariable("MUSTER_JSON") : File.ReadAllText(path);
            return string.IsNullOrEmpty(json) ? null : new MusterServer((Dictionary<string, object>)Json.Parse(json), platform);
        }

        public IReadOnlyList<MatchPlayer> Players
        {
            get
            {
                var all = new List<MatchPlayer>();
                var teams = MatchId == null ? new List<object>() : All(Data, "teams");
                for (var team = 0; team < teams.Count; team += 1)
                {
                    foreach (var lobby in All(teams[team], "lobbies"))
                    {
                        var states = In(lobby, "player_states") as Dictionary<string, object> ?? new Dictionary<string, object>();
                        all.AddRange(states.Select(each => new MatchPlayer
                        {
                            Id = each.Key,
                            Lobby = In(lobby, "lobby_id") as string,
                            Team = team,
                            Role = In(In(teams[team], "roles"), each.Key) as string,
                            State = each.Value as Dictionary<string, object>,
                        }));
                    }
                }
                return all;
            }
        }

        /// <summary>
        /// The seat of the ticket that a player has sent first. Null: turn the player away, because the ticket is forged, old or for
        /// another server, or its player has no place in the match.
        /// </summary>
        public async Task<Seat> SeatOf(string ticket, CancellationToken cancel = default(CancellationToken))
        {
            try
            {
                var seat = await Again(() => api.ReadSeat(id, new ReadSeatBody { Ticket = ticket }, cancel), cancel);
                return seat.Match == null || seat.Team != null ? seat : null;
            }
            catch (MusterException problem) when (!problem.MayPass)
            {
                return null;
            }
        }

        /// <summary>Scores by the index of the team. Tried again for minutes while Muster is away: the same again changes nothing.</summary>
        /// <exception cref="MusterException">RESULT_EXISTS: another result was reported before.</exception>
        public Task<Match> ReportResult(IEnumerable<double> scores, CancellationToken cancel = default(CancellationToken))
        {
            var teams = scores.Select((score, team) => new ReportMatchResultBodyTeam { Team = team, Score = score }).ToList();
            return Again(() => api.ReportServerResult(id, new ReportMatchResultBody { Teams = teams }, cancel), cancel);
        }

        async Task<T> Again<T>(Func<Task<T>> call, CancellationToken cancel)
        {
            for (var tries = 1; ; tries += 1)
            {
                try { return await call(); }
                catch (MusterException problem) when (problem.MayPass && tries < MaxTries)
                {
                    var wait = api.Platform.Chance() * Math.Min(30, 0.5 * Math.Pow(2, tries - 1));
                    await api.Platform.Pause((problem.RetryAfter ?? 0) + wait, cancel);
                }
            }
        }

        static object In(object fields, string name)
        {
            object value = null;
            (fields as Dictionary<string, object>)?.TryGetValue(name, out value);
            return value;
        }

        static List<object> All(object fields, string name) => In(fields, name) as List<object> ?? new List<object>();
    }
}
