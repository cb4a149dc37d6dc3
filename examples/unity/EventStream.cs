// Reads the event stream as it comes in: ReceiveData is called on the main thread, with whatever
// bytes the frame brought. The service writes ASCII alone (all else is \uXXXX in the JSON), one line
// of data an event, and lines that end with a line feed; a piece may end anywhere.

using System;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

namespace Muster
{
    public sealed class EventStream : DownloadHandlerScript
    {
        readonly Action<string, string, string> take;
        readonly StringBuilder line = new StringBuilder();
        string name, id, data;
        float heardAt = Time.realtimeSinceStartup;

        /// `take` is given the name, the id (null without one) and the data of each event.
        public EventStream(Action<string, string, string> take) : base(new byte[16 * 1024])
        {
            this.take = take;
        }

        /// Whether an event has come: a proxy that holds all back sends headers at most.
        public bool IsOpen { get; private set; }

        /// Whether the stream ended with the player token that opened it.
        public bool IsTokenOver { get; private set; }

        /// Seconds without a byte; before the first event, without an event.
        public float Silence
        {
            get { return Time.realtimeSinceStartup - heardAt; }
        }

        protected override bool ReceiveData(byte[] bytes, int length)
        {
            for (var i = 0; i < length; i++)
            {
                if (bytes[i] != '\n')
                {
                    line.Append((char)bytes[i]);
                    continue;
                }
                var whole = line.ToString();
                line.Length = 0;
                TakeLine(whole);
            }
            if (IsOpen)
            {
                heardAt = Time.realtimeSinceStartup;
            }
            return true;
        }

        void TakeLine(string text)
        {
            if (text.StartsWith("event: ", StringComparison.Ordinal))
            {
                name = text.Substring(7);
            }
            else if (text.StartsWith("data: ", StringComparison.Ordinal))
            {
                data = text.Substring(6);
            }
            else if (text.StartsWith("id: ", StringComparison.Ordinal))
            {
                id = text.Substring(4);
            }
            else if (text == ": token expired")
            {
                IsTokenOver = true;
            }
            else if (text.Length == 0 && name != null)
            {
                IsOpen = true;
                var ready = name;
                name = null;
                take(ready, id, data);
                id = null;
                data = null;
            }
        }
    }
}
