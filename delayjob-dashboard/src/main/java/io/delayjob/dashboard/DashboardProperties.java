package io.delayjob.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The dashboard.
 *
 * @param enabled Whether the page is served below the endpoint "delayjobs", where that is exposed over HTTP.
 * @param title Name of the application on the page. By default spring.application.name.
 * @param environment Where the application runs, such as "production". It stands beside the title, so that nobody
 *     changes jobs in the wrong place.
 */
@ConfigurationProperties("delayjob.dashboard")
public record DashboardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String title,
        @Nullable String environment) {}
