package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the two reads of waiting rows: rows that are due soon, and overdue rows. */
interface PreloadContract extends GivenStore {

    Partition P0 = new Partition("default", 0);
    Partition P1 = new Partition("default", 1);
    Comparator<DueRow> BY_DUE_TIME = Comparator.comparingLong(DueRow::dueMillis).thenComparing(DueRow::id);

    @Test
    default void dueAfter_answersWaitingRowsInTheOrderOfDueTimeAndId() {
        Random random = new Random(11);
        List<JobDraft> drafts = IntStream.range(0, 200)
                .mapToObj(i -> given().job().at(StoreScenario.NOW.plusMillis(random.nextInt(20))))
                .toList();
        given().submit(drafts);

        List<DueRow> rows = dueAfter(PartitionCursor.start(P0), StoreScenario.NOW.plusMillis(9), 1_000);

        assertThat(rows)
                .containsExactlyElementsOf(given().handedOver().stream()
                        .filter(row -> row.dueMillis()
                                <= StoreScenario.NOW.plusMillis(9).toEpochMilli())
                        .sorted(BY_DUE_TIME)
                        .toList());
    }

    @Test
    default void dueAfter_includesWhatIsDueAtThatVeryMillisecond() {
        Job at = given().waiting(given().job().at(StoreScenario.NOW));
        given().waiting(given().job().at(StoreScenario.NOW.plusMillis(1)));

        assertThat(dueAfter(PartitionCursor.start(P0), StoreScenario.NOW, 10))
                .extracting(DueRow::id)
                .containsExactly(at.id());
    }

    @Test
    default void dueAfter_pagesWithoutRepeatingOrMissingARow() {
        Random random = new Random(12);
        given().submit(IntStream.range(0, 101)
                .mapToObj(i -> given().job()
                        .in(random.nextInt(3) == 0 ? P1 : P0)
                        .at(StoreScenario.NOW.plusMillis(random.nextInt(5))))
                .toList());

        for (int limit : new int[] {1, 7, 1_000}) {
            List<DuePage<DueRow>> pages = PageWalk.pages(
                    List.of(PartitionCursor.start(P0), PartitionCursor.start(P1)),
                    from -> given().store().dueAfter(from, StoreScenario.NOW.plusSeconds(1), limit));

            assertThat(PageWalk.rows(pages))
                    .as("%d rows at a time", limit)
                    .containsExactlyInAnyOrderElementsOf(given().handedOver());
        }
    }

    @Test
    default void dueAfter_findsRowsBehindRunningOnes() {
        IntStream.range(0, 20).forEach(i -> given().running(given().job()));
        Job waiting = given().waiting(given().job());

        assertThat(dueAfter(PartitionCursor.start(P0), StoreScenario.NOW, 2))
                .extracting(DueRow::id)
                .containsExactly(waiting.id());
    }

    @Test
    default void dueAfter_behindACursorLeavesOutAllThatIsDueThen() {
        given().waiting(given().job().at(StoreScenario.NOW.minusMillis(1)));
        given().waiting(given().job().at(StoreScenario.NOW));
        Job later = given().waiting(given().job().at(StoreScenario.NOW.plusMillis(1)));

        assertThat(dueAfter(PartitionCursor.behind(P0, StoreScenario.NOW.toEpochMilli()), Transition.LAST_INSTANT, 10))
                .extracting(DueRow::id)
                .containsExactly(later.id());
    }

    @Test
    default void dueAfter_limitsEachPartitionByItself() {
        given().submit(IntStream.range(0, 5).mapToObj(i -> given().job().in(P0)).toList());
        given().submit(IntStream.range(0, 5).mapToObj(i -> given().job().in(P1)).toList());

        List<DuePage<DueRow>> pages = PageWalk.pages(
                List.of(PartitionCursor.start(P0), PartitionCursor.start(P1)),
                from -> given().store().dueAfter(from, StoreScenario.NOW, 3));

        for (Partition partition : List.of(P0, P1)) {
            assertThat(pages)
                    .allSatisfy(page -> assertThat(page.rows())
                            .filteredOn(row -> row.partition().equals(partition))
                            .hasSizeLessThanOrEqualTo(3));
            assertThat(PageWalk.rows(pages))
                    .filteredOn(row -> row.partition().equals(partition))
                    .hasSize(5);
        }
    }

