package io.delayjob.test;

import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobStore;

/**
 * Passes all calls to another store, for tests. Override the methods that the test changes or watches:
 *
 * <pre>{@code
 *   JobStore readOnly = new ForwardingStore(store) {
 *       @Override
 *       public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
 *           throw StoreException.unavailable("read-only", cause);
 *       }
 *   };
 * }</pre>
 *
 * <p>Thread-safe if the target store is thread-safe.
 */
public class ForwardingStore extends ForwardingJobStore {

    /** @param target the store that receives all calls that are not overridden */
    public ForwardingStore(JobStore target) {
        super(target);
    }
}
