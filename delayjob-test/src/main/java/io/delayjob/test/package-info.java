/**
 * Support for tests of delayed jobs: a virtual clock for an engine, assertions about jobs, and
 * {@link io.delayjob.test.JobStoreContract}, which tests a job store.
 */
@NullMarked
package io.delayjob.test;

import org.jspecify.annotations.NullMarked;
