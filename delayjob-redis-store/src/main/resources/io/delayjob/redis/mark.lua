-- Writes a key and deletes it again, so that a WAIT after it waits for everything that was written before.
-- KEYS  a key that does not exist. While its slot moves to another master, the old one refuses it
-- The first command removes something, so a server with full memory takes the script.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], '')
return { redis.call('DEL', KEYS[1]) }
