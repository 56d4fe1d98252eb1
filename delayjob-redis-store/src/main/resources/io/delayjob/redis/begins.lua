-- Returns the beginning of each row; an empty text for a row that does not exist.
-- KEYS  the long rows; then the rows
-- ARGV  <maximum number of bytes to return of a row>
local limit = tonumber(ARGV[1])
local rows = readRows(KEYS[1], 2, limit)
for place, row in ipairs(rows) do
  if not row then
    rows[place] = ''
  elseif #row > limit then
    rows[place] = string.sub(row, 1, limit)
  end
end
return rows
