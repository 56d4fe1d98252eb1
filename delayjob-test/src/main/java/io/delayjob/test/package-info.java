/**
 * Support for tests of delayed jobs: a virtual clock that runs an engine, assertions about jobs, and
 * {@link io.delayjob.test.JobStoreContract}, the test suite that every job store must pass.
 */
@NullMarked
package io.delayjob.test;

import org.jspecify.annotations.NullMarked;
