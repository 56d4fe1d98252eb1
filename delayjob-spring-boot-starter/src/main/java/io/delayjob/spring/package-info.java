/**
 * Support for delayjob in a Spring container. {@link io.delayjob.spring.DelayJobTemplate} schedules jobs, and the other
 * classes make handlers of the annotated methods of beans.
 */
@NullMarked
package io.delayjob.spring;

import org.jspecify.annotations.NullMarked;
