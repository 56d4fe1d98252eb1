package io.delayjob.test;

import io.delayjob.job.ChainStep;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.JobPlacement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds a {@link NewJob}. The store decides the partition of the job. */
final class JobDraft {

    static final String NAME = "send-mail";
    static final Partition PARTITION = new Partition("default", 0);

    private final JobId id;
    private final long token;
    private final JobPlacement placement;
    private Partition partition = PARTITION;
    private String name = NAME;
    private @Nullable String key;
    private OnExisting onExisting = OnExisting.KEEP;
    private @Nullable String payload;
    private @Nullable String schedule;
    private @Nullable String retry;
    private @Nullable String trace;
    private @Nullable String extras;
    private final List<Next> chain = new ArrayList<>();
    private Instant plannedAt = StoreScenario.NOW;
    private Instant dueAt = StoreScenario.NOW;

    JobDraft(JobId id, long token, JobPlacement placement) {
        this.id = id;
        this.token = token;
        this.placement = placement;
    }

    JobDraft in(Partition partition) {
        this.partition = partition;
        return this;
    }

    JobDraft name(String name) {
        this.name = name;
        return this;
    }

    JobDraft key(String key) {
        this.key = key;
        return this;
    }

    JobDraft key(String key, OnExisting onExisting) {
        this.key = key;
        this.onExisting = onExisting;
        return this;
    }

    JobDraft payload(String payload) {
        this.payload = payload;
        return this;
    }

    JobDraft schedule(String schedule) {
        this.schedule = schedule;
        return this;
    }

    JobDraft retry(String retry) {
        this.retry = retry;
        return this;
    }

    JobDraft trace(String trace) {
        this.trace = trace;
        return this;
    }

    JobDraft extras(@Nullable String extras) {
        this.extras = extras;
        return this;
    }

    /** The following job runs in the queue {@code mail}. */
    JobDraft then(String handler, ChainStep.When when, @Nullable String arguments) {
        chain.add(new Next(handler, when, arguments));
        return this;
    }

    JobDraft then(String handler) {
        return then(handler, ChainStep.When.FINISHED, null);
    }

    JobDraft at(Instant instant) {
        plannedAt = instant;
        dueAt = instant;
        return this;
    }

    JobDraft due(Instant due) {
        dueAt = due;
        return this;
    }

    NewJob toNewJob() {
        NewJob placed = placement.place(new NewJob(
                id,
                partition,
                new JobTask(name, key, payload, null, trace, extras),
                new JobPlan(schedule, retry, StoreScenario.NOW, 1, plannedAt, dueAt),
                onExisting,
                token));
        if (chain.isEmpty()) {
            return placed;
        }
        List<JobId> ids = placed.id().followers(chain.size());
        List<ChainStep> steps = IntStream.range(0, chain.size())
                .mapToObj(i -> chain.get(i).step(ids.get(i)))
                .toList();
        return placed.with(placed.task()
                .withExtras(JobExtras.parse(extras).withSteps(steps).toText()));
    }

    private record Next(
            String handler, ChainStep.When when, @Nullable String arguments) {

        private ChainStep step(JobId id) {
            return new ChainStep(id, when, "mail", handler, null, arguments);
        }
    }
}
