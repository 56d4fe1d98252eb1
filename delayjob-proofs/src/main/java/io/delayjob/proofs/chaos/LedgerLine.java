package io.delayjob.proofs.chaos;

import io.delayjob.handler.JobContext;
import io.delayjob.job.JobId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of a ledger: what a worker process was about to do, or learned.
 *
 * @param nanos when, by the machine's monotonic clock, which all processes share
 * @param micros when, by the machine's wall clock, which the database shares
 * @param group the transaction that jobs were scheduled in; 0: none, each had a short one of its own
 * @param number the job's number, which is its payload: known before the job has an id; 0: no job
 * @param job its id, once known
 * @param run which run; 0: none
 * @param attempt which attempt; 0: none
 * @param dueMillis when it was due, by the database's clock; 0: not known
 * @param note one word more; {@code -}: none
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
        /** A job is about to be scheduled; the note is its {@link Kind}. */
        SUBMITTING,
        /** The call that schedules it has returned. */
        SCHEDULED,
        /** The transaction's commit was acknowledged. */
        COMMITTED,
        /** The transaction was rolled back, or broke before its commit. */
        ROLLED_BACK,
        /** Nobody can say whether the transaction was committed: its acknowledgement was lost. */
        UNKNOWN,
        /** The handler is called, and has done nothing yet. */
        START,
        /** The handler returns. */
        END,
        /** The handler throws. */
        THROWN,
        /** The end of the attempt is durable; the note is the outcome. */
        COMPLETED,
        /** The end of the attempt was refused. */
        FENCED,
        /** Cancelling is about to be asked for. */
        CANCELLING,
        /** The answer to it, in the note; {@code UNKNOWN}: none came. */
        CANCEL_ANSWER,
        /** Another due time is about to be asked for. */
        RESCHEDULING,
        /** The answer to it, in the note; {@code UNKNOWN}: none came. */
        RESCHEDULE_ANSWER,
        /** The partition in the note is led since a moment ago. */
        LEASE_ACQUIRED,
        /** It is led no longer. */
        LEASE_ENDED,
        /** No thread of the process has run for so many milliseconds. */
        HICCUP,
        /** No heartbeat was answered for so many milliseconds. */
        SILENCE,
        /** The process stops in good order. */
        STOPPING,
        /** It has stopped. */
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

    /** The job's id, of a line that has one. */
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
