-- Returns a number for a new instance. It is at least the time in milliseconds. So if a failover loses the last number,
-- the number is not given again.
-- KEYS  the last number, instances
-- A server with full memory accepts a script if its first command removes something, even if nothing is there.
redis.call('HDEL', KEYS[2], '')
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local number = math.max(tonumber(redis.call('GET', KEYS[1]) or '0') + 1, now)
redis.call('SET', KEYS[1], string.format('%.0f', number))
return { number }
