-- Claims waiting rows whose token has not changed since the read. A row that this same claim has claimed before counts
-- as claimed.
-- KEYS  the awaiting jobs; then for each partition its waiting and its running jobs; then the rows
-- ARGV  <number of partitions> <fresh token and owner> <number of bytes to return of a row>,
--       then for each row <number of its partition> <id> <token> <start> <due time in milliseconds>
-- Returns the beginning of each claimed row, nothing for any other row.
-- The first write removes something, so a server whose memory is full still claims.
local rows = 1 + 2 * tonumber(ARGV[1])
local claim = ARGV[2]
local answer = {}
for i = 1, #KEYS - rows do
  local key = KEYS[rows + i]
  local at = 5 * i - 2
  local partition, id, token, start, due = tonumber(ARGV[at + 1]), ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local head = redis.call('GETRANGE', key, 0, 30)
  local state = string.sub(head, 1, 10)
  if state == '\1D' .. token then
    local attempt = struct.unpack('>I4', head, 27)
    if math.floor(string.byte(head, 31) / 2) % 2 == 1 then
      redis.call('ZREM', KEYS[1], id)
    else
      attempt = attempt + 1
    end
    redis.call('ZREM', KEYS[2 * partition], id)
    redis.call('ZADD', KEYS[2 * partition + 1], due, id)
    redis.call('SETRANGE', key, 1, 'R' .. claim .. start .. struct.pack('>I4', attempt))
    answer[i] = redis.call('GETRANGE', key, 0, ARGV[3])
  elseif string.sub(head, 1, 18) == '\1R' .. claim then
    answer[i] = redis.call('GETRANGE', key, 0, ARGV[3])
  else
    answer[i] = false
  end
end
return answer
