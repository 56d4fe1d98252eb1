package io.delayjob.test;

import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobStore;

/**
 * A store in front of another, for tests that change or watch a few methods. Override those methods, and pass the
 * result to {@link DelayJobTesterBuilder#store}. All other calls go to the other store unchanged.
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
 * <p>Thread-safe if the other store is.
 */
public class ForwardingStore extends ForwardingJobStore {

    /** @param target the store that gets all calls that are not overridden */
    public ForwardingStore(JobStore target) {
        super(target);
    }
}
