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
 * Ends that could not be written with their first batch. If a batch of them fails, the next batch has half as many
 * ends, down to the end that is the cause. If a batch succeeds, the next batch has twice as many. An end that is the
 * cause is sent alone from then on, after growing pauses. For one agent thread.
 */
final class Troubled {

    private final int maxBatch;
    private final List<Unwritten> ends = new LinkedList<>();
    private int batch;

    Troubled(int maxBatch) {
        this.maxBatch = maxBatch;
        this.batch = maxBatch;
    }

    /** Takes ends that have to be sent once more, such as ends whose row is locked. They come last. */
    void add(Collection<Unwritten> again) {
        ends.addAll(again);
    }

    /** Takes a batch that failed: its halves come next. An end that failed when it was sent alone comes last. */
    void putBack(List<Unwritten> failed) {
        if (failed.size() == 1) {
            ends.addAll(failed);
        } else {
            ends.addAll(0, failed);
            batch = failed.size() / 2;
        }
    }

    /** Takes out the ends to send next; empty if it is too early for all of them. */
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

    /** Returns the nanoseconds until one of them may be sent, or {@link Long#MAX_VALUE} if there is none. */
    long untilNext(long nowNanos) {
        return ends.stream()
                .mapToLong(end -> Math.max(end.retryNanos() - nowNanos, 0))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Takes note that the store accepted this batch. */
    void succeeded(List<Unwritten> sent) {
        if (!sent.get(0).isAlone()) {
            batch = Math.min(maxBatch, Math.max(batch, 2 * sent.size()));
        }
    }

    /** Returns the jobs of these ends. */
    Set<JobId> jobs() {
        return ends.stream().map(end -> end.job().id()).collect(Collectors.toSet());
    }
}
