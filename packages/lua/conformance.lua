-- The conformance of this package: prints the lines of packages/conformance/steps.json.
package.path = "./?.lua;" .. package.path
local muster = require("muster")

local words = arg
if love then
  words = love.arg.parseGameArguments(arg)
end
local url, key, config, name, scenario, extra = words[1], words[2], words[3], words[4], words[5], words[6]
local tokens = 0

local function say(...)
  print(table.concat({ ... }, " "))
  io.stdout:flush()
end

local function player(more)
  local options = { url = url, key = key, config = config, player = name, connect = 4, silence = 3, poll = 0.3, heartbeat = 1 }
  if scenario == "calls" or scenario == "token" then
    options.token = function()
      tokens = tokens + 1
      return "t" .. tokens
    end
  end
  options.on_state = function(state)
    if state == "polling" then say("state polling") end
  end
  for option, value in pairs(more or {}) do options[option] = value end
  return muster.player(options)
end

local function refused(what, value, err)
  if not err then return say(what, "worked") end
  local parts = { what, err.code, tostring(err.status) }
  for _, issue in ipairs(err.issues) do parts[#parts + 1] = issue.path end
  say((unpack or table.unpack)(parts))
end

local function calls()
  local me = player()
  assert(me:get_health())
  say("health ok")
  say("where_am_i", #assert(me:where_am_i()))
  assert(me:create_lobby(config, { name = "Den" }))
  say("create ok")
  refused("create again", me:create_lobby(config, { name = "Den" }))
  say("where_am_i", #assert(me:where_am_i()))
  say("state", assert(me:update_my_state(config, { state = { text = 'zwölf 😀 "quoted"' } })).players[1].state.text)
  say("settings", assert(me:update_lobby_settings(config, { name = "Den" })).name)
  refused("settings wrong", me:update_lobby_settings(config, { maxPlayers = 0 }))
  say("moved", assert(me:move_to(config, { config = "hall" })).config)
  refused("move unknown", me:move_to(config, { config = "nosuch" }))
  refused("rematch", me:rematch(config))
  refused("mode unknown", me:start_matchmaking(config, { mode = "nosuch" }))
  assert(me:leave())
  say("leave ok")
  assert(me:leave())
  say("leave again ok")
  refused("lobby gone", me:get_my_lobby(config))
  say("find", me:find_my_lobby() and "one" or "none")
  assert(me:quick_join({ create = { name = "Den" } }))
  say("token renewed")
  assert(me:send_heartbeat(config))
  assert(me:leave())
  say("leave ok")
  say("retry after 503 ok")
  refused("not Muster", me:decline_match(config))
  refused("wrong key", player({ key = "nosuch" }):where_am_i())
  refused("nobody there", player({ url = "http://127.0.0.1:1" }):where_am_i())
end

local function created()
  local me = player()
  assert(me:create_lobby(config, { name = "Den", isPrivate = true }))
  say("create ok")
  return me
end

local function joined()
  local me = player()
  assert(me:join_lobby(config, { code = extra }))
  say("join ok")
  return me
end

local function follow(me)
  local events, shown, at = me:events(), nil, config
  while true do
    local event = events:next()
    if not event then return end
    if event.lobby then
      local line = ("lobby %s %d %s"):format(event.lobby.status, #event.lobby.players, event.lobby.settings.mark or "-")
      if event.lobby.config ~= at then
        at = event.lobby.config
        say("moved", at)
      end
      local isHere = event.lobby.as == "spectator"
      for _, each in ipairs(event.lobby.players) do isHere = isHere or each.id == name end
      if line ~= shown and isHere then say(line) end
      shown = line
      if event.lobby.settings.mark == "leave" then
        assert(me:leave())
        say("leave ok")
      end
    elseif event.type == "matchmaking_timeout" then
      say("search ended", event.reason)
    elseif event.type == "signal" then
      say("signal", event.data.text)
    elseif event.type == "closed" then
      say("closed", event.reason)
    end
  end
end

local function play()
  local me = player()
  for mode, word in ipairs({ "in_game", "confirmed" }) do
    local match, why = me:play(mode == 1 and "solo" or "agreed")
    assert(match, why and why.code)
    say(word, match.host .. ":" .. match.port)
    if mode == 1 then say("ticket of team", match.team) end
    say("ended", match.ended().status)
  end
  local _, err = me:play("never")
  say("no match", err.reason)
end

local function lost()
  local _, err = joined():play("large")
  say("no match", err.reason)
end

local function watch()
  local me = player()
  assert(me:join_lobby(config, { code = extra, as = "spectator" }))
  say("watch ok")
  local match = assert(me:play("solo"))
  say("watching", match.host .. ":" .. match.port)
  say(match.ticket and "ticket of" or "no ticket", match.team or "no team")
  say("ended", match.ended().status)
  follow(me)
end

local function shows(me, holds)
  local events, event = me:events(), nil
  repeat event = assert(events:next()) until event.lobby and holds(event.lobby)
  events:close()
  return event.lobby
end

local function rematch()
  local me = player()
  local match = assert(me:play("duel"))
  say("in_game", match.host .. ":" .. match.port)
  say("ended", match.ended().status)
  local asked = shows(me, function(lobby) return lobby.rematch end).rematch
  say("rematch", asked.yes, "of", asked.needed)
  assert(me:rematch(config))
  local host, port = muster.address_of(shows(me, muster.address_of))
  say("again", host .. ":" .. port)
  say("ended", shows(me, function(lobby) return lobby.status == "waiting" end).status)
  asked = assert(me:rematch(config)).rematch
  say("rematch", asked.yes, "of", asked.needed)
  shows(me, function(lobby) return not lobby.rematch end)
  say("no rematch")
end

local function serve()
  local game = muster.server()
  local count = 0
  for _ in pairs(game.players) do count = count + 1 end
  say("match", game.told.custom_data.matchmaking_mode, count)
  local seat = game:seat_of(extra)
  say("seat", seat.team == game.players[seat.player] and "in its team" or "elsewhere")
  say("forged", game:seat_of(extra:sub(1, -5) .. "AAAA") and "taken" or "refused")
  local teams = { { team = 0, score = 3 }, { team = 1, score = 1 } }
  assert(game:report_result(teams))
  say("result ok")
  assert(game:report_result(teams))
  say("result once")
  refused("other result", game:report_result({ { team = 0, score = 0 }, { team = 1, score = 9 } }))
end

local run = { calls = calls, play = play, lost = lost, watch = watch, rematch = rematch, server = serve }
muster.run(run[scenario] or function()
  follow((scenario == "replaced" or scenario == "deleted") and created() or joined())
end)
if love then love.event.quit() end
