package io.delayjob.spring;

import io.delayjob.annotation.Deferred;
import java.lang.reflect.Modifier;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/** Gives beans with deferred methods a proxy, or their proxy another advisor: the outermost one. */
final class DeferredPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1;

    DeferredPostProcessor(MethodInterceptor interceptor, boolean proxyTargetClass) {
        advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Deferred.class, true), interceptor);
        setProxyTargetClass(proxyTargetClass);
        // Transactions, retries and the like belong to the job's attempt, not to the call that schedules it.
        setBeforeExistingAdvisors(true);
    }

    /** Has a final class refused before a proxy of it is tried: that would fail without naming the method and the mend. */
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
