package io.delayjob.test;

import io.delayjob.store.StoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The link between one process and the store, through which every call passes. Here calls fail, wait, are applied
 * without a reply, or end the process.
 */
final class Link {

    /** The kinds of calls. */
    enum Call {
        READS,
        WRITES,
        LEASES
    }

    private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(4).toNanos();

    private final VirtualTime time;
    private final Interleaving interleaving;
    private final VirtualProcess process;
    private final RandomGenerator random;
    private final Runnable crash;
    private final Consumer<Duration> standStill;
    private final List<Fault> faults = new ArrayList<>();
    private @Nullable Strike strike;

    /**
     * @param crash ends the process
     * @param standStill makes the process stand still for this time
     */
    Link(
            VirtualTime time,
            Interleaving interleaving,
            VirtualProcess process,
            RandomGenerator random,
            Runnable crash,
            Consumer<Duration> standStill) {
        this.time = time;
        this.interleaving = interleaving;
        this.process = process;
        this.random = random;
        this.crash = crash;
        this.standStill = standStill;
    }

    /** A fault that happens during one of the next writes to jobs or leases. */
    private record Strike(Fault fault, int afterWrites, Duration pause) {}

    void add(Fault fault) {
        faults.add(fault);
    }

    /**
     * Causes this fault once, during a write.
     *
     * @param fault {@link Fault.Kind#CRASH_IN_CALL} or {@link Fault.Kind#PAUSE_IN_CALL}
     * @param afterWrites number of writes before it
     */
    void strike(Fault fault, int afterWrites, Duration pause) {
        strike = new Strike(fault, afterWrites, pause);
    }

    /** Ends all faults. */
    void heal() {
        faults.clear();
        strike = null;
    }

    <T extends @Nullable Object> T pass(Call kind, Supplier<T> call) {
        checkLives();
        Strike now = kind == Call.READS ? null : nextStrike();
        if (now != null) {
            return struck(now, call);
        }
        Fault fault = faultFor(kind);
        if (fault == null) {
            return call.get();
        }
        fault.tookEffect();
        return fault.kind == Fault.Kind.SLOW ? slowly(fault, call) : failed(fault, call);
    }

    private @Nullable Strike nextStrike() {
        Strike next = strike;
        if (next == null || next.afterWrites == 0) {
            strike = null;
            return next;
        }
        strike = new Strike(next.fault, next.afterWrites - 1, next.pause);
        return null;
    }

    private @Nullable Fault faultFor(Call call) {
        long now = time.clock().nanoTime();
        faults.removeIf(fault -> fault.isOver(now));
        for (Fault fault : faults) {
            boolean meant = switch (fault.kind) {
                case DEADLOCK, READ_ONLY -> call != Call.READS;
                case BROKEN_LEASES -> call == Call.LEASES;
                default -> true;
            };
            if (meant && random.nextDouble() < fault.share()) {
                return fault;
            }
        }
        return null;
    }

    private <T extends @Nullable Object> T struck(Strike now, Supplier<T> call) {
        now.fault.tookEffect();
        now.fault.feltUntil(time.clock().nanoTime());
        T answer = random.nextBoolean() ? call.get() : null;
        if (now.fault.kind == Fault.Kind.CRASH_IN_CALL) {
            crash.run();
            throw new Interleaving.ProcessEnded();
        }
        now.fault.feltUntil(time.clock().nanoTime() + now.pause.toNanos());
        standStill.accept(now.pause);
        checkLives();
        return answer != null ? answer : call.get();
    }

    private <T extends @Nullable Object> T slowly(Fault fault, Supplier<T> call) {
        waitSome(fault);
        T answer = call.get();
        waitSome(fault);
        checkLives();
        return answer;
    }

    private <T extends @Nullable Object> T failed(Fault fault, Supplier<T> call) {
        Fault.Kind how = fault.kind == Fault.Kind.OUTAGE ? anyFailure() : fault.kind;
        if (how == Fault.Kind.LOSES_ANSWERS) {
            call.get();
        } else if (how == Fault.Kind.APPLIES_LATER) {
            applyLater(fault, call);
        }
        if (random.nextInt(4) == 0) {
            waitSome(fault);
            checkLives();
        }
        throw how == Fault.Kind.DEADLOCK
                ? StoreException.unavailable("deadlock", new SQLTransactionRollbackException("deadlock", "40001"))
                : StoreException.unavailable("no answer", new SocketTimeoutException(how.name()));
    }

    private Fault.Kind anyFailure() {
        return switch (random.nextInt(3)) {
            case 0 -> Fault.Kind.FAILS;
            case 1 -> Fault.Kind.LOSES_ANSWERS;
            default -> Fault.Kind.APPLIES_LATER;
        };
    }

    /** Applies the call later, even if its process has died. */
    private void applyLater(Fault fault, Supplier<?> call) {
        long delay = random.nextLong(LONGEST_WAIT_NANOS);
        fault.feltUntil(time.clock().nanoTime() + delay);
        time.schedule(delay, () -> {
            try {
                call.get();
            } catch (RuntimeException refused) {
                // No caller gets the result.
            }
        });
    }

    private void waitSome(Fault fault) {
        long wait = random.nextLong(random.nextInt(8) == 0 ? LONGEST_WAIT_NANOS : LONGEST_WAIT_NANOS / 20);
        fault.feltUntil(time.clock().nanoTime() + wait);
        interleaving.sleep(wait);
    }

    /** Waits while the process stands still. Ends the call if the process has died. */
    private void checkLives() {
        if (process.isPaused()) {
            interleaving.await(goOn -> process.schedule(0, goOn));
        }
        if (process.isKilled()) {
            throw new Interleaving.ProcessEnded();
        }
    }
}
