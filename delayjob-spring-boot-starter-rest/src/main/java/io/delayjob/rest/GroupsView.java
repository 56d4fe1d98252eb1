package io.delayjob.rest;

import java.util.List;

record GroupsView(List<GroupView> groups) implements ApiBody {}
