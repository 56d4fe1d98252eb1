-- Returns the rows of KEYS from the number first on, and of a row that is longer than limit only its first bytes. A row
-- that does not exist is an empty text. One command reads all short rows, because it costs a fraction of many commands.
-- A long row never leaves the server as a whole.
local function readRows(longRows, first, limit)
  local rows
  if redis.call('EXISTS', longRows) == 0 then
    rows = redis.call('MGET', unpack(KEYS, first))
  else
    local ids, short, places = {}, {}, {}
    for place = 1, #KEYS - first + 1 do
      ids[place] = string.sub(KEYS[first + place - 1], -16)
    end
    rows = {}
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
  end
  for place, row in ipairs(rows) do
    if not row then
      rows[place] = ''
    elseif #row > limit then
      rows[place] = string.sub(row, 1, limit)
    end
  end
  return rows
end

