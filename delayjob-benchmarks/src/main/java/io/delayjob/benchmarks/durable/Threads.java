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

/** Runs threads that work on one task together. */
final class Threads {

    private Threads() {}

    /**
     * If one thread fails, the others are interrupted and not awaited.
     *
     * @param work receives the number of its thread, counted from 0
     * @param patience maximum time for all threads together
     * @throws IllegalStateException with the first failure as its cause, or if the threads take too long
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
                    throw new IllegalStateException("%d of %d threads have not ended within %s: make the load smaller."
                            .formatted(left, threads, patience));
                }
                next.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A thread failed, so there is no measurement.", failed.getCause());
        } finally {
            executor.shutdownNow();
        }
    }
}
