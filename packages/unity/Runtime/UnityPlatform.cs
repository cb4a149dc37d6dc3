// Unity as the client's platform: UnityWebRequest, the engine's clock, and everything on the main thread. It needs no thread, so
// that it works in WebGL builds too, where a timer of .NET never fires.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Networking;

namespace Muster
{
    [AddComponentMenu("")]
    public sealed class UnityPlatform : MonoBehaviour, IPlatform
    {
        sealed class Pausing
        {
            public double Until;
            public readonly TaskCompletionSource<bool> Done = new TaskCompletionSource<bool>();
        }

        static UnityPlatform current;
        readonly List<Pausing> pauses = new List<Pausing>();

        /// <summary>One for the whole game: it outlives scenes, and ends with play mode. Ask for it on the main thread.</summary>
        public static UnityPlatform Current
        {
            get
            {
                if (current == null)
                {
                    // Not one of the flags that save: such an object would outlive play mode in the editor.
                    var home = new GameObject("Muster") { hideFlags = HideFlags.HideInHierarchy };
                    DontDestroyOnLoad(home);
                    current = home.AddComponent<UnityPlatform>();
                }
                return current;
            }
        }

        public double Now => Time.realtimeSinceStartupAsDouble;

        public double Chance() => UnityEngine.Random.Range(0f, 0.999999f);

        public async Task Pause(double seconds, CancellationToken cancel)
        {
            var pausing = new Pausing { Until = Now + seconds };
            pauses.Add(pausing);
            using (cancel.Register(() => pausing.Done.TrySetCanceled(), true))
            {
                try { await pausing.Done.Task; }
                finally { pauses.Remove(pausing); }
            }
        }

        void Update()
        {
            var now = Now;
            foreach (var each in pauses.Where(pausing => pausing.Until <= now).ToList()) { each.Done.TrySetResult(true); }
        }

        void OnDestroy()
        {
            foreach (var each in pauses.ToList()) { each.Done.TrySetCanceled(); }
        }

        public async Task<Answer> Send(Request asked, Action<byte[], int> onBytes, CancellationToken cancel)
        {
            cancel.ThrowIfCancellationRequested();
            using (var request = new UnityWebRequest(asked.Url, asked.Method))
            {
                var body = new Body(request, onBytes);
                request.downloadHandler = body;
                request.redirectLimit = 0;
                foreach (var header in asked.Headers) { request.SetRequestHeader(header.Key, header.Value); }
                if (asked.Body != null)
                {
                    request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(asked.Body));
                    request.SetRequestHeader("Content-Type", "application/json");
                }
                await Sent(request, cancel);
                if (request.result != UnityWebRequest.Result.Success && request.result != UnityWebRequest.Result.ProtocolError)
                {
                    throw new MusterException("NETWORK", "No answer from " + asked.Url + ": " + request.error);
                }
                return new Answer
                {
                    Status = (int)request.responseCode,
                    ContentType = (request.GetResponseHeader("Content-Type") ?? "").Split(';')[0].Trim(),
                    RetryAfter = Answer.ReadRetryAfter(request.GetResponseHeader("Retry-After")),
                    Text = body.Text,
                };
            }
        }

        static async Task Sent(UnityWebRequest request, CancellationToken cancel)
        {
            var done = new TaskCompletionSource<bool>();
            Action stop = () =>
            {
                done.TrySetCanceled();
                request.Abort();
            };
            using (cancel.Register(stop, true))
            {
                try { request.SendWebRequest().completed += each => done.TrySetResult(true); }
                catch (InvalidOperationException problem)
                {
                    // http to another machine needs a player setting.
                    throw new MusterException("INVALID_OPTION", problem.Message, problem);
                }
                await done.Task;
            }
        }

        /// ReceiveData is called on the main thread with whatever bytes the frame has brought.
        sealed class Body : DownloadHandlerScript
        {
            readonly UnityWebRequest request;
            readonly Action<byte[], int> onBytes;
            readonly MemoryStream whole = new MemoryStream();

            public Body(UnityWebRequest request, Action<byte[], int> onBytes) : base(new byte[16 * 1024])
            {
                this.request = request;
                this.onBytes = onBytes;
            }

            public string Text => Encoding.UTF8.GetString(whole.ToArray());

            protected override bool ReceiveData(byte[] bytes, int length)
            {
                if (onBytes != null && request.responseCode == 200) { onBytes(bytes, length); }
                else { whole.Write(bytes, 0, length); }
                return true;
            }
        }
    }
}
