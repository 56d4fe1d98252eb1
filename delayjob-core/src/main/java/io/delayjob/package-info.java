/**
 * The façade and the wiring, and the first station of a job's way: {@link io.delayjob.DelayJobOperations} is what
 * applications call, to submit, cancel, pause and look; {@link io.delayjob.DelayJobEngine} runs what they have
 * submitted. The packages below are the other stations:
 *
 * <pre>
 *   here --> store --> preload --> wheel --> dispatch --> handler --> complete --> store
 *            |                                                                      |
 *            submit, cancel: a row                                a row's next state, or its end
 *
 *   instance: who is alive?    lease: who reads which rows ahead?    maintain: lost attempts, old history
 *   schedule: when next?       time: what time is it?    job: the words of all    event: who is told?
 * </pre>
 */
@NullMarked
package io.delayjob;

import org.jspecify.annotations.NullMarked;
