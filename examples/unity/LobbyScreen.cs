// A lobby screen to put on the same object as MusterPlayer: create or join, be ready, queue, accept,
// and hand the address to your netcode. Immediate mode, so that it needs no scene.

using UnityEngine;

namespace Muster
{
    [RequireComponent(typeof(MusterPlayer))]
    public sealed class LobbyScreen : MonoBehaviour
    {
        public string mode = "duel";
        public int mmr = 1000;

        MusterPlayer muster;
        string code = "", message = "";

        void Awake()
        {
            muster = GetComponent<MusterPlayer>();
            muster.SearchEnded += reason => message = "No match: " + reason;
            muster.Closed += reason => message = "The lobby is over: " + reason;
            muster.Refused += (problem, detail) =>
            {
                message = problem == "LOBBY_NOT_FOUND" ? "No such lobby" : problem;
                Debug.LogWarning(problem + ": " + detail);
            };
            muster.GameReady += (host, port) =>
            {
                // With Netcode for GameObjects:
                //   transport.SetConnectionData(host, (ushort)port);
                //   NetworkManager.Singleton.StartClient();
                message = "Connect to " + host + ":" + port;
            };
        }

        void OnGUI()
        {
            GUILayout.BeginArea(new Rect(20, 20, 360, 400));
            if (muster.Lobby == null)
            {
                Home();
            }
            else
            {
                Room(muster.Lobby);
            }
            GUILayout.Label(message);
            GUILayout.EndArea();
        }

        void Home()
        {
            var state = new PlayerState { mmr = mmr };
            if (GUILayout.Button("Create a lobby")) { muster.Create(muster.playerId + "'s lobby", 4, state); }
            code = GUILayout.TextField(code);
            if (GUILayout.Button("Join by code")) { muster.Join(code, state); }
            if (GUILayout.Button("Go on where I was")) { muster.Resume(); }
        }

        void Room(Lobby lobby)
        {
            GUILayout.Label(lobby.name + " (" + lobby.code + "): " + lobby.status);
            foreach (var member in lobby.players)
            {
                GUILayout.Label(member.id + (member.isHost ? ", host" : "") + (member.state != null && member.state.ready ? ", ready" : ""));
            }
            var isHost = lobby.host == muster.playerId;
            if (lobby.status == "waiting")
            {
                if (GUILayout.Button("Ready")) { muster.SetState(new PlayerState { mmr = mmr, ready = true }); }
                if (isHost && GUILayout.Button("Find a match")) { muster.StartMatchmaking(mode); }
            }
            if (lobby.status == "in_queue" && isHost && GUILayout.Button("Stop searching")) { muster.CancelMatchmaking(); }
            if (lobby.AsksToConfirm)
            {
                if (GUILayout.Button("Accept")) { muster.ConfirmMatch(); }
                if (GUILayout.Button("Decline")) { muster.DeclineMatch(); }
            }
            if (lobby.status == "in_game" && isHost && GUILayout.Button("End the game")) { muster.EndMatch(); }
            if (GUILayout.Button("Leave")) { muster.Leave(); }
        }
    }
}
