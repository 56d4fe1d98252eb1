package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contains the facts that an instance sends about itself with its heartbeats, to show them to people. A store keeps the
 * vitals as {@linkplain VitalsText#write text} of at most {@value VitalsText#MAX_LENGTH} characters, and never
 * interprets this text. Immutable.
 *
 * @param version the version of delayjob that the instance runs; {@code null} if unknown
 * @param since start of the instance, in store time
 * @param clockSkew store time minus the time of the machine's own clock
 * @param memory the instance's jobs in memory
 * @param rates how much work the instance does
 * @param queues queues of the instance: it runs their jobs, or it is the leader of some of their partitions
 * @param longest the attempt under way that began first; {@code null} if there is none, or if it is unknown
 * @param progress the progress that attempts under way have reported; if many attempts have reported progress, only the
 *     oldest of them are included
 * @param logs lines that attempts under way have logged. If many attempts have logged lines, only the lines of the
 *     oldest attempts are included
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
     * @param capacity maximum sum of both numbers
     */
    public record Memory(int waiting, int ready, int capacity) {}

    /**
     * Says how much work an instance does.
     *
     * @param startsPerSecond number of calls to handlers per second, over the last ten seconds or a little more
     * @param endsPerSecond number of outcomes of attempts that were written per second, over the same time
     * @param late the calls to handlers in the last five minutes, by lateness. There is one number for each of the
     *     {@link MinuteCounts#BOUNDS}, and one more number for greater lateness
     */
    public record Rates(double startsPerSecond, double endsPerSecond, List<Long> late) {

        public Rates {
            late = List.copyOf(late);
        }
    }

    /**
     * Describes the attempt that has been under way for the longest time.
     *
     * @param job id of the attempt's job
     * @param name handler name of the attempt's job
     * @param since time at which the handler was called, in store time
     */
    public record LongestRunning(JobId job, String name, Instant since) {}

    /**
     * Contains the progress that an attempt under way has reported.
     *
     * @param job id of the attempt's job
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

    /**
     * The lines that an attempt under way has logged.
     *
     * @param job id of its job
     * @param log the newest lines
     */
    public record Log(JobId job, JobLog log) {}

    /**
     * Says how many slots of a queue an instance uses, and which partitions of the queue the instance leads.
     *
     * @param queue name of the queue
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
