-- Returns entries of sorted sets after a place in the order of (score, member), or before it in the reverse order.
-- KEYS  the sorted sets
-- ARGV  <up or down> <limit> <the last score>, then for each set <score> <member> of the place
-- Returns for each set its entries in ascending order: each score, followed by all ids with this score as one text.
local function isAfter(one, other)
  local a, b, c = struct.unpack('>I6I6I4', one)
  local x, y, z = struct.unpack('>I6I6I4', other)
  if a ~= x then
    return a > x
  end
  if b ~= y then
    return b > y
  end
  return c > z
end

-- Many jobs are often due at the same time, and writing a score as text costs more than finding its entry.
local function grouped(key, first, final)
  local score = redis.call('ZRANGE', key, first, first, 'WITHSCORES')[2]
  if score == redis.call('ZRANGE', key, final, final, 'WITHSCORES')[2] then
    return { score, table.concat(redis.call('ZRANGE', key, first, final)) }
  end
  local entries = redis.call('ZRANGE', key, first, final, 'WITHSCORES')
  local ids, groups, start = {}, {}, 1
  for i = 1, #entries, 2 do
    local place = (i + 1) / 2
    ids[place] = entries[i]
    if entries[i + 1] ~= entries[i + 3] then
      groups[#groups + 1] = entries[i + 1]
      groups[#groups + 1] = table.concat(ids, '', start, place)
      start = place + 1
    end
  end
  return groups
end

local up, limit, last = ARGV[1] == 'up', tonumber(ARGV[2]), ARGV[3]
local answer = {}
for i, key in ipairs(KEYS) do
  local score, member = ARGV[2 * i + 2], ARGV[2 * i + 3]
  -- Millions of entries may have the same score, so the place among them is found by a binary search.
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = low + redis.call('ZCOUNT', key, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local found = redis.call('ZRANGE', key, middle, middle)[1]
    local behind
    if up then
      behind = isAfter(found, member)
    else
      behind = not isAfter(member, found)
    end
    if behind then
      high = middle
    else
      low = middle + 1
    end
  end
  local first, final
  if up then
    first = low
    final = math.min(low + limit, redis.call('ZCOUNT', key, '-inf', last)) - 1
  else
    first = math.max(low - limit, redis.call('ZCOUNT', key, '-inf', '(' .. last))
    final = low - 1
  end
  answer[i] = first > final and {} or grouped(key, first, final)
end
return answer
