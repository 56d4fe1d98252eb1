-- Claims waiting rows whose token has not changed since the read. A row that this same claim has claimed before counts
-- as claimed.
-- KEYS  the awaiting jobs; then for each partition its waiting and its running jobs; then the rows
-- ARGV  <number of partitions> <fresh token and owner> <last byte to return of a row> <array in MessagePack>,
--       with for each row <number of its partition> <id> <token> <start> <due time in milliseconds>
-- Returns the beginning of each claimed row, nothing for any other row.
-- The first write removes something, so a server whose memory is full still claims. Commands on indexes are gathered:
-- one command with many members costs a fraction of many commands.
local partitions = tonumber(ARGV[1])
local rows = 1 + 2 * partitions
local claim = ARGV[2]
local claims = cmsgpack.unpack(ARGV[4])
local awaiting, waiting, running, heads, answer = {}, {}, {}, {}, {}
for partition = 1, partitions do
  waiting[partition], running[partition] = {}, {}
end
for i = 1, #KEYS - rows do
  local at = 5 * i - 5
  local id, token, start = claims[at + 2], claims[at + 3], claims[at + 4]
  local row = redis.call('GETRANGE', KEYS[rows + i], 0, ARGV[3])
  local state = string.sub(row, 1, 10)
  if state == '\2D' .. token then
    local attempt = struct.unpack('>I4', row, 27)
    if math.floor(string.byte(row, 31) / 2) % 2 == 1 then
      awaiting[#awaiting + 1] = id
    else
      attempt = attempt + 1
    end
    local partition = claims[at + 1]
    local ids, due = waiting[partition], running[partition]
    ids[#ids + 1] = id
    due[#due + 1] = claims[at + 5]
    due[#due + 1] = id
    heads[i] = '\2R' .. claim .. start .. struct.pack('>I4', attempt)
    answer[i] = heads[i] .. string.sub(row, 31)
  elseif string.sub(row, 1, 18) == '\2R' .. claim then
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
