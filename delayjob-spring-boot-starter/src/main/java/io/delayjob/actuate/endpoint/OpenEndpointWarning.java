package io.delayjob.actuate.endpoint;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/** Warns if the endpoint is writable and no filter chain of Spring Security guards the application. */
final class OpenEndpointWarning implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(OpenEndpointWarning.class);

    /** The names of the classes are texts, because Spring Security may be absent. */
    private static final List<String> CHAINS = List.of(
            "org.springframework.security.web.SecurityFilterChain",
            "org.springframework.security.web.server.SecurityWebFilterChain");

    private final ApplicationContext context;
    private final DelayJobEndpointProperties properties;
    private final BooleanSupplier changesAllowed;

    OpenEndpointWarning(
            ApplicationContext context, DelayJobEndpointProperties properties, BooleanSupplier changesAllowed) {
        this.context = context;
        this.properties = properties;
        this.changesAllowed = changesAllowed;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        // Without Spring Security, no caller is an operator.
        if (refreshed.getApplicationContext() == context
                && changesAllowed.getAsBoolean()
                && properties.operatorRoles().isEmpty()
                && !isGuarded()) {
            log.warn("Anyone who can reach the 'delayjobs' endpoint can change jobs, because "
                    + "management.endpoint.delayjobs.access is 'unrestricted' and Spring Security does not protect "
                    + "the application. Add Spring Security, or set the access to 'read-only'.");
        }
    }

    private boolean isGuarded() {
        ClassLoader loader = context.getClassLoader();
        return CHAINS.stream()
                .filter(chain -> ClassUtils.isPresent(chain, loader))
                .map(chain -> ClassUtils.resolveClassName(chain, loader))
                .flatMap(chain -> Arrays.stream(context.getBeanNamesForType(chain)))
                .findAny()
                .isPresent();
    }
}
