-- Changes rows, with their entries in all indexes, if each row is as it was read. Otherwise it changes nothing.
-- KEYS  the indexes that the changes name, by their numbers; then the rows that must not exist; then the new rows,
--       which must not exist either; then the rows that must begin as they were read: short rows to replace, short rows
--       to delete, long rows to delete, and long rows to replace. Then other keys to delete
-- ARGV  <array in MessagePack>, then the new rows, and what replaces the short and the long rows. The array holds
--         <numbers of these KEYS, by kind, without the other keys>
--         <all beginnings that rows must have>
--         <for each of the short and long rows: the number of the beginning that it must have>
--         <for each long row to replace: the length of its payload, which stays behind the new head; or 0>
--         <index> <fields that this hash must not have>
--         <fields that other hashes must not have>, for each: <index> <field>
--         <commands that remove something> <commands that add something>, for each: <command> <index> <arguments>
--         <index> <ids that leave this index of runs> <ids that join it>, each in ascending order
-- Returns the places of the rows, then of both kinds of fields, that are not as they must be.
-- One command with many members costs a fraction of many commands, so the caller gathers the members of each index.
-- Removals come first, so a server with full memory does not refuse a change that removes something.
local KEYS, ARGV = KEYS, ARGV
local counts, begins, expected, payloads, hash, fields, guards, removals, additions, runs, leaving, joining =
  unpack(cmsgpack.unpack(ARGV[1]))
local indexes, absent, created, replaced, deleted, longDeleted, longReplaced = unpack(counts)

-- Each of these is the last place in KEYS before some rows.
local beforeNew = indexes + absent
local beforeShort = beforeNew + created
local beforeDeleted = beforeShort + replaced
local beforeLong = beforeDeleted + deleted
local beforeLongReplaced = beforeLong + longDeleted
local beforeOthers = beforeLongReplaced + longReplaced

-- Maximum number of arguments of a command. It is even, so scores and members, or keys and rows, stay together.
local MAX = 1000

local function inParts(from, to, work)
  for first = from, to, MAX do
    work(first, math.min(first + MAX - 1, to))
  end
end

