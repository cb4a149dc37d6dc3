// A dedicated server: put it on an object beside MusterGameServer, and start your netcode on Server.Port.

using Muster;
using UnityEngine;

[RequireComponent(typeof(MusterGameServer))]
public sealed class ArenaServer : MonoBehaviour
{
    MusterGameServer muster;

    void Start()
    {
        muster = GetComponent<MusterGameServer>();
        if (muster.Server == null)
        {
            Debug.Log("Muster has not started this program");
            return;
        }
        Debug.Log("Listen on " + muster.Server.Port + " for " + muster.Server.Players.Count + " players of " + muster.Server.Mode);
    }

    /// With Netcode for GameObjects: response.Pending = true, and Approved once this ends.
    public async void Approve(string ticket, System.Action<bool> approve)
    {
        var seat = await muster.SeatOf(ticket);
        approve(seat != null);
    }

    public async void End(double first, double second)
    {
        await muster.ReportResult(new[] { first, second });
        Application.Quit();
    }
}
