package io.delayjob.test;

import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.settings.HistorySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Checks how long ended jobs are kept. */
final class KeepJudge {

    /** Store time has only milliseconds. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    /** The time after which each instance looks again for jobs that need not be kept longer, and a little more. */
    static final Duration REMOVED_WITHIN = Duration.ofSeconds(61);

    private final Judge judge;
    private final SharedStore store;
    private final Faults faults;
    private final HistorySettings history;

    KeepJudge(Judge judge, SharedStore store, Faults faults, HistorySettings history) {
        this.judge = judge;
        this.store = store;
        this.faults = faults;
        this.history = history;
    }

    /** Makes a deletion of an instance, and checks each job that it deletes. */
    int purged(Node node, IntSupplier deletion) {
        List<Job> ended = ended();
        int deleted = deletion.getAsInt();
        ended.stream().filter(job -> store.jobs.find(job.id()).isEmpty()).forEach(job -> removed(node, job));
        return deleted;
    }

    private List<Job> ended() {
        return judge.lives().stream()
                .flatMap(life -> store.jobs.find(life.id).stream())
                .filter(job -> job.state().isEnded())
                .toList();
    }

    /** An instance that does not know yet that the store's clock was set may delete a job too early. */
    private void removed(Node node, Job job) {
        judge.removed(node, job);
        boolean tooEarly = overSince(job).plus(ROUNDING).isNegative();
        if (tooEarly && !faults.has(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE)) {
            judge.violated(
                    Check.KEPT_LONG_ENOUGH,
                    job.id(),
                    "%s deletes job %s (%s), which is %s, %s before its time is over",
                    node,
                    job.id(),
                    job.name(),
                    job.state(),
                    overSince(job).negated());
        }
    }

    /** Returns the longest time that an ended job is still to be kept, and the time within which it is then removed. */
    Duration untilAllAreRemoved() {
        return ended().stream()
                .map(job -> overSince(job).negated())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO)
                .plus(REMOVED_WITHIN);
    }

    /** Checks that no ended job is there whose time was over long ago. Nothing has gone wrong for that time. */
    void checkRemoved() {
        Optional<Job> late = ended().stream()
                .filter(job -> overSince(job).compareTo(REMOVED_WITHIN) > 0)
                .findFirst();
        late.ifPresent(job -> judge.violated(
                Check.REMOVED_IN_TIME,
                job.id(),
                "job %s (%s) is %s, and is there %s after its time was over",
                job.id(),
                job.name(),
                job.state(),
                overSince(job)));
    }

    /** Returns how long the time of keeping an ended job has been over; negative if the job must still be kept. */
    private Duration overSince(Job ended) {
        long endedMicros = ended.endedAt().toEpochMilli() * 1_000;
        return Duration.ofNanos((store.clockMicros() - endedMicros) * 1_000).minus(keptFor(ended));
    }

    private Duration keptFor(Job ended) {
        Duration stated = ended.state() == JobState.FINISHED ? statedFor(ended) : null;
        if (stated != null) {
            return stated;
        }
        return switch (ended.state()) {
            case FINISHED -> history.finished();
            case CANCELLED -> history.cancelled();
            default -> history.failed();
        };
    }

    private @Nullable Duration statedFor(Job finished) {
        return judge.life(finished.id()).answeredElsewhere
                ? finished.extras().keepFor()
                : FocusedCalls.keepFor(finished);
    }
}
