// A lobby screen to put on the same object as MusterPlayer: create or join, be ready, search, accept, and hand the address to your
// netcode. Immediate mode, so that it needs no scene.

using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Muster;
using UnityEngine;

[RequireComponent(typeof(MusterPlayer))]
public sealed class LobbyScreen : MonoBehaviour
{
    public string mode = "duel";
    public int mmr = 1000;

    MusterPlayer muster;
    TaskCompletionSource<bool> asked;
    string code = "", message = "";

    void Awake()
    {
        muster = GetComponent<MusterPlayer>();
        muster.onClosed.AddListener(why => message = "The lobby is over: " + why);
        muster.GameReady += match =>
        {
            // With Netcode for GameObjects, and the ticket in NetworkConfig.ConnectionData:
            //   transport.SetConnectionData(match.Host, (ushort)match.Port);
            //   NetworkManager.Singleton.StartClient();
            message = "Connect to " + match.Host + ":" + match.Port;
        };
    }

    void Start() { muster.Follow(); }

    void OnGUI()
    {
        GUILayout.BeginArea(new Rect(20, 20, 360, 400));
        if (muster.Lobby == null) { Home(); }
        else { Room(muster.Lobby); }
        GUILayout.Label(message);
        GUILayout.EndArea();
    }

    void Home()
    {
        var state = new Dictionary<string, object> { { "mmr", mmr } };
        if (GUILayout.Button("Create a lobby")) { Do(muster.Create(new CreateLobbyBody { Name = muster.playerId, MaxPlayers = 4, State = state })); }
        code = GUILayout.TextField(code);
        if (GUILayout.Button("Join by code")) { Do(muster.Join(code, state)); }
    }

    void Room(Lobby lobby)
    {
        GUILayout.Label(lobby.Name + " (" + lobby.Code + "): " + lobby.Status);
        foreach (var player in lobby.Players)
        {
            var isReady = player.State != null && player.State.ContainsKey("ready");
            GUILayout.Label(player.Id + (player.IsHost ? ", host" : "") + (isReady ? ", ready" : ""));
        }
        var isHost = lobby.Host == muster.playerId;
        if (lobby.Status == "waiting")
        {
            if (GUILayout.Button("Ready")) { Do(muster.SetState(new Dictionary<string, object> { { "ready", true } })); }
            if (isHost && GUILayout.Button("Find a match")) { Do(Search()); }
        }
        if (lobby.Status == "in_queue" && isHost && GUILayout.Button("Stop searching")) { Do(muster.CancelMatchmaking()); }
        if (lobby.ConfirmUntil != null && asked != null)
        {
            if (GUILayout.Button("Accept")) { asked.TrySetResult(true); }
            if (GUILayout.Button("Decline")) { asked.TrySetResult(false); }
        }
        if (lobby.Status == "in_game" && isHost && GUILayout.Button("End the game")) { Do(muster.EndMatch()); }
        if (GUILayout.Button("Leave")) { Do(muster.Leave()); }
    }

    async Task Search()
    {
        var match = await muster.Play(mode, new PlayOptions { Confirm = Ask });
        message = "The game is over: " + await match.Ended;
    }

    Task<bool> Ask(Lobby lobby, CancellationToken cancel)
    {
        asked = new TaskCompletionSource<bool>();
        return asked.Task;
    }

    async void Do(Task call)
    {
        try { await call; }
        catch (MusterException problem) { message = problem.Reason ?? problem.Message; }
        catch (System.OperationCanceledException) { message = ""; }
    }
}