local refused = {}
local function refuse(place)
  refused[#refused + 1] = place
end

inParts(indexes + 1, beforeShort, function(first, last)
  if redis.call('EXISTS', unpack(KEYS, first, last)) > 0 then
    for place = first, last do
      if redis.call('EXISTS', KEYS[place]) == 1 then
        refuse(place - indexes)
      end
    end
  end
end)
local find = string.find
inParts(beforeShort + 1, beforeLong, function(first, last)
  local rows = redis.call('MGET', unpack(KEYS, first, last))
  for place = first, last do
    local row = rows[place - first + 1]
    if not row or find(row, begins[expected[place - beforeShort]], 1, true) ~= 1 then
      refuse(place - indexes)
    end
  end
end)
for place = beforeLong + 1, beforeOthers do
  local begin = begins[expected[place - beforeShort]]
  if redis.call('GETRANGE', KEYS[place], 0, #begin - 1) ~= begin then
    refuse(place - indexes)
  end
end
local rows = beforeOthers - indexes
inParts(1, #fields, function(first, last)
  for i, value in ipairs(redis.call('HMGET', KEYS[hash], unpack(fields, first, last))) do
    if value then
      refuse(rows + first - 1 + i)
    end
  end
end)
for guard = 1, #guards, 2 do
  if redis.call('HEXISTS', KEYS[guards[guard]], guards[guard + 1]) == 1 then
    refuse(rows + #fields + (guard + 1) / 2)
  end
end
if #refused > 0 then
  return refused
end

-- An index of runs is a sorted set with scores of 0. Its members are runs of up to 8 ids, in the order of the ids. No
-- id lies between those of another run. So an id takes a quarter of the memory of a member of its own.
local ID, RUN, LAST = 16, 8 * 16, string.rep('\255', 16)

local function idAt(ids, place)
  return string.sub(ids, place, place + ID - 1)
end

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

-- The run to which this id belongs: the last run that does not begin after it.
local function runOf(id)
  return redis.call('ZREVRANGEBYLEX', KEYS[runs], '[' .. id .. LAST, '-', 'LIMIT', 0, 1)[1] or ''
end

local gone, new = {}, {}
local function replace(run, ids, length)
  if run ~= '' then
    gone[#gone + 1] = run
  end
  for first = 1, #ids, length do
    new[#new + 1] = '0'
    new[#new + 1] = string.sub(ids, first, first + length - 1)
  end
end

local function writeRuns()
  inParts(1, #gone, function(first, last)
    redis.call('ZREM', KEYS[runs], unpack(gone, first, last))
  end)
  inParts(1, #new, function(first, last)
    redis.call('ZADD', KEYS[runs], unpack(new, first, last))
  end)
  gone, new = {}, {}
end

local function placeIn(ids, id)
  local place = string.find(ids, id, 1, true)
  while place and place % ID ~= 1 do
    place = string.find(ids, id, place + 1, true)
  end
  return place
end

local function leave(ids)
  -- Ids that leave together are often in neighbouring runs, so one command reads these.
  local neighbours, following = {}, 1
  if #ids > ID then
    local first, last = runOf(idAt(ids, 1)), string.sub(ids, -ID) .. LAST
    neighbours = redis.call('ZRANGEBYLEX', KEYS[runs], '[' .. first, '[' .. last, 'LIMIT', 0, #ids / ID)
  end
  local function open(id)
    local opened = neighbours[following]
    if not opened or not placeIn(opened, id) then
      opened = runOf(id)
      while neighbours[following] and neighbours[following] ~= opened do
        following = following + 1
      end
    end
    following = following + 1
    return opened
  end

  local run, rest = '', ''
  local function close()
    if rest ~= run then
      replace(run, rest, RUN)
    end
  end
  local at = 1
  while at <= #ids do
    local id = idAt(ids, at)
    local place = placeIn(rest, id)
    if not place then
      local opened = open(id)
      if opened ~= run then
        close()
        run, rest = opened, opened
        place = placeIn(rest, id)
      end
    end
    if place == 1 and string.sub(ids, at, at + #rest - 1) == rest then
      at = at + #rest
      rest = ''
    else
      if place then
        rest = string.sub(rest, 1, place - 1) .. string.sub(rest, place + ID)
      end
      at = at + ID
    end
  end
  close()
  writeRuns()
end

-- Returns the ids of two texts in ascending order, each once.
local function merged(run, ids)
  local all = {}
  local at, other = 1, 1
  while at <= #run or other <= #ids do
    local one, another = idAt(run, at), idAt(ids, other)
    if another == '' or one ~= '' and one ~= another and isBefore(one, another) then
      all[#all + 1] = one
      at = at + ID
    else
      all[#all + 1] = another
      at = one == another and at + ID or at
      other = other + ID
    end
  end
  return table.concat(all)
end

local function join(ids)
  local at = 1
  while at <= #ids do
    local id = idAt(ids, at)
    local run = runOf(id)
    local behind = redis.call('ZRANGEBYLEX', KEYS[runs], '(' .. id .. LAST, '+', 'LIMIT', 0, 1)[1]
    -- The ids from here to the end are before the first id of the next run.
    local stop = #ids
    if behind then
      local limit = idAt(behind, 1)
      if not isBefore(idAt(ids, stop - ID + 1), limit) then
        stop = at + ID - 1
        while isBefore(idAt(ids, stop + 1), limit) do
          stop = stop + ID
        end
      end
    end
    local part = string.sub(ids, at, stop)
    local isBehindRun = run == '' or isBefore(string.sub(run, -ID), id)
    if isBehindRun and not behind and #run == RUN then
      -- The full run stays as it is.
      run = ''
    end
    local together = isBehindRun and run .. part or merged(run, part)
    -- A run that is too long is cut into equal parts. At the end of the index, where most ids are added, it is cut into
    -- full parts.
    local count = math.ceil(#together / RUN)
    replace(run, together, behind and math.ceil(#together / ID / count) * ID or RUN)
    writeRuns()
    at = stop + 1
  end
end

local function carryOut(commands)
  for i = 1, #commands, 3 do
    local command, key, arguments = commands[i], KEYS[commands[i + 1]], commands[i + 2]
    inParts(1, #arguments, function(first, last)
      redis.call(command, key, unpack(arguments, first, last))
    end)
  end
end

local function delete(first, last)
  redis.call('DEL', unpack(KEYS, first, last))
end

carryOut(removals)
leave(leaving)
inParts(beforeDeleted + 1, beforeLongReplaced, delete)
inParts(beforeOthers + 1, #KEYS, delete)
local written = {}
for row = 1, created + replaced do
  written[2 * row - 1] = KEYS[beforeNew + row]
  written[2 * row] = ARGV[1 + row]
end
inParts(1, 2 * (created + replaced), function(first, last)
  redis.call('MSET', unpack(written, first, last))
end)
for row, payload in ipairs(payloads) do
  local key, head = KEYS[beforeLongReplaced + row], ARGV[1 + created + replaced + row]
  if payload > 0 then
    -- The old payload never leaves the server.
    head = head .. redis.call('GETRANGE', key, -payload, -1)
  end
  redis.call('SET', key, head)
end
carryOut(additions)
join(joining)
return {}
