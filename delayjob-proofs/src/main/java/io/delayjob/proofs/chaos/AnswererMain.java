package io.delayjob.proofs.chaos;

import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobOutcome;
import io.delayjob.proofs.chaos.Calls.Call;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionStatus;

/**
 * A process that answers the calls of awaiting jobs. Each answer is written in one transaction with a row for the work
 * of the answerer. If the process is killed, its successor reads the open calls again.
 *
 * <p>Each call gets the same answer twice, in parallel. Some calls get a failure or no answer. Some transactions are
 * rolled back, and the answers are given again.
 */
final class AnswererMain {

    private static final int HANDS = 8;
    private static final int LOOK_MILLIS = 20;
    private static final int AGAIN_MILLIS = 50;
    private static final int AROUND_MILLIS = 60;
    private static final int ONE_CANCELLED_IN = 3;

    /** From this attempt on, every call is immediately answered with success, so that each job ends. */
    private static final int PATIENT_ATTEMPTS = 4;

    private final WorkerOrders orders;
    private final Ledger ledger;
    private final WorkerEngine engine;
    private final JdbcTemplate jdbc;
    private final Transactions transactions;
    private final ScheduledThreadPoolExecutor hands = new ScheduledThreadPoolExecutor(HANDS);
    private final AtomicLong answers = new AtomicLong();
    private final Set<Long> seen = new HashSet<>();

    private AnswererMain(WorkerOrders orders, JdbcWorkerStore store) {
        this.orders = orders;
        this.ledger = Ledger.append(orders.ledger());
        this.engine = new WorkerEngine(store, orders, ledger);
        this.transactions = store.transactions();
        this.jdbc = transactions.jdbc();
    }

    public static void main(String[] arguments) throws IOException {
        WorkerOrders orders = WorkerOrders.parse(arguments);
        AnswererMain answerer = new AnswererMain(orders, JdbcWorkerStore.open(orders));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // The process must not run after the round. So it ends at the end of its input.
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            answerer.later(0, answerer::look);
            out.println(command + " 0");
        }
        System.exit(0);
    }

    private void look() {
        try {
            for (Call call : Calls.open(jdbc)) {
                if (seen.add(call.id())) {
                    plan(call);
                }
            }
        } finally {
            later(LOOK_MILLIS, this::look);
        }
    }

    /** A successor of this process must plan the same answers, so the random seed is fixed for each call. */
    private void plan(Call call) {
        SplittableRandom random = new SplittableRandom(
                Objects.hash(orders.seed(), call.number(), call.ticket().attempt()));
        Duration within = Calls.answerWithin(call.number());
        boolean patient = call.ticket().attempt() < PATIENT_ATTEMPTS;
        int when = random.nextInt(10);
        long delay = when < 4 || !patient
                ? 0
                : when < 7
                        ? within.toMillis() - AROUND_MILLIS / 2 + random.nextLong(AROUND_MILLIS)
                        : random.nextLong(2 * within.toMillis());
        int what = random.nextInt(patient ? 100 : 60);
        boolean withdrawn = random.nextInt(10) == 0;
        if (what < 60) {
            twice(delay, () -> answer(call, Answer.done(), withdrawn));
        } else if (what < 75) {
            twice(delay, () -> answer(call, Answer.stillWorking(within), false));
            twice(delay + random.nextLong(within.toMillis()), () -> answer(call, Answer.done(), withdrawn));
        } else if (what < 90) {
            twice(delay, () -> answer(call, Answer.failed("as planned"), withdrawn));
        } else {
            Calls.settle(jdbc, call);
        }
    }

    private void twice(long millis, Runnable step) {
        later(millis, step);
        later(millis, step);
    }

    private void later(long millis, Runnable step) {
        hands.schedule(step, millis, TimeUnit.MILLISECONDS);
    }

    /** @param withdrawn whether the first transaction is rolled back */
    private void answer(Call call, Answer answer, boolean withdrawn) {
        long number = answers.incrementAndGet();
        ledger.write(line(Event.ANSWERING, call).withGroup(number));
        AnswerResult result;
        try {
            result = transactions.get(status -> answer(call.ticket(), answer, withdrawn, status));
        } catch (RuntimeException unanswered) {
            later(AGAIN_MILLIS, () -> answer(call, answer, withdrawn));
            return;
        }
        if (withdrawn) {
            later(AGAIN_MILLIS, () -> answer(call, answer, false));
            return;
        }
        ledger.write(line(Event.ANSWERED, call).withGroup(number).withNote(result));
        if (result == AnswerResult.TAKEN && Math.floorMod(call.ticket().job().hashCode(), ONE_CANCELLED_IN) == 0) {
            cancel(call);
        }
        if (!(answer.outcome() instanceof JobOutcome.Awaited)) {
            Calls.settle(jdbc, call);
        }
    }

    private AnswerResult answer(AnswerTicket ticket, Answer answer, boolean withdrawn, TransactionStatus status) {
        AnswerResult result = engine.jobs().answer(ticket, answer);
        if (result == AnswerResult.TAKEN && answer.outcome().endsRun()) {
            Calls.work(jdbc, ticket);
        }
        if (withdrawn) {
            status.setRollbackOnly();
        }
        return result;
    }

    private void cancel(Call call) {
        ledger.write(line(Event.CANCELLING, call));
        ledger.write(line(Event.CANCEL_ANSWER, call)
                .withNote(engine.jobs().cancel(call.ticket().job())));
    }

    private static LedgerLine line(Event event, Call call) {
        return LedgerLine.of(event)
                .withJob(call.number(), call.ticket().job())
                .withAttempt(call.ticket().run(), call.ticket().attempt());
    }
}
