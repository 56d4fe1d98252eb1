package io.delayjob.rest;

import io.delayjob.job.GroupState;

/** Shows no numbers, because the caller may not have the authority to read. */
record ClosedGroup(String name, GroupState state) implements ApiBody {}
