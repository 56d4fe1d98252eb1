/**
 * The SPI of durable transitions. {@link io.delayjob.store.JobStore} is the whole of a store; each interface that it
 * extends is one role, and {@link io.delayjob.store.InstanceStore} the register of instances. {@code JobStoreContract}
 * in delayjob-test is the suite that every implementation passes.
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
