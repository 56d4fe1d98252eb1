/**
 * The SPI of durable transitions. {@link io.delayjob.store.JobStore} holds every one of them, a sentence each; the
 * in-memory store is its smallest implementation, and {@code JobStoreContract} in delayjob-test the suite that each
 * implementation passes.
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
