package io.delayjob.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlotDealTest {

    @Property
    void slots_areDealtOutCompletelyAndEvenly(
            @ForAll @IntRange(min = 1, max = 1_000) int slots,
            @ForAll @IntRange(min = 1, max = 64) int partitions,
            @ForAll String name) {
        SlotDeal deal = SlotDeal.of(limited(name, slots), partitions);

        int[] dealt = IntStream.range(0, partitions).map(deal::slotsOf).toArray();

        assertThat(IntStream.of(dealt).sum()).isEqualTo(slots);
        assertThat(IntStream.of(dealt))
                .allMatch(each -> each - slots / partitions == 0 || each - slots / partitions == 1);
    }

    @Property
    void everyPartitionWithASlot_isSelectedByItsShareOfTheHashes(
            @ForAll @IntRange(min = 1, max = 200) int slots,
            @ForAll @IntRange(min = 1, max = 64) int partitions,
            @ForAll String name) {
        SlotDeal deal = SlotDeal.of(limited(name, slots), partitions);
        int[] selected = new int[partitions];
        for (int hash = -slots; hash < slots; hash++) {
            selected[deal.partitionOf(hash)]++;
        }
        for (int partition = 0; partition < partitions; partition++) {
            assertThat(selected[partition]).isEqualTo(2 * deal.slotsOf(partition));
        }
    }

    /**
     * So instances with two limits never own more slots together than the higher limit, however the leases are spread.
     */
    @Property
    void higherLimit_takesNoSlotFromAPartition(
            @ForAll @IntRange(min = 1, max = 200) int slots,
            @ForAll @IntRange(min = 1, max = 200) int more,
            @ForAll @IntRange(min = 1, max = 64) int partitions) {
        SlotDeal low = SlotDeal.of(limited("work", slots), partitions);
        SlotDeal high = SlotDeal.of(limited("work", slots + more), partitions);

        assertThat(IntStream.range(0, partitions))
                .allMatch(partition -> low.slotsOf(partition) <= high.slotsOf(partition));
    }

    @Test
    void largestLimit_doesNotOverflow() {
        SlotDeal deal = new SlotDeal(Integer.MAX_VALUE - 1, 3, 64);
        assertThat(IntStream.range(0, 64).mapToLong(deal::slotsOf).sum()).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(deal.partitionOf(-1)).isBetween(0, 63);
    }

    @Test
    void handlersWithOneSlot_useDifferentPartitions() {
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            used.add(SlotDeal.of(limited("handler-" + i, 1), 8).partitionOf(0));
        }
        assertThat(used).hasSizeGreaterThan(4);
    }

    @Test
    void partitionBeyondTheConfiguredNumber_hasNoSlot() {
        assertThat(SlotDeal.of(limited("work", 20), 8).slotsOf(8)).isZero();
    }

    @Test
    void handlerWithoutALimitInTheCluster_hasNoDeal() {
        assertThat(SlotDeal.of(Handler.named("work").concurrency(3).calls((arguments, job) -> null), 8))
                .isNull();
    }

    private static Handler limited(String name, int slots) {
        String valid = "x" + Integer.toHexString(name.hashCode());
        return Handler.named(valid)
                .concurrency(slots)
                .scope(ConcurrencyScope.CLUSTER)
                .calls((arguments, job) -> null);
    }
}
