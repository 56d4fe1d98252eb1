-- Claims waiting rows whose token has not changed since the read. A row that this same claim has claimed before counts
-- as claimed.
-- KEYS  the awaiting jobs; then for each partition its waiting and its running jobs; then the rows
-- ARGV  <number of partitions> <last byte to return of a row> <array in MessagePack>, with for each row
--       <number of its partition> <id> <the bytes with which it must begin> <what a claim writes instead, up to the
--       number of the attempt> <due time in milliseconds>
-- Returns the beginning of each claimed row, nothing for any other row.
-- The first write removes something, so a server whose memory is full still claims. Commands on indexes are gathered:
-- one command with many members costs a fraction of many commands.
local partitions, last, claims = tonumber(ARGV[1]), ARGV[2], cmsgpack.unpack(ARGV[3])
local rows = 1 + 2 * partitions
local awaiting, waiting, running, heads, answer = {}, {}, {}, {}, {}
for partition = 1, partitions do
  waiting[partition], running[partition] = {}, {}
end

-- Most rows of a batch are at the same attempt.
local following = {}
local function attemptAfter(attempt)
  local after = following[attempt]
  if not after then
    after = struct.pack('>I4', struct.unpack('>I4', attempt) + 1)
    following[attempt] = after
  end
  return after
end

for i = 1, #KEYS - rows do
  local at = 5 * i - 5
  local begin = claims[at + 4]
  local row = redis.call('GETRANGE', KEYS[rows + i], 0, last)
  if string.sub(row, 1, 10) == claims[at + 3] then
    local id, attempt = claims[at + 2], string.sub(row, 27, 30)
    if string.byte(row, 31) % 4 >= 2 then
      awaiting[#awaiting + 1] = id
    else
      attempt = attemptAfter(attempt)
    end
    local ids, due = waiting[claims[at + 1]], running[claims[at + 1]]
    ids[#ids + 1] = id
    due[#due + 1] = claims[at + 5]
    due[#due + 1] = id
    heads[i] = begin .. attempt
    answer[i] = heads[i] .. string.sub(row, 31)
  elseif string.sub(row, 1, 18) == string.sub(begin, 1, 18) then
    answer[i] = row
  else
    answer[i] = false
  end
end

local function send(command, key, members)
  if #members > 0 then
    redis.call(command, key, unpack(members))
  end
end

for partition = 1, partitions do
  send('ZREM', KEYS[2 * partition], waiting[partition])
end
send('ZREM', KEYS[1], awaiting)
for i, head in pairs(heads) do
  redis.call('SETRANGE', KEYS[rows + i], 0, head)
end
for partition = 1, partitions do
  send('ZADD', KEYS[2 * partition + 1], running[partition])
end
return answer
