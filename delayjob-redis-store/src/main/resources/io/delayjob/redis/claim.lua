-- Claims waiting rows whose token has not changed since the read. A row that this same claim has claimed before counts
-- as claimed.
-- KEYS  the awaiting jobs, the long rows; then for each partition its waiting and its running jobs; then the rows
-- ARGV  <number of partitions> <maximum number of bytes to return of a row> <array in MessagePack>, with for each row
--       <number of its partition> <id> <the bytes with which it must begin> <what a claim writes instead, up to the
--       number of the attempt> <due time in milliseconds>
-- Returns the beginning of each claimed row, nothing for any other row.
-- The first write removes something, so a server whose memory is full still claims. Commands are gathered: one command
-- with many keys or members costs a fraction of many commands.
local partitions, limit, claims = tonumber(ARGV[1]), tonumber(ARGV[2]), cmsgpack.unpack(ARGV[3])
local first = 3 + 2 * partitions
local awaiting, waiting, running, written, heads, answer = {}, {}, {}, {}, {}, {}
-- The lengths of lists are counted, because to ask a list for its length costs a search.
local taken, whole = {}, 0
for partition = 1, partitions do
  waiting[partition], running[partition], taken[partition] = {}, {}, 0
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

for i, row in ipairs(readRows(KEYS[2], first, limit)) do
  local at = 5 * i - 5
  local begin = claims[at + 4]
  if string.find(row, claims[at + 3], 1, true) == 1 then
    local key, id, attempt = KEYS[first + i - 1], claims[at + 2], string.sub(row, 27, 30)
    if string.byte(row, 31) % 4 >= 2 then
      awaiting[#awaiting + 1] = id
    else
      attempt = attemptAfter(attempt)
    end
    local partition = claims[at + 1]
    local count = taken[partition] + 1
    taken[partition] = count
    waiting[partition][count] = id
    running[partition][2 * count - 1] = claims[at + 5]
    running[partition][2 * count] = id
    answer[i] = begin .. attempt .. string.sub(row, 31)
    if #row < limit then
      written[whole + 1] = key
      written[whole + 2] = answer[i]
      whole = whole + 2
    else
      heads[key] = begin .. attempt
    end
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
  send('ZREM', KEYS[1 + 2 * partition], waiting[partition])
end
send('ZREM', KEYS[1], awaiting)
if #written > 0 then
  redis.call('MSET', unpack(written))
end
-- More of these rows may follow than was read.
for key, head in pairs(heads) do
  redis.call('SETRANGE', key, 0, head)
end
for partition = 1, partitions do
  send('ZADD', KEYS[2 + 2 * partition], running[partition])
end
return answer
