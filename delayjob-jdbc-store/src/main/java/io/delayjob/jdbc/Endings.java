package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.EndSql;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * Moves ended jobs to the history, or deletes them. No other class removes jobs from the table of unfinished jobs.
 * Thread-safe.
 */
final class Endings {

    /**
     * @param token the token that the job's row must have
     * @param freshToken new token of the row in the history
     * @param calledAt {@code null} if the handler was not called
     * @param doubt number to add to {@code in_doubt}, which counts attempts that may still be under way
     * @param extras {@code null} if the extras do not change
     * @param group {@code null} if the job has no group
     * @param keep whether the job gets a row in the history; otherwise its attempt log is also deleted
     * @param keepSeconds how long the row stays in the history; 0 if the general time applies
     * @param plain whether the end changes only the state, the token and the times of the row, and deletes no attempt
     *     log
     */
    record Ending(
            JobId id,
            long token,
            long freshToken,
            JobState state,
            int run,
            Instant plannedAt,
            @Nullable Instant calledAt,
            Instant endedAt,
            int doubt,
            @Nullable Failure failure,
            @Nullable String extras,
            @Nullable GroupRef group,
            boolean keep,
            int keepSeconds,
            boolean plain) {

        static Ending of(Completion completion, JobState state) {
            Job job = completion.job();
            boolean keep = completion.keep() || state == JobState.FAILED;
            String extras = completion.newExtrasAs(state);
            boolean asInRow = job.schedule() == null
                    && completion.inDoubtChange() == 0
                    && completion.failure() == null
                    && extras == null;
            return new Ending(
                    job.id(),
                    job.token(),
                    completion.freshToken(),
                    state,
                    job.run(),
                    job.plannedAt(),
                    job.calledAt(),
                    completion.endedAt(),
                    completion.inDoubtChange() + (completion.awaits() ? 1 : 0),
                    completion.failure(),
                    extras,
                    JobExtras.groupOf(job.task().extras()),
                    keep,
                    state == JobState.FINISHED ? keepSeconds(extras) : 0,
                    state == JobState.FINISHED && asInRow && (keep || job.attempt() == 1));
        }

        private static int keepSeconds(@Nullable String extras) {
            Duration keepFor = JobExtras.keepForOf(extras);
            return keepFor == null ? 0 : (int) keepFor.toSeconds();
        }

        /** The transaction must have locked the job's row. */
        static Ending cancelled(Job job, Instant endedAt) {
            return new Ending(
                    job.id(),
                    job.token(),
                    job.token(),
                    JobState.CANCELLED,
                    job.run(),
                    job.plannedAt(),
                    null,
                    endedAt,
                    job.awaiting() ? 1 : 0,
                    null,
                    null,
                    JobExtras.groupOf(job.task().extras()),
                    true,
                    0,
                    false);
        }
    }

    /** @param write writes endings, and returns the jobs whose endings were not written */
    private record Way(Predicate<Ending> of, Function<List<Ending>, Set<JobId>> write) {}

    private final List<Way> ways;
    private final GroupCounter groups;

    private Endings(Database database, List<Way> ways) {
        this.ways = ways;
        this.groups = new GroupCounter(database);
    }

    static Endings inAny(Database database) {
        Database.Steps endJobs = database.steps(database.dialect().ends().endJobs());
        return new Endings(database, List.of(lockingFirst(database, endJobs, ending -> true)));
    }

    static Endings inOwn(Database database) {
        Database.Steps endJobs = database.ownSteps(database.dialect().ends().endJobs());
        return new Endings(database, List.of(lockingFirst(database, endJobs, ending -> true)));
    }

