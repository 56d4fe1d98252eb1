package io.delayjob;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The call does its work even if its answer is ignored: the exception to {@link CheckReturnValue}. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CanIgnoreReturnValue {}
