package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreCapability;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that every member is counted exactly twice: at its beginning and at its end. */
interface GroupEndContract extends GivenStore {

    private GivenGroups groups() {
        return GivenGroups.of(given());
    }

    @Test
    default void newJobs_countOnce_evenIfTheirKeysAreTaken() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        GroupRef other = groups.open("other");
        List<JobDraft> drafts = new ArrayList<>();
        for (int i = 0; i < 620; i++) {
            drafts.add(i % 10 == 0 ? given().job() : groups.member(i % 2 == 0 ? group : other));
        }
        given().submit(drafts);
        given().submit(groups.member(group).key("42"));
        given().submit(groups.member(group).key("42", OnExisting.KEEP));
        given().submit(groups.member(other).key("42", OnExisting.POSTPONE));

        groups.assertCounts(group, 248 + 1, 0, 0, 0);
        groups.assertCounts(other, 310, 0, 0, 0);
    }

    @Test
    default void jobWithAGivenId_countsOnce() {
        GivenGroups groups = groups();
        if (!given().store().capabilities().has(StoreCapability.GIVEN_IDS)) {
            return;
        }
        GroupRef group = groups.open("import");
        JobDraft draft = groups.member(group);

        given().store().submitOnce(draft.toNewJob(), DueSink.NONE);
        given().store().submitOnce(draft.toNewJob(), DueSink.NONE);

        groups.assertCounts(group, 1, 0, 0, 0);
    }

    @Test
    default void endsOfAttempts_count() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job finished = given().running(groups.member(group));
        Job dropped = given().running(groups.member(group));
        Job withResult = given().running(groups.member(group));
        Job failed = given().running(groups.member(group).payload("1"));
        Job expired = given().running(groups.member(group));
        Job stranger = given().running(given().job());

        given().complete(
                        given().completing(finished).logged(),
                        given().completing(dropped).dropped(),
                        given().completing(withResult).result("1"),
                        given().completing(failed).failed("boom"),
                        given().completing(expired).expired(Failure.of("Expired", "too late")),
                        given().completing(stranger));

        groups.assertCounts(group, 5, 3, 1, 1);
        groups.assertEndsOnceClosed(group);
    }

    @Test
    default void endsOfALargeBatch_count() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        List<CompletionDraft> ends = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            JobDraft draft = i % 3 == 0 ? given().job() : groups.member(group);
            CompletionDraft end = given().completing(given().running(draft));
            ends.add(i % 2 == 0 ? end.dropped() : end);
        }

        assertThat(given().complete(ends.toArray(CompletionDraft[]::new))).containsOnly(CompletionResult.ACCEPTED);

        groups.assertCounts(group, 200, 200, 0, 0);
    }

    @Test
    default void attemptsThatDoNotEndTheJob_doNotCount() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job retried = given().running(groups.member(group));
        Job repeated = given().running(groups.member(group).schedule("gaps:PT1H*"));
        Job awaiting = given().awaiting(groups.member(group), AwaitContract.DEADLINE);
        Job lost = given().lost(groups.member(group));
        Job released = given().running(groups.member(group));

        given().complete(
                        given().completing(retried).retryAt(StoreScenario.NOW),
                        given().completing(repeated).nextRun());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        given().store().release(List.of(released.toDueRow()), released.token(), given().token(), StoreScenario.NOW);
        given().store().reschedule(retried.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        given().store().settleDoubt(List.of(lost.id(), awaiting.id()));

        groups.assertCounts(group, 5, 0, 0, 0);
    }

    @Test
    default void repeatedAndFencedEnds_countOnce() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job running = given().running(groups.member(group));
        Completion end = given().completing(running).toCompletion();
        Job lost = given().lost(groups.member(group));
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        Job following = given().claim(given().find(lost.id()));

        given().store().complete(List.of(end));
        given().store().complete(List.of(end));
        assertThat(given().complete(given().completing(lost))).isEqualTo(CompletionResult.FENCED);
        given().complete(given().completing(lost), given().completing(following));

        groups.assertCounts(group, 2, 2, 0, 0);
        given().store().settleDoubt(List.of(lost.id()));
        groups.assertCounts(group, 2, 2, 0, 0);
    }

    @Test
    default void cancelledAndWithdrawnMembers_count() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job waiting = given().waiting(groups.member(group));
        Job byKey = given().waiting(groups.member(group).key("42"));
        Job withdrawn = given().waiting(groups.member(group));
        Job awaiting = given().awaiting(groups.member(group), AwaitContract.DEADLINE);
        Job first = given().waiting(groups.member(group));
        Job second = given().waiting(groups.member(group));
        Job third = given().awaiting(groups.member(group), AwaitContract.DEADLINE);

        given().store().cancel(waiting.id(), StoreScenario.NOW);
        given().store().cancel(waiting.id(), StoreScenario.NOW);
        given().store().cancel(byKey.name(), "42", StoreScenario.NOW);
        given().store().withdraw(withdrawn.id(), StoreScenario.NOW);
        given().store().cancel(awaiting.id(), StoreScenario.NOW);
        given().store().cancelAll(List.of(first.id(), waiting.id()), StoreScenario.NOW);
        given().store().cancelWaiting(List.of(second.id(), third.id()), StoreScenario.NOW);
        given().store().cancelAwaiting(List.of(third.id()), StoreScenario.NOW);

        groups.assertCounts(group, 7, 0, 0, 7);
        groups.assertEndsOnceClosed(group);
    }

    @Test
    default void requestedCancellations_countOnceTheMembersEnd() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job failing = given().running(groups.member(group));
        Job retrying = given().running(groups.member(group));
        Job finishing = given().running(groups.member(group));
        Job released = given().running(groups.member(group));
        Job lost = given().lost(groups.member(group));
        Job replaced = given().running(groups.member(group).key("42"));
        Job withdrawn = given().running(groups.member(group));
        given().store()
                .cancelAll(
                        List.of(failing.id(), retrying.id(), finishing.id(), released.id(), lost.id()),
                        StoreScenario.NOW);
        given().store().withdraw(withdrawn.id(), StoreScenario.NOW);
        given().submit(given().job().key("42", OnExisting.REPLACE));
        groups.assertCounts(group, 7, 0, 0, 0);

        given().complete(
                        given().completing(failing).failed("boom"),
                        given().completing(retrying).retryAt(StoreScenario.NOW),
                        given().completing(finishing),
                        given().completing(replaced).retryAt(StoreScenario.NOW),
                        given().completing(withdrawn).failed("boom"));
        given().store().release(List.of(released.toDueRow()), released.token(), given().token(), StoreScenario.NOW);
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());

        groups.assertCounts(group, 7, 1, 0, 6);
        groups.assertEndsOnceClosed(group);
    }

    @Test
    default void answers_count() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job finished = given().awaiting(groups.member(group), AwaitContract.DEADLINE);
        Job failed = given().awaiting(groups.member(group), AwaitContract.DEADLINE);

        given().store().answer(finished.id(), job -> given().completing(job).toCompletion(), end -> {});
        given().store()
                .answer(failed.id(), job -> given().completing(job).failed("no").toCompletion(), end -> {});

        groups.assertCounts(group, 2, 1, 1, 0);
    }

    @Test
    default void followersOfMembers_areMembers() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job running = given().running(groups.member(group).then("second").then("third"));
        groups.store().close(group, null);

        given().complete(given().completing(running));

        groups.assertCounts(group, 2, 1, 0, 0);
        Job second = given().find(running.extras().steps().get(0).id());
        assertThat(second.extras().group()).isEqualTo(group);
        given().store().cancel(second.id(), StoreScenario.NOW);
        groups.assertCounts(group, 2, 1, 0, 1);
        assertThat(groups.status(group).endedAt()).isNotNull();
    }

    @Test
    default void replacedMember_staysInItsGroup() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job member = given().waiting(groups.member(group).key("42"));
        JobDraft replacing =
                given().job().key("42", OnExisting.REPLACE).payload("2").extras("label b");

        assertThat(given().submit(List.of(replacing, given().job().key("43", OnExisting.REPLACE)))
                        .get(0)
                        .id())
                .isEqualTo(member.id());

        Job replaced = given().find(member.id());
        assertThat(replaced.payload()).isEqualTo("2");
        assertThat(replaced.labels()).containsExactly("b");
        assertThat(replaced.extras().group()).isEqualTo(group);
        given().complete(given().completing(given().claim(replaced)));
        groups.assertCounts(group, 1, 1, 0, 0);
    }

    @Test
    default void replacingJobWhoseLabelNamesAGroupId_leavesTheMemberInItsGroup() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job member = given().waiting(groups.member(group).key("42"));

        given().submit(given().job().key("42", OnExisting.REPLACE).extras("label a group-id b"));

        Job replaced = given().find(member.id());
        assertThat(replaced.labels()).containsExactly("a group-id b");
        assertThat(replaced.extras().group()).isEqualTo(group);
    }

    @Test
    default void retryByHand_countsAgain_ifTheGroupHasNotEnded() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job one = given().failed(groups.member(group));
        List<Job> many = List.of(given().failed(groups.member(group)), given().failed(groups.member(group)));
        groups.store().close(group, null);

        given().store().retry(one.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        retryAll(many);

        groups.assertCounts(group, 6, 0, 3, 0);
        assertThat(groups.status(group).endedAt()).isNull();
        given().complete(given().completing(given().claim(given().find(one.id()))));
        many.forEach(job -> given().complete(given().completing(given().claim(given().find(job.id())))));
        groups.assertCounts(group, 6, 3, 3, 0);
        assertThat(groups.status(group).endedAt()).isNotNull();
    }

    private void retryAll(List<Job> jobs) {
        List<JobMove> moves = jobs.stream()
                .map(job -> new JobMove(job.id(), StoreScenario.NOW))
                .sorted(Comparator.comparing(JobMove::id))
                .toList();
        given().store().retryAll(moves, given().token(), DueSink.NONE);
    }

    @Test
    default void retryByHand_afterTheGroupHasEnded_isAJobWithoutAGroup() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job one = given().failed(given().job().payload("1").extras(GivenGroups.lines(group) + "\nlabel a"));
        List<Job> many = List.of(given().failed(groups.member(group)), given().failed(groups.member(group)));
        groups.assertEndsOnceClosed(group);

        given().store().retry(one.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        retryAll(many);

        assertThat(given().find(one.id()).extras().groupName()).isNull();
        assertThat(given().find(one.id()).labels()).containsExactly("a");
        assertThat(given().find(one.id()).payload()).isEqualTo("1");
        many.forEach(
                job -> assertThat(given().find(job.id()).extras().groupName()).isNull());
        given().complete(given().completing(given().claim(given().find(one.id()))));
        assertThat(groups.counts(group)).isEqualTo(new GroupCounts(3, 0, 3, 0));
    }

    @Test
    default void retryByHand_afterTheGroupWasDeleted_isAJobWithoutAGroup() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        Job one = given().failed(groups.member(group));
        List<Job> many = List.of(given().failed(groups.member(group)), given().failed(groups.member(group)));
        groups.assertEndsOnceClosed(group);
        assertThat(groups.store().purge(GivenGroups.LATER.plusSeconds(1), 10)).isEqualTo(1);

        given().store().retry(one.id(), StoreScenario.NOW, given().token(), DueSink.NONE);
        retryAll(many);

        for (Job job : List.of(one, many.get(0), many.get(1))) {
            assertThat(given().find(job.id()).state()).isEqualTo(JobState.DELAYED);
            assertThat(given().find(job.id()).extras().groupName()).isNull();
        }
    }

    @Test
    default void retention_doesNotCount() {
        GivenGroups groups = groups();
        GroupRef group = groups.open("import");
        given().finished(groups.member(group));
        Job waiting = given().waiting(groups.member(group));
        Instant later = StoreScenario.NOW.plusSeconds(86_400);

        given().store().purgeHistory(JobState.FINISHED, later, 100);

        groups.assertCounts(group, 2, 1, 0, 0);
        assertThat(given().find(waiting.id()).state()).isEqualTo(JobState.DELAYED);
    }
}
