-- Applies changes, each as a whole, if what it rests on still stands.
-- KEYS  every key that a change names, by its index
-- ARGV  for each change:
--       <number of checks>    then for each: <kind> <key> <field> <expected>
--         row     the string begins with the expected bytes; an empty text expects no such key
--         field   the hash has this value in the field; an empty text expects no such field
--         member  the hash has the field
--       <number of commands>  then for each: <number of arguments> <command> <key> <argument>...
-- Returns 1 for each change that was applied, else 0.
local at = 0
local function argument()
  at = at + 1
  return ARGV[at]
end

local function stands(kind, key, field, expected)
  if kind == 'field' then
    return (redis.call('HGET', key, field) or '') == expected
  end
  if kind == 'member' then
    return redis.call('HEXISTS', key, field) == 1
  end
  if expected == '' then
    return redis.call('EXISTS', key) == 0
  end
  return redis.call('GETRANGE', key, 0, #expected - 1) == expected
end

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
      if command == 'SPLICE' then
        -- A new row in front of the old payload, which never leaves the server.
        redis.call('SET', key, ARGV[at + 1] .. redis.call('GETRANGE', key, ARGV[at + 2], -1))
      else
        redis.call(command, key, unpack(ARGV, at + 1, at + count))
      end
    end
    at = at + count
  end
  answer[#answer + 1] = applies and 1 or 0
end
return answer
