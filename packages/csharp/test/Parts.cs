// What can be told without a service: each line of the input is a question, and gets one line of answer. The test that asks
// compares with JavaScript.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Muster;

static class Parts
{
    static void Main()
    {
        string line;
        Console.OutputEncoding = new UTF8Encoding(false);
        while ((line = Console.ReadLine()) != null)
        {
            var cut = line.IndexOf(' ');
            var text = Encoding.UTF8.GetString(Convert.FromBase64String(line.Substring(cut + 1)));
            Console.WriteLine(Said(line.Substring(0, cut), text));
        }
    }

    static string Said(string kind, string text)
    {
        try
        {
            switch (kind)
            {
                case "json": return Json.Write(Json.Parse(text));
                case "ops": return After(text);
                case "address": return Address(new Lobby(Json.ParseObject(text)));
                default: return Events(text);
            }
        }
        catch (FormatException)
        {
            return "wrong";
        }
    }

    static string Address(Lobby lobby)
    {
        var match = MusterMatch.Of(lobby);
        return match == null ? "none" : match.Host + ":" + match.Port;
    }

    static string After(string text)
    {
        var asked = Json.ParseObject(text);
        var before = Json.Write(asked["before"]);
        var after = Json.Write(Changes.Applied(asked["before"], ((List<object>)asked["ops"]).Cast<Dictionary<string, object>>()));
        return before == Json.Write(asked["before"]) ? after : "the value before has changed";
    }

    /// Reads the text in pieces of one byte, of two, of three, ... which must give the same.
    static string Events(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        var all = Enumerable.Range(1, 9).Select(size =>
        {
            var heard = new List<object>();
            var reader = new EventReader(
                (name, id, data) => heard.Add(new List<object> { name, id, data }),
                comment => heard.Add(comment));
            for (var at = 0; at < bytes.Length; at += size)
            {
                var piece = bytes.Skip(at).Take(size).ToArray();
                reader.Feed(piece, piece.Length);
            }
            return Json.Write(heard);
        }).ToList();
        return all.Distinct().Count() == 1 ? all[0] : "depends on the pieces";
    }
}
