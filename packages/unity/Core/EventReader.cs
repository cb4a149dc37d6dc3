// Reads server-sent events from bytes that arrive in arbitrary pieces.

using System;
using System.Text;

namespace Muster
{
    sealed class EventReader
    {
        readonly Action<string, string, string> onEvent;
        readonly Action<string> onComment;
        readonly Decoder decoder = new UTF8Encoding(false).GetDecoder();
        readonly StringBuilder line = new StringBuilder();
        char[] letters = new char[0];
        bool isAfterReturn;
        string name = "", id, data;

        /// <param name="onEvent">Is given the name, the last id so far (null before the first) and the data.</param>
        public EventReader(Action<string, string, string> onEvent, Action<string> onComment)
        {
            this.onEvent = onEvent;
            this.onComment = onComment;
        }

        public void Feed(byte[] bytes, int count)
        {
            var most = Encoding.UTF8.GetMaxCharCount(count);
            letters = letters.Length < most ? new char[most] : letters;
            var got = decoder.GetChars(bytes, 0, count, letters, 0);
            for (var at = 0; at < got; at += 1)
            {
                var letter = letters[at];
                // A line ends with LF, CR or both.
                var isPair = isAfterReturn && letter == '\n';
                isAfterReturn = letter == '\r';
                if (letter != '\n' && letter != '\r') { line.Append(letter); }
                else if (!isPair)
                {
                    var whole = line.ToString();
                    line.Length = 0;
                    Take(whole);
                }
            }
        }

        void Take(string text)
        {
            if (text == "")
            {
                var ready = data;
                var its = name;
                data = null;
                name = "";
                if (ready != null) { onEvent(its, id, ready); }
                return;
            }
            var colon = text.IndexOf(':');
            var field = colon < 0 ? text : text.Substring(0, colon);
            var value = colon < 0 ? "" : text.Substring(colon + 1);
            value = value.StartsWith(" ", StringComparison.Ordinal) ? value.Substring(1) : value;
            if (field == "") { onComment(value); }
            else if (field == "event") { name = value; }
            else if (field == "data") { data = data == null ? value : data + "\n" + value; }
            else if (field == "id") { id = value; }
        }
    }
}