    /**
     * Writes endings without locking the rows first. If another transaction has locked or changed a row, the whole
     * transaction fails.
     */
    static Endings straightInOwn(Database database) {
        EndSql sql = database.dialect().ends();
        Database.Batched finish = database.straightIfAny(sql.finishStraight());
        Database.Batched forget = database.straightIfAny(sql.forgetStraight());
        if (finish == null || forget == null) {
            return inOwn(database);
        }
        return new Endings(
                database,
                List.of(
                        straight(database, finish, ending -> ending.plain && ending.keep),
                        straight(database, forget, ending -> ending.plain && !ending.keep),
                        lockingFirst(database, database.ownSteps(sql.endJobs()), ending -> !ending.plain)));
    }

    private static Way lockingFirst(Database database, Database.Steps endJobs, Predicate<Ending> of) {
        return new Way(of, endings -> othersThan(database.run(endJobs, parameters(endings), JobRows::id), endings));
    }

    private static Way straight(Database database, Database.Batched script, Predicate<Ending> of) {
        return new Way(of, endings -> {
            int ended = database.change(script, plainParameters(endings));
            if (ended < endings.size()) {
                // The statement returns only a number. A row for each job would make the write a tenth more expensive.
                throw new OptimisticLockingFailureException("%d of %d jobs have changed since they were claimed"
                        .formatted(endings.size() - ended, endings.size()));
            }
            return Set.of();
        });
    }

    private static Set<JobId> othersThan(List<JobId> written, List<Ending> endings) {
        Set<JobId> others = new HashSet<>();
        if (written.size() < endings.size()) {
            endings.forEach(ending -> others.add(ending.id()));
            written.forEach(others::remove);
        }
        return others;
    }

    /**
     * Returns the jobs whose endings were not written. Such jobs are locked or gone, have another token, or have failed
     * after a request to cancel them.
     */
    Set<JobId> write(Collection<Ending> endings) {
        List<Ending> sorted =
                endings.stream().sorted(Comparator.comparing(Ending::id)).toList();
        Set<JobId> refused = new HashSet<>();
        for (Way way : ways) {
            List<Ending> some = sorted.stream().filter(way.of).toList();
            if (!some.isEmpty()) {
                refused.addAll(way.write.apply(some));
            }
        }
        countMembers(sorted, refused);
        return refused;
    }

    private void countMembers(List<Ending> endings, Set<JobId> refused) {
        GroupCounter.Counted counted = null;
        for (Ending ending : endings) {
            if (ending.group != null && !refused.contains(ending.id)) {
                counted = counted == null ? new GroupCounter.Counted() : counted;
                counted.add(ending.group, GroupCounts.endAs(ending.state));
            }
        }
        if (counted != null) {
            groups.write(counted);
        }
    }

    private static Parameters plainParameters(List<Ending> sorted) {
        return Parameters.none()
                .uuids("id", sorted, ending -> ending.id().value())
                .longs("token", sorted, Ending::token)
                .longs("freshToken", sorted, Ending::freshToken)
                .longs("calledAt", sorted, Endings::calledMillis)
                .longs("endedAt", sorted, ending -> ending.endedAt().toEpochMilli());
    }

    private static Parameters parameters(List<Ending> sorted) {
        return plainParameters(sorted)
                .shorts("state", sorted, ending -> (short) StoredState.codeOf(ending.state()))
                .ints("run", sorted, Ending::run)
                .longs("plannedAt", sorted, ending -> ending.plannedAt().toEpochMilli())
                .ints("doubt", sorted, Ending::doubt)
                .texts("failureType", sorted, ending -> text(ending, Failure::type))
                .texts("failureMessage", sorted, ending -> text(ending, Failure::message))
                .texts("failureTrace", sorted, ending -> text(ending, Failure::stackTrace))
                .texts("extras", sorted, Ending::extras)
                .booleans("keep", sorted, Ending::keep)
                .ints("keepSeconds", sorted, Ending::keepSeconds);
    }

    private static @Nullable Long calledMillis(Ending ending) {
        return ending.calledAt() == null ? null : ending.calledAt().toEpochMilli();
    }

    private static @Nullable String text(Ending ending, Function<Failure, @Nullable String> part) {
        return ending.failure() == null ? null : part.apply(ending.failure());
    }
}
