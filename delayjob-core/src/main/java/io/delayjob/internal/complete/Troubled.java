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
 * Contains the outcomes that could not be written in their first batch. After a failure, the next batch is half as
 * large, until the failing outcome is found. From then on, this outcome is sent alone, after growing pauses. Only one
 * agent thread uses this object.
 */
final class Troubled {

    private final int maxBatch;
    private final List<Unwritten> ends = new LinkedList<>();
    private int batch;

    Troubled(int maxBatch) {
        this.maxBatch = maxBatch;
        this.batch = maxBatch;
    }

    void add(Collection<Unwritten> again) {
        ends.addAll(again);
    }

    void putBack(List<Unwritten> failed) {
        if (failed.size() == 1) {
            ends.addAll(failed);
        } else {
            ends.addAll(0, failed);
            batch = failed.size() / 2;
        }
    }

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

    long untilNext(long nowNanos) {
        return ends.stream()
                .mapToLong(end -> Math.max(end.retryNanos() - nowNanos, 0))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    void succeeded(List<Unwritten> sent) {
        if (!sent.get(0).isAlone()) {
            batch = Math.min(maxBatch, Math.max(batch, 2 * sent.size()));
        }
    }

    Set<JobId> jobs() {
        return ends.stream().map(end -> end.job().id()).collect(Collectors.toSet());
    }
}
