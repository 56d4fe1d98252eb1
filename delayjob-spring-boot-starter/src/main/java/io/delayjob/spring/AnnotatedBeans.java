package io.delayjob.spring;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the annotated methods of all beans, once all singletons exist. It creates no lazy bean. */
final class AnnotatedBeans {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedBeans.class);

    private final ConfigurableListableBeanFactory beans;

    AnnotatedBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    void forEach(BiConsumer<String, AnnotatedMethod> action) {
        for (String name : beans.getBeanNamesForType(Object.class)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : targetClass(name);
            if (type != null) {
                AnnotatedMethod.of(type).forEach(method -> action.accept(name, method));
            }
        }
    }

    private @Nullable Class<?> targetClass(String beanName) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
            return type != null && ScopedObject.class.isAssignableFrom(type)
                    ? AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(beanName))
                    : type;
        } catch (RuntimeException | LinkageError unresolvable) {
            log.debug(
                    "The class of bean '{}' is unknown, so delayjob does not look for handlers in it.",
                    beanName,
                    unresolvable);
            return null;
        }
    }
}
