package io.delayjob.redis;

/** A store in one slot of one server passes the contract, and keeps ids that callers give. */
class RedisContractTest extends RedisStoreContract {

    @Override
    protected RedisJobStoreBuilder builder() {
        return RedisJobStore.builder(TestRedis.client());
    }
}
