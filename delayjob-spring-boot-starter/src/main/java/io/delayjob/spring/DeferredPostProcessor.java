package io.delayjob.spring;

import io.delayjob.annotation.Deferred;
import java.lang.reflect.Modifier;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/** Gives each bean with deferred methods a proxy. If the bean already has a proxy, adds an advisor to this proxy. */
final class DeferredPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1;

    private final Advisor deferring;

    DeferredPostProcessor(MethodInterceptor interceptor, boolean proxyTargetClass) {
        deferring = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Deferred.class, true), interceptor);
        advisor = deferring;
        setProxyTargetClass(proxyTargetClass);
        // Transactions and retries belong to the attempt of the job, not to the call.
        setBeforeExistingAdvisors(true);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object processed = super.postProcessAfterInitialization(bean, beanName);
        if (processed instanceof Advised proxy && proxy.indexOf(deferring) >= 0) {
            MethodSecurity.putAhead(proxy, deferring);
        }
        return processed;
    }

    /** Spring's own error for a final class would not name the method. */
    @Override
    protected boolean isEligible(Object bean, String beanName) {
        boolean eligible = super.isEligible(bean, beanName);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (eligible && Modifier.isFinal(type.getModifiers())) {
            AnnotatedMethod.of(type);
        }
        return eligible;
    }
}
