-- Returns the rows of KEYS from place first on. A short row is returned as a whole, or false if it does not exist. Of a
-- long row, at most limit bytes are returned. One command reads all short rows, because it costs a fraction of many.
-- A version that knows no long rows may have written a row longer than limit that is not among the long ones.
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

