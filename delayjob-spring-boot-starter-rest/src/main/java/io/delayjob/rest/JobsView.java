package io.delayjob.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param next the value of "after" for the next page; absent on the last page. One request reads only a limited number
 *     of rows. So any page may be short or empty, even before the last page
 */
record JobsView(List<JobView> jobs, @Nullable String next) implements ApiBody {}
