/**
 * delayjob in a Spring container: {@link io.delayjob.spring.DelayJobTemplate}, and how annotated methods of beans
 * become handlers.
 */
@NullMarked
package io.delayjob.spring;

import org.jspecify.annotations.NullMarked;
