package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A call whose answer is thrown away does nothing: it begins to schedule a job and never says when. Error Prone, and any
 * other checker that goes by an annotation's simple name, refuses such calls. On a type it holds for all its methods.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CheckReturnValue {}
