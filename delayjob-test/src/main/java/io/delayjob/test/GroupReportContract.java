package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the whole cluster reports the end of each group exactly once, so that ends can be counted. */
interface GroupReportContract extends GivenStore {

    private GivenGroups groups() {
        return GivenGroups.of(given());
    }

    @Test
    default void endOfAGroup_isReportedOnce_withItsFinalNumbers() {
        GivenGroups groups = groups();
        GroupRef closed = groups.open("closed");
        GroupRef cancelled = groups.open("cancelled");
        GroupRef open = groups.open("open");
        Job finishing = given().running(groups.member(closed));
        Job failing = given().running(groups.member(closed));
        Job ofCancelled = given().running(groups.member(cancelled));
        given().finished(groups.member(open));
        groups.store().close(closed, groups.follower("done"));
        groups.store().cancel(cancelled);
        given().complete(given().completing(finishing));
        assertThat(groups.ended()).isEmpty();

        given().complete(given().completing(failing).failed("boom"));
        given().complete(given().completing(ofCancelled));

        assertThat(groups.ended()).containsExactlyInAnyOrder(groups.status(closed), groups.status(cancelled));
        assertThat(groups.status(closed).counts()).isEqualTo(new GroupCounts(2, 1, 1, 0));
        assertThat(groups.status(cancelled).state()).isEqualTo(GroupState.CANCELLED);
        assertThat(groups.ended()).isEmpty();
    }

    @Test
    default void fold_reportsAfterItsCommit_andWithoutALock() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        given().finished(groups.member(group));
        groups.store().close(group, groups.follower("next"));
        List<Object> seen = new ArrayList<>();

        groups.fold(
                rows -> rows.forEach(row -> seen.add(CallbackContract.byAnotherThread(
                        () -> given().find(row.id()).state()))),
                ended -> seen.add(CallbackContract.byAnotherThread(
                        () -> groups.status(group).state())));

        assertThat(seen).containsExactlyInAnyOrder(JobState.DELAYED, GroupState.ENDED);
    }

    @Test
    default void endOfAGroup_isReportedToOneOfSeveralInstances() {
        GivenGroups groups = groups();
        List<GroupRef> all =
                IntStream.range(0, 50).mapToObj(i -> groups.open("import-" + i)).toList();
        all.forEach(group -> {
            given().finished(groups.member(group));
            groups.store().close(group, null);
        });
        Queue<GroupStatus> ended = new ConcurrentLinkedQueue<>();

        // Each instance has its own thread, because the common pool of a machine with two cores has only one.
        CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(
                                () -> ended.addAll(groups.ended()), task -> new Thread(task, "instance").start()))
                        .limit(3)
                        .toArray(CompletableFuture[]::new))
                .join();
        ended.addAll(groups.ended());

        assertThat(ended).extracting(GroupStatus::group).containsExactlyInAnyOrderElementsOf(all);
    }
}
