// The conformance of this package: prints the lines of packages/conformance/steps.json.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Muster;

static class Conformance
{
    static string url, key, config, name, scenario, extra;
    static int tokens;

    static int Main(string[] args)
    {
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        url = args[0];
        key = args[1];
        config = args[2];
        name = args[3];
        scenario = args[4];
        extra = args.ElementAtOrDefault(5);
        Run().Wait();
        return 0;
    }

    static Task Run()
    {
        switch (scenario)
        {
            case "calls": return Calls(Player());
            case "play": return Play(Player());
            case "lost": return Lost(Player());
            case "watch": return Watch(Player());
            case "rematch": return Rematch(Player());
            case "server": return Server();
            case "replaced": case "deleted": return Created(Player());
            default: return Joined(Player());
        }
    }

    static void Say(params object[] words) { Console.WriteLine(string.Join(" ", words)); }

    static MusterClient Player(string service = null, string with = null)
    {
        var options = new MusterOptions { Url = service ?? url, Key = with ?? key, Config = config, Player = name };
        options.ConnectSeconds = 4;
        options.SilenceSeconds = 3;
        options.PollSeconds = 0.3;
        options.HeartbeatSeconds = 1;
        if (scenario == "calls" || scenario == "token") { options.Token = cancel => Task.FromResult("t" + Interlocked.Increment(ref tokens)); }
        return new MusterClient(options);
    }

    static async Task Refused(string what, Task call)
    {
        try
        {
            await call;
            Say(what, "worked");
        }
        catch (MusterException problem)
        {
            Say(new object[] { what, problem.Code, problem.Status }.Concat(problem.Issues).ToArray());
        }
    }

    static async Task Calls(MusterClient me)
    {
        var api = me.Api;
        await api.GetHealth();
        Say("health ok");
        Say("where_am_i", (await me.WhereAmI()).Count);
        await api.CreateLobby(config, new CreateLobbyBody { Name = "Den" });
        Say("create ok");
        await Refused("create again", api.CreateLobby(config, new CreateLobbyBody { Name = "Den" }));
        Say("where_am_i", (await me.WhereAmI()).Count);
        var state = new Dictionary<string, object> { { "text", "zwölf 😀 \"quoted\"" } };
        var lobby = await api.UpdateMyState(config, new UpdateMyStateBody { State = state });
        Say("state", lobby.Players[0].State["text"]);
        Say("settings", (await api.UpdateLobbySettings(config, new UpdateLobbySettingsBody { Name = "Den" })).Name);
        await Refused("settings wrong", api.UpdateLobbySettings(config, new UpdateLobbySettingsBody { MaxPlayers = 0 }));
        Say("moved", (await api.MoveTo(config, new MoveToBody { Config = "hall" })).Config);
        await Refused("move unknown", api.MoveTo(config, new MoveToBody { Config = "nosuch" }));
        await Refused("rematch", api.Rematch(config));
        await Refused("mode unknown", api.StartMatchmaking(config, new StartMatchmakingBody { Mode = "nosuch" }));
        await me.Leave();
        Say("leave ok");
        await me.Leave();
        Say("leave again ok");
        await Refused("lobby gone", api.GetMyLobby(config));
        Say("find", await me.FindMyLobby() == null ? "none" : "one");
        await me.QuickJoin(new QuickJoinBody { Create = new QuickJoinBodyCreate { Name = "Den" } });
        Say("token renewed");
        await api.SendHeartbeat(config);
        await me.Leave();
        Say("leave ok");
        Say("retry after 503 ok");
        await Refused("not Muster", api.DeclineMatch(config));
        await Refused("wrong key", Player(null, "nosuch").WhereAmI());
        await Refused("nobody there", Player("http://127.0.0.1:1").WhereAmI());
    }

    static async Task Joined(MusterClient me)
    {
        await me.Api.JoinLobby(config, new JoinLobbyBody { Code = extra });
        Say("join ok");
        await Followed(me);
    }

    static async Task Created(MusterClient me)
    {
        await me.Api.CreateLobby(config, new CreateLobbyBody { Name = "Den", IsPrivate = true });
        Say("create ok");
        await Followed(me);
    }

    static async Task Followed(MusterClient me)
    {
        var leaving = Task.FromResult(true);
        var why = await me.Follow(told =>
        {
            Tell(told);
            if (shown != null && shown.EndsWith(" leave") && told.Lobby != null) { leaving = Left(me); }
        });
        await leaving;
        Say("closed", why);
    }

