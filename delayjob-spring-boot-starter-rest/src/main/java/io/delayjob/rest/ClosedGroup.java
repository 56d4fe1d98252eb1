package io.delayjob.rest;

import io.delayjob.job.GroupState;

/** Contains no numbers, because the caller may not have the authority to read the group. */
record ClosedGroup(String name, GroupState state) implements ApiBody {}
