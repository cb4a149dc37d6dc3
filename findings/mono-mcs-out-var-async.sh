#!/usr/bin/env bash
# Mono's C# compiler (mcs 6.8) knows `out var` of C# 7, and crashes on the first one in an async method.
#
# Two programs are compiled with -langversion:7. Both have one `int.TryParse(text, out var number)`: in a plain method, and in an async one.
#   expected: both compile, or the second is refused with a line and a reason, as mcs refuses what it does not know
#   seen:     the first compiles. The second ends the compiler: "Unhandled Exception: Mono.CSharp.InternalErrorException …
#             NullReferenceException", without an .exe. With the variable declared before the call, it compiles
# Cause: the variable becomes a field of the method's state machine, and has no type yet when that is written.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
command -v mono >/dev/null && command -v mcs >/dev/null || { echo "needs mono-runtime and mono-mcs"; exit 2; }
mcs --version | grep -q ' 6\.8\.0' || { echo "this is about mcs 6.8.0, not $(mcs --version)"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
cat >plain.cs <<'CS'
static class Program
{
    static int Read(string text) { return int.TryParse(text, out var number) ? number : 0; }
    static void Main() { System.Console.WriteLine(Read("7")); }
}
CS
cat >async.cs <<'CS'
using System.Threading.Tasks;
static class Program
{
    static async Task<int> Read(string text)
    {
        await Task.Yield();
        return int.TryParse(text, out var number) ? number : 0;
    }
    static void Main() { System.Console.WriteLine(Read("7").Result); }
}
CS
cat >before.cs <<'CS'
using System.Threading.Tasks;
static class Program
{
    static async Task<int> Read(string text)
    {
        int number;
        await Task.Yield();
        return int.TryParse(text, out number) ? number : 0;
    }
    static void Main() { System.Console.WriteLine(Read("7").Result); }
}
CS
for name in plain before; do
  mcs -langversion:7 $name.cs >$name.log 2>&1 && [ "$(mono $name.exe)" = 7 ] || { cat $name.log; exit 2; }
done
mcs -langversion:7 async.cs >async.log 2>&1 && said=compiled || said=$(grep -o -m 1 'Mono.CSharp.InternalErrorException\|error CS[0-9]*' async.log | head -n 1)
echo "mcs $(mcs --version | grep -o '[0-9.]*$'): in a plain method compiled, in an async method: ${said:-nothing}"
[ "$said" = Mono.CSharp.InternalErrorException ] && [ ! -e async.exe ]
