package io.delayjob.spring;

import io.delayjob.store.JobStore;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses to start an application that has annotated methods but no engine. Otherwise nothing would call them, and no
 * error would show it.
 */
public final class UnservedHandlers implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;

    /** Searches these beans, which do not include an engine. */
    public UnservedHandlers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        new AnnotatedBeans(beans).forEach((bean, method) -> {
            throw unserved(method);
        });
    }

    private InvalidHandlerException unserved(AnnotatedMethod method) {
        if (beans.getBeanNamesForType(JobStore.class, true, false).length == 0) {
            return method.invalid(
                    "would never run: there is no job store",
                    "Add a DataSource; or set delayjob.store=memory if jobs may be lost when the application ends; or set"
                            + " delayjob.enabled=false if this application schedules nothing.");
        }
        return method.invalid(
                "would never run: there is a job store, but no engine",
                "Declare a bean of type LeaseProvider beside the JobStore, and do not exclude DelayJobAutoConfiguration; or"
                        + " set delayjob.enabled=false if this application schedules nothing.");
    }
}
