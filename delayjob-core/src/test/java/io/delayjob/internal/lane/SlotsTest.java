package io.delayjob.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.limit.Leases;
import io.delayjob.internal.limit.Limits;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {

    private final HandClock clock = new HandClock();

    @Test
    void claim_whenAThousandHandlersHaveRunAndOneHasRows_looksAtThatOneOnly() {
        Tickets tickets = new Tickets(new Room(1_000), clock, () -> {});
        Limits limits = new Limits(
                new HandlerRegistry(),
                EngineSettings.defaults("one#1"),
                clock,
                new Leases(8, queue -> 8, partition -> 1, () -> {}));
        Slots slots = new Slots("default", 4);
        List<Lane> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Handler handler = Handler.named("h" + i).calls((arguments, job) -> null);
            all.add(new Lane(tickets, handler, slots, limits.of(handler, "default"), Duration.ofSeconds(1)));
        }
        Lane busy = all.get(700);
        DueRow row = new DueRow(GivenJob.id(1), new Partition("default", 0), "h700", clock.storeMillis(), 1, null);

        busy.add(new Ticket(busy, row, 0, Ticket.Kind.ON_TIME), Long.MAX_VALUE);

        List<Lane> looks = new ArrayList<>();
        slots.claim(lane -> {
            looks.add(lane);
            return null;
        });
        assertThat(looks).containsExactly(busy);
    }
}
