package io.delayjob.spring;

import io.delayjob.store.JobStore;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses to start an application that has annotated methods but no engine: nothing would ever call them, and nobody
 * would know.
 */
public final class UnservedHandlers implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;

    /** Searches these beans, which have no engine among them. */
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
                    "Add a DataSource, or set delayjob.store=memory if jobs may be lost when the application ends, or"
                            + " delayjob.enabled=false if nothing is to be scheduled here.");
        }
        return method.invalid(
                "would never run: there is a job store, but no engine",
                "Declare a bean of type LeaseProvider beside the JobStore, and do not exclude DelayJobAutoConfiguration; or"
                        + " set delayjob.enabled=false if nothing is to be scheduled here.");
    }
}
