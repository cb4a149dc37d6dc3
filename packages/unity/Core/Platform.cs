// What the client needs of the platform it runs on: requests, time and chance. An engine brings its own; see Unity's.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    public sealed class Request
    {
        public string Method, Url;
        public readonly Dictionary<string, string> Headers = new Dictionary<string, string>();
        /// <summary>JSON, or null.</summary>
        public string Body;
    }

    public sealed class Answer
    {
        /// <summary>HTTP status.</summary>
        public int Status;
        /// <summary>Without parameters.</summary>
        public string ContentType = "";
        /// <summary>Seconds that the service asks to wait; null if it does not say.</summary>
        public double? RetryAfter;
        /// <summary>Empty if its bytes were passed on as they came.</summary>
        public string Text = "";

        public static double? ReadRetryAfter(string header)
        {
            double seconds;
            return double.TryParse(header, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out seconds) ? seconds : (double?)null;
        }
    }

    public interface IPlatform
    {
        /// <summary>
        /// Sends the request, and follows no redirect, which would carry the key elsewhere. Any status is an answer. With `onBytes`, the
        /// body of a 200 is passed on as it comes, and the task ends with the body.
        /// </summary>
        /// <exception cref="MusterException">NETWORK: no answer came, or it broke off.</exception>
        Task<Answer> Send(Request request, Action<byte[], int> onBytes, CancellationToken cancel);

        Task Pause(double seconds, CancellationToken cancel);

        /// <summary>Seconds since some instant; never steps back.</summary>
        double Now { get; }

        /// <summary>From 0 to 1, without 1.</summary>
        double Chance();
    }

    /// <summary>.NET and Mono: HttpClient, the clock, and any thread.</summary>
    public sealed class DotNetPlatform : IPlatform
    {
        readonly Stopwatch clock = Stopwatch.StartNew();
        readonly Random random = new Random();
        readonly HttpClient http;

        /// <param name="http">With a proxy or certificates of yours: without a time limit, which would end streams.</param>
        public DotNetPlatform(HttpClient http = null)
        {
            var handler = http == null ? new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false } : null;
            this.http = http ?? new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        }

        public double Now => clock.Elapsed.TotalSeconds;

        public double Chance() { lock (random) { return random.NextDouble(); } }

        public Task Pause(double seconds, CancellationToken cancel) => Task.Delay(TimeSpan.FromSeconds(Math.Max(0, seconds)), cancel);

        public async Task<Answer> Send(Request request, Action<byte[], int> onBytes, CancellationToken cancel)
        {
            using (var message = new HttpRequestMessage(new HttpMethod(request.Method), request.Url))
            {
                foreach (var header in request.Headers) { message.Headers.TryAddWithoutValidation(header.Key, header.Value); }
                message.Content = request.Body == null ? null : new StringContent(request.Body, Encoding.UTF8, "application/json");
                try
                {
                    return await Sent(message, onBytes, cancel);
                }
                catch (Exception problem) when (!cancel.IsCancellationRequested && (problem is HttpRequestException || problem is IOException))
                {
                    throw new MusterException("NETWORK", "No answer from " + request.Url + ": " + problem.Message, problem);
                }
            }
        }

        async Task<Answer> Sent(HttpRequestMessage message, Action<byte[], int> onBytes, CancellationToken cancel)
        {
            using (var response = await http.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancel))
            using (var body = await response.Content.ReadAsStreamAsync())
            using (var whole = new MemoryStream())
            {
                IEnumerable<string> after;
                response.Headers.TryGetValues("Retry-After", out after);
                var status = (int)response.StatusCode;
                var type = response.Content.Headers.ContentType;
                var take = onBytes != null && status == 200 ? onBytes : (bytes, length) => whole.Write(bytes, 0, length);
                var buffer = new byte[16 * 1024];
                for (int count; (count = await body.ReadAsync(buffer, 0, buffer.Length, cancel)) > 0;) { take(buffer, count); }
                return new Answer
                {
                    Status = status,
                    ContentType = type == null ? "" : type.MediaType,
                    RetryAfter = Answer.ReadRetryAfter(after == null ? null : after.First()),
                    Text = Encoding.UTF8.GetString(whole.ToArray()),
                };
            }
        }
    }
}
