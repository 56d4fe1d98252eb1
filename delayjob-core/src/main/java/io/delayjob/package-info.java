/**
 * What applications call: {@link io.delayjob.DelayJobOperations} submits, cancels, pauses and finds jobs; {@link
 * io.delayjob.DelayJobEngine} runs what was submitted. The packages below fall into three groups:
 *
 * <pre>
 *   API      here, job, schedule, handler, event, settings, status, memory, wheel: for applications
 *   SPI      store, lease, time: for stores and lock services
 *   engine   internal: the stations of a job, for the engine only
 *
 *   here --&gt; store --&gt; preload --&gt; wheel --&gt; dispatch --&gt; handler --&gt; complete --&gt; store
 *            |                                                                      |
 *            submit, cancel: a row                                a row's next state, or its end
 * </pre>
 */
@NullMarked
package io.delayjob;

import org.jspecify.annotations.NullMarked;
