package io.delayjob.proofs.chaos;

import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.JobId;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An application that schedules, cancels and reschedules jobs at a steady rate. The application writes each step to the
 * ledger.
 *
 * <p>If the store can join transactions, most transactions also write a row into the table {@code witness}. The row
 * tells whether the transaction was committed, even if the answer to the commit is lost.
 */
final class Load {

    private static final int CLIENTS = 3;
    private static final int TICK_MILLIS = 20;
    private static final int SLOW_TRANSACTION_MILLIS = 400;
    private static final int MOST_JOBS_IN_ONE_TRANSACTION = 8;

    private final WorkerEngine engine;
    private final @Nullable Transactions transactions;
    private final Ledger ledger;
    private final AtomicLong numbers;
    private final Mix mix;
    private final long longestDelay;
    private final long seed;
    private final CountDownLatch never = new CountDownLatch(1);
    private final ScheduledThreadPoolExecutor clients = new ScheduledThreadPoolExecutor(CLIENTS);

    /** @param transactions {@code null} if the store cannot join transactions */
    Load(WorkerEngine engine, @Nullable Transactions transactions, Ledger ledger, WorkerOrders orders) {
        this.engine = engine;
        this.transactions = transactions;
        this.ledger = ledger;
        this.numbers = new AtomicLong(orders.firstNumber());
        this.mix = orders.profile().mix();
        this.longestDelay = orders.longestDelay().toMillis();
        this.seed = orders.seed();
    }

