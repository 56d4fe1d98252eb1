-- Claims waiting rows, if their tokens have not changed since the read, or if this same claim has claimed them before.
-- KEYS  the awaiting jobs, the long rows; then for each partition its waiting and its running jobs; then the rows,
--       those of a partition side by side
-- ARGV  <maximum number of bytes to return of a row> <array in MessagePack>. The array holds
--         <all due times in milliseconds>
--         <for each due time: what a claim writes instead of the beginning of a row, up to the number of the attempt>
--         <for each partition: a list with three elements for each row>
--           <the bytes with which the row must begin> <the place of its due time> <id>
-- Returns the beginning of each claimed row, nothing for any other row.
-- The first write removes something, so a server with full memory still claims.
-- One command with many keys or members costs a fraction of many commands.
local limit = tonumber(ARGV[1])
local dues, begins, partitions = unpack(cmsgpack.unpack(ARGV[2]))
local find, sub = string.find, string.sub

-- Most rows of a batch have the same number of attempts, and the same marks behind it.
local following = {}
local function attemptAfter(attempt)
  local after = following[attempt]
  if not after then
    local isAwaiting = string.byte(attempt, 5) % 4 >= 2
    after = isAwaiting and attempt or struct.pack('>I4', struct.unpack('>I4', attempt) + 1) .. sub(attempt, 5)
    following[attempt] = after
  end
  return after
end

-- The lengths of lists are counted, because asking a list for its length costs a search.
local waiting, running, taken = {}, {}, {}
local written, whole, longer, awaiting, answer = {}, 0, {}, {}, {}
local before = 2 + 2 * #partitions
local rows = readRows(KEYS[2], before + 1, limit)
local place = 0
for partition, claims in ipairs(partitions) do
  local ids, entries, count = {}, {}, 0
  for i = 1, #claims, 3 do
    place = place + 1
    local row, due = rows[place], claims[i + 1]
    local begin = begins[due]
    if not row then
      answer[place] = false
    elseif find(row, claims[i], 1, true) == 1 then
      local key, id, attempt = KEYS[before + place], claims[i + 2], sub(row, 27, 31)
      local after = attemptAfter(attempt)
      if after == attempt then
        awaiting[#awaiting + 1] = id
      end
      count = count + 1
      ids[count] = id
      entries[2 * count - 1], entries[2 * count] = dues[due], id
      if #row < limit then
        local claimed = begin .. after .. sub(row, 32)
        written[whole + 1], written[whole + 2] = key, claimed
        whole = whole + 2
        answer[place] = claimed
      else
        -- More of this row may follow than was read.
        longer[key] = begin .. after
        answer[place] = begin .. after .. sub(row, 32, limit)
      end
    else
      local isRepeated = sub(row, 1, 18) == sub(begin, 1, 18)
      answer[place] = isRepeated and sub(row, 1, limit)
    end
  end
  waiting[partition], running[partition], taken[partition] = ids, entries, count
end

for partition, count in ipairs(taken) do
  if count > 0 then
    redis.call('ZREM', KEYS[1 + 2 * partition], unpack(waiting[partition]))
  end
end
if #awaiting > 0 then
  redis.call('ZREM', KEYS[1], unpack(awaiting))
end
if whole > 0 then
  redis.call('MSET', unpack(written))
end
for key, head in pairs(longer) do
  redis.call('SETRANGE', key, 0, head)
end
for partition, count in ipairs(taken) do
  if count > 0 then
    redis.call('ZADD', KEYS[2 + 2 * partition], unpack(running[partition]))
  end
end
return answer
