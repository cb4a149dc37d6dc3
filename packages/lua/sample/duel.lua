-- Two copies of this find each other: lua5.1 sample/duel.lua, in the folder above. MUSTER_URL says where Muster is.
package.path = "./?.lua;" .. package.path
local muster = require("muster")

math.randomseed(os.time() + tonumber(tostring({}):match("%x+$"), 16) % 1000000)

muster.run(function()
  local me = muster.player({
    url = os.getenv("MUSTER_URL") or "http://127.0.0.1:8787",
    key = "client_dev_key",
    config = "quickstart",
    player = "player-" .. math.random(1e9),
  })
  local match, err = me:play("duel")
  if not match then
    print("No match: " .. (err.reason or err.code))
    return
  end
  print(("Connect to %s:%d, team %d"):format(match.host, match.port, match.team))
  io.stdout:flush()
  print("The game is over, and the lobby is " .. match.ended().status)
end)
