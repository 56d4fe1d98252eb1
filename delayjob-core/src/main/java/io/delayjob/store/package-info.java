/**
 * The SPI of durable transitions: submit, cancel, claim, release, complete, rescue. {@link io.delayjob.store.JobStore}
 * holds every one of them, a sentence each, and {@link io.delayjob.store.InstanceStore} the register of instances; the
 * in-memory store is their smallest implementation, and {@code JobStoreContract} in delayjob-test the suite that each
 * implementation passes.
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
