package io.delayjob.jdbc.lease;

import io.delayjob.jdbc.StoreErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Takes locks in the job database. If another instance's lock lasts too long, the class shortens it. */
record DatabaseLocks(LockProvider locks, LockRows rows) implements LockProvider {

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        Optional<SimpleLock> lock =
                translated("taking a lease", () -> locks.lock(configuration).map(DatabaseLock::new));
        if (lock.isEmpty()) {
            rows.refused(configuration.getName(), configuration.getLockAtMostFor());
        }
        return lock;
    }

    static <T> T translated(String doing, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    private record DatabaseLock(SimpleLock lock) implements SimpleLock {

        @Override
        public void unlock() {
            translated("giving back a lease", () -> {
                lock.unlock();
                return true;
            });
        }

        @Override
        public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
            return translated(
                    "renewing a lease",
                    () -> lock.extend(lockAtMostFor, lockAtLeastFor).map(DatabaseLock::new));
        }
    }
}
