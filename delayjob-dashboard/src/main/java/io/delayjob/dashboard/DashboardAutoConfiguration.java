package io.delayjob.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Creates the dashboard page in the application's own context. {@link DashboardManagementContextConfiguration} serves
 * the page.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@EnableConfigurationProperties(DashboardProperties.class)
@ImportRuntimeHints(DashboardAutoConfiguration.Files.class)
public final class DashboardAutoConfiguration {

    @Bean
    @ConditionalOnBooleanProperty(name = "delayjob.dashboard.enabled", matchIfMissing = true)
    Dashboard delayJobDashboard(
            DashboardProperties properties, Environment environment, EndpointAccessResolver access) {
        return new Dashboard(properties, environment, access);
    }

    /** The resources that a native image needs. */
    static final class Files implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources().registerPattern("io/delayjob/dashboard/ui/*");
            new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Session.class);
        }
    }
}
