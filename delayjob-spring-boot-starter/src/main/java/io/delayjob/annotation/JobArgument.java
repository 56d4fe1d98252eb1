package io.delayjob.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the name under which jobs store the argument of this parameter. Stored jobs stay readable when the parameter is
 * renamed.
 *
 * <pre>{@code
 * @DelayedJob("bill")
 * void bill(@JobArgument("orderId") long invoiceId) { … }
 * }</pre>
 *
 * <p>If callers pass arguments by name, they must use the stored name. But an expression in an annotation uses the
 * name of the Java parameter. An example is the expression in {@link Deferred#key}.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobArgument {

    /** The stored name, without placeholders. */
    String value();
}
