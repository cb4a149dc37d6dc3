// The members of Unity's classes that packages/unity and its quickstart use, by their published signatures, so that a C# compiler
// can check the code against them. Nothing here runs.

using System;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type required) { }
    }

    public sealed class AddComponentMenu : Attribute
    {
        public AddComponentMenu(string menuName) { }
    }

    public sealed class DisallowMultipleComponent : Attribute { }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class HeaderAttribute : Attribute
    {
        public HeaderAttribute(string header) { }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip) { }
    }

    [Flags]
    public enum HideFlags { None = 0, HideInHierarchy = 1 }

    public class Object
    {
        public HideFlags hideFlags { get; set; }
        public static void DontDestroyOnLoad(Object target) { throw new NotImplementedException(); }
    }

    public class Component : Object
    {
        public T GetComponent<T>() { throw new NotImplementedException(); }
    }

    public sealed class GameObject : Object
    {
        public GameObject(string name) { }
        public T AddComponent<T>() where T : Component { throw new NotImplementedException(); }
    }

    public class MonoBehaviour : Component { }

    public class AsyncOperation
    {
        public event Action<AsyncOperation> completed { add { } remove { } }
    }

    public static class Application
    {
        public static string absoluteURL { get { throw new NotImplementedException(); } }
        public static event Action<string> deepLinkActivated { add { } remove { } }
        public static void Quit() { throw new NotImplementedException(); }
    }

    public static class Time
    {
        public static double realtimeSinceStartupAsDouble { get { throw new NotImplementedException(); } }
    }

    public static class Random
    {
        public static float Range(float minInclusive, float maxInclusive) { throw new NotImplementedException(); }
        public static int Range(int minInclusive, int maxExclusive) { throw new NotImplementedException(); }
    }

    public static class Debug
    {
        public static void Log(object message) { throw new NotImplementedException(); }
        public static void LogWarning(object message) { throw new NotImplementedException(); }
    }

    public struct Rect
    {
        public Rect(float x, float y, float width, float height) { }
    }

    public class GUILayoutOption { }

    public static class GUILayout
    {
        public static void BeginArea(Rect screenRect) { throw new NotImplementedException(); }
        public static void EndArea() { throw new NotImplementedException(); }
        public static bool Button(string text, params GUILayoutOption[] options) { throw new NotImplementedException(); }
        public static void Label(string text, params GUILayoutOption[] options) { throw new NotImplementedException(); }
        public static string TextField(string text, params GUILayoutOption[] options) { throw new NotImplementedException(); }
    }
}

namespace UnityEngine.Events
{
    public delegate void UnityAction<T0>(T0 arg0);
    public delegate void UnityAction<T0, T1>(T0 arg0, T1 arg1);

    public class UnityEvent<T0>
    {
        public void AddListener(UnityAction<T0> call) { throw new NotImplementedException(); }
        public void Invoke(T0 arg0) { throw new NotImplementedException(); }
    }

    public class UnityEvent<T0, T1>
    {
        public void AddListener(UnityAction<T0, T1> call) { throw new NotImplementedException(); }
        public void Invoke(T0 arg0, T1 arg1) { throw new NotImplementedException(); }
    }
}

namespace UnityEngine.Networking
{
    public class DownloadHandler : IDisposable
    {
        public void Dispose() { throw new NotImplementedException(); }
    }

    public class DownloadHandlerScript : DownloadHandler
    {
        public DownloadHandlerScript(byte[] preallocatedBuffer) { }
        protected virtual bool ReceiveData(byte[] data, int dataLength) { throw new NotImplementedException(); }
    }

    public class UploadHandler : IDisposable
    {
        public void Dispose() { throw new NotImplementedException(); }
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data) { }
    }

    public class UnityWebRequestAsyncOperation : AsyncOperation { }

    public class UnityWebRequest : IDisposable
    {
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }

        public UnityWebRequest(string url, string method) { }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public int redirectLimit { get; set; }
        public long responseCode { get { throw new NotImplementedException(); } }
        public string error { get { throw new NotImplementedException(); } }
        public Result result { get { throw new NotImplementedException(); } }
        public string GetResponseHeader(string name) { throw new NotImplementedException(); }
        public void SetRequestHeader(string name, string value) { throw new NotImplementedException(); }
        public UnityWebRequestAsyncOperation SendWebRequest() { throw new NotImplementedException(); }
        public void Abort() { throw new NotImplementedException(); }
        public void Dispose() { throw new NotImplementedException(); }
    }
}
