package io.delayjob.proofs.chaos;

import io.delayjob.job.JobId;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the heartbeats. If no heartbeat is answered for a while, the length of this silence is written to the ledger.
 * One thread uses this object.
 *
 * <p>The length of a silence is counted from the time just before the last answered request. The reason is that other
 * instances count from the time when this request takes effect, and not from the time of its answer.
 */
final class HeartbeatWatch implements InstanceStore {

    private static final Duration WORTH_A_LINE = Duration.ofMillis(500);

    private final InstanceStore register;
    private final Ledger ledger;
    private long requestedNanos = System.nanoTime();

    HeartbeatWatch(InstanceStore register, Ledger ledger) {
        this.register = register;
        this.ledger = ledger;
    }

    @Override
    public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
        long request = System.nanoTime();
        long number = register.register(incarnation, queues, handlers);
        answered(request);
        return number;
    }

    @Override
    public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
        long request = System.nanoTime();
        OptionalLong storeMicros = register.beat(number, stopping, vitals);
        answered(request);
        return storeMicros;
    }

    private void answered(long request) {
        long silence = System.nanoTime() - requestedNanos;
        if (silence > WORTH_A_LINE.toNanos()) {
            ledger.write(LedgerLine.of(Event.SILENCE)
                    .withNote(Duration.ofNanos(silence).toMillis()));
        }
        requestedNanos = request;
    }

    @Override
    public ClusterView look(long number) {
        return register.look(number);
    }

    @Override
    public List<InstanceRow> list() {
        return register.list();
    }

    @Override
    public Map<Long, Set<Set<String>>> handlersByInstance() {
        return register.handlersByInstance();
    }

    @Override
    public void forgetCancellations(long number, Collection<JobId> jobs) {
        register.forgetCancellations(number, jobs);
    }

    @Override
    public void acknowledgePauses(long number, long fingerprint) {
        register.acknowledgePauses(number, fingerprint);
    }

    @Override
    public boolean remove(long number, long beats) {
        return register.remove(number, beats);
    }

    @Override
    public void deregister(long number) {
        register.deregister(number);
    }
}
