// A player that does what its input says, a command a line, and prints what comes of it: `Drive.exe URL CONFIG PLAYER [NAME=SECONDS ...]`.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Muster;

static class Drive
{
    static readonly object Gate = new object();
    static CancellationTokenSource cancel = new CancellationTokenSource();
    static MusterClient muster;
    static MusterOptions options;
    static int tokens;

    static void Say(string line)
    {
        lock (Gate) { Console.Out.WriteLine(line); Console.Out.Flush(); }
    }

    static void Main(string[] args)
    {
        options = new MusterOptions { Url = args[0], Config = args[1], Player = args[2] };
        foreach (var setting in args.Skip(3)) { Set(setting); }
        muster = new MusterClient(options);
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            Do(line.Split(new[] { ' ' }, 2));
        }
        // Everything under way is given up, and the program must end by itself.
        cancel.Cancel();
    }

    static void Set(string setting)
    {
        var name = setting.Split('=')[0];
        var seconds = double.Parse(setting.Split('=')[1], CultureInfo.InvariantCulture);
        switch (name)
        {
            case "connect": options.ConnectSeconds = seconds; break;
            case "silence": options.SilenceSeconds = seconds; break;
            case "poll": options.PollSeconds = seconds; break;
            case "beat": options.HeartbeatSeconds = seconds; break;
            case "retry": options.RetryStreamSeconds = seconds; break;
            case "call": options.CallSeconds = seconds; break;
            case "first": options.FirstWaitSeconds = seconds; break;
            case "token": options.Token = each => Task.FromResult("token-" + Interlocked.Increment(ref tokens)); break;
            default: throw new ArgumentException(name);
        }
    }

    static async void Do(string[] command)
    {
        var what = command[0];
        var about = command.Length > 1 ? command[1] : "";
        try
        {
            switch (what)
            {
                case "create":
                    Say("created " + (await muster.Api.CreateLobby(options.Config, new CreateLobbyBody { Name = about }, cancel.Token)).Code);
                    break;
                case "join":
                    Say("joined " + (await muster.Api.JoinLobby(options.Config, new JoinLobbyBody { Code = about }, cancel.Token)).Status);
                    break;
                case "state":
                    Say("state " + Json.Write((await muster.Api.UpdateMyState(options.Config, new UpdateMyStateBody(Json.ParseObject(about)), null, cancel.Token)).Players.First(each => each.Id == options.Player).State));
                    break;
                case "end":
                    Say("end " + (await muster.Api.EndMatch(options.Config, cancel.Token)).Status);
                    break;
                case "play":
                    var match = await muster.Play(about, null, cancel.Token);
                    Say("in_game " + match.Host + ":" + match.Port + " team " + match.Team + (match.Ticket == null ? "" : " with ticket"));
                    Say("ended " + await match.Ended);
                    break;
                case "block":
                    // As a game loop does that never awaits: whoever has the match may keep the thread.
                    var game = await muster.Play(about, null, cancel.Token);
                    Say("in_game " + game.Host);
                    game.Ended.Wait();
                    Say("ended " + game.Ended.Result);
                    break;
                case "decline":
                    await muster.Play(about, new PlayOptions { Confirm = (lobby, each) => Task.FromResult(false) }, cancel.Token);
                    Say("accepted");
                    break;
                case "follow":
                    Say("closed " + await muster.Follow(Tell, cancel.Token));
                    break;
                case "throw":
                    await muster.Follow(told => { throw new InvalidOperationException("mine"); }, cancel.Token);
                    break;
                case "quick":
                    var place = new QuickJoinBodyCreate(Json.ParseObject(about));
                    Say("quick " + (await muster.QuickJoin(new QuickJoinBody { Create = place }, cancel.Token)).Id);
                    break;
                case "where":
                    Say("where " + string.Join(",", (await muster.WhereAmI(cancel.Token)).Select(each => each.Config + " " + each.Status)));
                    break;
                case "set":
                    Set(about);
                    break;
                case "leave":
                    await muster.Leave(cancel.Token);
                    Say("left");
                    break;
                case "cancel":
                    cancel.Cancel();
                    cancel = new CancellationTokenSource();
                    break;
            }
        }
        catch (MusterException problem)
        {
            Say(what + " refused " + problem.Code + (problem.Reason == null ? "" : " " + problem.Reason));
        }
        catch (OperationCanceledException)
        {
            Say(what + " cancelled");
        }
        catch (InvalidOperationException problem)
        {
            Say(what + " threw " + problem.Message);
        }
    }

    static void Tell(LobbyEvent told)
    {
        if (told.Name == "connected" || told.Name == "lobby_updated")
        {
            var lobby = told.Lobby;
            Say(told.Name + (lobby == null ? " none" : " " + lobby.Revision + " " + lobby.Status + " " + string.Join(",", lobby.Players.Select(each => each.Id + States(each)))));
        }
        else if (told.Name != "queue_stats" && told.Name != "closed")
        {
            Say("event " + told.Name);
        }
    }

    static string States(Player player)
    {
        return player.State == null ? "" : Json.Write(player.State);
    }
}
