package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a call that does nothing if its result is ignored, because it begins to schedule a job and gives no time. Error
 * Prone refuses to compile such calls, and so does every checker that looks for an annotation of this simple name. On a
 * type, the annotation applies to all methods.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CheckReturnValue {}
