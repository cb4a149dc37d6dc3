// The calls: headers, JSON, time limit, refusals. The functions for the endpoints are in Generated.cs.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    public sealed class MusterOptions
    {
        /// <summary>The address of the service, without a version: https://muster.example.com</summary>
        public string Url = "http://127.0.0.1:8787";
        /// <summary>A client key: a game never holds the server key.</summary>
        public string Key = "client_dev_key";
        public string Config = "arena";
        /// <summary>Whoever says it is this player is believed, unless the project wants player tokens.</summary>
        public string Player;
        /// <summary>Fetches a player token from your backend, for projects that want one. Called again when it is over.</summary>
        public Func<CancellationToken, Task<string>> Token;
        public IPlatform Platform;
        /// A game server's own token.
        internal string Bearer;
        /// <summary>Seconds until a call is given up.</summary>
        public double CallSeconds = 15;
        /// <summary>Seconds until a stream must have sent its first event, and without a byte until it is dead.</summary>
        public double ConnectSeconds = 10, SilenceSeconds = 45;
        /// <summary>Seconds between two polls and two heartbeats where no stream gets through, and until the next is tried.</summary>
        public double PollSeconds = 3, HeartbeatSeconds = 10, RetryStreamSeconds = 60;
        /// <summary>Seconds of the first and of the longest wait before a stream is opened again.</summary>
        public double FirstWaitSeconds = 0.5, LongestWaitSeconds = 30;
    }

    /// One call: what is null is not sent.
    sealed class Ask
    {
        public readonly string Method, Path;
        public readonly Dictionary<string, object> Query = new Dictionary<string, object>(), Headers = new Dictionary<string, object>();
        public object Body;

        public Ask(string method, string path)
        {
            Method = method;
            Path = path;
        }
    }

    public sealed partial class Api
    {
        internal readonly MusterOptions Options;
        internal readonly IPlatform Platform;
        readonly object gate = new object();
        Task<string> token;

        public Api(MusterOptions options)
        {
            Options = options;
            Platform = options.Platform ?? new DotNetPlatform();
        }

        /// <summary>A part of a path. Half of a surrogate pair becomes a character that no name has.</summary>
        public static string Part(string text)
        {
            var whole = System.Text.Encoding.UTF8.GetString(System.Text.Encoding.UTF8.GetBytes(text));
            return Uri.EscapeDataString(whole);
        }

        internal async Task<Request> Request(string method, string path, CancellationToken cancel)
        {
            var request = new Request { Method = method, Url = Options.Url.TrimEnd('/') + path };
            if (!Options.Url.StartsWith("http://", StringComparison.Ordinal) && !Options.Url.StartsWith("https://", StringComparison.Ordinal))
            {
                throw new MusterException("INVALID_OPTION", "Url: " + Options.Url + " is no http or https address");
            }
            if (Options.Key != "") { request.Headers["api-key"] = Options.Key; }
            if (Options.Bearer != null) { request.Headers["Authorization"] = "Bearer " + Options.Bearer; }
            if (Options.Player != null) { request.Headers["x-player-id"] = HeaderText(Options.Player); }
            if (Options.Token != null) { request.Headers["x-player-token"] = await Token(cancel); }
            return request;
        }

        /// Percent-encoded (RFC 8187) if it would not arrive unchanged: a header carries no more than ASCII everywhere.
        static string HeaderText(string text)
        {
            var isPlain = text.All(each => each >= ' ' && each <= '~') && text.Trim() == text && text != "";
            return isPlain && !text.StartsWith("utf-8''", StringComparison.OrdinalIgnoreCase) ? text : "utf-8''" + Part(text);
        }

        async Task<string> Token(CancellationToken cancel)
        {
            Task<string> asked;
            lock (gate)
            {
                asked = token = token ?? Options.Token(cancel);
            }
            try
            {
                return await asked;
            }
            catch (Exception problem) when (!cancel.IsCancellationRequested)
            {
                Forget(asked);
                throw new MusterException("NETWORK", "There is no player token", problem);
            }
            catch
            {
                Forget(asked);
                throw;
            }
        }

        /// <summary>The token is over, or was refused. The next request asks for another.</summary>
        internal void ForgetToken()
        {
            Forget(token);
        }

        /// Unless another call has fetched a newer one already.
        void Forget(Task<string> old)
        {
            lock (gate)
            {
                token = token == old ? null : token;
            }
        }

        /// <summary>
        /// A service that is overloaded, or asked too much, has done nothing: it is asked again when it says, for as long as there
        /// is time. A token that it refuses is fetched again, once. The answer is null for JSON's null.
        /// </summary>
        internal async Task<T> Call<T>(Ask ask, Func<Dictionary<string, object>, T> read, CancellationToken cancel)
        {
            var until = Platform.Now + Options.CallSeconds;
            var renews = Options.Token != null;
            for (;;)
            {
                var request = await Request(ask.Method, ask.Path + Query(ask.Query), cancel);
                foreach (var header in ask.Headers.Where(each => each.Value != null)) { request.Headers[header.Key] = Plain(header.Value); }
                request.Body = ask.Body == null ? null : Json.Write(ask.Body);
                var used = token;
                var answer = await Watch.Over(Platform, link => Platform.Send(request, null, link), () => until, cancel);
                if (answer.Status >= 200 && answer.Status < 300) { return Read(answer, read); }
                var problem = MusterException.Of(answer);
                if (renews && problem.IsOfToken)
                {
                    renews = false;
                    Forget(used);
                    continue;
                }
                var wait = (problem.RetryAfter ?? 1) + Platform.Chance();
                var isUndone = problem.Code == "OVERLOADED" || problem.Code == "RATE_LIMITED";
                if (!isUndone || Platform.Now + wait >= until) { throw problem; }
                await Platform.Pause(wait, cancel);
            }
        }

        static T Read<T>(Answer answer, Func<Dictionary<string, object>, T> read)
        {
            var told = Json.ParseObject(answer.Text);
            if (told == null && answer.Text.Trim() != "null")
            {
                throw MusterException.Of(answer);
            }
            return told == null ? default(T) : read(told);
        }

        static string Query(Dictionary<string, object> query)
        {
            var parts = query.Where(each => each.Value != null).Select(each => Part(each.Key) + "=" + Part(Plain(each.Value)));
            var text = string.Join("&", parts);
            return text == "" ? "" : "?" + text;
        }

        static string Plain(object value) => value is bool ? ((bool)value ? "true" : "false") : Convert.ToString(value, CultureInfo.InvariantCulture);
    }

    /// Time limits by the platform's clock: a timer of .NET never fires in Unity's WebGL builds, which have no threads.
    static class Watch
    {
        /// <exception cref="MusterException">TIMEOUT: the instant `until` has come, which may move meanwhile.</exception>
        public static async Task<T> Over<T>(IPlatform platform, Func<CancellationToken, Task<T>> work, Func<double> until, CancellationToken cancel)
        {
            using (var link = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                var working = work(link.Token);
                while (!working.IsCompleted)
                {
                    var left = until() - platform.Now;
                    if (left <= 0)
                    {
                        link.Cancel();
                        Forgotten(working);
                        throw new MusterException("TIMEOUT", "No answer in time");
                    }
                    using (var pause = CancellationTokenSource.CreateLinkedTokenSource(link.Token))
                    {
                        var pausing = platform.Pause(left, pause.Token);
                        await Task.WhenAny(working, pausing);
                        pause.Cancel();
                        Forgotten(pausing);
                    }
                    if (cancel.IsCancellationRequested && !working.IsCompleted)
                    {
                        // Some platforms are slow to notice.
                        Forgotten(working);
                        cancel.ThrowIfCancellationRequested();
                    }
                }
                return await working;
            }
        }

        /// Whoever awaits it may keep the thread, which must not be the one that reads the stream. Where there is a context, as in an
        /// engine, that one decides: WebGL builds of Unity have no other thread.
        public static TaskCompletionSource<T> Later<T>() => new TaskCompletionSource<T>(
            SynchronizationContext.Current == null ? TaskCreationOptions.RunContinuationsAsynchronously : TaskCreationOptions.None);

        /// Nobody waits for it any more: what it throws is no news.
        public static void Forgotten(Task task)
        {
            task.ContinueWith(ended => ended.Exception, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously);
        }
    }
}
