package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contains the facts that an instance reports about itself with its heartbeats, for display to people. A store keeps
 * these facts as {@linkplain VitalsText#write text} of at most {@value VitalsText#MAX_LENGTH} characters. Immutable.
 *
 * @param version the version of delayjob; {@code null} if unknown
 * @param since start of the instance, in store time
 * @param clockSkew store time minus the time of the machine's own clock
 * @param queues queues whose jobs the instance runs, or in which the instance leads partitions
 * @param longest the attempt under way that began first. The value is {@code null} if no attempt is under way, or if
 *     this attempt is unknown
 * @param progress the reported progress of attempts under way. If there are many attempts, the list contains only the
 *     progress of the oldest attempts
 * @param logs the logged lines of attempts under way. If there are many attempts, the list contains only the lines of
 *     the oldest attempts
 */
public record Vitals(
        @Nullable String version,
        Instant since,
        Duration clockSkew,
        Memory memory,
        Rates rates,
        List<QueueUse> queues,
        @Nullable LongestRunning longest,
        List<Progress> progress,
        List<Log> logs) {

    /** Creates the vitals of an instance, without progress and log lines of attempts. */
    public Vitals(
            @Nullable String version,
            Instant since,
            Duration clockSkew,
            Memory memory,
            Rates rates,
            List<QueueUse> queues,
            @Nullable LongestRunning longest) {
        this(version, since, clockSkew, memory, rates, queues, longest, List.of(), List.of());
    }

    public Vitals {
        progress = List.copyOf(progress);
        logs = List.copyOf(logs);
        queues = List.copyOf(queues);
    }

    /**
     * Contains the numbers of jobs in an instance's memory.
     *
     * @param waiting number of jobs in the timing wheel
     * @param ready number of jobs that are due and not claimed
     * @param capacity maximum sum of {@code waiting} and {@code ready}
     */
    public record Memory(int waiting, int ready, int capacity) {}

    /**
     * Says how much work an instance does.
     *
     * @param startsPerSecond number of calls to handlers per second, over the last ten seconds or a little more
     * @param endsPerSecond number of outcomes that were written per second, over the same period as {@code
     *     startsPerSecond}
     * @param late numbers of calls to handlers in the last five minutes, grouped by lateness as in {@link
     *     MinuteCounts#late()}
     */
    public record Rates(double startsPerSecond, double endsPerSecond, List<Long> late) {

        public Rates {
            late = List.copyOf(late);
        }
    }

    /**
     * Describes the attempt that has been under way for the longest time.
     *
     * @param name the handler's name
     * @param since the store time at which the handler was called
     */
    public record LongestRunning(JobId job, String name, Instant since) {}

    /**
     * Contains the progress that an attempt under way has reported.
     *
     * @param attempt number of the attempt
     * @param done number of parts that are done
     * @param total number of all parts; 0 if the number is unknown
     * @param note a few words, cut to {@value #MAX_NOTE} characters; empty if there is no note
     */
    public record Progress(JobId job, int attempt, long done, long total, String note) {

        /** Maximum length of a note, in characters. */
        public static final int MAX_NOTE = 60;

        public Progress {
            note = Printable.beginning(note, MAX_NOTE);
        }
    }

    /** Contains the newest lines that an attempt under way has logged. */
    public record Log(JobId job, JobLog log) {}

    /**
     * Says how many slots of a queue an instance uses, and which partitions of the queue the instance leads.
     *
     * @param concurrency number of slots; 0 if the instance runs no jobs of this queue
     * @param running number of slots in use
     * @param claimed number of jobs that are claimed and about to start
     * @param partitions indexes of the partitions that the instance leads, in order
     */
    public record QueueUse(String queue, int concurrency, int running, int claimed, List<Integer> partitions) {

        public QueueUse {
            partitions = List.copyOf(partitions);
        }
    }
}
