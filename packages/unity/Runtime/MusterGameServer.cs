// A dedicated game server as a component, such as a Linux server build that Muster starts.

using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace Muster
{
    [AddComponentMenu("Muster/Game server"), DisallowMultipleComponent]
    public sealed class MusterGameServer : MonoBehaviour
    {
        readonly CancellationTokenSource life = new CancellationTokenSource();

        /// <summary>The match, its players, and where to listen. Null in a game that Muster has not started.</summary>
        public MusterServer Server { get; private set; }

        void Awake() { Server = MusterServer.FromEnvironment(UnityPlatform.Current); }

        /// <summary>Null: turn the player away. With Netcode for GameObjects, ask in the connection approval, with the ticket in the payload.</summary>
        public Task<Seat> SeatOf(string ticket, CancellationToken cancel = default(CancellationToken)) => Server.SeatOf(ticket, Alive(cancel));

        /// <summary>Scores by the index of the team.</summary>
        public Task<Match> ReportResult(IEnumerable<double> scores, CancellationToken cancel = default(CancellationToken)) =>
            Server.ReportResult(scores, Alive(cancel));

        CancellationToken Alive(CancellationToken cancel) => CancellationTokenSource.CreateLinkedTokenSource(cancel, life.Token).Token;

        void OnDestroy() { life.Cancel(); }
    }
}
