package io.delayjob;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method with a result that callers may ignore, although its type has {@link CheckReturnValue}. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CanIgnoreReturnValue {}
