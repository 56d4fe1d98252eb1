package io.delayjob.dashboard;

import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Supplies the contents of the paths below {@code ui}, for Spring MVC and Spring WebFlux. */
final class Dashboard {

    static final EndpointId ENDPOINT = EndpointId.of("delayjobs");

    /** A browser that requests this path is redirected to {@link #DOCUMENT} by a relative URL. */
    static final String PATH = "/ui";

    /** The path of the HTML document, to which all other paths of the page are relative. */
    static final String DOCUMENT = "/ui/";

    static final String SESSION = "session";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, PageFile> files = PageFile.all();
    private final DashboardProperties properties;
    private final Environment environment;
    private final EndpointAccessResolver access;

    Dashboard(DashboardProperties properties, Environment environment, EndpointAccessResolver access) {
        this.properties = properties;
        this.environment = environment;
        this.access = access;
    }

    @Nullable
    PageFile file(String name) {
        return files.get(name);
    }

    byte[] session(@Nullable Principal caller, Predicate<String> hasRole, Session.@Nullable Token csrf) {
        Set<String> operators = operatorRoles();
        boolean mayChange =
                isWritable() && (operators.isEmpty() || operators.stream().anyMatch(hasRole));
        String title =
                properties.title() == null ? environment.getProperty("spring.application.name") : properties.title();
        return JSON.writeValueAsBytes(new Session(
                caller == null ? null : caller.getName(),
                isWritable() ? "UNRESTRICTED" : "READ_ONLY",
                mayChange,
                csrf,
                title,
                properties.environment(),
                Dashboard.class.getPackage().getImplementationVersion()));
    }

    /** If there are no roles, only the application's security rules decide who may make changes. */
    private Set<String> operatorRoles() {
        return Binder.get(environment)
                .bind("delayjob.endpoint.operator-roles", Bindable.setOf(String.class))
                .orElse(Set.of());
    }

    private boolean isWritable() {
        return access.accessFor(ENDPOINT, Access.READ_ONLY) == Access.UNRESTRICTED;
    }
}
