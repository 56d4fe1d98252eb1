package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Partition;
import io.delayjob.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests tables with more queues than one instance may run, with the default settings. */
class ManyQueuesTest {

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);

    @Test
    void jobsOfMoreQueuesThanAnInstanceMayRun_runQueueByQueue() {
        Cluster.Member generous = cluster.join("generous");
        for (int tenant = 1; tenant <= 6; tenant++) {
            generous.tester()
                    .operations()
                    .schedule("serve")
                    .queue("tenant-" + tenant)
                    .after(ofHours(1).plusSeconds(tenant));
        }
        generous.process().kill();
        Cluster.Member strict = strict();
        cluster.time.advance(ofMinutes(1));
        assertThat(strict.tester().engine().status().queuesLeft())
                .containsExactlyInAnyOrder("tenant-3", "tenant-4", "tenant-5", "tenant-6");
        assertThat(strict.led()).isEqualTo(3 * 8);

        cluster.time.advance(ofHours(1).plusMinutes(1));

        assertThat(calls.count()).isEqualTo(6);
        assertThat(strict.tester().engine().status().queuesLeft()).isEmpty();
        assertThat(strict.led()).isEqualTo(3 * 8);
        cluster.time.advance(ofMinutes(6));
        assertThat(strict.led()).as("leases of queues that have run empty").isEqualTo(8);
    }

    /** An application may name another queue each day. */
    @Test
    void queuesOfFormerDays_leaveMemory() {
        Cluster.Member strict = strict();
        for (int day = 1; day <= 20; day++) {
            strict.tester().operations().schedule("serve").queue("day-" + day).now();
            cluster.time.advance(ofMinutes(10));
        }

        assertThat(calls.count()).isEqualTo(20);
        assertThat(strict.tester().engine().status().workers()).containsOnlyKeys("day-20");
    }

    @Test
    void callForOneQueueTooMany_isRefused_untilAnotherQueueIsEmpty() {
        DelayJobOperations jobs = strict().tester().operations();
        jobs.schedule("serve").queue("tenant-1").after(ofHours(1));
        jobs.schedule("serve").queue("tenant-2").after(ofHours(2));

        assertThatThrownBy(() -> jobs.schedule("serve").queue("tenant-3").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid queue 'tenant-3': must be one of the 3 queues (delayjob.max-queues) "
                        + "whose jobs an instance already runs. Send the job to one of those queues, and limit "
                        + "its handler by @DelayedJob(concurrency = …). Or raise delayjob.max-queues on "
                        + "every instance.");
        jobs.schedule("serve").queue("tenant-2").now();
        cluster.time.advance(ofHours(1).plus(Duration.ofSeconds(10)));
        jobs.schedule("serve").queue("tenant-3").now();
        cluster.time.advance(ofHours(1));

        assertThat(calls.count()).isEqualTo(4);
    }

    /** The pool might have no second connection besides the connection of the caller's transaction. */
    @Test
    void callForANewQueue_makesNoFurtherRequestToTheStore() {
        AtomicInteger asked = new AtomicInteger();
        Cluster.Member strict = strict(new ForwardingStore(cluster.memory) {
            @Override
            public Map<Partition, Instant> partitionsInUse() {
                asked.incrementAndGet();
                return super.partitionsInUse();
            }
        });
        cluster.time.advance(ofMinutes(1));
        int before = asked.get();
        DelayJobOperations jobs = strict.tester().operations();
        jobs.schedule("serve").queue("tenant-1").after(ofHours(1));
        jobs.schedule("serve").queue("tenant-2").after(ofHours(1));
        assertThatThrownBy(() -> jobs.schedule("serve").queue("tenant-3").now())
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(asked).hasValue(before);
    }

    private Cluster.Member strict() {
        return strict(cluster.memory);
    }

    private Cluster.Member strict(JobStore store) {
        Cluster.Member strict = cluster.join("strict", store, settings -> settings.maxQueues(3));
        strict.tester().register(calls.named("serve"));
        return strict;
    }
}
