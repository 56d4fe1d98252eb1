-- Returns the rows of KEYS from the number first on, and of a row that is longer than limit only its first bytes. A row
-- that does not exist is an empty text. One command reads all short rows, because it costs a fraction of many commands.
-- A long row never leaves the server as a whole.
local function readRows(longRows, first, limit)
  local isLong = {}
  if redis.call('EXISTS', longRows) == 1 then
    local ids = {}
    for i = first, #KEYS do
      ids[#ids + 1] = string.sub(KEYS[i], -16)
    end
    isLong = redis.call('SMISMEMBER', longRows, unpack(ids))
  end
  local rows, short, places = {}, {}, {}
  for place = 1, #KEYS - first + 1 do
    local key = KEYS[first + place - 1]
    if isLong[place] == 1 then
      rows[place] = redis.call('GETRANGE', key, 0, limit - 1)
    else
      short[#short + 1] = key
      places[#places + 1] = place
    end
  end
  if #short > 0 then
    for i, row in ipairs(redis.call('MGET', unpack(short))) do
      row = row or ''
      rows[places[i]] = #row > limit and string.sub(row, 1, limit) or row
    end
  end
  return rows
end

