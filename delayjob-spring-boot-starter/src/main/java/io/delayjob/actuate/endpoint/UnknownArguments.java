package io.delayjob.actuate.endpoint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Refuses parameters that the endpoint does not have, in the query or the body. Spring Boot's endpoints usually ignore
 * them. A filter with a typing error would then return all jobs, and the answer would look right.
 */
final class UnknownArguments implements OperationInvokerAdvisor {

    static final EndpointId ENDPOINT = EndpointId.of("delayjobs");

    /** Parameters that Spring Security may read from the same request. */
    private static final Set<String> OF_OTHERS = Set.of("_csrf", "access_token");

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (!endpoint.equals(ENDPOINT)) {
            return invoker;
        }
        // Other arguments, such as the caller, are never read from the request, even if the request names them.
        List<OperationParameter> read = parameters.stream()
                .filter(parameter -> parameter.getType() == String.class)
                .toList();
        Set<String> taken = read.stream().map(OperationParameter::getName).collect(Collectors.toSet());
        List<String> offered = read.stream()
                .filter(parameter -> parameter.getAnnotation(Selector.class) == null)
                .map(OperationParameter::getName)
                .toList();
        boolean readsThemItself =
                parameters.stream().anyMatch(parameter -> parameter.getType() == RequestParameters.class);
        return context -> {
            Set<String> unknown = new TreeSet<>(context.getArguments().keySet());
            unknown.removeAll(taken);
            unknown.removeAll(OF_OTHERS);
            if (readsThemItself) {
                return invoker.invoke(with(new RequestParameters(named(context, unknown)), context));
            }
            if (!unknown.isEmpty()) {
                return refusal(RequestParameters.refusal(unknown, offered));
            }
            Set<String> repeated = RequestParameters.repeated(context.getArguments());
            return repeated.isEmpty() ? invoker.invoke(context) : refusal(RequestParameters.repetition(repeated));
        };
    }

    private static Map<String, Object> named(InvocationContext context, Set<String> names) {
        Map<String, Object> named = new HashMap<>(context.getArguments());
        named.keySet().retainAll(names);
        return named;
    }

    /**
     * All parameters are passed on, because one operation reads all sections, and each section has its own parameters.
     */
    private static InvocationContext with(RequestParameters request, InvocationContext context) {
        return new InvocationContext(
                Objects.requireNonNull(context.resolveArgument(SecurityContext.class)),
                context.getArguments(),
                OperationArgumentResolver.of(RequestParameters.class, () -> request),
                new OperationArgumentResolver() {
                    @Override
                    public boolean canResolve(Class<?> type) {
                        return context.canResolve(type);
                    }

                    @Override
                    public <T> @Nullable T resolve(Class<T> type) {
                        return context.resolveArgument(type);
                    }
                });
    }

    private static WebEndpointResponse<Object> refusal(String reason) {
        return new WebEndpointResponse<>(new ErrorDescriptor(reason), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}