    @Test
    default void dueAfter_keepsACursorForEachPartition() {
        Job first = given().waiting(given().job().in(P0));
        Job second = given().waiting(given().job().in(P0));
        Job other = given().waiting(given().job().in(P1));
        PartitionCursor afterFirst = new PartitionCursor(P0, StoreScenario.NOW.toEpochMilli(), first.id());

        assertThat(given().dueAfter(List.of(afterFirst, PartitionCursor.start(P1)), StoreScenario.NOW, 10))
                .extracting(DueRow::id)
                .containsExactlyInAnyOrder(second.id(), other.id());
    }

    @Test
    default void dueAfter_readsOnlyThePartitionsOfTheCursors() {
        given().waiting(given().job().in(new Partition("mail", 0)));
        given().waiting(given().job().in(P1));

        assertThat(dueAfter(PartitionCursor.start(P0), Transition.LAST_INSTANT, 10))
                .isEmpty();
        assertThat(given().store().dueAfter(List.of(), Transition.LAST_INSTANT, 10))
                .isEqualTo(DuePage.none());
    }

    @Test
    default void dueAfter_leavesOutRunningAndEndedJobs() {
        given().running(given().job());
        given().finished(given().job());
        given().store().cancel(given().waiting(given().job()).id(), StoreScenario.NOW);

        assertThat(dueAfter(PartitionCursor.start(P0), Transition.LAST_INSTANT, 10))
                .isEmpty();
    }

    @Test
    default void dueAfter_findsRowsBefore1970AndInTheYear9999() {
        Job old = given().waiting(given().job().at(Instant.parse("1950-01-01T00:00:00Z")));
        Job last = given().waiting(given().job().at(Transition.LAST_INSTANT));

        assertThat(dueAfter(PartitionCursor.start(P0), Transition.LAST_INSTANT, 10))
                .extracting(DueRow::id)
                .containsExactly(old.id(), last.id());
    }

    @Test
    default void overdue_answersTheseNamesOnly() {
        Job mail = given().waiting(given().job().name("mail"));
        given().waiting(given().job().name("unknown"));
        Job sms = given().waiting(given().job().name("sms"));
        given().waiting(given().job().name("mail").at(StoreScenario.NOW.plusMillis(1)));

        assertThat(overdue(Set.of("mail", "sms", "never-used"), 10))
                .extracting(DueRow::id)
                .containsExactly(mail.id(), sms.id());
        assertThat(overdue(Set.of(), 10)).isEmpty();
    }

    @Test
    default void overdue_looksAtALimitedNumberOfRowsOfOtherNames() {
        IntStream.range(0, 30).forEach(i -> given().waiting(given().job().name("other")));
        Job wanted = given().waiting(given().job().name("mail"));

        List<DuePage<DueRow>> pages = given().overduePages(List.of(P0), Set.of("mail"), 10, 10);

        assertThat(pages).as("pages of at most 10 rows that were looked at").hasSizeGreaterThan(3);
        assertThat(pages.get(0).rows()).isEmpty();
        assertThat(PageWalk.rows(pages)).extracting(DueRow::id).containsExactly(wanted.id());
    }

