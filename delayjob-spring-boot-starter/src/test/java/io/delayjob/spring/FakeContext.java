package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.UUID;

/** The context of an attempt that nobody makes. */
record FakeContext(JobId id, int run) implements JobContext {

    FakeContext() {
        this(new JobId(new UUID(1, 2)), 1);
    }

    @Override
    public String name() {
        return "name";
    }

    @Override
    public String key() {
        return null;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public int failures() {
        return 0;
    }

    @Override
    public Instant plannedAt() {
        return Instant.EPOCH;
    }

    @Override
    public Instant dueAt() {
        return Instant.EPOCH;
    }

    @Override
    public String trace() {
        return null;
    }

    @Override
    public AnswerTicket ticket() {
        return new AnswerTicket(id(), plannedAt(), 1, 1);
    }

    @Override
    public boolean isCancelRequested() {
        return false;
    }

    @Override
    public boolean isInterrupted() {
        return false;
    }
}
