-- Applies changes, each as a whole, if all of its checks succeed. No two changes touch the same row or field.
-- KEYS  every key that a change names, by its index
-- ARGV  <array in MessagePack>, with for each change:
--       <number of checks>    then for each: <kind> <key> <field> <expected>
--         row     the string begins with the expected bytes; an empty text expects no such key
--         field   the hash has this value in the field; an empty text expects no such field
--         member  the hash has the field
--       <number of commands>  then for each: <number of arguments> <command> <key> <argument>...
--         commands of Redis, and these:
--         SPLICE       <head> <place>  writes a row that has this head, and the end of the old row from this place on
--         JOIN, LEAVE  <id>            adds an id to an index of runs, or removes it
-- Returns 1 for each change that was applied, else 0.
-- Rows, and commands on indexes, are gathered: one command with many members costs a fraction of many commands.
-- Removals from them come first, so a server whose memory is full refuses no change that removes something.
local arguments = cmsgpack.unpack(ARGV[1])
local last = #arguments
local at = 0
local function argument()
  at = at + 1
  return arguments[at]
end

local function stands(kind, key, field, expected)
  if kind == 'row' then
    if expected == '' then
      return redis.call('EXISTS', key) == 0
    end
    return redis.call('GETRANGE', key, 0, #expected - 1) == expected
  end
  if kind == 'field' then
    return (redis.call('HGET', key, field) or '') == expected
  end
  return redis.call('HEXISTS', key, field) == 1
end

local gathered = { ZREM = {}, ZADD = {}, SADD = {}, JOIN = {}, LEAVE = {} }
local rows = {}
local deleted = {}
local others = {}
local answer = {}
while at < last do
  local applies = true
  for _ = 1, argument() do
    local kind, key, field, expected = argument(), KEYS[argument()], argument(), argument()
    applies = applies and stands(kind, key, field, expected)
  end
  for _ = 1, argument() do
    local count, command, key = argument(), argument(), KEYS[argument()]
    if applies then
      local sets = gathered[command]
      if sets then
        local members = sets[key]
        if not members then
          members = {}
          sets[key] = members
        end
        for i = 1, count do
          members[#members + 1] = arguments[at + i]
        end
      elseif command == 'SET' then
        rows[#rows + 1] = key
        rows[#rows + 1] = arguments[at + 1]
      elseif command == 'DEL' then
        deleted[#deleted + 1] = key
      else
        others[#others + 1] = { command, key, at + 1, at + count }
      end
    end
    at = at + count
  end
  answer[#answer + 1] = applies and 1 or 0
end

-- A command takes at most some thousand arguments; an even number keeps scores and members, or keys and rows, together.
local function send(command, key, members)
  for first = 1, #members, 1000 do
    redis.call(command, key, unpack(members, first, math.min(first + 999, #members)))
  end
end

local function sendKeys(command, keys)
  for first = 1, #keys, 1000 do
    redis.call(command, unpack(keys, first, math.min(first + 999, #keys)))
  end
end

local function carryOut(command)
  for key, members in pairs(gathered[command]) do
    send(command, key, members)
  end
end

-- An index of runs is a sorted set whose scores are 0. Its members are runs of up to 8 ids, in the order of the ids, and
-- no id lies between those of another run. So an id takes a quarter of the memory of a member of its own.
local ID, RUN, LAST = 16, 8, string.rep('\255', 16)

local function isBefore(one, other)
  local a, b, c = struct.unpack('>I6I6I4', one)
  local x, y, z = struct.unpack('>I6I6I4', other)
  if a ~= x then
    return a < x
  end
  if b ~= y then
    return b < y
  end
  return c < z
end

-- Opens the run to which this id belongs: the last run that does not begin after it.
local function open(key, id)
  local run = redis.call('ZREVRANGEBYLEX', key, '[' .. id .. LAST, '-', 'LIMIT', 0, 1)[1]
  local ids = {}
  for first = 1, run and #run or 0, ID do
    ids[#ids + 1] = string.sub(run, first, first + ID - 1)
  end
  return { key = key, run = run, ids = ids }
end

-- Writes an opened run again. One that has become too long is cut into equal parts, or into full ones at the end of the
-- index, where most ids are added.
local function close(opened)
  local key, ids = opened.key, opened.ids
  local size = opened.behind and math.ceil(#ids / math.ceil(#ids / RUN)) or RUN
  if opened.run then
    redis.call('ZREM', key, opened.run)
  end
  local runs = {}
  for first = 1, #ids, size do
    runs[#runs + 1] = '0'
    runs[#runs + 1] = table.concat(ids, '', first, math.min(first + size - 1, #ids))
  end
  send('ZADD', key, runs)
end

local function placeOf(id, ids)
  for place, each in ipairs(ids) do
    if each == id then
      return place
    end
  end
end

local function leave(key, ids)
  local opened = { key = key, ids = {} }
  for _, id in ipairs(ids) do
    local place = placeOf(id, opened.ids)
    if not place then
      close(opened)
      opened = open(key, id)
      place = placeOf(id, opened.ids)
    end
    if place then
      table.remove(opened.ids, place)
    end
  end
  close(opened)
end

local function join(key, ids)
  local opened = { key = key, ids = {} }
  for _, id in ipairs(ids) do
    local last, behind = opened.ids[#opened.ids], opened.behind
    if last and isBefore(last, id) and (not behind or isBefore(id, behind)) then
      opened.ids[#opened.ids + 1] = id
    else
      close(opened)
      opened = open(key, id)
      behind = redis.call('ZRANGEBYLEX', key, '(' .. id .. LAST, '+', 'LIMIT', 0, 1)[1]
      opened.behind = behind and string.sub(behind, 1, ID)
      local place = #opened.ids + 1
      while place > 1 and isBefore(id, opened.ids[place - 1]) do
        place = place - 1
      end
      if opened.ids[place - 1] ~= id then
        table.insert(opened.ids, place, id)
      end
    end
  end
  close(opened)
end

carryOut('ZREM')
for key, ids in pairs(gathered.LEAVE) do
  leave(key, ids)
end
sendKeys('DEL', deleted)
sendKeys('MSET', rows)
for _, other in ipairs(others) do
  local command, key, first, last = other[1], other[2], other[3], other[4]
  if command == 'SPLICE' then
    -- A new head in front of the old payload, which never leaves the server.
    redis.call('SET', key, arguments[first] .. redis.call('GETRANGE', key, arguments[first + 1], -1))
  else
    redis.call(command, key, unpack(arguments, first, last))
  end
end
carryOut('ZADD')
carryOut('SADD')
for key, ids in pairs(gathered.JOIN) do
  join(key, ids)
end
return answer
