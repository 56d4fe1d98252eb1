-- Applies each change of the register, the pauses, the minutes or the groups, if all of its checks succeed.
-- KEYS  every key that a change names, by its index
-- ARGV  <array in MessagePack>, with for each change:
--       <number of checks>    then for each: <kind> <key> <field> <expected>
--         field   the hash has this value in the field; an empty text expects no such field
--         member  the hash has the field
--       <number of commands>  then for each: <number of arguments> <command> <key> <argument>...
-- Returns 1 for each change that was applied, else 0.
-- The first command of a change removes something, so a server with full memory does not refuse the change.
local arguments = cmsgpack.unpack(ARGV[1])
local last = #arguments
local at = 0
local function argument()
  at = at + 1
  return arguments[at]
end

local function stands(kind, key, field, expected)
  if kind == 'field' then
    return (redis.call('HGET', key, field) or '') == expected
  end
  return redis.call('HEXISTS', key, field) == 1
end

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
      redis.call(command, key, unpack(arguments, at + 1, at + count))
    end
    at = at + count
  end
  answer[#answer + 1] = applies and 1 or 0
end
return answer
