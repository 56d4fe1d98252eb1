package io.delayjob.rest;

import static io.delayjob.rest.Authority.CHANGE;
import static io.delayjob.rest.Authority.READ;
import static io.delayjob.rest.Authority.SUBMIT;

import io.delayjob.JobGroup;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Serves the paths of groups. {@link JobsController} adds members to groups. Thread-safe. */
@RestController
@RequestMapping(JobsController.PATH)
final class GroupsController {

    /** Maximum number of groups that one request reads, including groups that are not exposed. */
    private static final int MAX_LIMIT = 500;

    private static final int DEFAULT_LIMIT = 100;

    private final ExposedJobs exposed;

    GroupsController(ExposedJobs exposed) {
        this.exposed = exposed;
    }

    @GetMapping("/groups")
    @Needs(READ)
    GroupsView list(
            @RequestParam(required = false) @Nullable Boolean ended,
            @RequestParam(required = false) @Nullable Integer limit) {
        int most = limit == null ? DEFAULT_LIMIT : limit;
        if (most < 1 || most > MAX_LIMIT) {
            throw Problem.INVALID_JOB.of(
                    "Invalid limit %d: must be 1 to %d groups; send another one, or none.".formatted(most, MAX_LIMIT));
        }
        List<GroupStatus> groups = Boolean.TRUE.equals(ended)
                ? exposed.jobs().endedGroups(MAX_LIMIT)
                : exposed.jobs().groups(MAX_LIMIT);
        return new GroupsView(groups.stream()
                .filter(group -> exposed.hasGroup(group.name()))
                .limit(most)
                .map(GroupView::of)
                .toList());
    }

    @GetMapping("/groups/{name}")
    @Needs(READ)
    GroupView find(@PathVariable String name) {
        return GroupView.of(status(exposed.group(name)));
    }

    @PostMapping("/groups/{name}/when-all-ended")
    @Needs(SUBMIT)
    WaitingJob whenAllEnded(
            @PathVariable String name,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody WaitingJobRequest request) {
        JobGroup group = exposed.group(name);
        return WaitingJob.of(group.whenAllEnded(request.spec(exposed, IdempotencyKey.read(idempotencyKey))));
    }

    @PostMapping("/groups/{name}/when-any-fails")
    @Needs(SUBMIT)
    WaitingJob whenAnyFails(
            @PathVariable String name,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody WaitingJobRequest request) {
        JobGroup group = exposed.group(name);
        ScheduleSpec job = request.spec(exposed, IdempotencyKey.read(idempotencyKey));
        return WaitingJob.of(job.whenAnyFails(group.name()));
    }

    @PostMapping("/groups/{name}/close")
    @Needs(SUBMIT)
    ClosedGroup close(@PathVariable String name) {
        exposed.group(name).close();
        return new ClosedGroup(name, GroupState.CLOSED);
    }

    @DeleteMapping("/groups/{name}")
    @Needs(CHANGE)
    CancelledGroup cancel(@PathVariable String name) {
        JobGroup group = exposed.group(name);
        GroupState before = status(group).state();
        BulkResult members = group.cancel();
        GroupState after = group.find().map(GroupStatus::state).orElse(before);
        if (after == GroupState.ENDED) {
            throw Problem.UNCHANGED.of("Group '%s' was not cancelled: it had ended before.".formatted(name), after);
        }
        return new CancelledGroup(after, members.changed(), members.skipped());
    }

    private static GroupStatus status(JobGroup group) {
        return group.find()
                .orElseThrow(() -> Problem.NOT_FOUND.of(
                        "Group '%s' does not exist, or its retention is over.".formatted(group.name())));
    }
}
