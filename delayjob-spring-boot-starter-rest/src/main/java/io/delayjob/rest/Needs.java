package io.delayjob.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** States the authority that callers of an API method need. A method without this annotation refuses all calls. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Needs {

    /** A caller needs one of these authorities. */
    Authority[] value();
}
