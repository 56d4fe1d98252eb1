package io.delayjob.actuate.endpoint;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Refuses what the endpoint has no parameter for, in the query or the body, where endpoints usually pass it over: a
 * filter with a typing error would answer with everything, and look like an answer.
 */
final class UnknownArguments implements OperationInvokerAdvisor {

    static final EndpointId ENDPOINT = EndpointId.of("delayjobs");

    /** What Spring Security may read from the same request. */
    private static final Set<String> OF_OTHERS = Set.of("_csrf", "access_token");

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (!endpoint.equals(ENDPOINT)) {
            return invoker;
        }
        Set<String> taken = parameters.stream().map(OperationParameter::getName).collect(Collectors.toSet());
        List<String> offered = parameters.stream()
                .filter(parameter -> parameter.getType() == String.class)
                .filter(parameter -> parameter.getAnnotation(Selector.class) == null)
                .map(OperationParameter::getName)
                .toList();
        return context -> {
            Set<String> unknown = new TreeSet<>(context.getArguments().keySet());
            unknown.removeAll(taken);
            unknown.removeAll(OF_OTHERS);
            // One operation reads all sections, but filters only the jobs.
            boolean comesWhole = type == OperationType.READ
                    && !DelayJobsEndpointWebExtension.JOBS.equals(
                            context.getArguments().get("section"));
            return unknown.isEmpty() ? invoker.invoke(context) : refusal(unknown, comesWhole ? List.of() : offered);
        };
    }

    private static WebEndpointResponse<Object> refusal(Set<String> unknown, List<String> offered) {
        String reason = "Unknown parameter %s: %s."
                .formatted(
                        unknown.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")),
                        offered.isEmpty() ? "this request takes none" : "must be one of " + String.join(", ", offered));
        return new WebEndpointResponse<>(new ErrorDescriptor(reason), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}
