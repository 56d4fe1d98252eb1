package io.delayjob.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which the argument of a handler's parameter is stored with its jobs. With this annotation, the stored
 * name stays the same when the parameter is renamed. Without the annotation, jobs that were stored before the rename
 * would be unreadable.
 *
 * <pre>{@code
 * @DelayedJob("bill")
 * void bill(@JobArgument("orderId") long invoiceId) { … }
 * }</pre>
 *
 * <p>Callers by name use this name, too. A {@code key} of {@link Deferred} still uses the name of the Java parameter.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobArgument {

    /** The stored name, without placeholders. Without the annotation it is the parameter's name. */
    String value();
}
