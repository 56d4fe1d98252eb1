package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobMove;
import io.delayjob.job.OnExisting;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.PartitionCursor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks that each row contains the job's mutex, because an engine needs the mutex before a claim. */
interface MutexContract extends GivenStore {

    /** A mutex of the maximum length; some of its characters are stored as two characters. */
    String MUTEX = "\\".repeat(60) + "\u65e5".repeat(40);

    @Test
    default void mutex_comesWithWaitingAndRunningRows() {
        Job waiting = given().waiting(mutexed());
        given().waiting(given().job());

        assertThat(mutexes(given().waitingRows())).containsExactlyInAnyOrder(MUTEX, null);
        assertThat(mutexes(PageWalk.rows(
                        given().overduePages(List.of(JobDraft.PARTITION), Set.of(JobDraft.NAME), 10, 100))))
                .containsExactlyInAnyOrder(MUTEX, null);

        Job running = given().claim(waiting);

        assertThat(running.mutex()).isEqualTo(MUTEX);
        assertThat(PageWalk.rows(given().claimedPages(
                                List.of(PartitionCursor.start(JobDraft.PARTITION)), StoreScenario.NOW, Set.of(), 10)))
                .extracting(ClaimedRow::row)
                .containsExactly(running.toDueRow());
    }

    @Test
    default void mutex_comesWithEachRowThatIsHandedOver() {
        Job job = given().waiting(mutexed().key("1"));
        given().store().reschedule(job.id(), StoreScenario.NOW, given().token(), given().sink());
        given().store()
                .rescheduleAll(List.of(new JobMove(job.id(), StoreScenario.NOW)), given().token(), given().sink());
        given().submit(mutexed().key("1", OnExisting.REPLACE));
        given().submit(given().job().key("1", OnExisting.POSTPONE));
        Job failed = given().failed(mutexed());
        given().store().retry(failed.id(), StoreScenario.NOW, given().token(), given().sink());
        Job another = given().failed(mutexed());
        assertThat(given().store()
                        .retryAll(
                                List.of(new JobMove(another.id(), StoreScenario.NOW)), given().token(), given().sink()))
                .containsExactly(ChangeResult.CHANGED);

        assertThat(given().handedOver()).hasSizeGreaterThanOrEqualTo(9);
        assertThat(mutexes(given().handedOver())).containsOnly(MUTEX);
    }

    @Test
    default void mutex_isReplacedWithTheJob() {
        given().waiting(mutexed().key("1"));
        given().forgetHandedOver();

        given().submit(given().job().key("1", OnExisting.REPLACE));

        assertThat(mutexes(given().handedOver())).containsOnlyNulls();
        assertThat(mutexes(given().waitingRows())).containsOnlyNulls();
    }

    @Test
    default void mutex_comesWithARescuedRow() {
        Job lost = given().lost(mutexed());

        assertThat(mutexes(given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token())))
                .containsExactly(MUTEX);
    }

    @Test
    default void mutex_comesWithARowOfManyLongTexts() {
        given().waiting(mutexed()
                .name("\u65e5".repeat(100))
                .key("\u65e5".repeat(200))
                .payload("\"" + "x".repeat(5_000) + "\"")
                .retry("gaps:" + "PT10S,".repeat(400) + "PT10S")
                .trace("t".repeat(300))
                .extras(JobExtras.NONE
                        .withMutex(MUTEX)
                        .withLabel("customer:42")
                        .withResultMissing("r".repeat(9_000))
                        .toText()));

        assertThat(mutexes(given().waitingRows())).containsExactly(MUTEX);
    }

    @Test
    default void otherAttributes_areNoMutex() {
        given().waiting(given().job().extras("expires PT10M\nlabel alone 7"));
        given().waiting(given().job().extras("aloneness 7"));
        given().waiting(given().job().trace("alone 7"));

        assertThat(mutexes(given().waitingRows())).hasSize(3).containsOnlyNulls();
        assertThat(mutexes(given().handedOver())).containsOnlyNulls();
    }

    private JobDraft mutexed() {
        return given().job().extras(JobExtras.NONE.withMutex(MUTEX).toText());
    }

    private static List<String> mutexes(List<DueRow> rows) {
        return rows.stream().map(DueRow::mutex).toList();
    }
}
