// Every failure of a call. Its code says what happened, and a code never changes its meaning.

using System;
using System.Collections.Generic;

namespace Muster
{
    public sealed class MusterException : Exception
    {
        /// Codes after which the same request may succeed, with nothing changed by the caller.
        const string Passing = " NETWORK TIMEOUT REQUEST_TIMEOUT RATE_LIMITED STORAGE_FULL OVERLOADED UNAVAILABLE BAD_ANSWER INTERNAL ";

        /// <summary>
        /// Of the service, such as LOBBY_FULL. Or of the client: NETWORK (no answer came), TIMEOUT (none in time), BAD_ANSWER
        /// (something else than the service answered), NO_MATCH (see Reason), INVALID_OPTION (nothing was sent).
        /// </summary>
        public string Code { get; }
        /// <summary>HTTP status; 0 without an answer.</summary>
        public int Status { get; private set; }
        /// <summary>With VALIDATION_ERROR: where in the body something is wrong, such as rules[1].field.</summary>
        public IReadOnlyList<string> Issues { get; private set; }
        /// <summary>Seconds to wait before trying again, if the service said so.</summary>
        public double? RetryAfter { get; private set; }
        /// <summary>With NO_MATCH: timeout, declined, launch_failed, left, kicked, ...</summary>
        public string Reason { get; private set; }

        public MusterException(string code, string detail, Exception cause = null) : base(detail, cause)
        {
            Code = code;
            Issues = new string[0];
        }

        /// <summary>Whether a retry may help. The call may still have worked.</summary>
        public bool MayPass => Passing.Contains(" " + Code + " ");

        internal bool IsOfToken => Code.StartsWith("PLAYER_TOKEN", StringComparison.Ordinal);

        internal static MusterException NoMatch(string reason) =>
            new MusterException("NO_MATCH", "The search ended without a match: " + reason) { Reason = reason };

        internal static MusterException Of(Answer answer)
        {
            var told = new Told(Json.ParseObject(answer.Text) ?? new Dictionary<string, object>());
            // Without a code, something in front of the service has answered.
            var other = answer.Status == 503 || answer.Status == 429 ? "UNAVAILABLE" : "BAD_ANSWER";
            var words = "HTTP " + answer.Status + " from something else than Muster, or in front of it";
            return new MusterException(told.Code ?? other, told.Detail ?? words)
            {
                Status = answer.Status,
                RetryAfter = answer.RetryAfter,
                Issues = told.Issues,
            };
        }

        sealed class Told : Wire
        {
            public Told(Dictionary<string, object> fields) : base(fields) { }
            public string Code => Get<string>("code");
            public string Detail => Get<string>("detail");
            public IReadOnlyList<string> Issues => Many("issues", each => each.ContainsKey("path") ? each["path"] as string : null);
        }
    }
}
