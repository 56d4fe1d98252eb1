/**
 * The SPI that a store implements. {@link io.delayjob.store.JobStore} describes a whole store. It extends one interface
 * for each role. {@link io.delayjob.store.InstanceStore} is the register of instances. {@code JobStoreContract} in
 * delayjob-test is the test suite that every implementation must pass. The guide {@code docs/writing-a-store.md} shows
 * how to build a store.
 *
 * <p>Every store can use the following classes:
 * <ul>
 * <li>{@link io.delayjob.store.JobRules}: how each transition changes a job, and the result for the caller
 * <li>{@link io.delayjob.store.JobQuery}, {@link io.delayjob.store.JobFilter}: order, cursor and conditions of a page
 * <li>{@link io.delayjob.job.Job#readUpTo}: a job without its payload, if the payload is too long to be read
 * <li>{@link io.delayjob.store.FailureGroups#of}: failed jobs in groups
 * <li>{@link io.delayjob.store.VitalsText}: the stored form of {@link io.delayjob.store.Vitals}
 * <li>{@link io.delayjob.store.ForwardingJobStore}: a store that passes all calls to another store
 * </ul>
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
