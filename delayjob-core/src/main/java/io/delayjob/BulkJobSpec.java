package io.delayjob;

import io.delayjob.job.JobPlan;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The many jobs of one handler that a call will schedule.
 *
 * @param drafts one draft for each payload, in the same order
 */
record BulkJobSpec<P>(List<P> payloads, List<Draft> drafts, Duration spread, Planner planner, JobWriter writer)
        implements BulkSpec<P> {

    @Override
    public BulkSpec<P> key(Function<? super P, ?> key, OnExisting onExisting) {
        Stated.notNull(key, "key function", "must return the key of a payload");
        return with(IntStream.range(0, drafts.size())
                .mapToObj(i -> drafts.get(i).withKey(key.apply(payloads.get(i)), onExisting))
                .toList());
    }

    @Override
    public BulkSpec<P> queue(String queue) {
        return with(draft -> draft.withQueue(queue));
    }

    @Override
    public BulkSpec<P> retry(RetryPolicy policy) {
        return with(draft -> draft.withRetry(policy));
    }

    @Override
    public BulkSpec<P> expiresAfter(Duration expiresAfter) {
        return with(draft -> draft.withExpiresAfter(expiresAfter));
    }

    @Override
    public BulkSpec<P> mutex(Function<? super P, ?> mutex) {
        Stated.notNull(mutex, "mutex function", "must return the mutex of a payload");
        return with(IntStream.range(0, drafts.size())
                .mapToObj(i -> drafts.get(i).withMutex(mutex.apply(payloads.get(i))))
                .toList());
    }

    @Override
    public BulkSpec<P> rateKey(Function<? super P, ?> rateKey) {
        Stated.notNull(rateKey, "rate key function", "must return the rate key of a payload");
        return with(IntStream.range(0, drafts.size())
                .mapToObj(i -> drafts.get(i).withRateKey(rateKey.apply(payloads.get(i))))
                .toList());
    }

    @Override
    public BulkSpec<P> fairKey(Function<? super P, ? extends @Nullable Object> fairKey) {
        Stated.notNull(fairKey, "fair key function", "must return the fair key of a payload");
        return with(IntStream.range(0, drafts.size())
                .mapToObj(i -> drafts.get(i).withFairKeyOf(fairKey.apply(payloads.get(i))))
                .toList());
    }

    @Override
    public BulkSpec<P> label(String label) {
        return with(draft -> draft.withLabel(label));
    }

    @Override
    public BulkSpec<P> group(String name) {
        writer.groups().check(name);
        return with(draft -> draft.withGroup(name));
    }

    @Override
    public BulkSpec<P> spreadOver(Duration duration) {
        return new BulkJobSpec<>(payloads, drafts, Planner.checkSpread(duration), planner, writer);
    }

    @Override
    public List<Scheduled> now() {
        return write(planner.now());
    }

    @Override
    public List<Scheduled> after(Duration delay) {
        return write(planner.after(delay));
    }

    @Override
    public List<Scheduled> at(Instant instant) {
        return write(planner.at(instant));
    }

    private List<Scheduled> write(JobPlan first) {
        return writer.write(drafts, planner.spread(first, spread, drafts.size()));
    }

    private BulkSpec<P> with(UnaryOperator<Draft> change) {
        return with(drafts.stream().map(change).toList());
    }

    private BulkSpec<P> with(List<Draft> changed) {
        return new BulkJobSpec<>(payloads, changed, spread, planner, writer);
    }
}
