package io.delayjob;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobState;
import io.delayjob.schedule.Stated;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

final class JobReads {

    private final JobStore store;
    private final EngineClock clock;
    private final EngineLinks links;

    JobReads(JobStore store, EngineClock clock, EngineLinks links) {
        this.store = store;
        this.clock = clock;
        this.links = links;
    }

    static JobId checked(JobId id) {
        return Stated.notNull(id, "job id", "must be an id from Scheduled.id() or JobId.parse(text)");
    }

    Optional<Job> find(JobId id) {
        return store.find(checked(id)).map(job -> job.asOf(clock.storeTime()));
    }

    Optional<Job> find(String name, String key) {
        checkStorable("job name", name);
        checkStorable("key", key);
        return store.find(name, key).map(job -> job.asOf(clock.storeTime()));
    }

    private static void checkStorable(String what, String text) {
        Texts.checkStorable(what, Stated.notNull(text, what, "must belong to the job to find"));
    }

    Optional<Vitals.Progress> progress(JobId id) {
        return store.find(checked(id)).flatMap(job -> reported(job, links.progress(), InstanceRow::progressOf));
    }

    Optional<JobLog> log(JobId id) {
        return store.find(checked(id))
                .flatMap(
                        job -> reported(job, links.log(), InstanceRow::logOf).or(() -> Optional.ofNullable(job.log())));
    }

    /** This instance knows the latest reports of its own attempts. Other reports come from heartbeats. */
    private <T> Optional<T> reported(
            Job job, Function<Job, Optional<T>> here, BiFunction<InstanceRow, Job, Optional<T>> elsewhere) {
        return job.state() != JobState.RUNNING
                ? Optional.empty()
                : here.apply(job)
                        .or(() -> store.instances().list().stream()
                                .flatMap(instance -> elsewhere.apply(instance, job).stream())
                                .findFirst());
    }

    JobQuery checked(JobQuery query) {
        Stated.notNull(query, "query", "must say which jobs; JobQuery.all() finds all jobs");
        if (query.state() == null
                && !query.filter().isOfOneKey()
                && !store.capabilities().has(StoreCapability.QUERIES_OF_ALL_STATES)) {
            throw new IllegalArgumentException(
                    "Invalid query: must name a state, because the job store (%s) does not %s. Begin with JobQuery.state(state), and ask once for each state."
                            .formatted(store, StoreCapability.QUERIES_OF_ALL_STATES.ability()));
        }
        if (query.name() != null) {
            Texts.checkStorable("job name", query.name());
        }
        if (query.key() != null) {
            Texts.checkStorable("key", query.key());
        }
        if (query.filter().queue() != null) {
            Texts.checkStorable("queue", query.filter().queue());
        }
        if (query.filter().errorType() != null) {
            Texts.checkStorable("type of an error", query.filter().errorType());
        }
        if (query.filter().payload() != null) {
            Texts.checkStorable("part of a payload", query.filter().payload());
        }
        return query;
    }

    /** The store reads a limited number of rows at a time, so one page may take several reads. */
    JobPage page(JobQuery query) {
        Instant now = clock.storeTime();
        JobPage page = store.find(query, now);
        JobCursor behind = page.next();
        while (behind != null && page.jobs().size() < query.limit() && page.lookedAt() < query.lookAt()) {
            JobQuery rest = query.after(behind)
                    .limit(query.limit() - page.jobs().size())
                    .lookAt(query.lookAt() - page.lookedAt());
            page = page.followedBy(store.find(rest, now));
            behind = page.next();
        }
        return new JobPage(page.stream().map(job -> job.asOf(now)).toList(), page.next(), page.lookedAt());
    }

    Stream<Job> stream(JobQuery query) {
        checked(query);
        Instant until = clock.storeTime();
        Instant latest = clock.latestStoreTime();
        Predicate<Job> known = query.inOrderOfTimes() && query.mayFindEnded()
                ? job -> job.endedAt() == null || !job.endedAt().isAfter(until)
                : job -> !job.scheduledAt().isAfter(latest);
        // A given id says nothing about the job's time, so a later job may have a lower id.
        return JobWalk.over(query, this::page).filter(known);
    }
}
