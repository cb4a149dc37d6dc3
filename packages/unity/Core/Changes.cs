// Applies the operations of `lobby_changed` (RFC 6902: add, remove, replace). What they do not touch stays the same object, so
// that a screen can draw only what has changed.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Muster
{
    using Fields = Dictionary<string, object>;

    public static class Changes
    {
        /// <summary>The value after the operations. The one before is left as it is.</summary>
        /// <exception cref="FormatException">An operation does not fit the value.</exception>
        public static object Applied(object before, IEnumerable<Fields> operations)
        {
            foreach (var operation in operations)
            {
                object path;
                operation.TryGetValue("path", out path);
                Must(path is string, "an operation without a path");
                var keys = ((string)path).Split('/').Skip(1).Select(key => key.Replace("~1", "/").Replace("~0", "~"));
                before = Changed(before, keys.ToArray(), 0, operation);
            }
            return before;
        }

        static object Changed(object value, string[] keys, int depth, Fields operation)
        {
            object next, kind;
            if (depth == keys.Length)
            {
                operation.TryGetValue("value", out next);
                return next;
            }
            operation.TryGetValue("op", out kind);
            var key = keys[depth];
            var isLast = depth == keys.Length - 1;
            var isAdded = isLast && (kind as string) == "add";
            var isRemoved = isLast && (kind as string) == "remove";
            if (value is Fields)
            {
                var copy = new Fields((Fields)value, StringComparer.Ordinal);
                Must(copy.TryGetValue(key, out next) || isAdded, key);
                if (isRemoved) { copy.Remove(key); }
                else { copy[key] = Changed(next, keys, depth + 1, operation); }
                return copy;
            }
            Must(value is List<object>, key);
            var list = new List<object>((List<object>)value);
            int index;
            var isIndex = int.TryParse(key, NumberStyles.None, CultureInfo.InvariantCulture, out index) && index.ToString() == key;
            index = key == "-" ? list.Count : index;
            Must((key == "-" || isIndex) && index < list.Count + (isAdded ? 1 : 0), key);
            if (isRemoved) { list.RemoveAt(index); }
            else if (isAdded) { list.Insert(index, Changed(null, keys, depth + 1, operation)); }
            else { list[index] = Changed(list[index], keys, depth + 1, operation); }
            return list;
        }

        static void Must(bool fits, string what)
        {
            if (!fits) { throw new FormatException("Does not fit the lobby: " + what); }
        }
    }
}
