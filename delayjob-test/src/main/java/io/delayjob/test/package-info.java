/**
 * Tests for delayed jobs: a virtual clock that runs an engine, assertions about jobs, and {@link
 * io.delayjob.test.JobStoreContract}, the suite that every job store passes.
 */
@NullMarked
package io.delayjob.test;

import org.jspecify.annotations.NullMarked;
