-- Returns the time of the server that holds the key, so that all instances ask one clock.
-- KEYS  any key of the register
return redis.call('TIME')