    void start(double jobsPerSecond) {
        for (int client = 0; client < CLIENTS; client++) {
            Client started = new Client(jobsPerSecond / CLIENTS, new SplittableRandom(seed + client));
            clients.scheduleWithFixedDelay(started, client * 7L, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    void abandon() {
        clients.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        end();
    }

    void end() {
        clients.shutdown();
        try {
            if (!clients.awaitTermination(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The threads of the load have not ended in time.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Client implements Runnable {

        private final double jobsPerSecond;
        private final SplittableRandom random;
        private long lastNanos = System.nanoTime();
        private double owed;

        Client(double jobsPerSecond, SplittableRandom random) {
            this.jobsPerSecond = jobsPerSecond;
            this.random = random;
        }

        @Override
        public void run() {
            long now = System.nanoTime();
            // A job that could not be scheduled during an outage is not scheduled later.
            owed = Math.min(owed + (now - lastNanos) / 1e9 * jobsPerSecond, 1 + jobsPerSecond / 5);
            lastNanos = now;
            while (owed >= 1) {
                int jobs = 1 + random.nextInt(MOST_JOBS_IN_ONE_TRANSACTION);
                owed -= jobs;
                if (random.nextInt(6) == 0 || transactions == null) {
                    for (int i = 0; i < jobs; i++) {
                        alone();
                    }
                } else {
                    together(jobs, transactions);
                }
            }
        }

        private void alone() {
            Draft draft = draft(0);
            try {
                schedule(draft, null);
            } catch (RuntimeException unanswered) {
                return;
            }
            later(List.of(draft));
        }

        private void together(int jobs, Transactions joined) {
            long group = numbers.incrementAndGet();
            boolean rollback = random.nextInt(8) == 0;
            boolean slow = random.nextInt(30) == 0;
            String groupName = mix.drawGroup(random) ? "group-" + group : null;
            List<Draft> drafts = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                drafts.add(draft(group));
            }
            boolean[] committing = {false};
            Event outcome;
            try {
                joined.run(status -> {
                    joined.witness(group);
                    drafts.forEach(draft -> schedule(draft, groupName));
                    if (groupName != null) {
                        follow(group, groupName);
                    }
                    if (slow) {
                        rest(SLOW_TRANSACTION_MILLIS);
                    }
                    if (rollback) {
                        status.setRollbackOnly();
                    } else {
                        committing[0] = true;
                    }
                });
                outcome = rollback ? Event.ROLLED_BACK : Event.COMMITTED;
            } catch (RuntimeException broken) {
                outcome = committing[0] ? Event.UNKNOWN : Event.ROLLED_BACK;
            }
            ledger.write(LedgerLine.of(outcome).withGroup(group));
            if (outcome == Event.COMMITTED) {
                later(drafts);
            }
        }

        private Draft draft(long group) {
            Kind drawn = mix.draw(random);
            Kind kind = drawn == Kind.ATOMIC && transactions == null ? Kind.NOTE : drawn;
            int change = random.nextInt(100);
            // Longer jobs are cancelled more often, so that some are cancelled while they run.
            int cancelled = kind == Kind.HOLD ? 25 : 5;
            Change next = change < cancelled ? Change.CANCEL : change < cancelled + 6 ? Change.RESCHEDULE : Change.NONE;
            long delay = random.nextInt(4) == 0 ? 0 : random.nextLong(longestDelay);
            long number = numbers.incrementAndGet();
            return new Draft(
                    group, number, kind, Limits.delay(kind, number, Duration.ofMillis(delay), Instant.now()), next);
        }

        /** @param groupName {@code null} if the job joins no group */
        private void schedule(Draft draft, @Nullable String groupName) {
            ledger.write(LedgerLine.of(Event.SUBMITTING)
                    .withGroup(draft.group)
                    .withJob(draft.number, null)
                    .withNote(draft.kind));
            DelayJobOperations jobs = engine.jobs();
            ScheduleSpec spec = jobs.schedule(draft.kind.handler()).with(List.of(draft.number));
            if (draft.group == 0 && (transactions != null || draft.number % 2 == 0)) {
                // A key identifies the row even if the call never returns. Without a key, only an attempt can tell.
                spec = spec.key(draft.number);
            }
            Kind next = mix.followerOf(draft.kind);
            if (groupName != null) {
                draft.job = spec.group(groupName).after(draft.delay).id();
            } else if (next != null) {
                draft.job = chain(spec, draft, next);
            } else {
                Scheduled scheduled = draft.kind.schedule() == null
                        ? spec.after(draft.delay)
                        : spec.repeat(
                                draft.kind.schedule().starting(Instant.now().plus(draft.delay)));
                draft.job = scheduled.id();
            }
            ledger.write(LedgerLine.of(Event.SCHEDULED).withGroup(draft.group).withJob(draft.number, draft.job));
        }

        private JobId chain(ScheduleSpec spec, Draft draft, Kind next) {
            long number = numbers.incrementAndGet();
            LedgerLine line = LedgerLine.of(Event.SUBMITTING).withGroup(draft.group);
            ledger.write(line.withJob(number, null).withNote(next));
            ledger.write(LedgerLine.of(Event.FOLLOWS).withJob(number, null).withNote(draft.number));
            ScheduledChain chain =
                    spec.then(next.handler()).with(Map.of("number", number)).startAfter(draft.delay);
            ledger.write(LedgerLine.of(Event.SCHEDULED)
                    .withGroup(draft.group)
                    .withJob(number, chain.followers().get(0)));
            return chain.first().id();
        }

        private void follow(long group, String groupName) {
            long number = numbers.incrementAndGet();
            LedgerLine line = LedgerLine.of(Event.SUBMITTING).withGroup(group);
            ledger.write(line.withJob(number, null).withNote(Kind.NOTE));
            ledger.write(LedgerLine.of(Event.FOLLOWS_ALL).withJob(number, null));
            JobId job = engine.jobs()
                    .schedule(Kind.NOTE.handler())
                    .with(List.of(number))
                    .whenAllEnded(groupName);
            ledger.write(LedgerLine.of(Event.SCHEDULED).withGroup(group).withJob(number, job));
        }

        private void later(List<Draft> drafts) {
            for (Draft draft : drafts) {
                if (draft.change == Change.CANCEL) {
                    // This time is close to the due time, so that the job may be in any state.
                    long delay = Math.max(0, draft.delay.toMillis() - 150 + random.nextLong(300));
                    clients.schedule(() -> cancel(draft), delay, TimeUnit.MILLISECONDS);
                } else if (draft.change == Change.RESCHEDULE) {
                    long delay = random.nextLong(Math.max(1, draft.delay.toMillis()));
                    Duration due = Duration.ofMillis(random.nextLong(longestDelay));
                    clients.schedule(() -> reschedule(draft, due), delay, TimeUnit.MILLISECONDS);
                }
            }
        }

        private void cancel(Draft draft) {
            JobId job = draft.id();
            ledger.write(LedgerLine.of(Event.CANCELLING).withJob(draft.number, job));
            String answer;
            try {
                answer = engine.jobs().cancel(job).name();
            } catch (RuntimeException lost) {
                answer = "UNKNOWN";
            }
            ledger.write(LedgerLine.of(Event.CANCEL_ANSWER)
                    .withJob(draft.number, job)
                    .withNote(answer));
        }

        private void reschedule(Draft draft, Duration delay) {
            JobId job = draft.id();
            Instant due = Instant.ofEpochMilli(Instant.now().plus(delay).toEpochMilli());
            LedgerLine line =
                    LedgerLine.of(Event.RESCHEDULING).withJob(draft.number, job).withDue(due.toEpochMilli());
            ledger.write(line);
            String answer;
            try {
                answer = engine.jobs().reschedule(job, due).name();
            } catch (RuntimeException lost) {
                answer = "UNKNOWN";
            }
            ledger.write(LedgerLine.of(Event.RESCHEDULE_ANSWER)
                    .withJob(draft.number, job)
                    .withDue(due.toEpochMilli())
                    .withNote(answer));
        }

        private void rest(long millis) {
            try {
                never.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private enum Change {
        NONE,
        CANCEL,
        RESCHEDULE
    }

    private static final class Draft {
        private final long group;
        private final long number;
        private final Kind kind;
        private final Duration delay;
        private final Change change;
        private volatile @Nullable JobId job;

        Draft(long group, long number, Kind kind, Duration delay, Change change) {
            this.group = group;
            this.number = number;
            this.kind = kind;
            this.delay = delay;
            this.change = change;
        }

        JobId id() {
            return Objects.requireNonNull(job);
        }
    }
}
