package io.delayjob.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param next the value of "after" for the next page; absent on the last page. A page with this value may be short or
 * empty, because one request reads a limited number of rows
 */
record JobsView(List<JobView> jobs, @Nullable String next) implements ApiBody {}
