package io.delayjob.proofs.chaos;

import io.delayjob.handler.JobContext;
import io.delayjob.job.JobId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of a ledger: an action that a process is about to take, or an event that has happened.
 *
 * @param nanos time on the machine's monotonic clock, which all processes use
 * @param micros time on the machine's wall clock, which the database also uses
 * @param group number of the transaction that scheduled the jobs; 0 if there is none
 * @param number number of the job, which is also its payload and is known before its id; 0 if there is no job
 * @param job id of the job, if it is known
 * @param run 0 if the line has no run
 * @param attempt 0 if the line has no attempt
 * @param dueMillis due time on the database's clock; 0 if unknown
 * @param note one more word; {@code -} if there is no such word
 */
record LedgerLine(
        Event event,
        long nanos,
        long micros,
        long group,
        long number,
        @Nullable JobId job,
        int run,
        int attempt,
        long dueMillis,
        String note) {

    private static final String NOTHING = "-";
    private static final int FIELDS = 10;

    enum Event {
        /** The note is the {@link Kind} of the job. */
        SUBMITTING,
        /** The note is the number of the job that this job follows. */
        FOLLOWS,
        FOLLOWS_ALL,
        SCHEDULED,
        COMMITTED,
        ROLLED_BACK,
        /** The answer to the commit was lost. */
        UNKNOWN,
        /** The handler is called, but has done nothing yet. */
        START,
        END,
        THROWN,
        /** The note is the outcome of the attempt. */
        COMPLETED,
        FENCED,
        CANCELLING,
        /** The note is the result of the cancellation, or {@code UNKNOWN} if there was no answer. */
        CANCEL_ANSWER,
        RESCHEDULING,
        /** The note is the result of the reschedule, or {@code UNKNOWN} if there was no answer. */
        RESCHEDULE_ANSWER,
        /** In this line, {@code group} contains the number of the answer. */
        ANSWERING,
        /** Written after the commit of the answer's transaction. The note is the result of the answer. */
        ANSWERED,
        /** The note names the partition. */
        LEASE_ACQUIRED,
        LEASE_ENDED,
        /** The note is the time in milliseconds in which no thread ran. */
        HICCUP,
        /** The note is the time in milliseconds without an answered heartbeat. */
        SILENCE,
        STOPPING,
        STOPPED
    }

    static LedgerLine of(Event event) {
        return new LedgerLine(event, 0, 0, 0, 0, null, 0, 0, 0, NOTHING);
    }

    static LedgerLine of(Event event, long number, JobContext attempt) {
        return of(event)
                .withJob(number, attempt.id())
                .withAttempt(attempt.run(), attempt.attempt())
                .withDue(attempt.dueAt().toEpochMilli());
    }

    LedgerLine withJob(long number, @Nullable JobId job) {
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, note);
    }

    LedgerLine withGroup(long group) {
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, note);
    }

    LedgerLine withAttempt(int run, int attempt) {
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, note);
    }

    LedgerLine withDue(long dueMillis) {
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, note);
    }

    LedgerLine withNote(Object note) {
        String word = note.toString().replaceAll("\\s+", "_");
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, word);
    }

    LedgerLine at(long nanos, long micros) {
        return new LedgerLine(event, nanos, micros, group, number, job, run, attempt, dueMillis, note);
    }

    JobId id() {
        return Objects.requireNonNull(job);
    }

    static LedgerLine parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS) {
            throw new IllegalArgumentException(
                    "Invalid ledger line '%s': must have %d words, one for each field.".formatted(line, FIELDS));
        }
        return new LedgerLine(
                Event.valueOf(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                words[5].equals(NOTHING) ? null : new JobId(UUID.fromString(words[5])),
                Integer.parseInt(words[6]),
                Integer.parseInt(words[7]),
                Long.parseLong(words[8]),
                words[9]);
    }

    @Override
    public String toString() {
        return event + " " + nanos + " " + micros + " " + group + " " + number + " "
                + (job == null ? NOTHING : job.toString()) + " " + run + " " + attempt + " " + dueMillis + " " + note;
    }
}
