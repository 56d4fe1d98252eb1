package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.Answer;
import io.delayjob.internal.attempt.AnswerJudge;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Stated;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the answers that other systems give to waiting attempts. Thread-safe. */
final class AnswerTaker {

    private final JobStore store;
    private final AnswerJudge judge;
    private final EngineClock clock;
    private final JobListeners listeners;
    private final DueSink nearDue;

    AnswerTaker(JobStore store, AnswerJudge judge, EngineClock clock, JobListeners listeners, DueSink nearDue) {
        this.store = store;
        this.clock = clock;
        this.judge = judge;
        this.listeners = listeners;
        this.nearDue = nearDue;
    }

    AnswerResult answer(AnswerTicket ticket, Answer answer) {
        Stated.notNull(ticket, "ticket", "must be a ticket from JobContext.ticket()");
        Stated.notNull(answer, "answer", "must be an Answer, such as Answer.done()");
        // The clock may ask the store for the time, and must not do so while the row is locked.
        clock.storeMillis();
        Call call = new Call(ticket, answer.outcome());
        AnswerResult result = store.answer(ticket.job(), call::end, call::committed);
        if (result != AnswerResult.ON_COMMIT && !call.isWritten(result)) {
            listeners.tell(listener -> listener.answered(result));
        }
        return result;
    }

    /** Confined to the caller's thread. */
    private final class Call {

        private final AnswerTicket ticket;
        private final JobOutcome outcome;

        private boolean cancels;

        private DueSink asOfChange = DueSink.NONE;

        private Call(AnswerTicket ticket, JobOutcome outcome) {
            this.ticket = ticket;
            this.outcome = outcome;
        }

        private @Nullable Completion end(Job locked) {
            asOfChange = nearDue.asOfNow();
            Completion end = judge.end(locked, ticket, outcome);
            cancels = end != null && end.cancels();
            return end;
        }

        private void committed(Completion end) {
            DueRow waiting = end.waitingAfter();
            if (waiting != null) {
                asOfChange.accept(List.of(waiting));
            }
            listeners.tell(listener -> listener.answered(end.cancels() ? AnswerResult.CANCELLED : AnswerResult.TAKEN));
            listeners.completed(end, end.next(), Duration.ZERO);
        }

        /**
         * After a deadlock, the transaction is repeated, and may no longer find the row. So the field {@code cancels}
         * may be outdated.
         */
        private boolean isWritten(AnswerResult result) {
            return result == AnswerResult.TAKEN || result == AnswerResult.CANCELLED && cancels;
        }
    }
}
