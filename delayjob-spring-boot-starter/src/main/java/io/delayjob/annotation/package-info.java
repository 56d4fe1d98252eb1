/** Annotations for an application's methods: {@link io.delayjob.annotation.DelayedJob} and its companions. */
@NullMarked
package io.delayjob.annotation;

import org.jspecify.annotations.NullMarked;
