package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.lettuce.core.cluster.SlotHash;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where jobs lie. */
class KeyspaceTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 256, 1_024})
    void slots_lieEvenlyAmongThoseOfACluster(int slots) {
        Keyspace keys = new Keyspace("ns", slots);
        TreeSet<Integer> shares = new TreeSet<>();
        for (int slot = 0; slot < slots; slot++) {
            shares.add(SlotHash.getSlot(keys.keys(slot)) * slots / SlotHash.SLOT_COUNT);
        }

        assertThat(shares).hasSize(slots);
    }

    @Test
    void keysOfOneSlot_lieInOneSlotOfACluster_whateverTheNamespace() {
        Keyspace keys = new Keyspace("ns", 16);
        JobId id = JobId.create(1_000, new Random(1));
        int slot = keys.slotOf(id);

        assertThat(new int[] {
                    SlotHash.getSlot(keys.attempts(id)),
                    SlotHash.getSlot(keys.ended(slot, JobState.FAILED)),
                    SlotHash.getSlot(new Keyspace("other", 16).keys(slot))
                })
                .containsOnly(SlotHash.getSlot(keys.row(id)));
    }

    @Test
    void idOfAKeyedJob_leadsToTheSlotOfItsKey_andKeepsItsTime() {
        Keyspace keys = new Keyspace("ns", 64);
        Random random = new Random(2);

        IntStream.range(0, 200).forEach(i -> {
            JobId id = keys.idFor(JobId.create(1_000 + i, random), "mail", "key-" + i);
            assertThat(keys.slotOf(id)).isEqualTo(keys.slotOf("mail", "key-" + i));
            assertThat(id.madeAtMillis()).isEqualTo(1_000 + i);
        });
    }

    @Test
    void givenIds_lieInAllSlots_andKeepTheirVersionIfTheyMove() {
        Keyspace keys = new Keyspace("ns", 16);
        TreeSet<Integer> slots = new TreeSet<>();

        IntStream.range(0, 500).forEach(i -> {
            JobId given = new JobId(UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}));
            slots.add(keys.slotOf(given));
            JobId moved = keys.idFor(given, "mail", "key-" + i);
            assertThat(keys.slotOf(moved)).isEqualTo(keys.slotOf("mail", "key-" + i));
            assertThat(moved.value().version()).isEqualTo(given.value().version());
            assertThat(moved.value().variant()).isEqualTo(given.value().variant());
            assertThat(keys.idFor(moved, "mail", "key-" + i)).isEqualTo(moved);
        });
        assertThat(slots).hasSize(16);
    }
}
