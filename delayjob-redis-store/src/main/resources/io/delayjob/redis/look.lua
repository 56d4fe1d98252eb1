-- Returns the register, the pauses and an instance's notices as of one moment.
-- KEYS  instances, heartbeats, pauses held, stopping instances, pauses, notices
-- ARGV  <maximum number of notices>
return {
  redis.call('HGETALL', KEYS[1]),
  redis.call('HGETALL', KEYS[2]),
  redis.call('HGETALL', KEYS[3]),
  redis.call('SMEMBERS', KEYS[4]),
  redis.call('HGETALL', KEYS[5]),
  redis.call('SRANDMEMBER', KEYS[6], ARGV[1])
}
