package io.delayjob.dashboard;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Serves the dashboard page below the endpoint, in the context that serves the endpoint. If the endpoint is not exposed
 * over HTTP, the page is not served.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayjob.dashboard.enabled", matchIfMissing = true)
@ConditionalOnClass(PathMappedEndpoints.class)
public final class DashboardManagementContextConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DashboardManagementContextConfiguration.class);

    /**
     * This order value puts the dashboard's mapping before the mapping of the endpoint. Otherwise, the endpoint would
     * treat {@code ui} as one of its sections.
     */
    private static final int BEFORE_ENDPOINTS = -110;

    @Bean
    ApplicationListener<WebServerInitializedEvent> delayJobDashboardAddress(
            PathMappedEndpoints endpoints, Environment environment) {
        return event -> {
            String root = endpoints.getPath(Dashboard.ENDPOINT);
            if (root == null) {
                return;
            }
            String server = "management".equals(event.getApplicationContext().getServerNamespace())
                    ? "management.server"
                    : "server";
            log.info(
                    "delayjob's dashboard: {}://localhost:{}{}{}{}",
                    isEncrypted(environment, server) ? "https" : "http",
                    event.getWebServer().getPort(),
                    contextPath(environment, server),
                    root,
                    Dashboard.DOCUMENT);
        };
    }

    private static boolean isEncrypted(Environment environment, String server) {
        return environment.getProperty(server + ".ssl.enabled", Boolean.class, true)
                && (environment.containsProperty(server + ".ssl.bundle")
                        || environment.containsProperty(server + ".ssl.key-store")
                        || environment.containsProperty(server + ".ssl.certificate"));
    }

    private static String contextPath(Environment environment, String server) {
        return server.equals("server")
                ? environment.getProperty(
                        "server.servlet.context-path", environment.getProperty("spring.webflux.base-path", ""))
                : environment.getProperty("management.server.base-path", "");
    }

    private static Map<String, Object> below(@Nullable String root, Object handler) {
        return root == null
                ? Map.of()
                : Map.of(root + Dashboard.PATH, handler, root + Dashboard.DOCUMENT + "**", handler);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DispatcherServlet.class, SimpleUrlHandlerMapping.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OverSpringMvc {

        @Bean
        HandlerMapping delayJobDashboardMapping(PathMappedEndpoints endpoints, Dashboard dashboard) {
            String root = endpoints.getPath(Dashboard.ENDPOINT);
            Map<String, Object> paths = below(root, root == null ? "" : new MvcDashboard(dashboard, root));
            return new SimpleUrlHandlerMapping(paths, BEFORE_ENDPOINTS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherHandler.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OverSpringWebFlux {

        @Bean
        org.springframework.web.reactive.HandlerMapping delayJobDashboardMapping(
                PathMappedEndpoints endpoints, Dashboard dashboard) {
            String root = endpoints.getPath(Dashboard.ENDPOINT);
            Map<String, Object> paths = below(root, root == null ? "" : new WebFluxDashboard(dashboard, root));
            return new org.springframework.web.reactive.handler.SimpleUrlHandlerMapping(paths, BEFORE_ENDPOINTS);
        }
    }
}
