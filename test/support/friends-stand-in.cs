// The members of Facepunch.Steamworks and of Discord's Social SDK for Unity that a recipe of
// docs/invites.md uses, by their published signatures, so that a C# compiler can check it. Nothing here runs.

using System;

namespace Steamworks
{
    public struct Friend { }

    public static class SteamFriends
    {
        public static event Action<Friend, string> OnGameRichPresenceJoinRequested { add { } remove { } }
        public static bool SetRichPresence(string key, string value) { throw new NotImplementedException(); }
    }

    public static class SteamApps
    {
        public static string CommandLine { get { throw new NotImplementedException(); } }
    }
}

namespace Discord.Sdk
{
    public enum ActivityTypes { Playing }

    public class ActivityParty
    {
        public void SetId(string value) { }
        public void SetCurrentSize(int value) { }
        public void SetMaxSize(int value) { }
    }

    public class ActivitySecrets
    {
        public void SetJoin(string value) { }
    }

    public class Activity
    {
        public void SetType(ActivityTypes value) { }
        public void SetParty(ActivityParty value) { }
        public void SetSecrets(ActivitySecrets value) { }
    }

    public class ClientResult { }

    public class Client
    {
        public delegate void ActivityJoinCallback(string joinSecret);
        public delegate void UpdateRichPresenceCallback(ClientResult result);
        public void SetActivityJoinCallback(ActivityJoinCallback callback) { }
        public void UpdateRichPresence(Activity activity, UpdateRichPresenceCallback callback) { }
    }
}
