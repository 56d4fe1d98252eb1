package io.delayjob.rest;

import java.util.List;

/** A list of groups. */
record GroupsView(List<GroupView> groups) implements ApiBody {}
