package io.delayjob.internal.complete;

import io.delayjob.job.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends that could not be written with the batch they came in: sent in batches that shrink by halves while they fail,
 * down to the one that is to blame, and grow by doubling while they do not. Whoever is to blame goes by itself from
 * then on, after growing pauses. For one agent thread.
 */
final class Troubled {

    private final int maxBatch;
    private final List<Unwritten> ends = new LinkedList<>();
    private int batch;

    Troubled(int maxBatch) {
        this.maxBatch = maxBatch;
        this.batch = maxBatch;
    }

    /** Takes ends that are to be sent once more, such as those whose row somebody holds: they come last. */
    void add(Collection<Unwritten> again) {
        ends.addAll(again);
    }

    /** Takes a batch that failed: its halves come next, but whoever failed alone comes last. */
    void putBack(List<Unwritten> failed) {
        if (failed.size() == 1) {
            ends.addAll(failed);
        } else {
            ends.addAll(0, failed);
            batch = failed.size() / 2;
        }
    }

    /** Takes out what is to be sent next; empty when it is too early for any. */
    List<Unwritten> take(long nowNanos) {
        List<Unwritten> taken = new ArrayList<>();
        Iterator<Unwritten> rest = ends.iterator();
        while (rest.hasNext() && taken.size() < batch) {
            Unwritten next = rest.next();
            if (!next.isDue(nowNanos) || next.isAlone() && !taken.isEmpty()) {
                continue;
            }
            taken.add(next);
            rest.remove();
            if (next.isAlone()) {
                break;
            }
        }
        return taken;
    }

    /** Nanoseconds until one of them may be sent; {@link Long#MAX_VALUE} when there is none. */
    long untilNext(long nowNanos) {
        return ends.stream()
                .mapToLong(end -> Math.max(end.retryNanos() - nowNanos, 0))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The store took this batch. */
    void succeeded(List<Unwritten> sent) {
        if (!sent.get(0).isAlone()) {
            batch = Math.min(maxBatch, Math.max(batch, 2 * sent.size()));
        }
    }

    /** Whose ends they are. */
    Set<JobId> jobs() {
        return ends.stream().map(end -> end.job().id()).collect(Collectors.toSet());
    }
}
