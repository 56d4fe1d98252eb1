/**
 * The SPI of durable transitions. {@link io.delayjob.store.JobStore} is a whole store, and each interface that it
 * extends is one role. {@link io.delayjob.store.InstanceStore} is the register of instances. {@code JobStoreContract}
 * in delayjob-test is the suite that every implementation passes.
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
