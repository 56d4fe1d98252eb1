package io.delayjob;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method in a type with {@link CheckReturnValue}. Callers may ignore the result of this method. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface CanIgnoreReturnValue {}
