package io.delayjob.test;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Checks when the jobs that follow groups are written. */
final class GroupJudge {

    private final Judge judge;
    private final VirtualClock truth;
    private final SharedStore store;
    private final History history;

    /** Closed groups by the jobs that follow them. */
    private final Map<JobId, GroupRef> groups = new LinkedHashMap<>();

    GroupJudge(Judge judge, VirtualClock truth, SharedStore store, History history) {
        this.judge = judge;
        this.truth = truth;
        this.store = store;
        this.history = history;
    }

    void closed(Node node, GroupRef group, GroupJob follower) {
        history.note(node.name(), "close group", follower.id(), 0);
        groups.put(follower.id(), group);
    }

    /** Called when a fold has written a row. */
    void followed(Node node, DueRow row) {
        history.note(node.name(), "group ends", row.id(), 0);
        GroupRef group = groups.get(row.id());
        if (group == null || judge.life(row.id()) != null) {
            judge.violated(Check.GROUP_ENDS_ONCE, row.id(), "%s follows no group that waits for it", row);
            return;
        }
        unendedMember(group)
                .ifPresent(member -> judge.violated(
                        Check.GROUP_ENDS_ONCE, row.id(), "%s is written before the end of %s", row, member.id));
        Life life = new Life(row.id(), row.name(), truth.nanoTime());
        life.runsWanted = 1;
        judge.add(life);
    }

    private Optional<Life> unendedMember(GroupRef group) {
        return judge.lives().stream()
                .filter(life -> group.name().equals(life.group))
                .filter(life -> store.jobs
                        .find(life.id)
                        .filter(job -> !job.state().isEnded())
                        .isPresent())
                .findFirst();
    }

    /** Tells whether the job after a closed group is still to be written. */
    boolean isAnyWaiting() {
        return groups.keySet().stream().anyMatch(follower -> judge.life(follower) == null);
    }

    /** Checks at the end of the simulation that each closed group has ended. */
    void checkAll() {
        groups.forEach((follower, group) -> {
            if (judge.life(follower) == null) {
                judge.violated(
                        Check.GROUP_ENDS_ONCE,
                        follower,
                        "group %s has not ended: %s",
                        group,
                        store.jobs.groups().find(group.name()));
            }
        });
    }
}
