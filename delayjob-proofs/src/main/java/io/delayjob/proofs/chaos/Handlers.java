package io.delayjob.proofs.chaos;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The handlers of jobs. Each handler writes to the ledger at its beginning and at its end. */
final class Handlers {

    private static final int SHORTEST_HOLD_MILLIS = 50;
    private static final int HOLDS_SPREAD_MILLIS = 1_200;
    private static final int ATOMIC_HOLDS_SPREAD_MILLIS = 200;

    /** Each attempt holds a connection, so the pool must be larger than this number. */
    private static final int ATOMIC_AT_A_TIME = 6;

    private final Ledger ledger;
    private final @Nullable Transactions transactions;
    private final WorkerOrders orders;
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param transactions {@code null} if the store has no transactions */
    Handlers(Ledger ledger, @Nullable Transactions transactions, WorkerOrders orders) {
        this.ledger = ledger;
        this.transactions = transactions;
        this.orders = orders;
    }

    List<Handler> all() {
        return Arrays.stream(Kind.values())
                .filter(orders.profile().mix()::has)
                .filter(kind -> !(kind == Kind.ATOMIC || kind.awaits()) || transactions != null)
                .map(this::handler)
                .toList();
    }

    private Handler handler(Kind kind) {
        boolean atomic = kind == Kind.ATOMIC;
        Handler.Builder handler = Handler.named(kind.handler())
                .atomic(atomic)
                .concurrency(atomic ? ATOMIC_AT_A_TIME : Integer.MAX_VALUE)
                .parameters(new PayloadParameter("number", long.class));
        return orders.mutant().limit(kind, handler).calls((arguments, attempt) -> {
            long number = (Long) arguments.get(0);
            handle(kind, number, attempt);
            return kind.awaits() ? Next.awaitAnswer(Calls.answerWithin(number)) : null;
        });
    }

    private void handle(Kind kind, long number, JobContext attempt) throws InterruptedException {
        ledger.write(LedgerLine.of(Event.START, number, attempt));
        try {
            if (kind == Kind.HOLD) {
                never.await(SHORTEST_HOLD_MILLIS + number % HOLDS_SPREAD_MILLIS, TimeUnit.MILLISECONDS);
            } else if (kind == Kind.ATOMIC && transactions != null) {
                transactions.effect(attempt.id(), attempt.attempt());
                never.await(number % ATOMIC_HOLDS_SPREAD_MILLIS, TimeUnit.MILLISECONDS);
            } else if (kind.awaits() && transactions != null) {
                Calls.accept(transactions.jdbc(), number, attempt.ticket());
                never.await(Calls.holdMillis(number), TimeUnit.MILLISECONDS);
            } else if (Limits.has(kind)) {
                never.await(Limits.holdMillis(kind, number), TimeUnit.MILLISECONDS);
            }
            if (attempt.failures() == 0 && (kind == Kind.FLAKY || Limits.failsAtFirst(kind, number))) {
                throw new IllegalStateException("as planned");
            }
        } catch (InterruptedException | RuntimeException thrown) {
            ledger.write(LedgerLine.of(Event.THROWN, number, attempt));
            throw thrown;
        }
        ledger.write(LedgerLine.of(Event.END, number, attempt));
    }
}
