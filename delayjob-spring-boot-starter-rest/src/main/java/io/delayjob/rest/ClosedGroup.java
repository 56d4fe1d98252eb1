package io.delayjob.rest;

import io.delayjob.job.GroupState;

/**
 * The response to a request that closes a group. The response shows no numbers, because the caller may not have the
 * authority to read.
 */
record ClosedGroup(String name, GroupState state) implements ApiBody {}
