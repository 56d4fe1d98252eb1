/**
 * delayjob in a Spring container: {@link io.delayjob.spring.DelayJobTemplate}, and the conversion of beans' annotated
 * methods to handlers.
 */
@NullMarked
package io.delayjob.spring;

import org.jspecify.annotations.NullMarked;
