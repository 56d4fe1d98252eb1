package io.delayjob.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param next the value of "after" for the next page; absent on the last page. Even a page that is not the last one may
 *     be short or empty, because one request reads only a limited number of rows
 */
record JobsView(List<JobView> jobs, @Nullable String next) implements ApiBody {}
