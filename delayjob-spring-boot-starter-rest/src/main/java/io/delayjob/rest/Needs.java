package io.delayjob.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The authority that callers of a method of the API need. A method without it is refused to all. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Needs {

    /** Any one of these suffices. */
    Authority[] value();
}
