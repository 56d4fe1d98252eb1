package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that a group ends when all members have ended. The group's follower must then be written exactly once. */
interface GroupContract extends GivenStore {

    private GivenGroups groups() {
        return GivenGroups.of(given());
    }

    @Test
    default void groupOfANewName_isOpen_andOneOfAKnownNameIsFound() {
        GivenGroups groups = groups();
        assertThat(groups.store().find("import")).isEmpty();

        GroupRef group = groups.open("import");

        assertThat(groups.open("import")).isEqualTo(group);
        assertThat(groups.open("Import ")).isNotEqualTo(group);
        assertThat(groups.status(group))
                .isEqualTo(new GroupStatus(group, GroupState.OPEN, GroupCounts.NONE, GivenGroups.CREATED, null));
    }

    @Test
    default void closedGroup_endsAfterItsLastMember_andItsJobIsWrittenOnce() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job first = given().running(groups.member(group));
        Job second = given().running(groups.member(group));
        GroupJob follower = groups.follower("done");
        assertThat(groups.store().close(group, follower)).isEqualTo(GroupState.OPEN);
        given().complete(given().completing(first));

        assertThat(groups.fold()).isEmpty();
        assertThat(groups.status(group).state()).isEqualTo(GroupState.CLOSED);
        assertThat(given().store().find(follower.id())).isEmpty();

        given().complete(given().completing(second).failed("boom"));
        assertThat(groups.fold()).extracting(row -> row.id()).containsExactly(follower.id());

