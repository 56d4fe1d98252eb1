-- Returns entries of sorted sets after a place in the order of (score, member), or before it in the reverse order.
-- KEYS  the sorted sets
-- ARGV  <up or down> <limit> <the last score>, then for each set <score> <member> of the place
-- Returns for each set its entries with their scores, always in ascending order.
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
  answer[i] = first > final and {} or redis.call('ZRANGE', key, first, final, 'WITHSCORES')
end
return answer
