package io.delayjob.redis;

/** A store that spreads its jobs over many slots of one server passes the contract. */
class RedisSlotsContractTest extends RedisStoreContract {

    @Override
    protected RedisJobStoreBuilder builder() {
        return RedisJobStore.builder(TestRedis.client()).slots(16);
    }
}
