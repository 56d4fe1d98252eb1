package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.PausedName;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.EngineStatus.Trouble;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.JobCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Overview of jobs and engine.
 *
 * @param jobs number of jobs by state; {@code RUNNING} includes claimed jobs that have not started
 * @param atLeast states whose number is only a lower bound
 * @param about states whose number the database has estimated
 */
record SummaryDescriptor(
        Map<JobState, Long> jobs,
        @Nullable Set<JobState> atLeast,
        @Nullable Set<JobState> about,
        @Nullable Instant oldestDue,
        PausedDescriptor paused,
        EngineDescriptor engine)
        implements OperationResponseBody {

    static SummaryDescriptor of(JobCounts counts, List<PausedName> paused, EngineStatus status) {
        return new SummaryDescriptor(
                new TreeMap<>(counts.byState()),
                named(counts.atLeast()),
                named(counts.about()),
                counts.oldestDue(),
                PausedDescriptor.of(paused),
                EngineDescriptor.of(status));
    }

    static @Nullable Set<JobState> named(Set<JobState> states) {
        return states.isEmpty() ? null : new TreeSet<>(states);
    }

    /**
     * @param ready number of due jobs that the instance has not claimed
     * @param stuck attempts that still run after their timeout, and keep their slots
     * @param wheelLag how late the timing wheel was when the wheel last fired timers
     */
    record EngineDescriptor(
            boolean running,
            String incarnation,
            List<String> partitions,
            int waiting,
            int ready,
            int attempts,
            int claimed,
            List<StuckDescriptor> stuck,
            Duration wheelLag,
            List<Trouble> troubles) {

        static EngineDescriptor of(EngineStatus status) {
            return new EngineDescriptor(
                    status.running(),
                    status.incarnation(),
                    status.led().stream().sorted().map(Partition::toString).toList(),
                    status.waiting(),
                    status.ready(),
                    status.attempts(),
                    status.claimed(),
                    status.stuck().stream().map(StuckDescriptor::of).toList(),
                    status.wheelLag(),
                    status.troubles());
        }
    }

    record StuckDescriptor(String job, String name, int run, int attempt, Duration lasting) {

        static StuckDescriptor of(StuckAttempt stuck) {
            return new StuckDescriptor(
                    stuck.job().toString(), stuck.name(), stuck.run(), stuck.attempt(), stuck.lasting());
        }
    }
}
