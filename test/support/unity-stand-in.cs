// The members of Unity's classes that the Unity example and its quickstart use, by their published
// signatures, so that a C# compiler can check the code against them. Nothing here runs.

using System;
using System.Collections;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type required) { }
    }

    public class MonoBehaviour
    {
        public T GetComponent<T>() { throw new NotImplementedException(); }
        public Coroutine StartCoroutine(IEnumerator routine) { throw new NotImplementedException(); }
        public void StopAllCoroutines() { throw new NotImplementedException(); }
    }

    public class YieldInstruction { }
    public sealed class Coroutine : YieldInstruction { }
    public class AsyncOperation : YieldInstruction
    {
        public bool isDone { get { throw new NotImplementedException(); } }
    }

    public sealed class WaitForSecondsRealtime : IEnumerator
    {
        public WaitForSecondsRealtime(float time) { }
        public object Current { get { throw new NotImplementedException(); } }
        public bool MoveNext() { throw new NotImplementedException(); }
        public void Reset() { throw new NotImplementedException(); }
    }

    public static class Time
    {
        public static float realtimeSinceStartup { get { throw new NotImplementedException(); } }
    }

    public static class Mathf
    {
        public static float Min(float a, float b) { throw new NotImplementedException(); }
        public static float Pow(float f, float p) { throw new NotImplementedException(); }
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

    public static class JsonUtility
    {
        public static string ToJson(object value) { throw new NotImplementedException(); }
        public static T FromJson<T>(string json) { throw new NotImplementedException(); }
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

namespace UnityEngine.Networking
{
    public class DownloadHandler : IDisposable
    {
        public string text { get { throw new NotImplementedException(); } }
        public void Dispose() { throw new NotImplementedException(); }
    }

    public sealed class DownloadHandlerBuffer : DownloadHandler { }

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
        public int timeout { get; set; }
        public long responseCode { get { throw new NotImplementedException(); } }
        public string error { get { throw new NotImplementedException(); } }
        public Result result { get { throw new NotImplementedException(); } }
        public void SetRequestHeader(string name, string value) { throw new NotImplementedException(); }
        public UnityWebRequestAsyncOperation SendWebRequest() { throw new NotImplementedException(); }
        public void Abort() { throw new NotImplementedException(); }
        public void Dispose() { throw new NotImplementedException(); }
    }
}
