// What a game server needs of Muster: its match, the seats of its players, and where its result goes.
//   SeatTicket.exe muster.json TICKET            verifies a seat ticket, offline
//   SeatTicket.exe muster.json --result TEAMS    reports [{"team": 0, "score": 13}, ...]

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading;

[DataContract] public class Header { [DataMember] public string kid, typ, alg; }
[DataContract] public class Key { [DataMember] public string kid, x; }
[DataContract] public class Keys { [DataMember] public Key[] keys; }
/// What `muster.json` says, whose path is in MUSTER_CONFIG.
[DataContract] public class Muster
{
    [DataMember] public string instance_id, result_url, token;
    [DataMember] public Keys seat_keys;
    [DataMember] public Match custom_data;
}

/// Who plays. After a direct start there are no teams, and players have only their tickets.
[DataContract] public class Match { [DataMember] public string match_id, matchmaking_mode; [DataMember] public Team[] teams; }
[DataContract] public class Team
{
    [DataMember] public string team_name;
    [DataMember] public Lobby[] lobbies;
    /// By player, in modes with roles.
    [DataMember] public Dictionary<string, string> roles;
}
[DataContract] public class Lobby { [DataMember] public string lobby_id; [DataMember] public Dictionary<string, object> player_states; }

/// What a ticket says; match, team and role are null where there is none.
[DataContract] public class Seat
{
    [DataMember] public string sub, aud, match, role;
    [DataMember] public int? team;
    [DataMember] public long exp;
}

public static class SeatTicket
{
    /// Whether players may watch a match in which they have no place.
    static readonly bool TakesSpectators = false;

    /// The seat a ticket is for; throws where it is none of this server's. `now` in seconds.
    public static Seat SeatOf(string ticket, Muster muster, long now)
    {
        var parts = ticket.Split('.');
        if (parts.Length != 3) throw new Exception("no seat ticket of this project");
        var header = Read<Header>(Bytes(parts[0]));
        var key = muster.seat_keys.keys.FirstOrDefault(each => each.kid == header.kid);
        if (key == null || header.typ != "muster-seat+jwt" || header.alg != "EdDSA") throw new Exception("no seat ticket of this project");
        var signed = Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]);
        if (!Ed25519.Verify(Bytes(key.x), signed, Bytes(parts[2]))) throw new Exception("not signed by Muster");
        var seat = Read<Seat>(Bytes(parts[1]));
        if (seat.aud != muster.instance_id) throw new Exception("for another server");
        if (seat.exp <= now) throw new Exception("expired");
        if (seat.match != null && seat.team == null && !TakesSpectators) throw new Exception("no place in the match");
        return seat;
    }

    /// Reports the result, and again while the service is away: the same result again changes nothing.
    /// `teams`: [{"team": 0, "score": 13}, ...], or with `rank`. Throws what the service refuses for good.
    public static void ReportResult(Muster muster, string teams)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                using (var client = new WebClient { Encoding = Encoding.UTF8 })
                {
                    client.Headers["Authorization"] = "Bearer " + muster.token;
                    client.Headers["Content-Type"] = "application/json";
                    client.UploadString(muster.result_url, "{\"teams\": " + teams + "}");
                    return;
                }
            }
            catch (WebException error)
            {
                var answer = error.Response as HttpWebResponse;
                var status = answer == null ? 503 : (int)answer.StatusCode;
                var passes = status >= 500 || status == 429 || status == 408;
                if (!passes || attempt == 20) throw;
            }
            Thread.Sleep(Math.Min(attempt * 500, 15000));
        }
    }

    static byte[] Bytes(string base64url)
    {
        var text = base64url.Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='));
    }

    static T Read<T>(byte[] json)
    {
        var settings = new DataContractJsonSerializerSettings { UseSimpleDictionaryFormat = true };
        return (T)new DataContractJsonSerializer(typeof(T), settings).ReadObject(new MemoryStream(json));
    }

    public static int Main(string[] args)
    {
        try
        {
            var muster = Read<Muster>(File.ReadAllBytes(args[0]));
            if (args[1] == "--result")
            {
                ReportResult(muster, args[2]);
                Console.WriteLine("reported for {0} teams of {1}", muster.custom_data.teams.Length, muster.custom_data.matchmaking_mode);
                return 0;
            }
            var now = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
            var seat = SeatOf(args[1], muster, now);
            Console.WriteLine("{0} team {1} role {2}", seat.sub, seat.team.HasValue ? seat.team.ToString() : "null", seat.role ?? "null");
            return 0;
        }
        catch (Exception error)
        {
            Console.WriteLine("refused: " + error.Message);
            return 1;
        }
    }
}
