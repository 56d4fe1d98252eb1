package io.delayjob.actuate.endpoint;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The actuator endpoint "delayjobs".
 *
 * @param showPayloads When to show the payloads of jobs.
 * @param roles Roles that may see payloads when they are shown to the authorized. When empty, all authenticated users
 *     may.
 */
@ConfigurationProperties("delayjob.endpoint")
public record DelayJobEndpointProperties(
        @DefaultValue("never") Show showPayloads,
        @DefaultValue Set<String> roles) {}
