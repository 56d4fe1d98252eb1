/** What an application writes on its methods: {@link io.delayjob.annotation.DelayedJob} and its kin. */
@NullMarked
package io.delayjob.annotation;

import org.jspecify.annotations.NullMarked;
