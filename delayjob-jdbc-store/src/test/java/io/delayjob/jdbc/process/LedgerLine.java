package io.delayjob.jdbc.process;

import io.delayjob.handler.JobContext;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Instant;

/**
 * One line of a ledger: what happened to an attempt.
 *
 * @param at by the clock of this machine, which all processes of a test share
 */
record LedgerLine(Event event, JobId job, int run, int attempt, Instant at) {

    enum Event {
        /** The handler is called. */
        START,
        /** The handler returns. */
        END,
        /** The end is durable. Only told, not in the ledger. */
        DONE
    }

    static LedgerLine of(Event event, JobContext job) {
        return new LedgerLine(event, job.id(), job.run(), job.attempt(), Instant.now());
    }

    static LedgerLine done(Job job) {
        return new LedgerLine(Event.DONE, job.id(), job.run(), job.attempt(), Instant.now());
    }

    static LedgerLine parse(String line) {
        String[] words = line.split(" ");
        return new LedgerLine(
                Event.valueOf(words[0]),
                JobId.parse(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Instant.parse(words[4]));
    }

    @Override
    public String toString() {
        return "%s %s %d %d %s".formatted(event, job, run, attempt, at);
    }
}
