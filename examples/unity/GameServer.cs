// A dedicated game server in Unity, such as a Linux server build that Muster starts: it reads its match, asks Muster
// what the players' seat tickets are worth, and reports the result. Your netcode listens on `Port`.

using System;
using System.Collections;
using System.IO;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

namespace Muster
{
    public sealed class GameServer : MonoBehaviour
    {
        const int MaxTries = 20;

        /// Null in a game that Muster has not started.
        public Told Match { get; private set; }
        public int Port { get; private set; }

        void Awake()
        {
            var path = Environment.GetEnvironmentVariable("MUSTER_CONFIG");
            if (string.IsNullOrEmpty(path))
            {
                return;
            }
            Match = JsonUtility.FromJson<Told>(File.ReadAllText(path));
            Port = int.Parse(Environment.GetEnvironmentVariable("MUSTER_PORT"));
        }

        /// Gives the seat of the ticket that a player has sent first; null: turn the player away. With Netcode for
        /// GameObjects, start it in the connection approval, with the ticket in the payload.
        public IEnumerator SeatOf(string ticket, Action<Seat> done)
        {
            var url = Match.report_url.Substring(0, Match.report_url.LastIndexOf('/') + 1) + "seats";
            Seat seat = null;
            yield return Post(url, JsonUtility.ToJson(new SeatBody { ticket = ticket }), (status, text) =>
            {
                // JsonUtility cannot tell null from team 0. Without a match, nobody has a team.
                var hasPlace = text.Contains("\"match\":null") || !text.Contains("\"team\":null");
                seat = status == 200 && hasPlace ? JsonUtility.FromJson<Seat>(text) : null;
            });
            done(seat);
        }

        /// `teams`: [{"team": 0, "score": 13}, {"team": 1, "score": 7}], by their index in the match. Tried again while
        /// Muster is away: the same result again changes nothing.
        public IEnumerator ReportResult(string teams)
        {
            for (var attempt = 1; attempt <= MaxTries; attempt++)
            {
                var status = 0L;
                yield return Post(Match.result_url, "{\"teams\": " + teams + "}", (code, text) => status = code);
                var mayPass = status == 0 || status >= 500 || status == 429 || status == 408;
                if (!mayPass)
                {
                    yield break;
                }
                yield return new WaitForSecondsRealtime(attempt);
            }
        }

        /// `done` gets the status, 0 for no answer, and the body.
        IEnumerator Post(string url, string json, Action<long, string> done)
        {
            using (var request = new UnityWebRequest(url, "POST") { downloadHandler = new DownloadHandlerBuffer() })
            {
                request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(json));
                request.SetRequestHeader("Content-Type", "application/json");
                request.SetRequestHeader("Authorization", "Bearer " + Match.token);
                request.timeout = 15;
                yield return request.SendWebRequest();
                done(request.responseCode, request.downloadHandler.text);
            }
        }
    }

    /// What `muster.json` says, as far as JsonUtility can read it: the players' states are in dictionaries.
    [Serializable]
    public sealed class Told
    {
        public string instance_id;
        public string report_url;
        public string result_url;
        public string token;
        public MatchData custom_data;
    }

    [Serializable]
    public sealed class MatchData
    {
        public string match_id;
        public string matchmaking_mode;
        public string[] all_players;
    }
}
