package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the first member begins a group, and further members join it. A refused call must not begin a group. */
interface GroupMemberContract extends GivenStore {

    private GivenGroups groups() {
        return GivenGroups.of(given());
    }

    private boolean can(StoreCapability ability) {
        return given().store().capabilities().has(ability);
    }

    private GroupRef proposal(String name) {
        return new GroupRef(given().id().value(), name);
    }

    @Test
    default void memberOfANewName_beginsTheGroup() {
        GivenGroups groups = groups();
        GroupRef proposed = proposal("import");

        Job member = given().waiting(groups.member(proposed));

        assertThat(member.extras().group()).isEqualTo(proposed);
        assertThat(groups.status(proposed))
                .isEqualTo(new GroupStatus(
                        proposed, GroupState.OPEN, new GroupCounts(1, 0, 0, 0), member.scheduledAt(), null));
        assertThat(groups.open("import")).isEqualTo(proposed);
    }

    @Test
    default void memberOfAKnownName_joinsThatGroup_whateverIdentityItProposes() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        String extras = GivenGroups.lines(proposal("import")) + "\nlabel a";

        Job labelled = given().waiting(given().job().extras(extras));
        given().submit(List.of(groups.member(proposal("import")), groups.member(proposal("import"))));

        assertThat(labelled.extras().group()).isEqualTo(group);
        assertThat(labelled.labels()).containsExactly("a");
        groups.assertCounts(group, 3, 0, 0, 0);
    }

    @Test
    default void memberWithAGivenId_beginsItsGroupOrJoinsIt() {
        if (!can(StoreCapability.GIVEN_IDS)) {
            return;
        }
        GivenGroups groups = groups();
        GroupRef group = proposal("import");
        NewJob first = groups.member(group).toNewJob();
        NewJob second = groups.member(proposal("import")).toNewJob();

        given().store().submitOnce(first, DueSink.NONE);
        given().store().submitOnce(second, DueSink.NONE);

        assertThat(given().find(first.id()).extras().group()).isEqualTo(group);
        assertThat(given().find(second.id()).extras().group()).isEqualTo(group);
        groups.assertCounts(group, 2, 0, 0, 0);
    }

    @Test
    default void membersOfSeveralNewNames_beginTheirGroups() {
        GivenGroups groups = groups();
        GroupRef first = proposal("import-1");
        GroupRef second = proposal("import-2");

        given().submit(List.of(groups.member(second), groups.member(first), groups.member(second)));

        groups.assertCounts(first, 1, 0, 0, 0);
        groups.assertCounts(second, 2, 0, 0, 0);
    }

    @Test
    default void memberWhoseKeyIsTaken_beginsNoGroup() {
        GivenGroups groups = groups();
        given().submit(given().job().key("k"));
        JobDraft refused = groups.member(proposal("import")).key("k", OnExisting.FAIL);
        JobDraft free = groups.member(proposal("import"));

        assertThatThrownBy(() -> given().submit(refused)).isInstanceOf(JobExistsException.class);
        if (can(StoreCapability.BATCHES_ACROSS_GROUPS)) {
            assertThatThrownBy(() -> given().submit(List.of(free, refused))).isInstanceOf(JobExistsException.class);
        }
        if (can(StoreCapability.GIVEN_IDS)) {
            assertThatThrownBy(() -> given().store().submitOnce(refused.toNewJob(), DueSink.NONE))
                    .isInstanceOf(JobExistsException.class);
        }

        assertThat(groups.store().find("import")).isEmpty();
    }

    @Test
    default void memberWhoseIdIsTaken_isRefused_andBeginsNoGroup() {
        GivenGroups groups = groups();
        Job existing = given().waiting(given().job());
        NewJob refused = groups.member(proposal("import")).toNewJob().at(existing.id(), existing.partition());

        assertThatThrownBy(() -> given().store().submit(List.of(refused), DueSink.NONE))
                .isInstanceOf(StoreException.class);

        assertThat(groups.store().find("import")).isEmpty();
    }

    @Test
    default void jobThatIsKeptOrPostponed_beginsNoGroup() {
        GivenGroups groups = groups();
        given().submit(given().job().key("k"));
        for (OnExisting policy : List.of(OnExisting.KEEP, OnExisting.POSTPONE)) {
            JobDraft other = groups.member(proposal("import")).key("k", policy);

            given().submit(other);
            given().submit(List.of(other, groups.member(proposal("import-of-" + policy))));
            if (can(StoreCapability.GIVEN_IDS)) {
                given().store().submitOnce(other.toNewJob(), DueSink.NONE);
            }

            assertThat(groups.store().find("import-of-" + policy)).isPresent();
        }
        assertThat(groups.store().find("import")).isEmpty();
    }

    @Test
    default void memberOfAnEndedGroup_beginsNoOtherGroup() {
        GivenGroups groups = groups();
        GroupRef ended = groups.open("ended");
        groups.assertEndsOnceClosed(ended);
        JobDraft free = groups.member(proposal("import"));

        assertThatThrownBy(() -> given().submit(List.of(free, groups.member(ended))))
                .isInstanceOf(GroupEndedException.class);

        assertThat(groups.store().find("import")).isEmpty();
    }

    @Test
    default void memberWhoseIdExists_beginsNoGroup() {
        if (!can(StoreCapability.GIVEN_IDS)) {
            return;
        }
        GivenGroups groups = groups();
        Job waiting = given().waiting(given().job());
        Job ended = given().finished(given().job());
        for (Job existing : List.of(waiting, ended)) {
            NewJob member = groups.member(proposal("import")).toNewJob();

            Scheduled answer = given().store().submitOnce(member.at(existing.id(), existing.partition()), DueSink.NONE);

            assertThat(answer.outcome()).isEqualTo(Scheduled.Outcome.KEPT);
        }
        assertThat(groups.store().find("import")).isEmpty();
    }
}
