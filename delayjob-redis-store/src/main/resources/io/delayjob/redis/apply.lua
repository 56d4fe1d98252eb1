-- Applies changes, each as a whole, if all of its checks succeed. No two changes touch the same row or field.
-- KEYS  every key that a change names, by its index
-- ARGV  for each change:
--       <number of checks>    then for each: <kind> <key> <field> <expected>
--         row     the string begins with the expected bytes; an empty text expects no such key
--         field   the hash has this value in the field; an empty text expects no such field
--         member  the hash has the field
--       <number of commands>  then for each: <number of arguments> <command> <key> <argument>...
-- Returns 1 for each change that was applied, else 0.
-- Rows, and commands on indexes, are gathered: one command with many members costs a fraction of many commands.
-- Removals from them come first, so a server whose memory is full refuses no change that removes something.
local at = 0
local function argument()
  at = at + 1
  return ARGV[at]
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

local gathered = { ZREM = {}, ZADD = {}, SADD = {} }
local rows = {}
local others = {}
local answer = {}
while at < #ARGV do
  local applies = true
  for _ = 1, tonumber(argument()) do
    local kind, key, field, expected = argument(), KEYS[tonumber(argument())], argument(), argument()
    applies = applies and stands(kind, key, field, expected)
  end
  for _ = 1, tonumber(argument()) do
    local count, command, key = tonumber(argument()), argument(), KEYS[tonumber(argument())]
    if applies then
      local sets = gathered[command]
      if sets then
        local members = sets[key]
        if not members then
          members = {}
          sets[key] = members
        end
        for i = 1, count do
          members[#members + 1] = ARGV[at + i]
        end
      elseif command == 'SET' then
        rows[#rows + 1] = key
        rows[#rows + 1] = ARGV[at + 1]
      else
        others[#others + 1] = { command, key, at + 1, at + count }
      end
    end
    at = at + count
  end
  answer[#answer + 1] = applies and 1 or 0
end

-- A command takes at most some thousand arguments; an even number keeps scores and members together.
local function carryOut(command)
  for key, members in pairs(gathered[command]) do
    for first = 1, #members, 1000 do
      redis.call(command, key, unpack(members, first, math.min(first + 999, #members)))
    end
  end
end

carryOut('ZREM')
for first = 1, #rows, 1000 do
  redis.call('MSET', unpack(rows, first, math.min(first + 999, #rows)))
end
for _, other in ipairs(others) do
  local command, key, first, last = other[1], other[2], other[3], other[4]
  if command == 'SPLICE' then
    -- A new row in front of the old payload, which never leaves the server.
    redis.call('SET', key, ARGV[first] .. redis.call('GETRANGE', key, ARGV[first + 1], -1))
  else
    redis.call(command, key, unpack(ARGV, first, last))
  end
end
carryOut('ZADD')
carryOut('SADD')
return answer
