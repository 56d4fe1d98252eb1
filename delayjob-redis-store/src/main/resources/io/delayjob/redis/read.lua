-- Returns the rows of KEYS from place first on: each short row as a whole, or false if it does not exist, and of each long
-- row at most limit bytes. One command reads all short rows, because it costs a fraction of many commands. A row that is
-- not among the long ones may still be longer than limit, if a version that knows no long rows has written it.
local function readRows(longRows, first, limit)
  if redis.call('EXISTS', longRows) == 0 then
    return redis.call('MGET', unpack(KEYS, first))
  end
  local ids, short, places, rows = {}, {}, {}, {}
  for place = 1, #KEYS - first + 1 do
    ids[place] = string.sub(KEYS[first + place - 1], -16)
  end
  for place, isLong in ipairs(redis.call('SMISMEMBER', longRows, unpack(ids))) do
    local key = KEYS[first + place - 1]
    if isLong == 1 then
      rows[place] = redis.call('GETRANGE', key, 0, limit - 1)
    else
      short[#short + 1] = key
      places[#places + 1] = place
    end
  end
  if #short > 0 then
    for i, row in ipairs(redis.call('MGET', unpack(short))) do
      rows[places[i]] = row
    end
  end
  return rows
end

