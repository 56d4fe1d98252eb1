package io.delayjob.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs. A request reads a limited number of rows, so a page before the last page may be short or empty.
 *
 * @param next the value of "after" for the next page; absent on the last page
 */
record JobsView(List<JobView> jobs, @Nullable String next) implements ApiBody {}
