package io.delayjob.internal.attempt;

import io.delayjob.handler.JobContext;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

record AttemptContext(Job job, Attempt underWay) implements JobContext {

    @Override
    public JobId id() {
        return job.id();
    }

    @Override
    public String name() {
        return job.name();
    }

    @Override
    public @Nullable String key() {
        return job.key();
    }

    @Override
    public List<String> labels() {
        return job.labels();
    }

    @Override
    public @Nullable String group() {
        return job.extras().groupName();
    }

    @Override
    public @Nullable String followsGroup() {
        return job.extras().followsGroup();
    }

    @Override
    public @Nullable JobId follows() {
        return job.follows();
    }

    @Override
    public int run() {
        return job.run();
    }

    @Override
    public int attempt() {
        return job.attempt();
    }

    @Override
    public int failures() {
        return job.failures();
    }

    @Override
    public Instant plannedAt() {
        return job.plannedAt();
    }

    @Override
    public Instant dueAt() {
        return job.dueAt();
    }

    @Override
    public @Nullable String trace() {
        return job.trace();
    }

    @Override
    public boolean isInterrupted() {
        return underWay.isInterrupted();
    }

    @Override
    public boolean isCancelRequested() {
        return underWay.isCancelRequested();
    }

    @Override
    public void progress(long done, long total, String note) {
        if (done < 0 || total < 0) {
            throw new IllegalArgumentException(
                    "Invalid progress %d of %d: neither number may be negative; state a total of 0 if it is unknown."
                            .formatted(done, total));
        }
        Stated.notNull(note, "note of a progress", "must be a few words; leave it out for none");
        underWay.progressed(done, total, note);
    }

    @Override
    public void log(String message) {
        underWay.logged(Stated.notNull(message, "message of a log line", "must be a text"));
    }

    @Override
    public void rest(Duration time) {
        Stated.notNull(time, "time of a rest", "must be zero or more");
        if (time.isNegative()) {
            throw new IllegalArgumentException("Invalid time %s of a rest: must be zero or more.".formatted(time));
        }
        underWay.assignment.rest(time);
    }

    @Override
    public AnswerTicket ticket() {
        if (underWay.rules().handler().atomic()) {
            throw new IllegalStateException(
                    ("The atomic handler '%s' has no ticket, because an answer before the commit would "
                                    + "undo the work of the handler. Remove atomic, or let a second job with a plain "
                                    + "handler hand out its own ticket.")
                            .formatted(underWay.rules().handler().name()));
        }
        return new AnswerTicket(job.id(), job.scheduledAt(), job.run(), job.attempt());
    }

    @Override
    public String toString() {
        return "%s (%s), run %d, attempt %d".formatted(job.name(), job.id(), job.run(), job.attempt());
    }
}
