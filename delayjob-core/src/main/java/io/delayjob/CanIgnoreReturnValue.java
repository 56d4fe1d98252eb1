package io.delayjob;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The call has done its work, whether anybody reads its answer or not: the exception to {@link CheckReturnValue}. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CanIgnoreReturnValue {}
