package io.delayjob.http;

import io.delayjob.handler.Handler;
import io.delayjob.target.TargetHandlers;
import org.springframework.context.ApplicationContext;

/** Looks up the body of a configured target. */
final class HttpTargets {

    private HttpTargets() {}

    static HttpTarget of(ApplicationContext context, String name) {
        return context.getBean(TargetHandlers.class).handlers().stream()
                .filter(handler -> handler.name().equals(name))
                .map(Handler::body)
                .map(HttpTarget.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
