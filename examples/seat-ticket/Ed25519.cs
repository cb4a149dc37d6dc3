// Verifies Ed25519 signatures (RFC 8032), for where there is no library: .NET and Unity have none of
// their own. Slow, some milliseconds each, and for public keys alone: it hides nothing it computes with.

using System.Linq;
using System.Numerics;
using System.Security.Cryptography;

public static class Ed25519
{
    static readonly BigInteger P = BigInteger.Pow(2, 255) - 19;
    static readonly BigInteger Order = BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493");
    static readonly BigInteger D = Mod(-121665 * Inverse(121666));
    static readonly BigInteger RootOfMinusOne = BigInteger.ModPow(2, (P - 1) / 4, P);
    static readonly BigInteger[] Base = PointAt(Mod(4 * Inverse(5)), false);

    public static bool Verify(byte[] publicKey, byte[] message, byte[] signature)
    {
        if (publicKey.Length != 32 || signature.Length != 64) return false;
        var r = signature.Take(32).ToArray();
        var s = Number(signature.Skip(32));
        var key = Decode(publicKey);
        var commitment = Decode(r);
        if (key == null || commitment == null || s >= Order) return false;
        byte[] hash;
        using (var sha = SHA512.Create()) hash = sha.ComputeHash(r.Concat(publicKey).Concat(message).ToArray());
        return Same(Times(Base, s), Add(commitment, Times(key, Number(hash) % Order)));
    }

    static BigInteger Mod(BigInteger n) { return ((n % P) + P) % P; }

    static BigInteger Inverse(BigInteger n) { return BigInteger.ModPow(Mod(n), P - 2, P); }

    /// Little-endian, without a sign.
    static BigInteger Number(System.Collections.Generic.IEnumerable<byte> bytes)
    {
        return new BigInteger(bytes.Concat(new byte[] { 0 }).ToArray());
    }

    static BigInteger[] Decode(byte[] encoded)
    {
        var y = Number(encoded.Select((b, i) => i == 31 ? (byte)(b & 127) : b));
        return y >= P ? null : PointAt(y, (encoded[31] & 128) != 0);
    }

    /// The point of that y with an odd or even x, as (X, Y, Z, T); null where there is none.
    static BigInteger[] PointAt(BigInteger y, bool isOdd)
    {
        var square = Mod((y * y - 1) * Inverse(D * y * y + 1));
        var x = BigInteger.ModPow(square, (P + 3) / 8, P);
        if (Mod(x * x - square) != 0) x = Mod(x * RootOfMinusOne);
        if (Mod(x * x - square) != 0 || (x.IsZero && isOdd)) return null;
        if (x.IsEven == isOdd) x = P - x;
        return new[] { x, y, BigInteger.One, Mod(x * y) };
    }

    static BigInteger[] Add(BigInteger[] p, BigInteger[] q)
    {
        var a = Mod((p[1] - p[0]) * (q[1] - q[0]));
        var b = Mod((p[1] + p[0]) * (q[1] + q[0]));
        var c = Mod(2 * p[3] * q[3] * D);
        var d = Mod(2 * p[2] * q[2]);
        BigInteger e = b - a, f = d - c, g = d + c, h = b + a;
        return new[] { Mod(e * f), Mod(g * h), Mod(f * g), Mod(e * h) };
    }

    static BigInteger[] Times(BigInteger[] point, BigInteger factor)
    {
        var sum = new[] { BigInteger.Zero, BigInteger.One, BigInteger.One, BigInteger.Zero };
        for (; factor > 0; factor >>= 1)
        {
            if (!factor.IsEven) sum = Add(sum, point);
            point = Add(point, point);
        }
        return sum;
    }

    static bool Same(BigInteger[] p, BigInteger[] q)
    {
        return Mod(p[0] * q[2] - q[0] * p[2]).IsZero && Mod(p[1] * q[2] - q[1] * p[2]).IsZero;
    }
}
