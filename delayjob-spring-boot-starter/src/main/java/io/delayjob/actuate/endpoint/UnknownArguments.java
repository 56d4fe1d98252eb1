package io.delayjob.actuate.endpoint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
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
 * Refuses parameters that the endpoint does not know. Otherwise, a query whose filter has a typing error would return
 * all jobs.
 */
final class UnknownArguments implements OperationInvokerAdvisor {

    static final EndpointId ENDPOINT = EndpointId.of("delayjobs");

    /** Parameters that Spring Security may read from the same request. */
    private static final Set<String> OF_OTHERS = Set.of("_csrf", "access_token");

    private final Supplier<@Nullable StoreViews> views;

    /** @param views supplies the stores; called late, so that the discovery of the endpoint creates no other bean */
    UnknownArguments(Supplier<@Nullable StoreViews> views) {
        this.views = views;
    }

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (!endpoint.equals(ENDPOINT)) {
            return invoker;
        }
        // Other arguments, such as the caller, never come from the request.
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
        return context -> ofStore(context, chosen -> {
            Set<String> unknown = new TreeSet<>(chosen.getArguments().keySet());
            unknown.removeAll(taken);
            unknown.removeAll(OF_OTHERS);
            if (readsThemItself) {
                RequestParameters request = new RequestParameters(named(chosen, unknown));
                return invoker.invoke(with(RequestParameters.class, request, chosen.getArguments(), chosen));
            }
            if (!unknown.isEmpty()) {
                return refusal(RequestParameters.refusal(unknown, offered));
            }
            Set<String> repeated = RequestParameters.repeated(chosen.getArguments());
            return repeated.isEmpty() ? invoker.invoke(chosen) : refusal(RequestParameters.repetition(repeated));
        });
    }

    private @Nullable Object ofStore(InvocationContext context, OperationInvoker invoker) {
        StoreViews all = views.get();
        if (all == null) {
            return invoker.invoke(context);
        }
        Map<String, Object> others = new HashMap<>(context.getArguments());
        Object store = all.areSeveral() ? others.remove(StoreViews.STORE) : null;
        StoreView view = store == null || store instanceof String ? all.find((String) store) : null;
        return view == null
                ? refusal("Unknown store '%s': must be one of %s.".formatted(store, all.names()))
                : invoker.invoke(with(StoreView.class, view, others, context));
    }

    private static Map<String, Object> named(InvocationContext context, Set<String> names) {
        Map<String, Object> named = new HashMap<>(context.getArguments());
        named.keySet().retainAll(names);
        return named;
    }

    private static <V> InvocationContext with(
            Class<V> type, V value, Map<String, Object> arguments, InvocationContext context) {
        return new InvocationContext(
                Objects.requireNonNull(context.resolveArgument(SecurityContext.class)),
                arguments,
                OperationArgumentResolver.of(type, () -> value),
                new OperationArgumentResolver() {
                    @Override
                    public boolean canResolve(Class<?> wanted) {
                        return context.canResolve(wanted);
                    }

                    @Override
                    public <T> @Nullable T resolve(Class<T> wanted) {
                        return context.resolveArgument(wanted);
                    }
                });
    }

    private static WebEndpointResponse<Object> refusal(String reason) {
        return new WebEndpointResponse<>(new ErrorDescriptor(reason), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}
