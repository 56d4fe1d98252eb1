package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Moves jobs out of the table of unfinished ones, the one way in which they ever leave it. Thread-safe. */
final class Endings {

    /**
     * How one job ends.
     *
     * @param token the fence
     * @param freshToken what the row in the history carries
     * @param doubt what it changes in the number of attempts that may still be under way
     * @param keep whether there is a row in the history at all; without one, the log of its attempts goes, too
     */
    record Ending(
            JobId id,
            long token,
            long freshToken,
            JobState state,
            int run,
            Instant plannedAt,
            Instant endedAt,
            int doubt,
            @Nullable Failure failure,
            boolean keep) {

        /** A completion's. */
        static Ending of(Completion completion, JobState state) {
            Job job = completion.job();
            return new Ending(
                    job.id(),
                    job.token(),
                    completion.freshToken(),
                    state,
                    job.run(),
                    job.plannedAt(),
                    completion.endedAt(),
                    completion.inDoubtChange(),
                    completion.failure(),
                    completion.keep() || state == JobState.FAILED);
        }

        /** A cancellation, of a row that this transaction has locked. */
        static Ending cancelled(Job job, Instant endedAt) {
            return new Ending(
                    job.id(),
                    job.token(),
                    job.token(),
                    JobState.CANCELLED,
                    job.run(),
                    job.plannedAt(),
                    endedAt,
                    0,
                    null,
                    true);
        }
    }

    private final Database database;
    private final Database.Steps endJobs;

    private Endings(Database database, Database.Steps endJobs) {
        this.database = database;
        this.endJobs = endJobs;
    }

    /** For any transaction, the caller's among them. */
    static Endings inAny(Database database) {
        return new Endings(database, database.steps(database.dialect().endJobs()));
    }

    /** For transactions of the store's own and no others. */
    static Endings inOwn(Database database) {
        return new Endings(database, database.ownSteps(database.dialect().endJobs()));
    }

    /** Writes the endings within the transaction under way; answers the jobs that were as their endings' tokens say. */
    Set<JobId> write(Collection<Ending> endings) {
        if (endings.isEmpty()) {
            return Set.of();
        }
        List<Ending> sorted =
                endings.stream().sorted(Comparator.comparing(Ending::id)).toList();
        Parameters parameters = Parameters.none()
                .uuids("id", sorted, ending -> ending.id().value())
                .longs("token", sorted, Ending::token)
                .longs("freshToken", sorted, Ending::freshToken)
                .shorts("state", sorted, ending -> (short) StoredState.codeOf(ending.state()))
                .ints("run", sorted, Ending::run)
                .longs("plannedAt", sorted, ending -> ending.plannedAt().toEpochMilli())
                .longs("endedAt", sorted, ending -> ending.endedAt().toEpochMilli())
                .ints("doubt", sorted, Ending::doubt)
                .texts("failureType", sorted, ending -> text(ending, Failure::type))
                .texts("failureMessage", sorted, ending -> text(ending, Failure::message))
                .texts("failureTrace", sorted, ending -> text(ending, Failure::stackTrace))
                .booleans("keep", sorted, Ending::keep);
        return new HashSet<>(database.run(endJobs, parameters, JobRows::id));
    }

    private static @Nullable String text(Ending ending, Function<Failure, @Nullable String> part) {
        return ending.failure() == null ? null : part.apply(ending.failure());
    }
}
