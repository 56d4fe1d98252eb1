package io.delayjob.lease;

import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A lock table for several instances, each with its own provider. It can fail as the test wants. */
public final class LeaseTable {

    private final HandClock clock;
    private final Map<String, Row> rows = new TreeMap<>();

    public final Set<String> unanswered = new HashSet<>();
    public final Set<String> lost = new HashSet<>();
    public final List<String> extended = new ArrayList<>();
    public int asked;
    public long answerTakesMillis;
    public boolean away;
    public boolean releasesComeLate;
    private final List<Runnable> lateReleases = new ArrayList<>();

    public LeaseTable(HandClock clock) {
        this.clock = clock;
    }

    public LeaseProvider of(String holder) {
        return (name, duration) -> acquire(holder, name, duration);
    }

    /** Tells whether an unexpired lease of that name exists. */
    public boolean isHeld(String name) {
        Row row = rows.get(name);
        return row != null && clock.nanoTime() - row.endNanos < 0;
    }

    /** Removes all leases, as a restarted lock service does. */
    public void forgetAll() {
        rows.clear();
    }

    /** Applies the releases that got no reply before. */
    public void letLateReleasesArrive() {
        releasesComeLate = false;
        lateReleases.forEach(Runnable::run);
        lateReleases.clear();
    }

    private Optional<Lease> acquire(String holder, String name, Duration duration) {
        asked++;
        check(name);
        long end = clock.nanoTime() + duration.toNanos();
        clock.advanceMillis(answerTakesMillis);
        return isHeld(name) ? Optional.empty() : Optional.of(grant(holder, name, end));
    }

    private Row grant(String holder, String name, long end) {
        Row row = new Row(holder, name, end);
        rows.put(name, row);
        return row;
    }

    private void check(String name) {
        if (away || unanswered.contains(name)) {
            throw new IllegalStateException(name + " is not answered");
        }
    }

    private final class Row implements Lease {

        private final String holder;
        private final String name;
        private final long endNanos;

        Row(String holder, String name, long endNanos) {
            this.holder = holder;
            this.name = name;
            this.endNanos = endNanos;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            asked++;
            check(name);
            boolean gone = lost.contains(name)
                    || !isHeld(name)
                    || !rows.get(name).holder.equals(holder);
            if (gone) {
                return Optional.empty();
            }
            extended.add(name);
            long end = clock.nanoTime() + duration.toNanos();
            clock.advanceMillis(answerTakesMillis);
            return Optional.of(grant(holder, name, end));
        }

        @Override
        public void release() {
            check(name);
            if (releasesComeLate) {
                lateReleases.add(this::free);
                throw new IllegalStateException("The release of " + name + " is not answered");
            }
            free();
        }

        private void free() {
            Row row = rows.get(name);
            if (row != null && row.holder.equals(holder)) {
                rows.remove(name);
            }
        }
    }
}
