// What goes over the wire, as far as this example reads and writes it. The names of the fields are
// the service's: JsonUtility goes by them. Where the service says null, it may make an empty object
// of it, so every look begins with a status.

using System;

namespace Muster
{
    /// Yours: whatever your rules read (`mmr`, `role`, `regions`, `version`) and your screen shows.
    [Serializable]
    public sealed class PlayerState
    {
        public int mmr;
        public bool ready;
    }

    [Serializable]
    public sealed class Member
    {
        public string id;
        public bool isHost;
        public PlayerState state;
    }

    [Serializable]
    public sealed class Port
    {
        public string name;
        public string host;
        public int external_port;
        public string protocol;
    }

    [Serializable]
    public sealed class Server
    {
        public string instance_id;
        public string status;
        public Port[] network_ports;
        public string ticket;
    }

    /// Which player may take which seat of the game server.
    [Serializable]
    public sealed class Seat
    {
        public string player;
        public string match;
        public string lobby;
        public int team;
        public string role;
        public bool late;
    }

    [Serializable]
    sealed class SeatBody
    {
        public string ticket;
    }

    [Serializable]
    public sealed class Confirmation
    {
        public string deadline;
        public bool confirmed;
    }

    [Serializable]
    public sealed class QueueStats
    {
        public int playersSearching;
        public int lobbiesInQueue;
        public float avgWaitSeconds;
    }

    [Serializable]
    public sealed class Matchmaking
    {
        public string mode;
        public Confirmation confirmation;
    }

    [Serializable]
    public sealed class Lobby
    {
        public string id;
        public string code;
        public string name;
        public string status;
        public string host;
        public int maxPlayers;
        public int currentPlayers;
        public int revision;
        public Member[] players;
        public Server server;
        public Matchmaking matchmaking;

        public bool Has(string playerId)
        {
            return players != null && Array.Exists(players, each => each.id == playerId);
        }

        /// Whether a match waits for this lobby to accept it.
        public bool AsksToConfirm
        {
            get { return status == "match_found" && !matchmaking.confirmation.confirmed; }
        }

        /// Where to connect, once the game server runs.
        public bool TryAddress(out Port port)
        {
            var runs = status == "in_game" && server != null && server.status == "running";
            var isThere = runs && server.network_ports != null && server.network_ports.Length > 0;
            port = isThere ? server.network_ports[0] : null;
            return isThere;
        }
    }

    [Serializable]
    sealed class CreateBody
    {
        public string name;
        public int maxPlayers;
        public PlayerState state;
    }

    [Serializable]
    sealed class JoinBody
    {
        public string code;
        public PlayerState state;
    }

    [Serializable]
    sealed class StateBody
    {
        public PlayerState state;
    }

    [Serializable]
    sealed class ModeBody
    {
        public string mode;
    }

    [Serializable]
    sealed class Ended
    {
        public string id;
        public string mode;
        public string reason;
    }

    [Serializable]
    sealed class Problem
    {
        public string error;
        public string detail;
        public int status;
        public string code;
    }
}
