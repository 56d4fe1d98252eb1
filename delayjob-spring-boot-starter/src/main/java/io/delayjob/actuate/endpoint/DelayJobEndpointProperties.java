package io.delayjob.actuate.endpoint;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The actuator endpoint "delayjobs".
 *
 * @param showPayloads When payloads of jobs are shown.
 * @param roles Roles that may see payloads if show-payloads is "when-authorized". If empty, all authenticated users may
 *     see payloads.
 * @param operatorRoles Roles that may change jobs, handlers and queues if the endpoint is not read-only. If empty, only
 *     the application's security rules decide.
 */
@ConfigurationProperties("delayjob.endpoint")
public record DelayJobEndpointProperties(
        @DefaultValue("never") Show showPayloads,
        @DefaultValue Set<String> roles,
        @DefaultValue Set<String> operatorRoles) {

    boolean mayChange(SecurityContext caller) {
        return operatorRoles.isEmpty() || operatorRoles.stream().anyMatch(caller::isUserInRole);
    }

    /** Returns why payloads are hidden from the caller; {@code null} if the caller may see payloads. */
    @Nullable
    String payloadHidden(SecurityContext caller) {
        if (showPayloads.isShown(caller, roles)) {
            return null;
        }
        return showPayloads == Show.NEVER
                ? "delayjob.endpoint.show-payloads is never."
                : "delayjob.endpoint.show-payloads is when-authorized, and you are not authorized.";
    }
}
