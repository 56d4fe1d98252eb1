/**
 * The common parts of all background tasks: {@link io.delayjob.internal.agent.SupervisedAgent} keeps an agent running
 * after faults and outages.
 */
@NullMarked
package io.delayjob.internal.agent;

import org.jspecify.annotations.NullMarked;
