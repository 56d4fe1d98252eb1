/**
 * Support for delayjob in a Spring container. {@link io.delayjob.spring.DelayJobTemplate} schedules jobs, and the other
 * classes turn annotated methods of beans into handlers.
 */
@NullMarked
package io.delayjob.spring;

import org.jspecify.annotations.NullMarked;
