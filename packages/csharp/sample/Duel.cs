// Two players meet in one program: `Duel.exe [URL [CONFIG [MODE]]]`. In a game, each is on a machine of its own.

using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Muster;

static class Duel
{
    static int Main(string[] args)
    {
        var stop = new CancellationTokenSource();
        Console.CancelKeyPress += (sender, press) =>
        {
            press.Cancel = true;
            stop.Cancel();
        };
        try
        {
            Task.WhenAll(Play("ann-", args, stop.Token), Play("ben-", args, stop.Token)).Wait();
            return 0;
        }
        catch (AggregateException problems)
        {
            Console.Error.WriteLine(problems.InnerException.Message);
            return 1;
        }
    }

    static async Task Play(string name, string[] args, CancellationToken stop)
    {
        var muster = new MusterClient(new MusterOptions
        {
            Url = args.ElementAtOrDefault(0) ?? "http://127.0.0.1:8787",
            Config = args.ElementAtOrDefault(1) ?? "quickstart",
            Player = name + Guid.NewGuid().ToString("N").Substring(0, 6),
        });
        try
        {
            var match = await muster.Play(args.ElementAtOrDefault(2) ?? "duel", null, stop);
            // Connect here, and send match.Ticket first: the game server knows the player by it.
            Console.WriteLine(name + " connect to " + match.Host + ":" + match.Port + ", team " + match.Team);
            Console.WriteLine(name + " the game is over: " + await match.Ended);
        }
        finally
        {
            await muster.Leave();
        }
    }
}
