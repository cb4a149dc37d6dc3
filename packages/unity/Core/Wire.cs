// What goes over the wire: a view of its JSON that keeps what it does not know, so that a newer service can say more.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Muster
{
    public abstract class Wire
    {
        /// <summary>As it came, or as it goes. What came is shared between events: do not change it.</summary>
        public Dictionary<string, object> Fields { get; }

        protected Wire(Dictionary<string, object> fields) { Fields = fields; }

        /// <summary>The default of T if the field is absent, null, or something else than T.</summary>
        protected T Get<T>(string name)
        {
            object value;
            Fields.TryGetValue(name, out value);
            var isReal = typeof(T) == typeof(double) || typeof(T) == typeof(double?);
            value = value is long && isReal ? (double)(long)value : value;
            return value is T ? (T)value : default(T);
        }

        protected T One<T>(string name, Func<Dictionary<string, object>, T> view) where T : class
        {
            var fields = Get<Dictionary<string, object>>(name);
            return fields == null ? null : view(fields);
        }

        /// <summary>Empty if the field is absent.</summary>
        protected IReadOnlyList<T> Many<T>(string name, Func<Dictionary<string, object>, T> view) =>
            Plain<Dictionary<string, object>>(name).Select(view).ToList();

        protected IReadOnlyList<T> Plain<T>(string name) => (Get<List<object>>(name) ?? new List<object>()).OfType<T>().ToList();

        protected void Put(string name, object value) { Fields[name] = value; }

        public override string ToString() => Json.Write(this);
    }
}
