--- Muster for Lua 5.1 to 5.4, LuaJIT and LÖVE: lobbies, matchmaking and game servers. It needs luasocket, which LÖVE and Defold
-- bring. Nothing here blocks but the look-up of a name: whatever waits does so in a coroutine, which `muster.update` resumes.
local here = (...) or "muster"
local socket = require("socket")
local Api = require(here .. ".api")

local muster = { VERSION = "0.3.0" }
local now = socket.gettime

-- Tasks ------------------------------------------------------------------------------------------------------------------------

local tasks = {}

--- Starts a function that may call what waits. It runs until its first wait at once, and then with each `update`.
function muster.start(run, ...)
  local task = coroutine.create(run)
  tasks[#tasks + 1] = task
  local isFine, why = coroutine.resume(task, ...)
  if not isFine then error(debug.traceback(task, why), 0) end
end

--- Call it once a frame. Raises what a task raised.
function muster.update()
  local before = tasks
  tasks = {}
  for index, task in ipairs(before) do
    if coroutine.status(task) ~= "dead" then
      tasks[#tasks + 1] = task
      local isFine, why = coroutine.resume(task)
      if not isFine then
        for rest = index + 1, #before do tasks[#tasks + 1] = before[rest] end
        error(debug.traceback(task, why), 0)
      end
    end
  end
end

--- For programs without frames: runs the function and what it starts, to the end of the function.
function muster.run(run)
  local isOver = false
  muster.start(function()
    run()
    isOver = true
  end)
  while not isOver do
    socket.sleep(0.005)
    muster.update()
  end
end

--- Waits in a task until the condition holds; false: it did not within the seconds.
local function wait(seconds, holds)
  local till = seconds and now() + seconds
  while not (holds and holds()) do
    if till and now() >= till then return false end
    coroutine.yield()
  end
  return true
end

muster.wait = wait

-- JSON -------------------------------------------------------------------------------------------------------------------------

--- A null in a list. In an object it is absent.
muster.null = setmetatable({}, { __tostring = function() return "null" end })
local LIST = {}

--- Marks a table as a list, which an empty one has to be told.
function muster.list(items) return setmetatable(items or {}, LIST) end

local NAMED = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(each) return NAMED[each] or ("\\u%04x"):format(each:byte()) end) .. '"'
end

--- Throws for what JSON does not have: functions, NaN, infinity.
function muster.encode(value)
  local kind = type(value)
  if value == nil or value == muster.null then return "null" end
  if kind == "boolean" then return tostring(value) end
  if kind == "string" then return quoted(value) end
  if kind == "number" then
    assert(value == value and math.abs(value) ~= math.huge, "JSON has no such number")
    return value % 1 == 0 and math.abs(value) < 2 ^ 53 and ("%d"):format(value) or ("%.17g"):format(value)
  end
  assert(kind == "table", "JSON has no " .. kind)
  local parts = {}
  if getmetatable(value) == LIST or #value > 0 then
    for index = 1, #value do parts[index] = muster.encode(value[index]) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, each in pairs(value) do parts[#parts + 1] = quoted(tostring(key)) .. ":" .. muster.encode(each) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function utf8Of(code)
  if code < 0x80 then return string.char(code) end
  local bytes, first = {}, 0x40
  repeat
    table.insert(bytes, 1, string.char(0x80 + code % 0x40))
    code = math.floor(code / 0x40)
    first = first / 2
  until code < first
  return string.char(0x100 - 2 * first + code) .. table.concat(bytes)
end

local MEANT = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
local decoded

local function textAt(json, at)
  local parts = {}
  while true do
    local till = json:find('["\\]', at)
    assert(till, "a text does not end")
    parts[#parts + 1] = json:sub(at, till - 1)
    if json:sub(till, till) == '"' then return table.concat(parts), till + 1 end
    local code = json:match("^u(%x%x%x%x)", till + 1)
    local low = code and json:match("^\\u([dD][c-fC-F]%x%x)", till + 6)
    local high = code and tonumber(code, 16)
    if high and high >= 0xD800 and high < 0xDC00 and low then
      parts[#parts + 1] = utf8Of(0x10000 + (high - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00)
      at = till + 12
    elseif high then
      parts[#parts + 1] = utf8Of(high)
      at = till + 6
    else
      parts[#parts + 1] = assert(MEANT[json:sub(till + 1, till + 1)], "an unknown escape")
      at = till + 2
    end
  end
end

local function manyAt(json, at, last)
  local made = last == "]" and muster.list() or {}
  at = json:find("%S", at)
  while json:sub(at, at) ~= last do
    local key, value = #made + 1, nil
    if last == "}" then
      key, at = textAt(json, assert(json:match('^"()', at), "a key is missing"))
      at = assert(json:match("^%s*:()", at), "a colon is missing")
    end
    value, at = decoded(json, at)
    if value == nil and last == "]" then value = muster.null end
    made[key] = value
    at = assert(json:match("^%s*,%s*()", at) or json:match("^%s*()" .. (last == "]" and "%]" or "}"), at), "a comma is missing")
  end
  return made, at + 1
end

decoded = function(json, at)
  at = assert(json:find("%S", at), "nothing is there")
  local first = json:sub(at, at)
  if first == "{" then return manyAt(json, at + 1, "}") end
  if first == "[" then return manyAt(json, at + 1, "]") end
  if first == '"' then return textAt(json, at + 1) end
  local word, till = json:match("^([%w%+%-%.]+)()", at)
  if word == "true" then return true, till end
  if word == "false" then return false, till end
  if word == "null" then return nil, till end
  return assert(tonumber(word), "no value"), till
end

--- The value; nil for null. Throws for what is no JSON.
function muster.decode(json) return (decoded(json, 1)) end

-- HTTP -------------------------------------------------------------------------------------------------------------------------

local function fault(code, status, detail, more)
  local made = { code = code, status = status, detail = detail or "", retry_after = nil, issues = {} }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

--- Whether the same call may succeed later.
function muster.may_pass(err)
  return err.status == 0 or err.status >= 500 or err.status == 408 or err.status == 429 or err.code == "BAD_ANSWER"
end

local Line = {}
Line.__index = Line

--- A connection; nil if none is there within the seconds. For https, set `muster.wrap` to a function that makes a TLS socket of one.
local function connect(url, seconds)
  local scheme, host, port, base = url:match("^(https?)://([^:/]+):?(%d*)(.-)/?$")
  if not scheme then return nil end
  local tcp = socket.tcp()
  tcp:settimeout(0)
  port = tonumber(port) or (scheme == "https" and 443 or 80)
  tcp:connect(host, port)
  local isThere = wait(seconds, function()
    local _, ready = socket.select(nil, { tcp }, 0)
    return ready[1] ~= nil
  end)
  local _, why = tcp:connect(host, port)
  if not isThere or (why ~= nil and why ~= "already connected") then
    tcp:close()
    return nil
  end
  if scheme == "https" then tcp = assert(muster.wrap, "https needs muster.wrap")(tcp, host) end
  return setmetatable({ tcp = tcp, host = host .. ":" .. port, base = base, rest = "" }, Line)
end

function Line:close() self.tcp:close() end

--- Adds what has come to `rest`; false at the end of the connection or after the seconds.
function Line:more(seconds)
  local isOver = false
  local came = wait(seconds, function()
    local all, why, some = self.tcp:receive(65536)
    local piece = all or some or ""
    self.rest = self.rest .. piece
    isOver = why ~= nil and why ~= "timeout" and why ~= "wantread"
    return piece ~= "" or isOver
  end)
  self.isSilent = not came
  return came and not (isOver and self.rest == ""), isOver
end

function Line:line(seconds)
  while not self.rest:find("\n", 1, true) do
    local came, isOver = self:more(seconds)
    if not came or (isOver and not self.rest:find("\n", 1, true)) then return nil end
  end
  local line, rest = self.rest:match("^(.-)\r?\n(.*)$")
  self.rest = rest
  return line
end

--- Sends a request and reads the head of its answer: status and headers; nil if none came.
function Line:ask(method, path, headers, body, seconds)
  local lines = { method .. " " .. self.base .. path .. " HTTP/1.1", "Host: " .. self.host, "Connection: close" }
  for name, value in pairs(headers) do lines[#lines + 1] = name .. ": " .. tostring(value) end
  if body then lines[#lines + 1] = "Content-Length: " .. #body end
  local text, sent = table.concat(lines, "\r\n") .. "\r\n\r\n" .. (body or ""), 0
  local isSent = wait(seconds, function()
    local till, why, some = self.tcp:send(text, sent + 1)
    sent = till or some or sent
    return sent == #text or (why ~= nil and why ~= "timeout" and why ~= "wantwrite")
  end)
  local status
  repeat
    local first = isSent and self:line(seconds)
    status = first and tonumber(first:match("^HTTP/1%.%d (%d%d%d)"))
    if not status then return nil end
    self.headers = {}
    while true do
      local line = self:line(seconds)
      if not line then return nil end
      if line == "" then break end
      local name, value = line:match("^([^:]+):%s*(.-)%s*$")
      if name then self.headers[name:lower()] = value end
    end
  until status >= 200
  self.isChunked = (self.headers["transfer-encoding"] or ""):lower() == "chunked"
  self.left = tonumber(self.headers["content-length"]) or (status == 204 and 0) or nil
  return status, self.headers
end

--- The next piece of the body; nil at its end, and then whether it was cut short.
function Line:piece(seconds)
  if self.isChunked and not self.left then
    local size = self:line(seconds)
    self.left = size and tonumber(size:match("^%x+"), 16)
    if not self.left then return nil, true end
    if self.left == 0 then return nil, false end
  end
  if self.left == 0 then return nil, false end
  if self.rest == "" and not self:more(seconds) then return nil, self.left ~= nil or self.isSilent end
  local piece = self.left and self.rest:sub(1, self.left) or self.rest
  self.rest = self.rest:sub(#piece + 1)
  self.left = self.left and self.left - #piece
  if self.isChunked and self.left == 0 then
    self:line(seconds)
    self.left = nil
  end
  return piece
end

local function encodedPart(text)
  return (text:gsub("[^%w%-%._~]", function(each) return ("%%%02X"):format(each:byte()) end))
end

local function headerText(text)
  local isPlain = not text:find("[^\33-\126]") and not text:find("''", 1, true)
  return isPlain and text or "utf-8''" .. encodedPart(text)
end

local function withQuery(path, query)
  local parts = {}
  for key, value in pairs(query or {}) do parts[#parts + 1] = encodedPart(key) .. "=" .. encodedPart(tostring(value)) end
  return #parts == 0 and path or path .. "?" .. table.concat(parts, "&")
end

local function refusal(status, headers, text)
  local isJson, body = pcall(muster.decode, text)
  local after = tonumber(headers["retry-after"])
  if not isJson or type(body) ~= "table" or not body.code then
    return fault("BAD_ANSWER", status, "this is no answer of Muster", { retry_after = after })
  end
  return fault(body.code, status, body.detail, { retry_after = after, issues = body.issues or {} })
end

local function once(url, method, path, asked, seconds)
  local line = connect(url, seconds)
  if not line then return nil, fault("NETWORK", 0, "no connection") end
  local body = asked.body and muster.encode(asked.body)
  local status, headers = line:ask(method, withQuery(path, asked.query), asked.headers, body, seconds)
  local parts, piece, isCut = {}, nil, status == nil
  while status do
    piece, isCut = line:piece(seconds)
    if not piece then break end
    parts[#parts + 1] = piece
  end
  line:close()
  if isCut then return nil, fault("NETWORK", 0, "no whole answer") end
  local text = table.concat(parts)
  if status < 200 or status >= 300 then return nil, refusal(status, headers, text) end
  local isJson, value = pcall(muster.decode, text)
  if not isJson then return nil, fault("BAD_ANSWER", status, "this is no answer of Muster") end
  return value
end

--- The value, or nil and why not. What is refused as too much is asked again while there is time.
local function request(url, method, path, asked, seconds)
  local till = now() + seconds
  while true do
    local value, err = once(url, method, path, asked, seconds)
    local isBusy = err and (err.code == "OVERLOADED" or err.code == "RATE_LIMITED")
    local pause = isBusy and (err.retry_after or 1) + math.random()
    if not isBusy or now() + pause > till then return value, err end
    wait(pause)
  end
end

-- Changes ----------------------------------------------------------------------------------------------------------------------

local function changed(value, keys, depth, op)
  local key = keys[depth]
  if not key then return op.value end
  assert(type(value) == "table", "it does not fit")
  local made = muster.list()
  if getmetatable(value) ~= LIST then setmetatable(made, nil) end
  for each, inner in pairs(value) do made[each] = inner end
  local isLast = depth == #keys
  if getmetatable(value) == LIST then
    key = key == "-" and #value + 1 or assert(tonumber(key), "it does not fit") + 1
    assert(key <= #value + ((op.op == "add" and isLast) and 1 or 0), "it does not fit")
    if isLast and op.op == "add" then
      table.insert(made, key, op.value)
      return made
    elseif isLast and op.op == "remove" then
      table.remove(made, key)
      return made
    end
  end
  if isLast then made[key] = op.value else made[key] = changed(value[key], keys, depth + 1, op) end
  return made
end

--- The lobby after operations of RFC 6902. What they do not touch stays the same table. Throws if they do not fit.
function muster.applied(lobby, ops)
  for _, op in ipairs(ops) do
    local keys = {}
    for key in op.path:gmatch("/([^/]*)") do keys[#keys + 1] = (key:gsub("~1", "/"):gsub("~0", "~")) end
    lobby = changed(lobby, keys, 1, op)
  end
  return lobby
end

-- Following --------------------------------------------------------------------------------------------------------------------

local STEADY, MUTE = 10, 2

local Follower = {}
Follower.__index = Follower

local function isIn(lobby, id)
  for _, player in ipairs(lobby.players) do
    if player.id == id then return true end
  end
  return false
end

function Follower:say(event)
  self.events[#self.events + 1] = event
  if event.type == "closed" then self.isOver = true end
end

function Follower:state(state)
  if self.last ~= state and self.me.on_state then self.me.on_state(state) end
  self.last = state
end

--- Streams and polls until the lobby is over for the player, or the follower is closed.
function Follower:go()
  self.failures, self.mute = 0, 0
  while not self.isOver do
    if self.mute >= MUTE then
      self:say({ type = "signals_lost" })
      self:poll()
      self:say({ type = "signals_lost" })
    else
      self:state("connecting")
      local begun = now()
      local err, isOpen = self:stream()
      if not self.isOver then self:failed(err, isOpen, now() - begun) end
    end
  end
end

function Follower:failed(err, isOpen, lasted)
  local isAway = err.code == "NETWORK" or (err.status >= 500 and err.code ~= "BAD_ANSWER")
  if self.me:renews(err) then return end
  if not muster.may_pass(err) and err.code ~= "ENDED" then
    self:say({ type = "closed", reason = "refused", error = err })
    return
  end
  self.failures = isOpen and lasted > STEADY and 1 or self.failures + 1
  self.mute = isOpen and 0 or self.mute + (isAway and 0 or 1)
  if self.mute < MUTE then
    self:state("waiting")
    wait((err.retry_after or 0) + math.random() * math.min(30, 0.5 * 2 ^ (self.failures - 1)), function() return self.isOver end)
  end
end

--- One stream, to its end: why it ended, and whether an event had come.
function Follower:stream()
  local me = self.me
  local line = connect(me.url, me.connect)
  if not line then return fault("NETWORK", 0), false end
  local headers = me:headers({ accept = "text/event-stream" })
  local query = { changes = 1 }
  if self.id and self.shown then headers["last-event-id"], query.lobby = self.id, self.shown.id end
  local path = withQuery("/v3/lobbies/" .. encodedPart(me.config) .. "/me/events", query)
  local status, told = line:ask("GET", path, headers, nil, me.connect)
  if not status then
    line:close()
    return fault(line.isSilent and "TIMEOUT" or "NETWORK", line.isSilent and 408 or 0), false
  end
  local rest, isOpen, event, err = "", false, {}, nil
  while not self.isOver and not err do
    local piece = line:piece(isOpen and me.silence or me.connect)
    if not piece then
      err = fault(isOpen and "ENDED" or (line.isSilent and "TIMEOUT") or "BAD_ANSWER", 408)
    elseif status ~= 200 then
      rest = rest .. piece
    else
      rest = rest .. piece
      local from = 1
      for text, till in rest:gmatch("([^\n]*)\n()") do
        from = till
        local field, value = text:match("^(%a+): (.*)$")
        if field then
          event[field] = value
        elseif text == ": token expired" then
          me:told(text)
        elseif text == "" and event.event then
          isOpen = true
          self:state("streaming")
          err = err or self:take(event.event, event.id, event.data)
          event = {}
        end
      end
      rest = rest:sub(from)
    end
  end
  line:close()
  if status ~= 200 then err = refusal(status, told, rest) end
  return err, isOpen
end

--- Tells an event; why the stream is of no use any more, or nil.
function Follower:take(name, id, text)
  local data = muster.decode(text)
  if self.isOver then
    return nil
  elseif name == "connected" or name == "lobby_updated" then
    self:see(name, data, id)
  elseif name == "lobby_changed" then
    local isNext = self.shown and self.shown.revision == data.from
    local fits, after = pcall(muster.applied, isNext and self.shown or {}, data.ops)
    self.shown = nil
    if not isNext or not fits then return fault("ENDED", 200) end
    self:see("lobby_updated", after, id)
  elseif name == "lobby_deleted" then
    self:say({ type = "closed", reason = "deleted" })
  elseif name == "replaced" then
    self:say({ type = "closed", reason = "replaced" })
  elseif name == "queue_stats" or name == "matchmaking_timeout" or name == "signal" or name == "signals_lost" then
    local event = type(data) == "table" and data or {}
    event.type = name
    self:say(event)
  end
  return nil
end

function Follower:see(kind, lobby, id)
  local isOld = kind == "lobby_updated" and self.known and self.known.id == lobby.id and lobby.revision <= self.known.revision
  self.shown, self.id = lobby, lobby and id
  if isOld then return end
  local had = self.known
  self.known = lobby
  if lobby or not had then self:say({ type = kind, lobby = lobby }) end
  if (had and not lobby) or (lobby and kind == "lobby_updated" and not isIn(lobby, self.me.player)) then
    self:say({ type = "closed", reason = lobby and "kicked" or "gone" })
  end
end

function Follower:poll()
  local me = self.me
  local till, beat = now() + me.retry_stream, 0
  self.mute = 0
  repeat
    local lobby, err = me:find_my_lobby()
    if lobby and now() >= beat then
      beat = now() + me.heartbeat
      me:send_heartbeat(me.config)
    end
    if err and not muster.may_pass(err) then
      self:say({ type = "closed", reason = "refused", error = err })
    elseif not err then
      self:state("polling")
      if lobby then self:see("lobby_updated", lobby, nil) elseif self.known then self:see("connected", nil, nil) end
    end
    wait(me.poll, function() return self.isOver end)
  until self.isOver or now() >= till
end

-- A player ---------------------------------------------------------------------------------------------------------------------

local Player = setmetatable({}, { __index = Api })
Player.__index = Player

--- One player in one config: `url`, `key`, `config`, `player`; `token`, which is called for a player token; `on_state`, which hears
-- connecting, streaming, waiting and polling; and in seconds `timeout`, `connect`, `silence`, `poll`, `heartbeat`, `retry_stream`.
-- Each endpoint is a method, which returns its value, or nil and an error: `{code, status, detail, issues, retry_after}`.
function muster.player(options)
  local me = { timeout = 15, connect = 10, silence = 45, poll = 3, heartbeat = 10, retry_stream = 60 }
  for key, value in pairs(options) do me[key] = value end
  return setmetatable(me, Player)
end

function Player:headers(more)
  if self.token and not self.held then self.held = self.token() end
  local headers = { ["api-key"] = self.key, ["x-player-id"] = headerText(self.player), ["x-player-token"] = self.held }
  for name, value in pairs(more or {}) do headers[name] = value end
  return headers
end

function Player:told(_) self.held = nil end

local function isTokens(err) return err.code == "PLAYER_TOKEN_EXPIRED" or err.code == "PLAYER_TOKEN_INVALID" end

--- Whether a stream may be opened again with a new token: it was refused for its own, and the one before was not.
function Player:renews(err)
  local isRefusal = self.token ~= nil and isTokens(err)
  local isFirst = isRefusal and not self.wasRefused
  self.wasRefused = isRefusal
  if isRefusal then self.held = nil end
  return isFirst
end

function Player:call(method, path, asked)
  local function ask()
    local headers = self:headers(asked.headers)
    if asked.body then headers["content-type"] = "application/json" end
    return request(self.url, method, path, { headers = headers, query = asked.query, body = asked.body }, self.timeout)
  end
  local value, err = ask()
  if err and self.token and isTokens(err) then
    self.held = nil
    return ask()
  end
  return value, err
end

--- The player's lobby, or nil without one; and an error if that cannot be known.
function Player:find_my_lobby()
  local lobby, err = self:get_my_lobby(self.config, { or_null = "true" })
  if err and err.code == "LOBBY_NOT_FOUND" then err = nil end
  return lobby, err
end

--- Follows the lobby. `next()` of what it returns waits for an event, a table with `type`; the last is `closed`, and after it comes
-- nil. `close()` ends it before. Lua 5.1 cannot wait in the iterator of a `for`.
function Player:events()
  local follower = setmetatable({ me = self, events = {} }, Follower)
  muster.start(follower.go, follower)
  return follower
end

function Follower:next()
  wait(nil, function() return #self.events > 0 or self.isOver end)
  return table.remove(self.events, 1)
end

function Follower:close() self.isOver = true end

--- Calls `show` with the player's lobby as it changes, until it is over for the player; returns why.
function Player:follow(show)
  local events = self:events()
  while true do
    local event = events:next()
    if not event then return nil end
    if event.lobby then show(event.lobby) end
    if event.type == "closed" then return event.reason end
  end
end

--- The player's lobbies in all configs. Not a sign of life.
function Player:where_am_i()
  local found, err = Api.where_am_i(self)
  return found and found.lobbies, err
end

--- Joins the fullest public lobby that fits `wanted.where`, or else makes one of `wanted.create`.
function Player:quick_join(wanted) return Api.quick_join(self, self.config, wanted or {}) end

--- Leaves the lobby, and the game with it. Does nothing without a lobby.
function Player:leave()
  local _, err = self:leave_lobby(self.config)
  if err and err.code ~= "LOBBY_NOT_FOUND" then return nil, err end
  return true
end

--- Where to connect, if the lobby is in a game whose server runs; otherwise nil.
function muster.address_of(lobby)
  local server = lobby and lobby.status == "in_game" and lobby.server
  local port = server and server.status == "running" and server.network_ports[1]
  if port then return port.host, port.external_port end
end

local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

--- What the own ticket says. The game server verifies it, the player does not.
local function teamOf(ticket)
  local claims, bits, count = {}, 0, 0
  for each in ((ticket or ""):match("%.([^.]*)%.") or ""):gmatch(".") do
    bits, count = bits * 64 + (ALPHABET:find(each, 1, true) or 1) - 1, count + 6
    if count >= 8 then
      count = count - 8
      claims[#claims + 1] = string.char(math.floor(bits / 2 ^ count))
      bits = bits % 2 ^ count
    end
  end
  local isJson, told = pcall(muster.decode, table.concat(claims))
  return isJson and told.team or nil
end

--- Searches, with the player's lobby or one that is made, and returns when the server runs: `{host, port, ticket, team, lobby, ended}`.
-- `ended()` waits for the end of the game and returns the lobby. Without a match: nil and an error `NO_MATCH` with its `reason`.
-- `confirm` is asked for each match; by default every match is accepted.
function Player:play(mode, confirm)
  local lobby, err = self:find_my_lobby()
  if not lobby and not err then
    lobby, err = self:create_lobby(self.config, { name = self.player:sub(1, 100), isPrivate = true })
  end
  if lobby and lobby.status == "waiting" and lobby.host == self.player then
    lobby, err = self:start_matchmaking(self.config, { mode = mode })
  end
  if not lobby then return nil, err end
  local events = self:events()
  local wasSearching, reason, answered, begun = lobby.status ~= "waiting", nil, nil, lobby.revision
  while true do
    local event = events:next()
    if not event then break end
    reason = event.reason or reason
    local seen = event.lobby
    local host, port = muster.address_of(seen)
    if host then return self:playing(seen, host, port, events) end
    if seen and seen.revision >= begun then
      if seen.status == "waiting" and wasSearching then
        reason = reason or (seen.returned and seen.returned.reason)
        break
      end
      wasSearching = wasSearching or seen.status ~= "waiting"
      local asked = seen.matchmaking and seen.matchmaking.confirmation
      if asked and not asked.confirmed and asked.deadline ~= answered then
        answered = asked.deadline
        muster.start(function()
          local does = confirm == nil or confirm(seen)
          return (does and self.confirm_match or self.decline_match)(self, self.config)
        end)
      end
    end
  end
  events:close()
  return nil, fault("NO_MATCH", 0, "the search ended without a match", { reason = reason })
end

function Player:playing(lobby, host, port, events)
  local ticket, last, isOver = lobby.server.ticket, lobby, false
  local instance = lobby.server.instance_id
  muster.start(function()
    while true do
      local event = events:next()
      last = event and event.lobby or last
      if not event or (event.lobby and not (last.server and last.server.instance_id == instance)) then break end
    end
    events:close()
    isOver = true
  end)
  local function ended()
    wait(nil, function() return isOver end)
    return last
  end
  return { host = host, port = port, ticket = ticket, team = teamOf(ticket), lobby = lobby, ended = ended }
end

-- A game server ----------------------------------------------------------------------------------------------------------------

local Server = setmetatable({}, { __index = Api })
Server.__index = Server

--- The game server that Muster has started: `told` is all of muster.json, `players` has the team of each player.
function muster.server()
  local path = assert(os.getenv("MUSTER_CONFIG"), "this program was not started by Muster")
  local file = assert(io.open(path))
  local told = muster.decode(file:read("*a"))
  file:close()
  local players = {}
  for index, team in ipairs(told.custom_data.match_id and told.custom_data.teams or {}) do
    for _, lobby in ipairs(team.lobbies) do
      for player in pairs(lobby.player_states) do players[player] = index - 1 end
    end
  end
  local host, port = os.getenv("MUSTER_HOST") or "127.0.0.1", tonumber(os.getenv("MUSTER_PORT"))
  return setmetatable({ told = told, players = players, host = host, port = port }, Server)
end

function Server:call(method, path, asked)
  local url = self.told.report_url:match("^(.-)/v3/")
  local headers = { authorization = "Bearer " .. self.told.token, ["content-type"] = "application/json" }
  local value, err
  for tries = 1, 20 do
    value, err = request(url, method, path, { headers = headers, query = asked.query, body = asked.body }, 15)
    if not err or not muster.may_pass(err) then break end
    wait((err.retry_after or 0) + math.random() * tries)
  end
  return value, err
end

--- What a player's ticket is worth: Muster is asked, as Lua has no Ed25519. Nil: nothing here.
function Server:seat_of(ticket)
  local seat = self:read_seat(self.told.instance_id, { ticket = ticket })
  return seat and (seat.match == nil or seat.team ~= nil) and seat or nil
end

--- Teams by their index from 0: `{{team = 0, score = 13}, {team = 1, score = 7}}`. The same again changes nothing.
function Server:report_result(teams) return self:report_server_result(self.told.instance_id, { teams = muster.list(teams) }) end

return muster
