package io.delayjob.test;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A handler that records when it was called, and then does what the test says. */
final class Calls {

    record Call(JobId id, int run, int attempt, Instant dueAt, Instant at) {}

    private final VirtualTime time;
    private final List<Call> calls = new ArrayList<>();

    Calls(VirtualTime time) {
        this.time = time;
    }

    Calls(DelayJobTester tester) {
        this(tester.time());
    }

    Handler named(String name) {
        return with(Handler.named(name), (arguments, job) -> null);
    }

    Handler with(Handler.Builder rules, JobHandler then) {
        return rules.calls((arguments, job) -> {
            note(job);
            return then.handle(arguments, job);
        });
    }

    private void note(JobContext job) {
        calls.add(new Call(
                job.id(), job.run(), job.attempt(), job.dueAt(), time.clock().storeTime()));
    }

    List<Call> all() {
        return calls;
    }

    List<Instant> times() {
        return calls.stream().map(Call::at).toList();
    }

    /** Returns the time from {@code start} to each call. */
    List<Duration> after(Instant start) {
        return times().stream().map(at -> Duration.between(start, at)).toList();
    }

    int count() {
        return calls.size();
    }
}
