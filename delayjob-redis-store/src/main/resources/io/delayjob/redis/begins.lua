-- Returns the beginning of each row; an empty text for a row that does not exist.
-- KEYS  the rows
-- ARGV  <last byte to return of a row>
local answer = {}
for i, key in ipairs(KEYS) do
  answer[i] = redis.call('GETRANGE', key, 0, ARGV[1])
end
return answer
