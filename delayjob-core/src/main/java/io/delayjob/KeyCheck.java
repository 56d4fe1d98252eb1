package io.delayjob;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.JobExtras;
import org.jspecify.annotations.Nullable;

/** Refuses a mutex or a rate key if a job with that key might never start. */
final class KeyCheck {

    private KeyCheck() {}

    /** Returns the key that decides which leader may start the job, or {@code null}. */
    static @Nullable String checked(Draft draft, @Nullable Handler handler, int partitions) {
        JobExtras extras = draft.extras();
        String mutex = extras.mutex();
        String rateKey = extras.rateKey();
        if (handler != null && handler.rateBy() == null && rateKey != null) {
            throw new IllegalArgumentException(
                    "Invalid rate key '%s' for job '%s': its handler must have a rate for each key. Add rateBy to the handler, or leave out the rate key."
                            .formatted(rateKey, draft.name()));
        }
        if (mutex != null && rateKey != null && !mutex.equals(rateKey)) {
            throw new IllegalArgumentException(
                    "Invalid rate key '%s' for job '%s': must be the same text as the mutex '%s', because one instance decides about rate and mutex. Use the same text for both, or leave out one of them."
                            .formatted(rateKey, draft.name(), mutex));
        }
        String key = handler == null && rateKey != null
                ? rateKey
                : ClaimKeys.deciding(ClaimKeys.of(extras.toText()), handler != null && handler.rateBy() != null);
        if (key != null && handler != null && handler.scope() == ConcurrencyScope.CLUSTER) {
            checkSlots(draft, handler, key, partitions);
        }
        return key;
    }

    /** Only one instance decides about a key, and this instance might have no slot for the handler. */
    private static void checkSlots(Draft draft, Handler handler, String key, int partitions) {
        if (handler.concurrency() < partitions || !handler.queue().equals(draft.queue())) {
            String what = draft.extras().mutex() != null ? "mutex" : "rate key";
            throw new IllegalArgumentException(
                    "Invalid %s '%s' for job '%s' in queue '%s': its handler has a limit in the cluster, so this limit must be at least %d (delayjob.partitions), and the queue must be the handler's own, '%s'. Raise the concurrency, or leave out the %s or the scope."
                            .formatted(what, key, draft.name(), draft.queue(), partitions, handler.queue(), what));
        }
    }
}