    static async Task<bool> Left(MusterClient me)
    {
        await me.Leave();
        Say("leave ok");
        return true;
    }

    static string shown, at;

    static void Tell(LobbyEvent told)
    {
        var lobby = told.Lobby;
        if (lobby != null)
        {
            object mark = null;
            lobby.Settings.TryGetValue("mark", out mark);
            if (lobby.Config != (at ?? config)) { Say("moved", lobby.Config); }
            at = lobby.Config;
            var line = "lobby " + lobby.Status + " " + lobby.Players.Count + " " + (mark ?? "-");
            if (line != shown) { Say(line); }
            shown = line;
        }
        else if (told.Name == "polling") { Say("state polling"); }
        else if (told.Name == "matchmaking_timeout") { Say("search ended", told.Data["reason"]); }
        else if (told.Name == "signal") { Say("signal", ((Dictionary<string, object>)told.Data["data"])["text"]); }
    }

    static async Task Play(MusterClient me)
    {
        var match = await me.Play("solo");
        Say("in_game", match.Host + ":" + match.Port);
        Say("ticket of team", match.Team);
        await match.Ended;
        Say("ended", (await me.FindMyLobby()).Status);
        match = await me.Play("agreed");
        Say("confirmed", match.Host + ":" + match.Port);
        await match.Ended;
        Say("ended", (await me.FindMyLobby()).Status);
        try { await me.Play("never"); }
        catch (MusterException problem) { Say("no match", problem.Reason); }
    }

    static async Task Lost(MusterClient me)
    {
        await me.Api.JoinLobby(config, new JoinLobbyBody { Code = extra });
        Say("join ok");
        try { await me.Play("large"); }
        catch (MusterException problem) { Say("no match", problem.Reason); }
    }

    static async Task Watch(MusterClient me)
    {
        await me.Api.JoinLobby(config, new JoinLobbyBody { Code = extra, As = "spectator" });
        Say("watch ok");
        var match = await me.Play("solo");
        Say("watching", match.Host + ":" + match.Port);
        Say(match.Ticket == null ? "no ticket" : "ticket of", match.Team?.ToString() ?? "no team");
        await match.Ended;
        Say("ended", (await me.FindMyLobby()).Status);
        await Followed(me);
    }

    static async Task<Lobby> Shows(MusterClient me, Func<Lobby, bool> holds)
    {
        var found = new TaskCompletionSource<Lobby>();
        using (var end = new CancellationTokenSource())
        {
            var following = me.Follow(told => { if (told.Lobby != null && holds(told.Lobby)) { found.TrySetResult(told.Lobby); } }, end.Token);
            var lobby = await found.Task;
            end.Cancel();
            return lobby;
        }
    }

    static async Task Rematch(MusterClient me)
    {
        var match = await me.Play("duel");
        Say("in_game", match.Host + ":" + match.Port);
        await match.Ended;
        Say("ended", (await me.FindMyLobby()).Status);
        var asked = (await Shows(me, lobby => lobby.Rematch != null)).Rematch;
        Say("rematch", asked.Yes, "of", asked.Needed);
        await me.Api.Rematch(config);
        var again = MusterMatch.Of(await Shows(me, lobby => lobby.Address != null));
        Say("again", again.Host + ":" + again.Port);
        Say("ended", (await Shows(me, lobby => lobby.Status == "waiting")).Status);
        asked = (await me.Api.Rematch(config)).Rematch;
        Say("rematch", asked.Yes, "of", asked.Needed);
        await Shows(me, lobby => lobby.Rematch == null);
        Say("no rematch");
    }

    static async Task Server()
    {
        var game = MusterServer.FromEnvironment();
        Say("match", game.Mode, game.Players.Count);
        var seat = await game.SeatOf(extra);
        Say("seat", seat.Team == game.Players.First(each => each.Id == seat.Player).Team ? "in its team" : "elsewhere");
        Say("forged", await game.SeatOf(extra.Substring(0, extra.Length - 4) + "AAAA") == null ? "refused" : "taken");
        await game.ReportResult(new double[] { 3, 1 });
        Say("result ok");
        await game.ReportResult(new double[] { 3, 1 });
        Say("result once");
        await Refused("other result", game.ReportResult(new double[] { 0, 9 }));
    }
}
