// JSON (RFC 8259) without a dependency, and without reflection, which IL2CPP would strip.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace Muster
{
    /// <summary>Values are Dictionary&lt;string, object&gt;, List&lt;object&gt;, string, long, double, bool and null.</summary>
    public static class Json
    {
        /// Deeper than the service writes. What nests deeper would overflow the stack.
        const int MaxDepth = 128;
        static readonly Regex IsNumber = new Regex("^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$");
        static readonly CultureInfo Plain = CultureInfo.InvariantCulture;

        /// <exception cref="FormatException">The text is no JSON.</exception>
        public static object Parse(string text) => new Reader(text).Whole();

        /// <summary>Null for what is no JSON, or no object.</summary>
        public static Dictionary<string, object> ParseObject(string text)
        {
            try { return Parse(text) as Dictionary<string, object>; }
            catch (FormatException) { return null; }
        }

        /// <exception cref="ArgumentException">A value that JSON does not know, such as NaN.</exception>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(value, text, 0);
            return text.ToString();
        }

        static void Write(object value, StringBuilder text, int depth)
        {
            if (depth > MaxDepth) { throw new ArgumentException("Nested too deeply for JSON: does it hold itself?"); }
            if (value == null) { text.Append("null"); }
            else if (value is string) { WriteText((string)value, text); }
            else if (value is bool) { text.Append((bool)value ? "true" : "false"); }
            else if (value is int || value is long) { text.Append(Convert.ToInt64(value).ToString(Plain)); }
            else if (value is double || value is float) { text.Append(Real(Convert.ToDouble(value))); }
            else if (value is Wire) { Write(((Wire)value).Fields, text, depth); }
            else if (value is IDictionary<string, object>)
            {
                WriteAll((IDictionary<string, object>)value, "{}", text, each =>
                {
                    WriteText(each.Key, text);
                    text.Append(':');
                    Write(each.Value, text, depth + 1);
                });
            }
            else if (value is IEnumerable)
            {
                WriteAll(((IEnumerable)value).Cast<object>(), "[]", text, each => Write(each, text, depth + 1));
            }
            else { throw new ArgumentException("No JSON: " + value.GetType()); }
        }

        static void WriteAll<T>(IEnumerable<T> all, string ends, StringBuilder text, Action<T> write)
        {
            text.Append(ends[0]);
            var between = "";
            foreach (var each in all)
            {
                text.Append(between);
                between = ",";
                write(each);
            }
            text.Append(ends[1]);
        }

        static string Real(double number)
        {
            if (double.IsNaN(number) || double.IsInfinity(number)) { throw new ArgumentException("No JSON: " + number); }
            return number.ToString("R", Plain);
        }

        static void WriteText(string plain, StringBuilder text)
        {
            text.Append('"');
            foreach (var each in plain)
            {
                if (each == '"' || each == '\\') { text.Append('\\').Append(each); }
                // ASCII alone: no encoding on the way can spoil it, half of a surrogate pair neither.
                else if (each < ' ' || each > '~') { text.Append("\\u").Append(((int)each).ToString("x4", Plain)); }
                else { text.Append(each); }
            }
            text.Append('"');
        }

        sealed class Reader
        {
            readonly string text;
            int at;

            public Reader(string text) { this.text = text; }

            public object Whole()
            {
                var value = Value(0);
                Skip();
                return at == text.Length ? value : Wrong();
            }

            object Value(int depth)
            {
                var first = depth > MaxDepth ? '\0' : Peek();
                return first == '{' ? Fields(depth)
                    : first == '[' ? Items(depth)
                    : first == '"' ? Text()
                    : first == 't' ? Word("true", true)
                    : first == 'f' ? Word("false", false)
                    : first == 'n' ? Word("null", null)
                    : Number();
            }

            object Wrong() { throw new FormatException("No JSON at position " + at); }

            void Skip()
            {
                while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) { at += 1; }
            }

            /// The next character that is no space; NUL at the end.
            char Peek()
            {
                Skip();
                return at < text.Length ? text[at] : '\0';
            }

            bool Takes(char wanted)
            {
                var isThere = Peek() == wanted;
                at += isThere ? 1 : 0;
                return isThere;
            }

            void Must(bool holds) { if (!holds) { Wrong(); } }

            object Word(string word, object value)
            {
                Must(string.CompareOrdinal(text, at, word, 0, word.Length) == 0);
                at += word.Length;
                return value;
            }

            object Fields(int depth)
            {
                var fields = new Dictionary<string, object>(StringComparer.Ordinal);
                at += 1;
                for (var isFirst = true; !Takes('}'); isFirst = false)
                {
                    Must(isFirst || Takes(','));
                    Must(Peek() == '"');
                    var name = Text();
                    Must(Takes(':'));
                    fields[name] = Value(depth + 1);
                }
                return fields;
            }

            object Items(int depth)
            {
                var items = new List<object>();
                at += 1;
                for (var isFirst = true; !Takes(']'); isFirst = false)
                {
                    Must(isFirst || Takes(','));
                    items.Add(Value(depth + 1));
                }
                return items;
            }

            object Number()
            {
                var from = at;
                while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0) { at += 1; }
                var number = text.Substring(from, at - from);
                long whole;
                double real;
                Must(IsNumber.IsMatch(number));
                if (long.TryParse(number, NumberStyles.AllowLeadingSign, Plain, out whole)) { return whole; }
                var style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
                // A number that is too large is refused by old runtimes, and infinite in new ones.
                return double.TryParse(number, style, Plain, out real) && !double.IsInfinity(real) ? real : Wrong();
            }

            string Text()
            {
                var built = new StringBuilder();
                for (var from = at += 1; ; at += 1)
                {
                    Must(at < text.Length && text[at] >= ' ');
                    if (text[at] != '"' && text[at] != '\\') { continue; }
                    built.Append(text, from, at - from);
                    at += 1;
                    if (text[at - 1] == '"') { return built.ToString(); }
                    built.Append(Escaped());
                    from = at + 1;
                }
            }

            /// Leaves `at` on the last character of the escape.
            char Escaped()
            {
                var kind = at < text.Length ? "\"\\/bfnrtu".IndexOf(text[at]) : -1;
                Must(kind >= 0);
                if (text[at] != 'u') { return "\"\\/\b\f\n\r\t"[kind]; }
                ushort code = 0;
                var hex = at + 4 < text.Length ? text.Substring(at + 1, 4) : "";
                Must(ushort.TryParse(hex, NumberStyles.AllowHexSpecifier, Plain, out code));
                at += 4;
                return (char)code;
            }
        }
    }
}
