package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the body that customizers have wrapped, but lets the handler's own body check the arguments.
 *
 * @param own the handler's own body
 * @param customized the body that is called
 */
public record CheckedBody(JobHandler own, JobHandler customized) implements JobHandler {

    @Override
    public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
        return customized.handle(arguments, job);
    }

    @Override
    public void check(List<@Nullable Object> arguments) {
        own.check(arguments);
    }
}
