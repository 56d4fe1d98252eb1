package io.delayjob.proofs.chaos;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.time.Duration;

/** Writes the events of the engine to the ledger. */
final class Reporter implements JobListener {

    private final Ledger ledger;

    Reporter(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        ledger.write(of(Event.COMPLETED, job).withNote(outcome.label()));
    }

    @Override
    public void fenced(Job job) {
        ledger.write(of(Event.FENCED, job));
    }

    private static LedgerLine of(Event event, Job job) {
        return LedgerLine.of(event).withJob(number(job), job.id()).withAttempt(job.run(), job.attempt());
    }

    /** Returns the number of a job, which is its payload; 0 if the row of an ended job no longer has the payload. */
    private static long number(Job job) {
        return job.payload() == null ? 0 : Long.parseLong(job.payload());
    }
}
