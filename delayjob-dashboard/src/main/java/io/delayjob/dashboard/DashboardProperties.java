package io.delayjob.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the dashboard.
 *
 * @param enabled Whether the page is served below the endpoint "delayjobs", if that endpoint is exposed over
 *     HTTP.
 * @param title Name of the application on the page. Default: spring.application.name.
 * @param environment Where the application runs, such as "production". The page shows the environment beside the title,
 *     so that people do not change jobs in the wrong environment.
 */
@ConfigurationProperties("delayjob.dashboard")
public record DashboardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String title,
        @Nullable String environment) {}
