/**
 * The API for applications. {@link io.delayjob.DelayJobOperations} schedules, cancels, pauses and finds jobs.
 * {@link io.delayjob.DelayJobEngine} runs jobs. The packages form three groups:
 *
 * <pre>
 *   API      here, job, schedule, handler, event, settings, status, memory, wheel: for applications
 *   SPI      store, lease, time: for stores and lock services
 *   engine   internal: the parts of the engine that a job passes through
 *
 *   here --&gt; store --&gt; preload --&gt; wheel --&gt; dispatch --&gt; handler --&gt; complete --&gt; store
 *            |                                                                      |
 *            submit, cancel: a row                                a row's next state, or its end
 * </pre>
 *
 * <p>The table "Words" in {@code docs/ARCHITECTURE.md} explains the terms of the engine, such as lane, lease and sweep.
 */
@NullMarked
package io.delayjob;

import org.jspecify.annotations.NullMarked;
