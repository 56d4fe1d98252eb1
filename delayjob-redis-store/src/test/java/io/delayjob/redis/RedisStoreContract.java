package io.delayjob.redis;

import io.delayjob.store.JobStore;
import io.delayjob.test.GroupStoreContract;
import io.delayjob.test.JobStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The contract for a store in a namespace of its own. */
abstract class RedisStoreContract extends JobStoreContract implements GroupStoreContract {

    /** Longer than a busy machine takes. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private RedisJobStore store;

    /** Returns a builder of the store under test. */
    protected abstract RedisJobStoreBuilder builder();

    @Override
    protected final JobStore store() {
        store = builder().namespace(TestRedis.namespace()).timeout(TIMEOUT).build();
        return store;
    }

    @AfterEach
    final void close() {
        if (store != null) {
            store.close();
        }
    }
}
