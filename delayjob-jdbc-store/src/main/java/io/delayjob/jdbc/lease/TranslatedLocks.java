package io.delayjob.jdbc.lease;

import io.delayjob.jdbc.StoreErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Locks in the job database, with the store's exceptions, which tell an outage from a missing table. */
record TranslatedLocks(LockProvider locks) implements LockProvider {

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        return translated("taking a lease", () -> locks.lock(configuration).<SimpleLock>map(TranslatedLock::new));
    }

    static <T> T translated(String doing, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    private record TranslatedLock(SimpleLock lock) implements SimpleLock {

        @Override
        public void unlock() {
            translated("handing back a lease", () -> {
                lock.unlock();
                return true;
            });
        }

        @Override
        public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
            return translated(
                    "renewing a lease",
                    () -> lock.extend(lockAtMostFor, lockAtLeastFor).<SimpleLock>map(TranslatedLock::new));
        }
    }
}
