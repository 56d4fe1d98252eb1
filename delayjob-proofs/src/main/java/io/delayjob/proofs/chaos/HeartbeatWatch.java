package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.LedgerLine.Event;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** The register of instances; writes down for how long a process got no answer to its heartbeats. One thread calls it. */
final class HeartbeatWatch implements InstanceStore {

    private static final Duration WORTH_A_LINE = Duration.ofMillis(500);

    private final InstanceStore register;
    private final Ledger ledger;
    private long answeredNanos = System.nanoTime();

    HeartbeatWatch(InstanceStore register, Ledger ledger) {
        this.register = register;
        this.ledger = ledger;
    }

    @Override
    public long register(String incarnation, Set<String> queues) {
        long number = register.register(incarnation, queues);
        answered();
        return number;
    }

    @Override
    public OptionalLong beat(long number, boolean stopping) {
        OptionalLong storeMicros = register.beat(number, stopping);
        answered();
        return storeMicros;
    }

    private void answered() {
        long now = System.nanoTime();
        long silence = now - answeredNanos;
        if (silence > WORTH_A_LINE.toNanos()) {
            ledger.write(LedgerLine.of(Event.SILENCE)
                    .withNote(Duration.ofNanos(silence).toMillis()));
        }
        answeredNanos = now;
    }

    @Override
    public List<InstanceRow> list() {
        return register.list();
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
