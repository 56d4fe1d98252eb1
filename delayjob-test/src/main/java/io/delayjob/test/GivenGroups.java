package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Short methods for common steps with groups. */
final class GivenGroups {

    static final Instant CREATED = StoreScenario.NOW;
    static final Instant LATER = StoreScenario.NOW.plusSeconds(60);

    private final StoreScenario given;

    private GivenGroups(StoreScenario given) {
        this.given = given;
    }

    static GivenGroups of(StoreScenario given) {
        return new GivenGroups(given);
    }

    JobGroups store() {
        return given.store().groups();
    }

    GroupRef open(String name) {
        return store().enter(new GroupRef(given.id().value(), name), CREATED);
    }

    JobDraft member(GroupRef group) {
        return given.job().extras(lines(group));
    }

    static String lines(GroupRef group) {
        return String.valueOf(JobExtras.NONE.withGroup(group).toText());
    }

    GroupJob follower(String name) {
        NewJob job = given.job()
                .name(name)
                .payload("{\"a\":\"\\t\"}")
                .retry("3x PT1M")
                .trace("00-11-22-01")
                .extras("follows-group import\nlabel a\\\\b")
                .in(ChainContract.MAIL)
                .toNewJob();
        JobTask task = job.task();
        return new GroupJob(job.id(), job.partition(), task, job.retry());
    }

    /** Adds up all counts of groups. Returns the rows of jobs that follow a group. */
    List<DueRow> fold() {
        List<DueRow> written = new ArrayList<>();
        fold(written::addAll, group -> {});
        return written;
    }

    /** Adds up all counts of groups. Returns the groups that have ended meanwhile. */
    List<GroupStatus> ended() {
        List<GroupStatus> ended = new ArrayList<>();
        fold(DueSink.NONE, ended::add);
        return ended;
    }

    void fold(DueSink written, Consumer<GroupStatus> ended) {
        boolean more;
        do {
            more = store().fold(LATER, given.token(), written, ended);
        } while (more);
    }

    GroupStatus status(GroupRef group) {
        return store().find(group.name()).orElseThrow();
    }

    GroupCounts counts(GroupRef group) {
        return status(group).counts();
    }

    void assertCounts(GroupRef group, int begun, int finished, int failed, int cancelled) {
        GroupCounts expected = new GroupCounts(begun, finished, failed, cancelled);
        assertThat(counts(group)).as("not added up").isEqualTo(expected);
        fold();
        assertThat(counts(group)).as("added up").isEqualTo(expected);
    }

    void assertEndsOnceClosed(GroupRef group) {
        assertThat(store().close(group, null)).isEqualTo(GroupState.OPEN);
        fold();
        assertThat(status(group).state()).isEqualTo(GroupState.ENDED);
    }
}
