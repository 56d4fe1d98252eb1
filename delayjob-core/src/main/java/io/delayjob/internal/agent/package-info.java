/**
 * Common parts of all background roles: {@link io.delayjob.internal.agent.SupervisedAgent} keeps an agent running
 * after faults and outages, and reports both once.
 */
@NullMarked
package io.delayjob.internal.agent;

import org.jspecify.annotations.NullMarked;
