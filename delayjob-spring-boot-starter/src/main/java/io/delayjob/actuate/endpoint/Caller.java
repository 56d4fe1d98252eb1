package io.delayjob.actuate.endpoint;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/**
 * The user that makes a change.
 *
 * @param name {@code null} without security or without a login
 */
record Caller(@Nullable String name) {

    private static final String ANONYMOUS = "anonymous";

    static Caller of(SecurityContext context) {
        Principal principal = context.getPrincipal();
        return new Caller(principal == null ? null : principal.getName());
    }

    /** An audit event must have a name. */
    String principal() {
        return name == null ? ANONYMOUS : name;
    }

    @Override
    public String toString() {
        return name == null ? ANONYMOUS : "'" + name + "'";
    }
}