    @Test
    default void overdue_pagesWithoutRepeatingOrMissingARow() {
        Random random = new Random(13);
        given().submit(IntStream.range(0, 120)
                .mapToObj(i -> given().job()
                        .name("name-" + random.nextInt(4))
                        .in(random.nextInt(3) == 0 ? P0 : P1)
                        .at(StoreScenario.NOW.minusMillis(random.nextInt(10))))
                .toList());
        Set<String> names = Set.of("name-1", "name-3");
        List<DueRow> wanted = given().handedOver().stream()
                .filter(row -> names.contains(row.name()))
                .sorted(BY_DUE_TIME)
                .toList();

        for (int[] bounds : new int[][] {{1, 1}, {1, 7}, {3, 3}, {3, 7}, {7, 40}, {40, 40}, {200, 200}}) {
            List<DuePage<DueRow>> pages = given().overduePages(List.of(P0, P1), names, bounds[0], bounds[1]);

            assertThat(PageWalk.rows(pages))
                    .as("%d of %d rows at a time", bounds[0], bounds[1])
                    .containsExactlyInAnyOrderElementsOf(wanted);
        }
    }

    @Test
    default void overdue_takesManyNames() {
        Set<String> names = new HashSet<>();
        IntStream.range(0, 2_000).forEach(i -> names.add("name-" + i));
        given().waiting(given().job().name("name-1999"));

        assertThat(overdue(names, 10)).hasSize(1);
    }

    @Test
    default void overdue_startsBehindItsCursor() {
        Job first = given().waiting(given().job());
        Job second = given().waiting(given().job());

        assertThat(PageWalk.rows(PageWalk.pages(
                        List.of(PartitionCursor.at(first.toDueRow())),
                        from -> given().store().overdue(from, StoreScenario.NOW, Set.of(JobDraft.NAME), 10, 100))))
                .extracting(DueRow::id)
                .containsExactly(second.id());
    }

    @Test
    default void firstDue_answersTheEarliestWaitingRowOfEachPartition() {
        for (Partition partition : List.of(P0, P1)) {
            given().running(given().job().in(partition).due(StoreScenario.NOW.minusMillis(30)));
            IntStream.range(0, 3)
                    .forEach(i ->
                            given().waiting(given().job().in(partition).due(StoreScenario.NOW.minusMillis(9 - i))));
        }

        assertThat(given().store().firstDue(List.of(P0, P1), StoreScenario.NOW, 1))
                .allSatisfy(row -> assertThat(row.partition()).isIn(P0, P1))
                .filteredOn(row ->
                        row.dueMillis() == StoreScenario.NOW.minusMillis(9).toEpochMilli())
                .extracting(DueRow::partition)
                .containsExactlyInAnyOrder(P0, P1);
        assertThat(given().store().firstDue(List.of(), StoreScenario.NOW, 1)).isEmpty();
    }

    @Test
    default void partitionsInUse_areThoseOfUnfinishedJobs() {
        given().waiting(given().job().in(new Partition("mail", 1_023)));
        given().running(given().job().in(P1));
        given().finished(given().job().in(P0));

        assertThat(given().store().partitionsInUse()).containsOnlyKeys(new Partition("mail", 1_023), P1);
    }

    @Test
    default void partitionsInUse_tellWhenTheirEarliestUnfinishedJobIsDue() {
        Instant early = StoreScenario.NOW.minusMillis(3);
        Instant late = StoreScenario.NOW.plusSeconds(3_000_000);
        given().waiting(given().job().in(P0).due(late.plusMillis(1)));
        given().waiting(given().job().in(P0).due(late));
        given().waiting(given().job().in(P1).due(StoreScenario.NOW));
        given().running(given().job().in(P1).due(early));
        given().finished(given().job().in(P0).due(early));

        assertThat(given().store().partitionsInUse()).containsExactlyInAnyOrderEntriesOf(Map.of(P0, late, P1, early));
    }

    private List<DueRow> dueAfter(PartitionCursor cursor, Instant until, int limit) {
        return given().dueAfter(List.of(cursor), until, limit);
    }

    private List<DueRow> overdue(Set<String> names, int limit) {
        return PageWalk.rows(given().overduePages(List.of(P0), names, limit, 100));
    }
}
