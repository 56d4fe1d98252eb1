package io.delayjob.actuate.endpoint;

import io.delayjob.store.JobGroups;
import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Groups of jobs; none if the job store keeps no groups.
 *
 * @param ended the groups that have ended; the group that ended last comes first
 */
record GroupsDescriptor(List<GroupDescriptor> groups, List<GroupDescriptor> ended) implements OperationResponseBody {

    static final int MAX = 100;

    static final GroupsDescriptor NONE = new GroupsDescriptor(List.of(), List.of());

    static GroupsDescriptor of(JobGroups groups) {
        return new GroupsDescriptor(
                groups.unended(MAX).stream().map(GroupDescriptor::of).toList(),
                groups.ended(MAX).stream().map(GroupDescriptor::of).toList());
    }
}
