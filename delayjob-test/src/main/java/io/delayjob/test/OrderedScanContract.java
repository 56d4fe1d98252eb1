package io.delayjob.test;

import static io.delayjob.test.PreloadContract.BY_DUE_TIME;
import static io.delayjob.test.PreloadContract.P0;
import static io.delayjob.test.PreloadContract.P1;
import static io.delayjob.test.RescueContract.RESCUED_AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Additional tests for stores that have one common order for waiting rows and running rows. One call must read the
 * requested number of rows from this order.
 */
interface OrderedScanContract extends GivenStore {

    @Test
    default void dueAfter_answersFullPagesAndSaysWhereToGoOnAfterOneAlone() {
        given().submit(IntStream.range(0, 5).mapToObj(i -> given().job().in(P0)).toList());
        given().submit(IntStream.range(0, 2).mapToObj(i -> given().job().in(P1)).toList());

        DuePage<DueRow> page = given().store()
                .dueAfter(List.of(PartitionCursor.start(P0), PartitionCursor.start(P1)), StoreScenario.NOW, 3);

        List<DueRow> full =
                page.rows().stream().filter(row -> row.partition().equals(P0)).toList();
        assertThat(full).hasSize(3);
        assertThat(page.rows()).hasSize(5);
        assertThat(page.next()).containsExactly(PartitionCursor.at(full.get(2)));
        assertThat(given().store().dueAfter(page.next(), StoreScenario.NOW, 3).next())
                .isEmpty();
    }

    @Test
    default void claimedByOthers_looksAtSoManyRowsInTheOrderOfTheirDueTimes() {
        List<Job> lost = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            given().waiting(given().job().due(StoreScenario.NOW.minusMillis(100 - i)));
            lost.add(given().lost(given().job().due(StoreScenario.NOW.minusMillis(50 - i))));
        }
        PartitionCursor start = PartitionCursor.start(JobDraft.PARTITION);

        DuePage<ClaimedRow> waiting = claimed(List.of(start), 4);
        DuePage<ClaimedRow> three = claimed(waiting.next(), 3);
        DuePage<ClaimedRow> one = claimed(three.next(), 3);

        assertThat(waiting.rows()).isEmpty();
        assertThat(three.rows())
                .extracting(ClaimedRow::row)
                .containsExactly(
                        lost.get(0).toDueRow(),
                        lost.get(1).toDueRow(),
                        lost.get(2).toDueRow());
        assertThat(one.rows())
                .extracting(ClaimedRow::row)
                .containsExactly(lost.get(3).toDueRow());
        assertThat(one.next()).isEmpty();
    }

    @Test
    default void claimedByOthers_saysWhereToGoOnAfterAFullPageAlone() {
        Job first = given().waiting(given().job());
        PartitionCursor start = PartitionCursor.start(JobDraft.PARTITION);

        assertThat(claimed(List.of(start), 2).next()).isEmpty();
        assertThat(claimed(List.of(start), 1).next()).containsExactly(PartitionCursor.at(first.toDueRow()));
    }

    @Test
    default void claimedByOthers_looksThroughEachPartitionFromItsOwnCursorOn() {
        Partition one = new Partition("default", 1);
        Partition two = new Partition("mail", 1);
        Job passed = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(4)));
        Job behind = given().lost(given().job().in(one).due(StoreScenario.NOW.minusMillis(1)));
        Job first = given().lost(given().job().in(two).due(StoreScenario.NOW.minusMillis(3)));
        Job waiting = given().waiting(given().job().in(two).due(StoreScenario.NOW.minusMillis(2)));

        DuePage<ClaimedRow> page = claimed(
                List.of(
                        PartitionCursor.at(passed.toDueRow()),
                        PartitionCursor.start(two),
                        PartitionCursor.start(new Partition("nobody's", 1))),
                2);

        assertThat(page.rows()).extracting(ClaimedRow::row).containsExactly(first.toDueRow(), behind.toDueRow());
        assertThat(page.next())
                .as("a full page of one partition means that the others are done")
                .containsExactly(PartitionCursor.at(waiting.toDueRow()));
    }

    @Test
    default void overdue_countsOnlyTheseNamesTowardsItsLimit() {
        given().submit(IntStream.range(0, 50)
                .mapToObj(i -> given().job().name("unknown"))
                .toList());
        given().submit(IntStream.range(0, 5)
                .mapToObj(i -> given().job().name("mail"))
                .toList());

        assertThat(given().overduePages(List.of(P0), Set.of("mail"), 3, 100)
                        .get(0)
                        .rows())
                .extracting(DueRow::name)
                .containsExactly("mail", "mail", "mail");
    }

    @Test
    default void overdue_looksAtNoMoreRowsThanItIsAskedTo() {
        given().submit(IntStream.range(0, 50)
                .mapToObj(i -> given().job().name("unknown"))
                .toList());
        Job mail = given().waiting(given().job().name("mail"));
        List<DuePage<DueRow>> pages = given().overduePages(List.of(P0), Set.of("mail"), 3, 20);

        assertThat(pages).hasSize(3);
        assertThat(pages.get(0).rows()).isEmpty();
        assertThat(pages.get(0).next())
                .as("after the twentieth row")
                .containsExactly(PartitionCursor.at(given().handedOver().stream()
                        .sorted(BY_DUE_TIME)
                        .toList()
                        .get(19)));
        assertThat(pages.get(2).rows()).extracting(DueRow::id).containsExactly(mail.id());
    }

    @Test
    default void overdue_looksAtRunningRowsAsWell() {
        IntStream.range(0, 5).forEach(i -> given().running(given().job()));
        Job waiting = given().waiting(given().job());
        List<DuePage<DueRow>> pages = given().overduePages(List.of(P0), Set.of(JobDraft.NAME), 4, 4);

        assertThat(pages).hasSize(2);
        assertThat(pages.get(0).rows()).isEmpty();
        assertThat(pages.get(1).rows()).extracting(DueRow::id).containsExactly(waiting.id());
    }

    @Test
    default void overdue_isThroughWhereTheRowsEnd() {
        given().submit(IntStream.range(0, 4).mapToObj(i -> given().job()).toList());

        assertThat(given().overduePages(List.of(P0, P1), Set.of(JobDraft.NAME), 5, 5))
                .hasSize(1);
    }

    private DuePage<ClaimedRow> claimed(List<PartitionCursor> cursors, int limit) {
        return given().store().claimedByOthers(cursors, RESCUED_AT, Set.of(), limit);
    }
}
