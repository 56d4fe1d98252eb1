package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.JobPlacement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks that the store decides the partition of a job, and always places the same job in the same way. */
interface PlacementContract extends GivenStore {

    @Test
    default void place_changesNothingButTheIdAndTheIndexOfThePartition() {
        for (int i = 0; i < 100; i++) {
            NewJob proposed = proposed(given().id(), new Partition("mail", i), "order-" + i);

            NewJob placed = placement().place(proposed);

            assertThat(placed)
                    .usingRecursiveComparison()
                    .ignoringFields("id", "partition")
                    .isEqualTo(proposed);
            assertThat(placed.partition().queue()).isEqualTo("mail");
            assertThat(placed.id().madeAtMillis()).isEqualTo(proposed.id().madeAtMillis());
            assertThat(placed.id().value().version()).isEqualTo(7);
            assertThat(placed.id().value().variant()).isEqualTo(2);
        }
    }

    @Test
    default void place_ofAPlacedJobChangesNothing() {
        for (int i = 0; i < 100; i++) {
            NewJob placed =
                    placement().place(proposed(given().id(), new Partition("mail", i), i % 2 == 0 ? null : "k" + i));

            assertThat(placement().place(placed)).isEqualTo(placed);
        }
    }

    @Test
    default void place_leavesAJobWithoutKeyInTheProposedPartition() {
        for (int i : new int[] {0, 1, 7, 1_023}) {
            Partition proposed = new Partition("mail", i);

            assertThat(placement().place(proposed(given().id(), proposed, null)).partition())
                    .isEqualTo(proposed);
        }
    }

    @Test
    default void submit_writesAJobWhereItWasPlaced() {
        NewJob keyed = given().job().in(new Partition("mail", 5)).key("42").toNewJob();
        NewJob unkeyed = given().job().in(new Partition("mail", 5)).toNewJob();

        given().store().submit(List.of(keyed, unkeyed), given().sink());

        assertThat(given().find(keyed.id()).partition()).isEqualTo(keyed.partition());
        assertThat(given().find(unkeyed.id()).partition()).isEqualTo(unkeyed.partition());
        assertThat(given().waitingRows(keyed.partition())).contains(keyed.toDueRow());
        assertThat(given().waitingRows(unkeyed.partition())).contains(unkeyed.toDueRow());
    }

    @Test
    default void find_ofAnIdThatWasNeverPlacedFindsNothing() {
        given().submit(given().job());

        assertThat(given().store().find(given().id())).isEmpty();
    }

    private static NewJob proposed(JobId id, Partition partition, @Nullable String key) {
        return new NewJob(
                id,
                partition,
                JobTask.of(JobDraft.NAME).withKey(key),
                JobPlan.once(StoreScenario.NOW, StoreScenario.NOW),
                OnExisting.KEEP,
                42);
    }

    private JobPlacement placement() {
        return given().store().placement();
    }
}
