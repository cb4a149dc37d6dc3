rockspec_format = "3.0"
package = "muster"
version = "0.3.0-1"
source = { url = "muster-lua-0.3.0.zip", dir = "muster-lua-0.3.0" }
description = { summary = "Lobbies, matchmaking and game servers of Muster", license = "Apache-2.0" }
dependencies = { "lua >= 5.1", "luasocket >= 3.0" }
build = { type = "builtin", modules = { muster = "muster.lua" } }
