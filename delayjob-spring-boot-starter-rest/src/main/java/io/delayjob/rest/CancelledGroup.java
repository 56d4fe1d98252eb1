package io.delayjob.rest;

import io.delayjob.job.GroupState;

/**
 * The response to the cancellation of a group.
 *
 * @param changed number of members that were cancelled, or get no further attempt
 * @param skipped number of members that were found, but had ended before they could be cancelled
 */
record CancelledGroup(GroupState state, long changed, long skipped) implements ApiBody {}