        Job written = given().find(follower.id());
        assertThat(written.state()).isEqualTo(JobState.DELAYED);
        assertThat(written.task()).isEqualTo(follower.task());
        assertThat(written.partition()).isEqualTo(follower.partition());
        assertThat(written.retry()).isEqualTo(follower.retry());
        assertThat(written.dueAt()).isEqualTo(GivenGroups.LATER);
        assertThat(written.plannedAt()).isEqualTo(GivenGroups.LATER);
        assertThat(written.scheduledAt()).isEqualTo(GivenGroups.LATER);
        assertThat(given().waitingRows(follower.partition())).containsExactly(written.toDueRow());
        assertThat(groups.status(group))
                .isEqualTo(new GroupStatus(
                        group, GroupState.ENDED, new GroupCounts(2, 1, 1, 0), GivenGroups.CREATED, GivenGroups.LATER));
        given().complete(given().completing(given().claim(written)).dropped());
        assertThat(groups.fold()).isEmpty();
        assertThat(given().store().find(follower.id())).isEmpty();
    }

    @Test
    default void jobThatWaitsForTheEnd_isKnownUntilItHasItsRow() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        assertThat(groups.store().whenAllEnded(group)).isNull();
        GroupJob follower = groups.follower("done");

        groups.store().close(group, follower);

        assertThat(groups.store().whenAllEnded(group)).isEqualTo(follower);
        groups.fold();
        assertThat(groups.store().whenAllEnded(group)).isNull();
        GroupRef cancelled = groups.open("cancelled");
        groups.store().close(cancelled, groups.follower("done"));
        groups.store().cancel(cancelled);
        assertThat(groups.store().whenAllEnded(cancelled)).isNull();
        assertThat(groups.store().whenAllEnded(new GroupRef(given().id().value(), "unknown")))
                .isNull();
    }

    @Test
    default void groupThatIsClosedAfterItsLastMember_ends() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        given().finished(groups.member(group));
        groups.fold();
        assertThat(groups.status(group).state()).isEqualTo(GroupState.OPEN);
        GroupJob follower = groups.follower("done");

        groups.store().close(group, follower);

        assertThat(groups.fold()).hasSize(1);
        assertThat(groups.status(group).state()).isEqualTo(GroupState.ENDED);
    }

    @Test
    default void groupWithoutMembers_endsWhenItIsClosed() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");

        groups.assertEndsOnceClosed(group);

        assertThat(groups.counts(group)).isEqualTo(GroupCounts.NONE);
    }

    @Test
    default void closedGroup_takesFurtherMembersUntilItEnds() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job first = given().running(groups.member(group));
        groups.store().close(group, groups.follower("done"));
        Job second = given().running(groups.member(group));
        given().complete(given().completing(first));
        assertThat(groups.fold()).isEmpty();

        given().complete(given().completing(second));

        assertThat(groups.fold()).hasSize(1);
        assertThat(groups.counts(group)).isEqualTo(new GroupCounts(2, 2, 0, 0));
    }

    @Test
    default void endedGroup_refusesMembers_andWritesNothing() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        groups.assertEndsOnceClosed(group);
        JobDraft stranger = given().job();
        JobDraft late = groups.member(group);

        assertThatThrownBy(() -> given().submit(List.of(stranger, late)))
                .isInstanceOf(GroupEndedException.class)
                .hasMessageContaining("import");

        assertThat(given().store().find(stranger.toNewJob().id())).isEmpty();
        assertThat(given().waitingRows()).isEmpty();
    }

    @Test
    default void secondClose_andAJobThatComesTooLate_changeNothing() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job member = given().running(groups.member(group));
        GroupJob first = groups.follower("done");
        groups.store().close(group, first);

        assertThat(groups.store().close(group, groups.follower("other"))).isEqualTo(GroupState.CLOSED);

        given().complete(given().completing(member).failed("boom"));
        assertThat(groups.fold()).extracting(row -> row.id()).containsExactly(first.id());
        assertThat(groups.store().whenAnyFails(group, groups.follower("alarm"))).isEqualTo(GroupState.ENDED);
        assertThat(groups.store().close(group, null)).isEqualTo(GroupState.ENDED);
        assertThat(groups.store().cancel(group)).isEqualTo(GroupState.ENDED);
        assertThat(groups.fold()).isEmpty();
        assertThat(groups.status(group).state()).isEqualTo(GroupState.ENDED);
        GroupRef unknown = new GroupRef(given().id().value(), "unknown");
        assertThat(groups.store().close(unknown, null)).isNull();
        assertThat(groups.store().cancel(unknown)).isNull();
    }

    @Test
    default void jobThatWaitsForAFailure_isWrittenOnce_beforeTheOthersHaveEnded() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job failing = given().running(groups.member(group));
        Job failingToo = given().running(groups.member(group));
        Job finishing = given().running(groups.member(group));
        GroupJob alarm = groups.follower("alarm");
        groups.store().whenAnyFails(group, groups.follower("replaced"));
        assertThat(groups.store().whenAnyFails(group, alarm)).isEqualTo(GroupState.OPEN);
        given().complete(given().completing(finishing));
        assertThat(groups.fold()).isEmpty();

        given().complete(given().completing(failing).failed("boom"));
        assertThat(groups.fold()).extracting(row -> row.id()).containsExactly(alarm.id());
        given().complete(given().completing(failingToo).failed("boom"));
        assertThat(groups.fold()).isEmpty();

        assertThat(groups.store().whenAnyFails(group, groups.follower("late"))).isEqualTo(GroupState.OPEN);
        assertThat(groups.fold()).isEmpty();
    }

    @Test
    default void jobThatIsGivenAfterAFailure_isWritten() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        given().failed(groups.member(group));
        assertThat(groups.fold()).isEmpty();
        GroupJob alarm = groups.follower("alarm");

        groups.store().whenAnyFails(group, alarm);

        assertThat(groups.fold()).extracting(row -> row.id()).containsExactly(alarm.id());
    }

    @Test
    default void busyGroups_keepNoOtherGroupFromEnding() {
        GivenGroups groups = groups();
        List<GroupRef> all = IntStream.range(0, 111)
                .mapToObj(i -> groups.open("import-" + i))
                .sorted(Comparator.comparing(group -> group.id().toString()))
                .toList();
        List<GroupRef> busy = all.subList(0, 110);
        GroupRef last = all.get(110);
        groups.store().close(last, null);

        for (int pass = 0; pass < 2; pass++) {
            given().submit(busy.stream().map(groups::member).toList());
            groups.store().fold(GivenGroups.LATER, given().token(), DueSink.NONE, ended -> {});
        }

        assertThat(groups.status(last).state()).isEqualTo(GroupState.ENDED);
    }

    @Test
    default void groupWithoutFailures_writesOnlyTheJobThatFollowsIt() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        GroupJob done = groups.follower("done");
        groups.store().whenAnyFails(group, groups.follower("alarm"));
        given().finished(groups.member(group));
        groups.store().close(group, done);

        assertThat(groups.fold()).extracting(row -> row.id()).containsExactly(done.id());
    }

    @Test
    default void cancelledGroup_refusesMembers_writesNoJob_andEndsWithItsMembers() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job running = given().running(groups.member(group));
        groups.store().whenAnyFails(group, groups.follower("alarm"));
        groups.store().close(group, groups.follower("done"));

        assertThat(groups.store().cancel(group)).isEqualTo(GroupState.CLOSED);

        assertThat(groups.store().whenAnyFails(group, groups.follower("late"))).isEqualTo(GroupState.CANCELLED);
        assertThat(groups.store().close(group, groups.follower("late"))).isEqualTo(GroupState.CANCELLED);
        assertThatThrownBy(() -> given().submit(groups.member(group))).isInstanceOf(GroupEndedException.class);
        groups.fold();
        assertThat(groups.status(group).endedAt()).isNull();
        given().complete(given().completing(running).failed("boom"));
        assertThat(groups.fold()).isEmpty();
        assertThat(groups.status(group).state()).isEqualTo(GroupState.CANCELLED);
        assertThat(groups.status(group).endedAt()).isEqualTo(GivenGroups.LATER);
    }

    @Test
    default void jobWhoseIdExists_isNotWrittenAgain() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        GroupJob follower = groups.follower("done");
        given().store().submit(List.of(follower.toNewJob(StoreScenario.NOW, given().token())), DueSink.NONE);
        groups.store().close(group, follower);

        assertThat(groups.fold()).isEmpty();

        assertThat(groups.status(group).state()).isEqualTo(GroupState.ENDED);
        assertThat(given().find(follower.id()).dueAt()).isEqualTo(StoreScenario.NOW);
    }

    @Test
    default void manyGroups_areAddedUpTogether() {
        GivenGroups groups = groups();
        List<GroupRef> all = IntStream.range(0, 250)
                .mapToObj(i -> groups.open("import-" + i))
                .toList();
        List<JobDraft> members = all.stream().map(groups::member).toList();
        given().submit(members);
        all.forEach(group -> groups.store().close(group, groups.follower("done")));
        given().store()
                .cancelAll(members.stream().map(draft -> draft.toNewJob().id()).toList(), StoreScenario.NOW);

        assertThat(groups.fold()).hasSize(250);

        assertThat(groups.store().unended(10)).isEmpty();
        assertThat(groups.store().ended(500))
                .hasSize(250)
                .allMatch(group -> group.counts().equals(new GroupCounts(1, 0, 0, 1)));
        assertThat(groups.store().ended(3)).hasSize(3);
    }

    @Test
    default void lists_showOpenGroupsByAge_andEndedGroupsApart() {
        GivenGroups groups = groups();
        GroupRef young =
                groups.store().enter(new GroupRef(given().id().value(), "young"), GivenGroups.CREATED.plusSeconds(5));
        GroupRef old = groups.open("old");
        GroupRef ended = groups.open("ended");
        given().finished(groups.member(ended));
        given().submit(groups.member(old));
        groups.assertEndsOnceClosed(ended);
        given().submit(groups.member(young));

        assertThat(groups.store().unended(10)).extracting(GroupStatus::group).containsExactly(old, young);
        assertThat(groups.store().unended(10))
                .extracting(status -> status.counts().begun())
                .containsExactly(1L, 1L);
        assertThat(groups.store().unended(1)).hasSize(1);
        assertThat(groups.store().ended(10)).containsExactly(groups.status(ended));
    }

    @Test
    default void purge_deletesEndedGroups_andOpenGroupsThatNobodyUsed() {
        GivenGroups groups = groups();
        GroupRef used = groups.open("used");
        GroupRef unused = groups.open("unused");
        GroupRef closed = groups.open("closed");
        GroupRef ended = groups.open("ended");
        GroupRef cancelled = groups.open("cancelled");
        given().submit(groups.member(used));
        given().submit(groups.member(closed));
        groups.store().close(closed, null);
        given().finished(groups.member(ended));
        groups.store().close(ended, null);
        groups.store().cancel(cancelled);
        assertThat(groups.store().purge(GivenGroups.CREATED, 10)).isZero();
        groups.fold();

        assertThat(groups.store().purge(GivenGroups.CREATED, 10)).isZero();
        assertThat(groups.store().purge(GivenGroups.CREATED.plusSeconds(1), 10)).isEqualTo(1);
        assertThat(groups.store().find(unused.name())).isEmpty();
        assertThat(groups.store().purge(GivenGroups.LATER, 10)).isZero();
        Instant later = GivenGroups.LATER.plus(Duration.ofDays(1));
        assertThat(groups.store().purge(later, 1)).isEqualTo(1);
        assertThat(groups.store().purge(later, 10)).isEqualTo(1);
        assertThat(groups.store().unended(10))
                .extracting(GroupStatus::name)
                .containsExactlyInAnyOrder("used", "closed");
        assertThat(groups.open("ended")).isNotEqualTo(ended);
    }

    @Test
    default void purge_leavesAClosedGroup_untilItHasEnded() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        groups.store().close(group, null);

        assertThat(groups.store().purge(GivenGroups.CREATED.plusSeconds(1), 10)).isZero();

        assertThat(groups.status(group).state()).isEqualTo(GroupState.CLOSED);
    }

    @Test
    default void purge_deletesACancelledGroupWhoseMembersWereNotCounted() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        given().submit(groups.member(group));
        groups.store().cancel(group);
        groups.fold();
        assertThat(groups.status(group).endedAt()).isNull();

        assertThat(groups.store().purge(GivenGroups.CREATED, 10)).isZero();
        assertThat(groups.store().purge(GivenGroups.CREATED.plusSeconds(1), 10)).isEqualTo(1);

        assertThat(groups.store().find("import")).isEmpty();
    }

    @Test
    default void members_areFoundByTheNameOfTheirGroup() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job member = given().waiting(groups.member(group));
        Job labelled = given().waiting(given().job().extras(GivenGroups.lines(group) + "\nlabel a"));
        given().submit(groups.member(groups.open("import-2")));
        given().submit(given().job().extras("label import"));

        assertThat(given().store()
                        .find(JobQuery.state(JobState.READY).group("import"), StoreScenario.NOW)
                        .jobs())
                .extracting(Job::id)
                .containsExactlyInAnyOrder(member.id(), labelled.id());
        assertThat(given().store()
                        .find(JobQuery.state(JobState.READY).group("import").label("a"), StoreScenario.NOW)
                        .jobs())
                .extracting(Job::id)
                .containsExactly(labelled.id());
    }
}
