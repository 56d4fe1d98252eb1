package io.delayjob.spring;

import io.delayjob.handler.Handler;
import io.delayjob.store.JobStore;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses to start an application that has handlers but no engine. Such an application would never call its handlers.
 */
public final class UnservedHandlers implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;

    /** Creates a check that searches for handlers among these beans. */
    public UnservedHandlers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        new AnnotatedBeans(beans).forEach((bean, method) -> {
            throw unserved(method);
        });
        for (String name : beans.getBeanNamesForType(Handler.class)) {
            throw unserved("Handler bean '" + name + "'");
        }
    }

    private InvalidHandlerException unserved(Object place) {
        if (beans.getBeanNamesForType(JobStore.class, true, false).length == 0) {
            return new InvalidHandlerException(
                    place + " would never run: there is no job store.",
                    "Add a DataSource. Or set delayjob.store=memory if jobs may be lost when the "
                            + "application ends. Or set delayjob.enabled=false if this application schedules "
                            + "nothing.");
        }
        return new InvalidHandlerException(
                place + " would never run: there is a job store, but no engine.",
                "Declare a bean of type LeaseProvider beside the JobStore, and do not exclude "
                        + "DelayJobAutoConfiguration. Or set delayjob.enabled=false if this application schedules "
                        + "nothing.");
    }
}
