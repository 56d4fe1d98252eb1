package io.delayjob.test;

import io.delayjob.handler.JobContext;
import java.util.ArrayList;
import java.util.List;

/** A bean of an application, for tests that schedule by method reference. */
class UnpaidOrders {

    final List<String> log = new ArrayList<>();

    void cancel(long orderId) {
        log.add("cancel " + orderId);
    }

    void remind(long orderId, String text, JobContext job) {
        log.add("remind %d %s, run %d".formatted(orderId, text, job.run()));
    }

    void refuse(long orderId) {
        throw new IllegalStateException("order " + orderId + " is locked");
    }

    void sweepUp() {
        log.add("sweepUp");
    }

    void audit(JobContext job) {
        log.add("audit, attempt " + job.attempt());
    }

    void twice(int a) {
        log.add("twice " + a);
    }

    void twice(String a) {
        log.add("twice " + a);
    }
}
