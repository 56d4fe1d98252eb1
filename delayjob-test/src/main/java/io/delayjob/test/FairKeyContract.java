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

/** Checks that each row contains the job's fair key, because an engine needs this key before a claim. */
interface FairKeyContract extends GivenStore {

    /** A fair key of the maximum length; some of its characters are stored as two characters. */
    String FAIR_KEY = "\\".repeat(70) + "\u65e5".repeat(30);

    @Test
    default void fairKey_comesWithWaitingAndRunningRows() {
        Job waiting = given().waiting(keyed());
        given().waiting(given().job());

        assertThat(fairKeys(given().waitingRows())).containsExactlyInAnyOrder(FAIR_KEY, null);
        assertThat(fairKeys(PageWalk.rows(
                        given().overduePages(List.of(JobDraft.PARTITION), Set.of(JobDraft.NAME), 10, 100))))
                .containsExactlyInAnyOrder(FAIR_KEY, null);

        Job running = given().claim(waiting);

        assertThat(running.toDueRow().fairKey()).isEqualTo(FAIR_KEY);
        assertThat(PageWalk.rows(given().claimedPages(
                                List.of(PartitionCursor.start(JobDraft.PARTITION)), StoreScenario.NOW, Set.of(), 10)))
                .extracting(ClaimedRow::row)
                .containsExactly(running.toDueRow());
    }

    @Test
    default void fairKey_comesWithEachRowThatIsHandedOver() {
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

        assertThat(given().handedOver()).hasSizeGreaterThanOrEqualTo(9);
        assertThat(fairKeys(given().handedOver())).containsOnly(FAIR_KEY);
    }

    @Test
    default void fairKey_comesWithARescuedRow() {
        Job lost = given().lost(keyed());

        assertThat(fairKeys(given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token())))
                .containsExactly(FAIR_KEY);
    }

    @Test
    default void longestKeys_comeTogether_inARowOfManyLongTexts() {
        String longest = "\\".repeat(ClaimKeys.MAX_LENGTH);
        String extras = JobExtras.NONE
                .withMutex(longest)
                .withRateKey(longest)
                .withFairKey(longest)
                .withLabel("customer:42")
                .withResultMissing("r".repeat(9_000))
                .toText();
        given().waiting(given().job()
                .key("\u65e5".repeat(200))
                .trace("t".repeat(300))
                .extras(extras));

        ClaimKeys keys = new ClaimKeys(longest, longest, longest);
        assertThat(given().waitingRows()).extracting(DueRow::keys).containsExactly(keys);
        assertThat(given().handedOver()).extracting(DueRow::keys).containsExactly(keys);
    }

    private JobDraft keyed() {
        return given().job().extras(JobExtras.NONE.withFairKey(FAIR_KEY).toText());
    }

    private static List<String> fairKeys(List<DueRow> rows) {
        return rows.stream().map(DueRow::fairKey).toList();
    }
}
