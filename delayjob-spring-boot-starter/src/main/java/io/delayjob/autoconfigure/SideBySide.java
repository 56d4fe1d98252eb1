package io.delayjob.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ReflectionUtils;

/** Does several pieces of work at the same time, because stores mostly wait for their databases at start. */
final class SideBySide {

    private static final String THREADS = "delayjob-open-";

    private SideBySide() {}

    private static final int SECONDS_TO_CANCEL = 10;

    /**
     * Returns the results in the order of the work, after all work has ended. This also holds after a failure, because
     * the application then closes its beans. If the thread is interrupted, this method cancels the work. Then it waits
     * at most 10 s until the work has ended.
     *
     * @param work the work; another thread holds the container's lock, so the work must not look up beans
     * @throws RuntimeException the first failure, which contains all other failures as suppressed exceptions
     */
    static <T> List<T> all(List<Supplier<T>> work) {
        if (work.size() <= 1) {
            return work.stream().map(Supplier::get).toList();
        }
        ExecutorService threads = new ThreadPoolExecutor(
                work.size(),
                work.size(),
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new CustomizableThreadFactory(THREADS));
        try {
            List<Callable<T>> calls =
                    work.stream().map(each -> (Callable<T>) each::get).toList();
            return results(threads.invokeAll(calls));
        } catch (InterruptedException interrupted) {
            cancel(threads);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The start was interrupted while delayjob opened its stores.", interrupted);
        } finally {
            threads.shutdown();
        }
    }

    private static void cancel(ExecutorService threads) {
        threads.shutdownNow();
        try {
            threads.awaitTermination(SECONDS_TO_CANCEL, TimeUnit.SECONDS);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> List<T> results(List<Future<T>> ended) throws InterruptedException {
        List<T> results = new ArrayList<>();
        Throwable first = null;
        for (Future<T> work : ended) {
            try {
                results.add(work.get());
            } catch (ExecutionException failure) {
                Throwable reason = failure.getCause() == null ? failure : failure.getCause();
                if (first == null) {
                    first = reason;
                } else {
                    first.addSuppressed(reason);
                }
            }
        }
        if (first != null) {
            ReflectionUtils.rethrowRuntimeException(first);
        }
        return results;
    }
}
