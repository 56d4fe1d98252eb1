package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Threads that work on one thing together: what fails on one of them fails all. */
final class Threads {

    private Threads() {}

    /**
     * Runs the work once on each of so many threads, and returns when all have done it. When one fails, the others are
     * interrupted and not waited for.
     *
     * @param work is told the number of its thread, from 0
     * @param patience for all of them together
     * @throws IllegalStateException with what the first one that failed has thrown, or when they take too long
     */
    static void runAll(int threads, Duration patience, IntConsumer work) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<Boolean> ended = new ExecutorCompletionService<>(executor);
            for (int number = 0; number < threads; number++) {
                int own = number;
                ended.submit(() -> work.accept(own), true);
            }
            long giveUp = System.nanoTime() + patience.toNanos();
            for (int left = threads; left > 0; left--) {
                Future<Boolean> next = ended.poll(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new IllegalStateException("%d of %d threads were not done within %s: make the load smaller."
                            .formatted(left, threads, patience));
                }
                next.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A thread failed, so there is nothing to measure.", failed.getCause());
        } finally {
            executor.shutdownNow();
        }
    }
}
