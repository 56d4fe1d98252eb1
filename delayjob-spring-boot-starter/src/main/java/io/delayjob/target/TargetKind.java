package io.delayjob.target;

import io.delayjob.handler.Handler;

/**
 * A kind of target, such as HTTP. The kind creates a handler from the properties below {@code delayjob.targets}. A
 * module declares a bean of this type.
 *
 * <pre>{@code
 * delayjob.targets.billing.http.url=https://billing.example.com     # target "billing" of kind "http"
 * delayjob.targets.billing.concurrency=4                            # a rule, the same for all kinds
 * }</pre>
 *
 * When the application starts, one thread calls the bean once for each target of its kind.
 *
 * @param <P> class of the properties of this kind: a record that Spring Boot can bind. The record must neither convert
 *     nor check secrets, because an error message would show the secrets
 */
public interface TargetKind<P> {

    /**
     * Returns the name of this kind in lower case, such as {@code http}. The properties of this kind have this name
     * behind the name of the target: {@code delayjob.targets.billing.http.url} is a property of kind {@code http}.
     */
    String name();

    /** Returns the class of the properties of this kind. */
    Class<P> properties();

    /**
     * Makes the handler of one target.
     *
     * @param target name of the target, which is also the name of the handler
     * @param properties the properties that the target has for this kind
     * @param rules builder with the name and the configured rules of the target. The retry policy of the builder does
     *     not retry after a {@link RefusedByTargetException}. This method adds the handler's parameters and body
     * @throws IllegalArgumentException if a property is invalid. This exception prevents the start of the application.
     *     The message names the property and the reason, without a secret
     */
    Handler handler(String target, P properties, Handler.Builder rules);
}
