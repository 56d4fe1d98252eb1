/**
 * The client of the REST API: {@code NamedJobs} and {@code Answers} over HTTP, and the verification of calls from a
 * server's HTTP targets. The client needs no database.
 */
@NullMarked
package io.delayjob.client;

import org.jspecify.annotations.NullMarked;
