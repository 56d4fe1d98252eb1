/**
 * The SPI of durable transitions. {@link io.delayjob.store.JobStore} is a whole store, and each interface that it
 * extends is one role. {@link io.delayjob.store.InstanceStore} is the register of instances. {@code JobStoreContract}
 * in delayjob-test is the suite that every implementation passes. The guide {@code docs/writing-a-store.md} names the
 * order in which to build the roles.
 *
 * <p>These parts are ready for every store:
 * <ul>
 *   <li>{@link io.delayjob.store.JobRules}: what each transition makes of a job, and the answer to its caller
 *   <li>{@link io.delayjob.store.JobQuery}, {@link io.delayjob.store.JobFilter}: order, cursor and conditions of a page
 *   <li>{@link io.delayjob.job.Job#readUpTo}: a job without a payload that is too long to be read
 *   <li>{@link io.delayjob.store.FailureGroups#of}: failed jobs in groups
 *   <li>{@link io.delayjob.store.VitalsText}: the stored form of {@link io.delayjob.store.Vitals}
 *   <li>{@link io.delayjob.store.ForwardingJobStore}: a store in front of another one
 * </ul>
 */
@NullMarked
package io.delayjob.store;

import org.jspecify.annotations.NullMarked;
