// Verifies a seat ticket of Muster, offline: SeatTicket.exe muster.json TICKET

using System;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;

[DataContract] public class Header { [DataMember] public string kid, typ, alg; }
[DataContract] public class Key { [DataMember] public string kid, x; }
[DataContract] public class Keys { [DataMember] public Key[] keys; }
[DataContract] public class Muster { [DataMember] public string instance_id; [DataMember] public Keys seat_keys; }

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

    static byte[] Bytes(string base64url)
    {
        var text = base64url.Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='));
    }

    static T Read<T>(byte[] json)
    {
        return (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));
    }

    public static int Main(string[] args)
    {
        try
        {
            var now = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
            var seat = SeatOf(args[1], Read<Muster>(File.ReadAllBytes(args[0])), now);
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
