package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.ClaimKeys;
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

/** Checks that each row contains the job's rate key, because an engine needs this key before a claim. */
interface RateKeyContract extends GivenStore {

    /** A rate key of the maximum length; some of its characters are stored as two characters. */
    String KEY = "\\".repeat(60) + "\u65e5".repeat(40);

    @Test
    default void rateKey_comesWithWaitingAndRunningRows() {
        Job waiting = given().waiting(keyed());
        given().waiting(given().job());

        assertThat(keys(given().waitingRows())).containsExactlyInAnyOrder(KEY, null);
        assertThat(keys(PageWalk.rows(
                        given().overduePages(List.of(JobDraft.PARTITION), Set.of(JobDraft.NAME), 10, 100))))
                .containsExactlyInAnyOrder(KEY, null);

        Job running = given().claim(waiting);

        assertThat(running.rateKey()).isEqualTo(KEY);
        assertThat(PageWalk.rows(given().claimedPages(
                                List.of(PartitionCursor.start(JobDraft.PARTITION)), StoreScenario.NOW, Set.of(), 10)))
                .extracting(ClaimedRow::row)
                .containsExactly(running.toDueRow());
    }

    @Test
    default void rateKey_comesWithEachRowThatIsHandedOver() {
        Job job = given().waiting(keyed().key("1"));
        given().store().reschedule(job.id(), StoreScenario.NOW, given().token(), given().sink());
        given().store()
                .rescheduleAll(List.of(new JobMove(job.id(), StoreScenario.NOW)), given().token(), given().sink());
        given().submit(keyed().key("1", OnExisting.REPLACE));
        given().submit(given().job().key("1", OnExisting.POSTPONE));
        Job failed = given().failed(keyed());
        given().store().retry(failed.id(), StoreScenario.NOW, given().token(), given().sink());
        Job another = given().failed(keyed());
        given().store()
                .retryAll(List.of(new JobMove(another.id(), StoreScenario.NOW)), given().token(), given().sink());
        Job lost = given().lost(keyed());

        assertThat(keys(given().handedOver())).hasSizeGreaterThanOrEqualTo(9).containsOnly(KEY);
        assertThat(keys(given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token())))
                .containsExactly(KEY);
    }

    @Test
    default void rateKey_comesTogetherWithAMutex() {
        given().waiting(given().job()
                .extras(JobExtras.NONE
                        .withMutex(KEY)
                        .withRateKey(KEY)
                        .withLabel("customer:42")
                        .withResultMissing("r".repeat(9_000))
                        .toText()));

        assertThat(given().waitingRows()).extracting(DueRow::keys).containsExactly(new ClaimKeys(KEY, KEY, null));
        assertThat(given().handedOver()).extracting(DueRow::keys).containsExactly(new ClaimKeys(KEY, KEY, null));
    }

    private JobDraft keyed() {
        return given().job().extras(JobExtras.NONE.withRateKey(KEY).toText());
    }

    private static List<String> keys(List<DueRow> rows) {
        return rows.stream().map(DueRow::rateKey).toList();
    }
}
