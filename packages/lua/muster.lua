--- Muster for Lua 5.1 to 5.4, LuaJIT and LÖVE: lobbies, matchmaking and game servers, in this one file. It needs luasocket, which
-- LÖVE and Defold bring. Nothing here blocks but the look-up of a name: whatever waits does so in a coroutine, which `muster.update`
-- resumes.
local socket, mime = require("socket"), require("mime")

local muster = { VERSION = "0.3.0" }
local now = socket.gettime
--- Each endpoint: the end of this file has them.
local Api = {}

-- Tasks ------------------------------------------------------------------------------------------------------------------------

local tasks = {}

local function resume(task, ...)
  local isFine, why = coroutine.resume(task, ...)
  if not isFine then error(debug.traceback(task, why), 0) end
end

--- Runs a function that may wait, as `pcall` does, within which Lua 5.1 cannot wait. False: what it raised.
local function caught(run, ...)
  local task = coroutine.create(run)
  local isFine, value = coroutine.resume(task, ...)
  while isFine and coroutine.status(task) ~= "dead" do
    coroutine.yield()
    isFine, value = coroutine.resume(task)
  end
  return isFine, value
end

--- Starts a function that may call what waits. It runs until its first wait at once, and then with each `update`.
function muster.start(run, ...)
  local task = coroutine.create(run)
  tasks[#tasks + 1] = task
  resume(task, ...)
  return task
end

--- Call it once a frame. Raises what a task raised; the others go on with the next call.
function muster.update()
  for index = #tasks, 1, -1 do
    if coroutine.status(tasks[index]) == "dead" then table.remove(tasks, index) else resume(tasks[index]) end
  end
end

--- For programs without frames: runs the function and what it starts, to the end of the function.
function muster.run(run)
  local task = muster.start(run)
  while coroutine.status(task) ~= "dead" do
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

local seed = (now() * 1000 + tonumber(tostring({}):match("%x+$"), 16)) % 2147483646 + 1

--- From 0 to 1. `math.random` gives all clients the same numbers, unless the game has seeded it.
local function chance()
  seed = math.floor(seed) * 16807 % 2147483647
  return seed / 2147483647
end

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
  local rest, first = "", 0x40
  while code >= first do
    rest, code, first = string.char(0x80 + code % 0x40) .. rest, math.floor(code / 0x40), first / 2
  end
  return string.char(0x100 - 2 * first + code) .. rest
end

local MEANT = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
local decoded

local function textAt(json, at)
  local parts = {}
  while true do
    local till = assert(json:find('["\\]', at), "a text does not end")
    parts[#parts + 1] = json:sub(at, till - 1)
    if json:sub(till, till) == '"' then return table.concat(parts), till + 1 end
    local code = json:match("^u(%x%x%x%x)", till + 1)
    local low = code and json:match("^\\u([dD][c-fC-F]%x%x)", till + 6)
    local high = code and tonumber(code, 16)
    if high and high >= 0xD800 and high < 0xDC00 and low then
      code, at = utf8Of(0x10000 + (high - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00), till + 12
    elseif high then
      code, at = utf8Of(high), till + 6
    else
      code, at = assert(MEANT[json:sub(till + 1, till + 1)], "an unknown escape"), till + 2
    end
    parts[#parts + 1] = code
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
    made[key] = value == nil and last == "]" and muster.null or value
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
  local made = more or {}
  made.code, made.status, made.detail, made.issues = code, status, detail or "", made.issues or {}
  return made
end

--- Whether the same call may succeed later.
function muster.may_pass(err)
  return err.status == 0 or err.status >= 500 or err.status == 408 or err.status == 429 or err.code == "BAD_ANSWER"
end

local Line = {}

local function reached(address, port, seconds)
  local tcp = (address.family == "inet6" and socket.tcp6 or socket.tcp)()
  if not tcp then return nil end
  tcp:settimeout(0)
  tcp:connect(address.addr, port)
  local isThere = wait(seconds, function() return #select(2, socket.select(nil, { tcp }, 0)) > 0 end)
  local _, why = tcp:connect(address.addr, port)
  if isThere and (why == nil or why == "already connected") then return tcp end
  tcp:close()
end

--- A connection; nil if none is there within the seconds. For https, set `muster.wrap` to a function that makes a TLS socket of one.
local function connect(url, seconds)
  local scheme, place, base = url:match("^(https?)://([^/]+)(.-)/?$")
  if not scheme then return nil end
  local host, port = place:match("^%[?(.-)%]?:(%d+)$")
  host, port = host or place:match("^%[?(.-)%]?$"), tonumber(port) or (scheme == "https" and 443 or 80)
  local addresses, tcp = socket.dns.getaddrinfo(host) or {}, nil
  for _, address in ipairs(addresses) do tcp = tcp or reached(address, port, seconds / #addresses) end
  if not tcp then return nil end
  if scheme == "https" then tcp = assert(muster.wrap, "https needs muster.wrap")(tcp, host) end
  return setmetatable({ tcp = tcp, host = place, base = base, rest = "" }, { __index = Line })
end

--- Adds what has come to `rest`; false: nothing more has, at the end of the connection or in these seconds.
function Line:more(seconds)
  local before = #self.rest
  self.isSilent = not wait(seconds, function()
    local all, why, some = self.tcp:receive(65536)
    self.rest = self.rest .. (all or some or "")
    return #self.rest > before or (why ~= nil and why ~= "timeout" and why ~= "wantread")
  end)
  return #self.rest > before
end

function Line:line(seconds)
  while not self.rest:find("\n", 1, true) do
    if not self:more(seconds) then return nil end
  end
  local line
  line, self.rest = self.rest:match("^(.-)\r?\n(.*)$")
  return line
end

--- Sends a request and reads the head of its answer: status and headers; nil if none came.
function Line:ask(method, path, headers, body, seconds)
  local lines = { method .. " " .. self.base .. path .. " HTTP/1.1", "Host: " .. self.host, "Connection: close" }
  for name, value in pairs(headers) do lines[#lines + 1] = name .. ": " .. tostring(value) end
  if body then lines[#lines + 1] = "Content-Type: application/json\r\nContent-Length: " .. #body end
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
    repeat
      local line = self:line(seconds)
      if not line then return nil end
      local name, value = line:match("^([^:]+):%s*(.-)%s*$")
      if name then self.headers[name:lower()] = value end
    until line == ""
  until status >= 200
  self.isChunked = (self.headers["transfer-encoding"] or ""):lower() == "chunked"
  self.left = tonumber(self.headers["content-length"]) or (status == 204 and 0) or nil
  return status, self.headers
end

--- The next piece of the body; nil at its end, and then whether it was cut short.
function Line:piece(seconds)
  if self.isChunked and (self.left or 0) == 0 then
    local size = self:line(seconds)
    -- A chunk ends with a line end, too.
    if size == "" then size = self:line(seconds) end
    self.left = tonumber((size or ""):match("^%x+") or "", 16)
    if not self.left then return nil, true end
  end
  if self.left == 0 then return nil, false end
  if self.rest == "" and not self:more(seconds) then return nil, self.left ~= nil or self.isSilent end
  local piece = self.left and self.rest:sub(1, self.left) or self.rest
  self.rest = self.rest:sub(#piece + 1)
  self.left = self.left and self.left - #piece
  return piece
end

local function part(text)
  return (tostring(text):gsub("[^%w%-%._~]", function(each) return ("%%%02X"):format(each:byte()) end))
end

local function headerText(text)
  local isPlain = not text:find("[^\33-\126]") and not text:find("''", 1, true)
  return isPlain and text or "utf-8''" .. part(text)
end

local function withQuery(path, query)
  local parts = {}
  for key, value in pairs(query or {}) do parts[#parts + 1] = part(key) .. "=" .. part(value) end
  return #parts == 0 and path or path .. "?" .. table.concat(parts, "&")
end

local function refusal(status, headers, text)
  local isJson, body = pcall(muster.decode, text)
  local isTold = isJson and type(body) == "table" and body.code
  local other = (status == 503 or status == 429) and "UNAVAILABLE" or "BAD_ANSWER"
  local told = isTold and body or { code = other, detail = "this is no answer of Muster" }
  return fault(told.code, status, told.detail, { retry_after = tonumber(headers["retry-after"]), issues = told.issues })
end

local function once(url, method, path, asked, seconds)
  local line = connect(url, seconds)
  if not line then return nil, fault("NETWORK", 0, "no connection") end
  local target, body = withQuery(path, asked.query), asked.body and muster.encode(asked.body)
  local status, headers = line:ask(method, target, asked.headers, body, seconds)
  local parts, piece, isCut = {}, nil, status == nil
  repeat
    if status then piece, isCut = line:piece(seconds) end
    parts[#parts + 1] = piece
  until not piece
  line.tcp:close()
  if isCut then return nil, fault("NETWORK", 0, "no whole answer") end
  local text = table.concat(parts)
  local isJson, value = pcall(muster.decode, text)
  if not isJson or status < 200 or status >= 300 then return nil, refusal(status, headers, text) end
  return value
end

--- The value, or nil and why not. What is refused as too much is asked again while there is time.
local function request(url, method, path, asked, seconds)
  local till = now() + seconds
  while true do
    local value, err = once(url, method, path, asked, seconds)
    local isBusy = err and (err.code == "OVERLOADED" or err.code == "RATE_LIMITED")
    local pause = isBusy and (err.retry_after or 1) + chance()
    if not isBusy or now() + pause > till then return value, err end
    wait(pause)
  end
end

-- Changes ----------------------------------------------------------------------------------------------------------------------

local function changed(value, keys, depth, op)
  local key, isLast = keys[depth], depth == #keys
  if not key then return op.value end
  assert(type(value) == "table", "it does not fit")
  local made, isList = setmetatable({}, getmetatable(value)), getmetatable(value) == LIST
  local isNew = isList and isLast and op.op == "add"
  for each, inner in pairs(value) do made[each] = inner end
  if isList then key = key == "-" and #value + 1 or assert(tonumber(key), "it does not fit") + 1 end
  assert(not isList or key <= #value + (isNew and 1 or 0), "it does not fit")
  if isNew then table.insert(made, key, op.value)
  elseif isList and isLast and op.op == "remove" then table.remove(made, key)
  elseif isLast then made[key] = op.value
  else made[key] = changed(value[key], keys, depth + 1, op) end
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

local STEADY, MUTE, BAD_GATEWAYS = 10, 2, 4
--- Events that are told as they come.
local TOLD = { queue_stats = true, matchmaking_timeout = true, signal = true, signals_lost = true }

--- The one stream of a player, or the polls instead of it, and all who listen.
local Follower = {}

local function isIn(lobby, id)
  for _, player in ipairs(lobby.players) do
    if player.id == id then return true end
  end
  return lobby.as == "spectator"
end

function Follower:say(event)
  for listener in pairs(self.isOver and {} or self.listeners) do table.insert(listener.events, event) end
end

--- Ends it for all who listen.
function Follower:finish(reason, err)
  self:say({ type = "closed", reason = self.me.leaving > 0 and "left" or reason, error = err })
  self:stop()
end

function Follower:stop()
  self.isOver = true
  if self.line then self.line.tcp:close() end
end

function Follower:state(state)
  if self.last ~= state and self.me.on_state then self.me.on_state(state) end
  self.last = state
end

function Follower:run()
  local isFine, why = caught(self.go, self)
  if not isFine then self:finish("refused", fault("FAULT", 0, tostring(why))) end
end

--- Streams and polls until the lobby is over for the player, or nobody listens.
function Follower:go()
  while not self.isOver do
    local begun = now()
    local err, isOpen = (self.mute < MUTE and self.stream or self.poll)(self)
    if err and not self.isOver then self:failed(err, isOpen, now() - begun) end
  end
end

function Follower:failed(err, isOpen, lasted)
  if self.me:renews(err) then return end
  if not muster.may_pass(err) and err.code ~= "ENDED" then return self:finish("refused", err) end
  self.failures = isOpen and lasted > STEADY and 1 or self.failures + 1
  -- A service that restarts behind a proxy is away for a moment, and no reason to poll.
  local isAnswer = err.code == "BAD_ANSWER" and (err.status < 500 or self.failures > BAD_GATEWAYS)
  self.mute = isOpen and 0 or self.mute + ((isAnswer or err.code == "TIMEOUT") and 1 or 0)
  if self.mute < MUTE then
    self:state("waiting")
    wait((err.retry_after or 0) + chance() * math.min(30, 0.5 * 2 ^ (self.failures - 1)), function() return self.isOver end)
  end
end

--- One stream, to its end: why it ended, and whether an event had come.
function Follower:stream()
  self:state("connecting")
  local me = self.me
  local headers, err = me:headers({ accept = "text/event-stream" })
  local line = headers and connect(me.url, me.connect)
  if not line then return err or fault("NETWORK", 0), false end
  local query = { changes = 1 }
  if self.id and self.shown then headers["last-event-id"], query.lobby = self.id, self.shown.id end
  self.line = line
  -- Another stream may have begun meanwhile, which this one must not replace.
  if self.isOver then self:stop() end
  local path = "/v3/lobbies/" .. part(me.config) .. "/me/events"
  local status, told = line:ask("GET", withQuery(path, query), headers, nil, me.connect)
  local rest, isOpen, event = "", false, {}
  while status and not self.isOver and not err do
    local piece = line:piece(isOpen and me.silence or me.connect)
    rest = rest .. (piece or "")
    if not piece then
      err = fault(isOpen and "ENDED" or (line.isSilent and "TIMEOUT") or "BAD_ANSWER", 408)
    elseif status == 200 then
      local from = 1
      for text, till in rest:gmatch("([^\n]*)\n()") do
        from = till
        local field, value = text:match("^(%a+): (.*)$")
        if field then event[field] = value end
        if text == ": token expired" then me.held = nil end
        if text == "" and event.event then
          isOpen = true
          self:state("streaming")
          err, event = err or self:take(event.event, event.id, event.data), {}
        end
      end
      rest = rest:sub(from)
    end
  end
  line.tcp:close()
  if not status then err = line.isSilent and fault("TIMEOUT", 408) or fault("NETWORK", 0) end
  if status and status ~= 200 then err = refusal(status, told, rest) end
  return err, isOpen
end

--- Tells an event; why the stream is of no use any more, or nil.
function Follower:take(name, id, text)
  local isJson, data = pcall(muster.decode, text)
  if self.isOver then return nil end
  if not isJson then return fault("BAD_ANSWER", 200) end
  if name == "connected" or name == "lobby_updated" then self:see(name, data, id) end
  if name == "lobby_deleted" or name == "replaced" then self:finish(name == "replaced" and name or "deleted") end
  if TOLD[name] then
    local event = type(data) == "table" and data or {}
    event.type = name
    self:say(event)
  end
  if name ~= "lobby_changed" then return nil end
  local isNext = self.shown and self.shown.revision == data.from
  local fits, after = pcall(muster.applied, isNext and self.shown or {}, data.ops)
  self.shown = nil
  if not isNext or not fits then return fault("ENDED", 200) end
  self:see("lobby_updated", after, id)
end

function Follower:see(kind, lobby, id)
  local had = self.known
  local isOld = kind == "lobby_updated" and had and had.id == lobby.id and lobby.revision <= had.revision
  self.shown, self.id, self.hasSeen = lobby, lobby and id, true
  if isOld then return end
  self.known = lobby
  if lobby or not had then self:say({ type = kind, lobby = lobby }) end
  if had and not lobby then self:finish("gone") end
  if lobby and kind == "lobby_updated" and not isIn(lobby, self.me.player) then self:finish("kicked") end
end

function Follower:poll()
  local me = self.me
  local till, beat = now() + me.retry_stream, 0
  self:say({ type = "signals_lost" })
  -- One stream that says nothing is enough to poll on.
  self.mute = MUTE - 1
  repeat
    local lobby, err = me:find_my_lobby()
    if lobby and now() >= beat then
      beat = now() + me.heartbeat
      me:send_heartbeat(me.config)
    end
    if err and not muster.may_pass(err) then self:finish("refused", err) end
    if not err and not self.isOver then
      self:state("polling")
      self:see(lobby and "lobby_updated" or "connected", lobby, nil)
    end
    wait(me.poll, function() return self.isOver end)
  until self.isOver or now() >= till
  self:say({ type = "signals_lost" })
end

-- A player ---------------------------------------------------------------------------------------------------------------------

local Player = setmetatable({}, { __index = Api })
Player.__index = Player

--- One player in one config: `url`, `key`, `config`, `player`; `token`, which is called for a player token; `on_state`, which hears
-- connecting, streaming, waiting and polling; and in seconds `timeout`, `connect`, `silence`, `poll`, `heartbeat`, `retry_stream`.
-- Each endpoint is a method, which returns its value, or nil and an error: `{code, status, detail, issues, retry_after}`.
function muster.player(options)
  local me = { leaving = 0, timeout = 15, connect = 10, silence = 45, poll = 3, heartbeat = 10, retry_stream = 60 }
  for key, value in pairs(options) do me[key] = value end
  return setmetatable(me, Player)
end

--- Nil and an error if there is no player token: that of a backend which is away for now.
function Player:headers(more)
  local isFine, held = true, self.held
  if self.token and not held then isFine, held = caught(self.token) end
  self.held = isFine and held or nil
  if self.token and not self.held then return nil, fault("NETWORK", 0, "no player token: " .. tostring(held)) end
  local headers = { ["api-key"] = self.key, ["x-player-id"] = headerText(self.player), ["x-player-token"] = self.held }
  for name, value in pairs(more or {}) do headers[name] = value end
  return headers
end

local function isTokens(err) return err.code == "PLAYER_TOKEN_EXPIRED" or err.code == "PLAYER_TOKEN_INVALID" end

--- Whether a stream may be opened again with a new token: it was refused for its own, and the one before was not.
function Player:renews(err)
  local isRefusal = self.token ~= nil and isTokens(err)
  local isFirst = isRefusal and not self.wasRefused
  self.wasRefused, self.held = isRefusal, not isRefusal and self.held or nil
  return isFirst
end

function Player:call(method, path, asked)
  local value, err
  for _ = 1, 2 do
    local headers, why = self:headers(asked.headers)
    if not headers then return nil, why end
    value, err = request(self.url, method, path, { headers = headers, query = asked.query, body = asked.body }, self.timeout)
    if not (err and self.token and isTokens(err)) then break end
    self.held = nil
  end
  return value, err
end

--- The player's lobby, or nil without one; and an error if that cannot be known.
function Player:find_my_lobby() return self:get_my_lobby(self.config, { or_null = "true" }) end

local Listener = {}

--- Follows the lobby. `next()` of what it returns waits for an event, a table with `type`; the last is `closed`, and after it comes
-- nil. `close()` ends it before. All share one stream: who comes later begins with the newest lobby. Lua 5.1 cannot wait in the
-- iterator of a `for`.
function Player:events()
  local follower, isNew = self.follower, not self.follower or self.follower.isOver
  if isNew then follower = setmetatable({ me = self, listeners = {}, failures = 0, mute = 0 }, { __index = Follower }) end
  local listener = setmetatable({ follower = follower, events = {} }, { __index = Listener })
  if follower.hasSeen then listener.events[1] = { type = "connected", lobby = follower.known } end
  self.follower, follower.listeners[listener] = follower, true
  if isNew then muster.start(follower.run, follower) end
  return listener
end

function Listener:next()
  wait(nil, function() return #self.events > 0 or self.follower.isOver or not self.follower.listeners[self] end)
  return table.remove(self.events, 1)
end

function Listener:close()
  self.events, self.follower.listeners[self] = {}, nil
  if not next(self.follower.listeners) then self.follower:stop() end
end

--- Calls `show` with the player's lobby as it changes, until it is over for the player; returns why, and the error if it was refused.
function Player:follow(show)
  local events = self:events()
  repeat
    local event = events:next() or { type = "closed" }
    if event.lobby then show(event.lobby) end
    if event.type == "closed" then return event.reason, event.error end
  until false
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
  -- The stream may say that the lobby is deleted before the answer is here, and says nothing where others remain.
  self.leaving = self.leaving + 1
  local _, err = self:leave_lobby(self.config)
  self.leaving = self.leaving - 1
  if err and err.code ~= "LOBBY_NOT_FOUND" then return nil, err end
  if self.follower then self.follower:finish("left") end
  return true
end

--- Where to connect, if the lobby is in a game whose server runs; otherwise nil. Of a game that a player hosts: the player, and 0.
function muster.address_of(lobby)
  local server = lobby and lobby.status == "in_game" and lobby.server
  local isOn = server and server.status == "running"
  local port = isOn and (server.network_ports[1] or (server.host_player and { host = server.host_player, external_port = 0 }))
  if port then return port.host, port.external_port end
end

--- What the own ticket says. The game server verifies it, the player does not.
local function teamOf(ticket)
  local claims = ((ticket or ""):match("%.([^.]*)%.") or ""):gsub("%-", "+"):gsub("_", "/")
  local isJson, told = pcall(muster.decode, mime.unb64(claims .. ("="):rep(-#claims % 4)))
  return isJson and type(told) == "table" and told.team or nil
end

--- What a call answers, which is made again while that may help, until it does not matter any more.
local function surely(player, call, isOver)
  local value, err
  repeat value, err = call(player, player.config) until not err or not muster.may_pass(err) or wait(1, isOver)
  return value, err
end

--- Searches, with the player's lobby or one that is made, and returns when the server runs: `{host, port, ticket, team, lobby, ended}`.
-- `ended()` waits for the end of the game and returns the lobby. Without a match: nil and an error `NO_MATCH` with its `reason`.
-- Options: `state` of the player in a lobby that is made, and `confirm`, which is asked for each match: by default every match is
-- accepted.
function Player:play(mode, options)
  local how = options or {}
  local lobby, err = self:find_my_lobby()
  if not lobby and not err then
    lobby, err = self:create_lobby(self.config, { name = "Party", isPrivate = true, state = how.state })
  end
  if lobby and lobby.status == "waiting" and lobby.host == self.player then
    lobby, err = self:start_matchmaking(self.config, { mode = mode })
  end
  if not lobby then return nil, err end
  local events, found, reason, answered = self:events(), nil, nil, nil
  local wasSearching = lobby.status ~= "waiting"
  while not found do
    local event = events:next()
    if not event then break end
    reason, err = event.reason or reason, event.error
    local seen = event.lobby
    if (seen or event.type == "connected") and not (seen and seen.id == lobby.id) then
      -- A stream that was there before the lobby may have said so of the time before it.
      seen, err = surely(self, self.find_my_lobby, function() return #events.events > 0 end)
      reason = not err and not (seen and seen.id == lobby.id) and "gone"
      if reason then break end
    end
    if seen and seen.revision >= lobby.revision then
      found = muster.address_of(seen) and seen
      if seen.status == "waiting" and wasSearching then
        reason = reason or (seen.returned and seen.returned.reason)
        break
      end
      wasSearching = wasSearching or seen.status ~= "waiting"
      local asked = seen.matchmaking and seen.matchmaking.confirmation
      if asked and not asked.confirmed and asked.deadline ~= answered then
        answered = asked.deadline
        muster.start(function()
          local does = how.confirm == nil or how.confirm(seen)
          surely(self, does and self.confirm_match or self.decline_match, function() return answered ~= asked.deadline end)
        end)
      end
    end
  end
  answered = nil
  if found then return self:playing(found, events) end
  events:close()
  return nil, err or fault("NO_MATCH", 0, "the search ended without a match", { reason = reason or "gone" })
end

function Player:playing(lobby, events)
  local last = lobby
  local staying = muster.start(function()
    repeat
      local event = events:next()
      last = event and event.lobby or last
    until not event or (event.lobby and not (last.server and last.server.instance_id == lobby.server.instance_id))
    events:close()
  end)
  local function ended() return wait(nil, function() return coroutine.status(staying) == "dead" end) and last end
  local ticket, host, port = lobby.server.ticket, muster.address_of(lobby)
  return { host = host, port = port, ticket = ticket, team = teamOf(ticket), lobby = lobby, ended = ended }
end

-- A game server ----------------------------------------------------------------------------------------------------------------

local Server = setmetatable({}, { __index = Api })
Server.__index = Server

--- The game server that Muster has started: `told` is all of muster.json or MUSTER_JSON, `players` has the team of each player.
function muster.server()
  local path, text = os.getenv("MUSTER_CONFIG"), os.getenv("MUSTER_JSON")
  if path then text = assert(io.open(path)):read("*a") end
  local told, players = muster.decode(assert(text, "this program was not started by Muster")), {}
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
  local headers = { authorization = "Bearer " .. self.told.token }
  local value, err
  for tries = 1, 20 do
    value, err = request(url, method, path, { headers = headers, query = asked.query, body = asked.body }, 15)
    if not err or not muster.may_pass(err) then break end
    wait((err.retry_after or 0) + chance() * tries)
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

-- Made from the API description of Muster 0.3.0 by `npm run generate`. Do not edit it.

-- Status of each code that the service answers.
Api.CODES = { VALIDATION_ERROR = 400, LOBBY_FULL = 400, LOBBY_NOT_ACCEPTING = 400, INVALID_ACTION = 400, NO_MATCHMAKING_MODES = 400, MODE_NOT_FOUND = 400, PARTY_SIZE_EXCEEDED = 400, ALREADY_IN_QUEUE = 400, UNAUTHORIZED = 401, PLAYER_TOKEN_MISSING = 401, PLAYER_TOKEN_INVALID = 401, PLAYER_TOKEN_EXPIRED = 401, LOGIN_REFUSED = 401, FORBIDDEN = 403, FIELD_NOT_YOURS = 403, NOT_HOST = 403, BANNED = 403, COOLDOWN = 403, LOBBY_NOT_FOUND = 404, PLAYER_NOT_FOUND = 404, SERVER_NOT_FOUND = 404, CONFIG_NOT_FOUND = 404, BUILD_NOT_FOUND = 404, LOGS_NOT_AVAILABLE = 404, NOT_FOUND = 404, METHOD_NOT_ALLOWED = 405, REQUEST_TIMEOUT = 408, ALREADY_IN_LOBBY = 409, GAME_ALREADY_RUNNING = 409, LOBBY_NOT_MOVED = 409, MATCH_NOT_MADE = 409, REF_EXISTS = 409, RESULT_EXISTS = 409, NOT_HOST_ANY_MORE = 409, INVALID_STATE = 409, PRECONDITION_FAILED = 412, PAYLOAD_TOO_LARGE = 413, RATE_LIMITED = 429, INTERNAL = 500, CLOSED = 503, LAUNCH_FAILED = 503, CODES_EXHAUSTED = 503, SERVERS_EXHAUSTED = 503, STORAGE_FULL = 503, OVERLOADED = 503, UNAVAILABLE = 503 }
-- The events of the stream.
Api.EVENTS = { "connected", "lobby_updated", "lobby_changed", "queue_stats", "matchmaking_timeout", "signal", "signals_lost", "lobby_deleted", "replaced", "moved", "ping" }

---@alias muster.LobbyStatus "waiting"|"in_queue"|"starting"|"matched"|"match_found"|"in_game"
---@alias muster.ServerStatus "launching"|"running"|"stopped"
---@alias muster.ServerServiceType "match_based"|"persistent_world"|"player_hosted"
---@alias muster.LobbyReturnedReason "timeout"|"unmatchable"|"cancelled"|"player_left"|"away"|"declined"|"confirm_timeout"|"launch_failed"|"config_changed"|"server_crashed"
---@alias muster.GameRosterPlayerStatus "here"|"away"|"left"|"kicked"
---@alias muster.LobbyChangeOpOp "add"|"replace"|"remove"
---@alias muster.BuildPortProtocol "udp"|"tcp"
---@alias muster.MatchSummaryOutcome "confirming"|"launching"|"running"|"ended"|"crashed"|"failed"
---@alias muster.MatchMadeBy "host"|"key"|"rematch"
---@alias muster.BrowseLobbiesSort "newest"|"players"
---@alias muster.JoinLobbyBodyAs "player"|"spectator"
---@alias muster.GetMyLobbyOrNull "true"|"false"

---@class muster.Player
---@field id string The value sent in x-player-id.
---@field state table<string, any>|nil Free-form; null until set.
---@field isHost boolean True for exactly one player.

---How long like parties waited of late; null where too few had a match yet.
---@class muster.QueueStatsWaitEstimate
---@field p50 number Seconds within which half of like parties had a match.
---@field p90 number|nil Nine of ten; null where too many waited for longer.
---@field of integer Parties of as many players, also those that gave up or still wait.

---Why the lobby still waits, where that is known.
---@class muster.QueueStatsWait
---@field inReach integer Other lobbies that all rules let through.
---@field compared integer
---@field because string|nil Without this most others would fit, in words.
---@field opensInSeconds number|nil Until more come into reach.
---@field estimate muster.QueueStatsWaitEstimate|nil How long like parties waited of late; null where too few had a match yet.

---@class muster.QueueStats
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.

---@class muster.QueueStatsEventMode
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.
---@field mode string

---@class muster.QueueStatsEvent
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field wait? muster.QueueStatsWait Why the lobby still waits, where that is known.
---@field modes? (muster.QueueStatsEventMode)[] Of a search of several modes: each that is searched now, the first one first.

---@class muster.ModesMode
---@field mode string
---@field playersSearching integer
---@field lobbiesInQueue integer
---@field avgWaitSeconds number
---@field estimate muster.QueueStatsWaitEstimate|nil How long like parties waited of late; null where too few had a match yet.

---@class muster.Modes
---@field modes (muster.ModesMode)[]

---@class muster.MatchmakingMode
---@field mode string
---@field since string Still ahead: the mode is searched from then on.
---@field queueStats? muster.QueueStats In the answer to GET /me.

---How many players are looked for in place of those who said no.
---@class muster.MatchmakingConfirmationRefill
---@field players integer
---@field until string

---While match_found.
---@class muster.MatchmakingConfirmation
---@field deadline string
---@field confirmed boolean Whether this lobby has accepted.
---@field accepted? integer Players who accepted, if the mode shows it.
---@field needed? integer
---@field acceptedBy? (string)[] Players in the lobby who have accepted, if the mode asks each player.
---@field refill? muster.MatchmakingConfirmationRefill How many players are looked for in place of those who said no.

---While matched, if no server has room: the match's place in line.
---@class muster.MatchmakingWaitingForServer
---@field position integer
---@field since string

---@class muster.Matchmaking
---@field mode string
---@field startedAt string
---@field queueStats? muster.QueueStats While in_queue.
---@field modes? (muster.MatchmakingMode)[] While in_queue, of a search that was begun with `modes`: those that are searched.
---@field confirmation? muster.MatchmakingConfirmation While match_found.
---@field waiting_for_server? muster.MatchmakingWaitingForServer While matched, if no server has room: the match's place in line.

---@class muster.Port
---@field name string
---@field host string Connect to this host, on external_port.
---@field external_port integer
---@field internal_port integer
---@field protocol string udp or tcp.
---@field tls_enabled boolean
---@field path? string Behind a proxy: wss://host:external_port, then this.

---@class muster.Server
---@field instance_id string
---@field name string
---@field status muster.ServerStatus
---@field region string
---@field network_ports (muster.Port)[] Empty until the ports are known.
---@field startup_args string|nil
---@field service_type muster.ServerServiceType
---@field compute_size string|nil
---@field version_tag string|nil Name of its build.
---@field version integer|nil Version of its build: how often it had been saved.
---@field started_at string|nil
---@field stopped_at string|nil
---@field auto_restart boolean
---@field custom_data table<string, any> What the game server is told; of a match, `{}` to strangers.
---@field ttl integer|nil Seconds it may run; null without a limit of its own.
---@field is_pool_server boolean Whether it was warm: started before a match needed it.
---@field pool_claimed_at string|nil When a match took it; null of others.
---@field match_id string|nil The match it was launched for.
---@field created_at string
---@field updated_at string
---@field ticket? string In the own view of a player of the game: what its server knows the player by.
---@field host_player? string|nil
---@field term? integer
---@field host_token? string

---Only while waiting: why the last search or start brought no game.
---@class muster.LobbyReturned
---@field mode string Empty after a start by the host.
---@field reason muster.LobbyReturnedReason
---@field detail? string With `unmatchable` after a change of the party's own: why it no longer fits the mode.
---@field retryAfter? integer Seconds, with `launch_failed`.
---@field at string

---Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
---@class muster.LobbyRematch
---@field yes integer
---@field needed integer
---@field until string

---@class muster.LobbyLastResultTeamPlayer
---@field id string
---@field score? number
---@field abandoned? boolean The player left before the end.

---@class muster.LobbyLastResultTeam
---@field team integer Index in the teams of the match.
---@field rank? integer 1 is the best.
---@field score? number The highest is the best.
---@field players? (muster.LobbyLastResultTeamPlayer)[]

---Of the last match that was reported.
---@class muster.LobbyLastResult
---@field matchId string
---@field at string
---@field teams (muster.LobbyLastResultTeam)[]

---@class muster.LobbySpectator
---@field id string

---@class muster.Lobby
---@field id string
---@field code string Invite code; private lobbies have one too.
---@field name string
---@field config string
---@field status muster.LobbyStatus
---@field host string Player id of the host.
---@field maxPlayers integer
---@field currentPlayers integer
---@field region string
---@field isPrivate boolean
---@field allowLateJoin boolean
---@field settings table<string, any>
---@field players (muster.Player)[] Longest present first.
---@field server muster.Server|nil Null without a game server.
---@field matchmaking muster.Matchmaking|nil While in_queue, match_found or matched.
---@field matchId string|nil Shared by all lobbies of one match.
---@field returned? muster.LobbyReturned Only while waiting: why the last search or start brought no game.
---@field rematch? muster.LobbyRematch Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.
---@field lastResult? muster.LobbyLastResult Of the last match that was reported.
---@field invite_url? string A page that brings a friend in; where the config has `invite`.
---@field customProperties table<string, any> The config's.
---@field revision integer One more with every visible change.
---@field createdAt string
---@field updatedAt string Rises with every visible change.
---@field currentSpectators? integer How many watch, if anybody.
---@field spectators? (muster.LobbySpectator)[] Who watches, longest present first. Not in lists.
---@field as? string The caller watches the lobby.

---@class muster.LobbyPage
---@field lobbies (muster.Lobby)[] Without private lobbies.
---@field total integer
---@field limit integer
---@field offset integer
---@field hasMore boolean
---@field cursor? string Goes on after this page.

---@class muster.GameRosterOpen
---@field team integer
---@field places integer

---@class muster.GameRosterPlayer
---@field id string
---@field lobby string The lobby that the player came in with.
---@field team integer Index in the teams of the match.
---@field role string|nil
---@field state table<string, any>|nil As the player came in. Null: not known.
---@field status muster.GameRosterPlayerStatus `away`: the player dropped out, and the place is kept.
---@field until? string|nil While `away`: until when.
---@field revision integer The roster's revision when this last changed.

---@class muster.GameRoster
---@field match string
---@field revision integer Rises with every change.
---@field open (muster.GameRosterOpen)[] The open places.
---@field players (muster.GameRosterPlayer)[] Those whose place has changed after `after`.

---@class muster.Signal
---@field from string The player who sent it.
---@field term? integer Of the host, in a match that a player hosts.
---@field data any What the sender sent, up to 4 KiB of JSON.

---@class muster.Signalled
---@field players integer How many players it was for.
---@field streaming integer How many of them had an open stream, and so were told.

---@class muster.IceServersIceServer
---@field urls (string)[]
---@field username? string
---@field credential? string

---@class muster.IceServers
---@field iceServers (muster.IceServersIceServer)[] What an RTCPeerConnection takes. Empty if the service has none.
---@field ttl integer Seconds until the first of the credentials ends.

---@class muster.LobbyChangeOp
---@field op muster.LobbyChangeOpOp
---@field path string A JSON pointer (RFC 6901) into the lobby.
---@field value? any

---@class muster.LobbyChange
---@field revision integer What the lobby is now.
---@field from integer The revision that the operations are to be applied to.
---@field ops (muster.LobbyChangeOp)[] Operations of RFC 6902, in order.

---@class muster.VotedResult
---@field isTaken boolean The match has a result.
---@field players? integer How many players have a vote.
---@field voted? integer
---@field same? integer How many of them say the same.

---@class muster.LobbyGone
---@field id string

---@class muster.MatchmakingEnded
---@field id string
---@field mode string Empty after a start by the host.
---@field reason muster.LobbyReturnedReason
---@field detail? string With `unmatchable` after a change of the party's own: why it no longer fits the mode.
---@field retryAfter? integer Seconds, with `launch_failed`.

---@class muster.RegionsRegion
---@field region string
---@field http string|nil Answers every GET with nothing.
---@field udp string|nil host:port; sends back what comes, up to 64 bytes.

---@class muster.Regions
---@field regions (muster.RegionsRegion)[]

---@class muster.ServerRecord
---@field instance_id string
---@field name string
---@field status muster.ServerStatus
---@field region string
---@field network_ports (muster.Port)[] Empty until the ports are known.
---@field startup_args string|nil
---@field service_type muster.ServerServiceType
---@field compute_size string|nil
---@field version_tag string|nil Name of its build.
---@field version integer|nil Version of its build: how often it had been saved.
---@field started_at string|nil
---@field stopped_at string|nil
---@field auto_restart boolean
---@field custom_data table<string, any> What the game server is told; of a match, `{}` to strangers.
---@field ttl integer|nil Seconds it may run; null without a limit of its own.
---@field is_pool_server boolean Whether it was warm: started before a match needed it.
---@field pool_claimed_at string|nil When a match took it; null of others.
---@field match_id string|nil The match it was launched for.
---@field created_at string
---@field updated_at string
---@field ticket? string In the own view of a player of the game: what its server knows the player by.
---@field host_player? string|nil
---@field term? integer
---@field host_token? string
---@field exit_code integer|nil Exit code of the last run; 128 + n after signal n.
---@field signal string|nil The signal that ended it, such as SIGSEGV.
---@field output string|nil Its last 4 KiB of output; null in lists.
---@field detail string|nil Why it failed, what is amiss while it lives, or who ended it; null if nothing is.
---@field asked? boolean It was told to end, or its time was over.
---@field host_reason? string

---@class muster.PlayerToken
---@field token string A JWT that the game sends as `authorization: Bearer`.
---@field player string
---@field expiresAt string
---@field accessToken? string Of a login with Discord: for `authenticate`.

---@class muster.Seat
---@field player string
---@field match string|nil Null after a direct start; of a spectator then the id of the server.
---@field lobby string
---@field team integer|nil Index in the teams. Null after a direct start, and without a place in the match.
---@field team_name string|nil
---@field role string|nil
---@field late boolean The player joined the lobby during the game.
---@field spectator? boolean The holder watches the lobby.

---@class muster.SeatKeysKey
---@field kty string
---@field crv string
---@field x string
---@field kid string
---@field alg string
---@field use string

---A JWK set: the current key, the next one, and older ones whose tickets are still valid.
---@class muster.SeatKeys
---@field keys (muster.SeatKeysKey)[]

---@class muster.Happening
---@field at string
---@field kind string What happened: `entered`, `kicked`, `launched`.
---@field by string|nil `player:` and an id, or `operator:` and the name or fingerprint of a server key.
---@field lobbyId string|nil
---@field playerId string|nil
---@field matchId string|nil
---@field reason string|nil The reason as a code.
---@field detail string|nil The reason as text.

---@class muster.MatchTeamLobbyPlayerStay
---@field team integer
---@field lobbyId string
---@field role string|nil

---@class muster.MatchTeamLobbyPlayer
---@field id string
---@field role string|nil
---@field stays? (muster.MatchTeamLobbyPlayerStay)[] Every stay in the match, oldest first. Absent: there was one.

---@class muster.MatchTeamLobby
---@field lobbyId string
---@field waitedSeconds number
---@field players (muster.MatchTeamLobbyPlayer)[] Whoever was in the match, each once: where they first took a place, or else where they first came in.

---@class muster.MatchTeam
---@field name string|nil
---@field lobbies (muster.MatchTeamLobby)[]

---@class muster.MatchRule
---@field rule string
---@field values (any|nil)[]

---@class muster.MatchQualityPing
---@field worst number
---@field mean number

---@class muster.MatchQualityWaits
---@field p50 number
---@field max number

---As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players
---measured to the region in ms, and the lobbies' waits in seconds.
---@class muster.MatchQuality
---@field win? (number)[]
---@field gap? number
---@field ping? muster.MatchQualityPing
---@field waits muster.MatchQualityWaits

---@class muster.MatchBot
---@field team integer
---@field role? string
---@field count integer

---@class muster.MatchServer
---@field id string
---@field status string
---@field exitCode integer|nil
---@field signal string|nil
---@field detail string|nil

---Absent until one is reported.
---@class muster.MatchResult
---@field at string
---@field teams (muster.LobbyLastResultTeam)[]
---@field data? table<string, any>|nil

---@class muster.MatchLink
---@field from string
---@field to string
---@field isRelayed boolean By a TURN server.
---@field ms integer The round trip.

---What players said of the result.
---@class muster.MatchVotes
---@field players integer How many players have a vote.
---@field voted integer
---@field same integer How many of them say the same.

---@class muster.MatchRatingChange
---@field id string
---@field rating integer
---@field uncertainty integer
---@field before integer

---What the result did to ratings. Absent until then.
---@class muster.MatchRating
---@field field string
---@field changes (muster.MatchRatingChange)[]

---@class muster.Match
---@field id string
---@field config string
---@field mode string
---@field outcome muster.MatchSummaryOutcome
---@field reason string|nil Why it ended or failed.
---@field detail string|nil
---@field build string|nil
---@field formedAt string
---@field runningAt string|nil
---@field endedAt string|nil
---@field teams (muster.MatchTeam)[]
---@field rules (muster.MatchRule)[] The values that each rule compared, longest wait first.
---@field quality? muster.MatchQuality As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players measured to the region in ms, and the lobbies' waits in seconds.
---@field bots? (muster.MatchBot)[] The places that bots had when it began. Absent without bots.
---@field made_by? muster.MatchMadeBy Who made it. Absent: matchmaking.
---@field ref? string What its maker calls it.
---@field server muster.MatchServer|nil
---@field history (muster.Happening)[] Oldest first.
---@field result? muster.MatchResult Absent until one is reported.
---@field links? (muster.MatchLink)[] How players are connected, as they say.
---@field votes? muster.MatchVotes What players said of the result.
---@field rating? muster.MatchRating What the result did to ratings. Absent until then.

---@class muster.WhereaboutsLobby
---@field id string
---@field config string
---@field status muster.LobbyStatus
---@field mode string|nil That it searches, or that its match is of.
---@field invite_url? string
---@field as? string The player only watches.

---@class muster.WhereaboutsKept
---@field id string
---@field config string
---@field mode string|nil
---@field code string
---@field until string|nil

---@class muster.Whereabouts
---@field player string
---@field lobbies (muster.WhereaboutsLobby)[]
---@field kept? (muster.WhereaboutsKept)[]

---@class muster.LadderPlayer
---@field place integer
---@field player string
---@field rating integer
---@field uncertainty integer
---@field games integer

---@class muster.Ladder
---@field season integer
---@field total integer
---@field limit integer
---@field offset integer
---@field has_more boolean
---@field players (muster.LadderPlayer)[]

---@class muster.Ok
---@field status string

---@class muster.CreateLobbyBody
---@field name string
---@field maxPlayers? integer
---@field region? string
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field settings? table<string, any>
---@field state? table<string, any>
---@field forceFresh? boolean
---@field key? string

---@class muster.JoinLobbyBody
---@field code? string
---@field inviteCode? string
---@field lobbyId? string
---@field state? table<string, any>
---@field as? muster.JoinLobbyBodyAs

---@class muster.UpdateMyStateBody
---@field state table<string, any>

---@class muster.UpdateLobbySettingsBody
---@field name? string
---@field maxPlayers? integer
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field region? string
---@field settings? table<string, any>

---@class muster.StartMatchmakingBody
---@field mode? string
---@field modes? (any)[]

---@class muster.MoveToBody
---@field config string

---@class muster.SendSignalBody
---@field to any
---@field data any

---@class muster.ReportMatchResultBodyTeamPlayer
---@field id string
---@field score? number
---@field abandoned? boolean

---@class muster.ReportMatchResultBodyTeam
---@field team integer
---@field rank? integer
---@field score? number
---@field players? (muster.ReportMatchResultBodyTeamPlayer)[]

---@class muster.ReportMatchResultBody
---@field teams (muster.ReportMatchResultBodyTeam)[]
---@field data? table<string, any>

---@class muster.ChangeHostBody
---@field term integer
---@field unreachable? boolean
---@field resign? boolean

---@class muster.ReportLinkBody
---@field to string
---@field isRelayed boolean
---@field ms integer

---@class muster.QuickJoinBodyCreate
---@field name string
---@field maxPlayers? integer
---@field region? string
---@field isPrivate? boolean
---@field allowLateJoin? boolean
---@field settings? table<string, any>
---@field state? table<string, any>
---@field forceFresh? boolean

---@class muster.QuickJoinBody
---@field where? table<string, string>
---@field places? integer
---@field state? table<string, any>
---@field create muster.QuickJoinBodyCreate

---@class muster.ReportServerStatusBodyNetworkPort
---@field name string
---@field host string
---@field external_port integer
---@field internal_port integer
---@field protocol muster.BuildPortProtocol
---@field tls_enabled? boolean

---@class muster.ReportServerStatusBody
---@field status muster.ServerStatus
---@field network_ports? (muster.ReportServerStatusBodyNetworkPort)[]
---@field exit_code? integer
---@field signal? string
---@field detail? string
---@field output? string
---@field asked? boolean

---@class muster.ReadSeatBody
---@field ticket string

---@class muster.SetPlacesBody
---@field open? integer
---@field team? integer
---@field until? string
---@field release? string
---@field kick? string
---@field present? (string)[]
---@field after? integer

---@class muster.LoginBody
---@field token string

---Browse a config's public lobbies. Newest first, without private lobbies. Needs no player id. The list can be a
---second old. A page is at most 1 MiB: of large lobbies it has fewer, and its `limit` says how many. The next one
---begins at `offset` plus that. Also takes `settings.map=dust` and `settings.level=1..3`, for settings in `browseBy`
---of the config.
---@param config string
---@param options? { region?: string, status?: muster.LobbyStatus, places?: integer, sort?: muster.BrowseLobbiesSort, cursor?: string, limit?: integer, offset?: integer }
---@return muster.LobbyPage
function Api:browse_lobbies(config, options)
  options = options or {}
  return self:call("GET", "/v3/lobbies/" .. part(config), { query = { ["region"] = options.region, ["status"] = options.status, ["places"] = options.places, ["sort"] = options.sort, ["cursor"] = options.cursor, ["limit"] = options.limit, ["offset"] = options.offset } })
end

---Create a lobby. The caller becomes the host. `forceFresh` first deletes the lobby that the caller hosts in this
---config. A caller who is a guest in another lobby is still refused. With a `key`, the first caller creates the lobby
---of that key, and all others join it (200).
---@param config string
---@param body muster.CreateLobbyBody
---@return muster.Lobby
function Api:create_lobby(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config), { body = body })
end

---Join a lobby by code or id. Send either `code` (also called `inviteCode`, in any case) or `lobbyId`. A private
---lobby needs its code, except with the server key. A player who is already in the lobby gets it back unchanged. `as:
---spectator` watches it, at any time, in a config with `spectators`; a player of a waiting lobby stands aside by it,
---and a spectator who joins without it begins to play.
---@param config string
---@param body muster.JoinLobbyBody
---@return muster.Lobby
function Api:join_lobby(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/join", { body = body })
end

---Read the caller's lobby. With `orNull=true`, a player in no lobby gets `null` instead of a 404.
---@param config string
---@param options? { or_null?: muster.GetMyLobbyOrNull }
---@return muster.Lobby
function Api:get_my_lobby(config, options)
  options = options or {}
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/me", { query = { ["orNull"] = options.or_null } })
end

---Merge into the caller's state. Merges key by key: missing keys stay, and null removes a key. If the lobby is
---queued, its ticket changes too and keeps its waiting time.
---@param config string
---@param body muster.UpdateMyStateBody
---@param options? { prefer?: string }
---@return muster.Lobby
function Api:update_my_state(config, body, options)
  options = options or {}
  return self:call("PATCH", "/v3/lobbies/" .. part(config) .. "/me", { body = body, headers = { ["prefer"] = options.prefer } })
end

---Leave the lobby. Answers the lobby if others remain, or `{"status":"lobby_deleted"}` if the caller was the last
---player, or the host in a config with `hostLeaveBehavior: delete`. Leaving cancels matchmaking, and declines a match
---that waits for confirmation.
---@param config string
---@return muster.Lobby
function Api:leave_lobby(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me", {  })
end

---Change the lobby (host). Missing fields stay. `settings` is merged like a state. `maxPlayers` cannot be less than
---the number of players in the lobby.
---@param config string
---@param body muster.UpdateLobbySettingsBody
---@param options? { prefer?: string }
---@return muster.Lobby
function Api:update_lobby_settings(config, body, options)
  options = options or {}
  return self:call("PATCH", "/v3/lobbies/" .. part(config) .. "/me/settings", { body = body, headers = { ["prefer"] = options.prefer } })
end

---Kick a player (host). The player gets one more update of the lobby, without itself in it.
---@param config string
---@param player_id string
---@return muster.Lobby
function Api:kick_player(config, player_id)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/players/" .. part(player_id), {  })
end

---Launch a game server now (host). For the players in the lobby, without matchmaking. Answers once the server lives,
---at most a second after its launch, and always shows it launching. An update says when it is running. A server that
---ends at once is a `LAUNCH_FAILED`.
---@param config string
---@return muster.Lobby
function Api:start_game(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/start", {  })
end

---End the game (host). Stops the server. Every lobby of the match goes back to `waiting`, with the same players, code
---and settings.
---@param config string
---@return muster.Lobby
function Api:end_match(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/end-match", {  })
end

---Queue the lobby (host). The search begins at once and ends after the mode's timeout. With `modes` in the place of
---`mode`, the lobby searches one to four modes, each at once or `afterSeconds` later, but the first always at once.
---The first match takes it out of the others. A mode that finds nobody within its timeout drops out, and the last one
---ends the search.
---@param config string
---@param body muster.StartMatchmakingBody
---@return muster.Lobby
function Api:start_matchmaking(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matchmaking", { body = body })
end

---Take the lobby out of the queue (host)
---@param config string
---@return muster.Lobby
function Api:cancel_matchmaking(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/matchmaking", {  })
end

---Accept a match. One player accepts for the whole lobby. The server launches when every lobby of the match has
---accepted. After the deadline it is too late.
---@param config string
---@return muster.Lobby
function Api:confirm_match(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/confirm-match", {  })
end

---Decline a match. Cancels the match. Its lobbies go back to `waiting`. With `onDecline: requeue`, those that had
---accepted go back into the queue. With `refill`, only the caller goes back to `waiting`, and others may take its
---places.
---@param config string
---@return muster.Lobby
function Api:decline_match(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/confirm-match", {  })
end

---Send a heartbeat. Only needed in configs with `heartbeat: true`, by players without an open event stream. Send it
---more often than every `heartbeatTimeout` seconds.
---@param config string
---@return muster.Ok
function Api:send_heartbeat(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/heartbeat", {  })
end

---Follow the caller's lobby with server-sent events. Each player has one stream: a second one replaces the first,
---whose last event is `replaced`. Do not reopen that one. You can open it before the player has a lobby (`connected`
---with null). It continues with the next lobby after the player leaves or is kicked, and after `lobby_deleted`. `id`
---is the revision of the lobby. With `Last-Event-ID`, a client first gets the updates that it missed, if kept, and
---always `connected` with the full lobby. With `changes=1`, `lobby_changed` has the operations of RFC 6902 that lead
---to the next revision. A comment line comes every ten seconds, and `ping` every thirty. On this route only,
---`api-key` and `x-player-id` may be in the query. With `Upgrade: websocket`, the same events come as JSON messages
---`{event, id, data}`, and `last-event-id` may be in the query. Answer each `ping` with any message.
---@param config string
---@param options? { changes?: string, lobby?: string }
function Api:stream_events(config, options)
  options = options or {}
  return self:open("GET", "/v3/lobbies/" .. part(config) .. "/me/events", { query = { ["changes"] = options.changes, ["lobby"] = options.lobby } })
end

---See how busy each mode is, before you search. Needs no player id and no lobby. The figures can be ten seconds old.
---The estimate is that of players who queue alone.
---@param config string
---@return muster.Modes
function Api:list_modes(config)
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/modes", {  })
end

---Go on in another config (host). A lobby that waits keeps its id, code, players, states, settings and streams, and
---is of the other config from then on: it searches the modes of that one. Requests and streams under the config that
---it has left go on. All of its players and spectators move, or nobody: `LOBBY_NOT_MOVED` says why for each. It gets
---another code only if another lobby there has its own, and `maxPlayers` falls to what that config allows.
---@param config string
---@param body muster.MoveToBody
---@return muster.Lobby
function Api:move_to(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/move", { body = body })
end

---Get STUN and TURN servers. For connections between players. The servers that the operator has set up. While a game
---starts, forms or runs, TURN servers are among them, with credentials that end by themselves. A provider that does
---not answer in time is left out.
---@param config string
---@return muster.IceServers
function Api:get_ice_servers(config)
  return self:call("GET", "/v3/lobbies/" .. part(config) .. "/me/ice", {  })
end

---Send a signal to other players. For connections between players: up to 4 KiB of JSON, which is not null. `to` is a
---player of the caller's lobby or, once it is `matched`, of any lobby of its match, or `all` for all others, or
---`{player}` for whatever id. It comes as the event `signal` on their open streams, and nothing is kept for later. It
---counts as a request for each lobby that is asked.
---@param config string
---@param body muster.SendSignalBody
---@return muster.Signalled
function Api:send_signal(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/signals", { body = body })
end

---Ask for a rematch (host). Within 30 seconds of the end of a match. Once the host of each of its lobbies has asked,
---the same lobbies play the same mode again, in the same teams and on the same build, without a queue. `rematch` of
---each lobby counts. Asking again changes nothing.
---@param config string
---@return muster.Lobby
function Api:rematch(config)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/rematch", {  })
end

---Say no to a rematch (host). There is no rematch of that match then. Searching, starting a game and leaving say the
---same.
---@param config string
---@return muster.Lobby
function Api:decline_rematch(config)
  return self:call("DELETE", "/v3/lobbies/" .. part(config) .. "/me/rematch", {  })
end

---Let another player host. More than half of the others must say that the host is gone.
---@param config string
---@param body muster.ChangeHostBody
---@return muster.Lobby
function Api:change_host(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/host", { body = body })
end

---Report the result of a match hosted by a player. Where `serverSettings.results` is `majority`: what more than half
---of the players say is the result, until a minute after the match. Each has one vote, and the next replaces it.
---@param config string
---@param id string
---@param body muster.ReportMatchResultBody
---@return muster.VotedResult
function Api:report_result(config, id, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matches/" .. part(id) .. "/result", { body = body })
end

---Say how two players are connected. Operators read it on the match's page. The next report of the same two replaces
---it.
---@param config string
---@param id string
---@param body muster.ReportLinkBody
---@return muster.Ok
function Api:report_link(config, id, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/me/matches/" .. part(id) .. "/links", { body = body })
end

---Join the fullest lobby that fits, or create one. Of those that fit `where` and have `places` free places, lobbies
---in the region of `create` come first, then the fullest. If there is none, creates one by `create`, which must fit
---too: never two while one has a place. `where` asks for settings in `browseBy` of the config: ranges such as `1..3`,
---or values, which the new lobby gets.
---@param config string
---@param body muster.QuickJoinBody
---@return muster.Lobby
function Api:quick_join(config, body)
  return self:call("POST", "/v3/lobbies/" .. part(config) .. "/quick-join", { body = body })
end

---Find the caller's lobbies in all configs. For a game that was closed: over the saved configs of the project, of
---which there are at most 20. It is no sign of life, and counts as a request for each config.
---@return muster.Whereabouts
function Api:where_am_i()
  return self:call("GET", "/v3/me", {  })
end

---List the regions, and where to measure how far away they are. Of the fleets that have an `echo`. Send what you
---measured as state, for a `latency` rule.
---@return muster.Regions
function Api:list_regions()
  return self:call("GET", "/v3/regions", {  })
end

---Read the ladder of a rated mode, the best first. A client key sees ids if the project has `publicPlayerIds`.
---@param options? { config?: string, mode?: string, around?: string, season?: integer, limit?: integer, offset?: integer }
---@return muster.Ladder
function Api:get_ratings(options)
  options = options or {}
  return self:call("GET", "/v3/ratings", { query = { ["config"] = options.config, ["mode"] = options.mode, ["around"] = options.around, ["season"] = options.season, ["limit"] = options.limit, ["offset"] = options.offset } })
end

---Read a server. With the server key, the answer also says how it ended.
---@param id string
---@return muster.ServerRecord
function Api:get_server(id)
  return self:call("GET", "/v3/servers/" .. part(id), {  })
end

---Report a server's status (fleet or game server). Needs no key. The bearer token is the one that the instance got at
---launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or after so many
---seconds.
---@param id string
---@param body muster.ReportServerStatusBody
---@param options? { wait?: integer }
---@return muster.Server
function Api:report_server_status(id, body, options)
  options = options or {}
  return self:call("POST", "/v3/servers/" .. part(id) .. "/status", { body = body, query = { ["wait"] = options.wait } })
end

---Report the result of the match (game server). Needs no key. The bearer token is the one that the instance got at
---launch. Each team of the match is named once, all with a `rank` (1 is the best) or all with a `score` (the highest
---is the best). A match has one result: the same again changes nothing, and another is refused. It is taken from when
---the server runs, for as long as the match is remembered.
---@param id string
---@param body muster.ReportMatchResultBody
---@return muster.Match
function Api:report_server_result(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/result", { body = body })
end

---Read a seat ticket (game server). For game servers that cannot verify Ed25519 themselves. Needs no key: the bearer
---token is that of the instance. Only tickets for this instance are read; any other, an old one and a forged one are
---a 403.
---@param id string
---@param body muster.ReadSeatBody
---@return muster.Seat
function Api:read_seat(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/seats", { body = body })
end

---Say which places in the match are open, and remove players. For the game server with the token that it got at
---launch, or a backend with the server key. All of the request is done, or nothing. `after` makes a repeated request
---harmless.
---@param id string
---@param body muster.SetPlacesBody
---@return muster.GameRoster
function Api:set_places(id, body)
  return self:call("POST", "/v3/servers/" .. part(id) .. "/places", { body = body })
end

---Read the players and their places in the match. For the game server with the token that it got at launch, or a
---backend with the server key. Answers as soon as the roster has another revision than `after`, at most `wait`
---seconds later. From the first request on, the lobbies of the match report who leaves and comes back.
---@param id string
---@param options? { after?: integer, wait?: integer }
---@return muster.GameRoster
function Api:read_roster(id, options)
  options = options or {}
  return self:call("GET", "/v3/servers/" .. part(id) .. "/roster", { query = { ["after"] = options.after, ["wait"] = options.wait } })
end

---Log in. Exchanges what the platform gave the player for a player token of an hour. The player is `provider:id`.
---@param provider string
---@param body muster.LoginBody
---@return muster.PlayerToken
function Api:login(provider, body)
  return self:call("POST", "/v3/login/" .. part(provider), { body = body })
end

---Check that the service is up
---@return muster.Ok
function Api:get_health()
  return self:call("GET", "/health", {  })
end

---Read the public keys of seat tickets. A project that does not exist has keys that sign nothing, so that nobody can
---find out which projects there are.
---@param options? { project?: string }
---@return muster.SeatKeys
function Api:get_seat_keys(options)
  options = options or {}
  return self:call("GET", "/.well-known/jwks.json", { query = { ["project"] = options.project } })
end

return muster
