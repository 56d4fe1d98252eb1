package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the check of a handler's own body when customizers have wrapped that body. */
record CheckedBody(JobHandler own, JobHandler customized) implements JobHandler {

    @Override
    public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
        return customized.handle(arguments, job);
    }

    @Override
    public void check(List<@Nullable Object> arguments) {
        own.check(arguments);
    }
}
