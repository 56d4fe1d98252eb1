package io.delayjob.spring;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.util.ClassUtils;

/**
 * Lets Spring Security check who may call the {@code @Deferred} methods of a bean. The check is not repeated when the
 * job runs, because no user is logged in then.
 */
record MethodSecurity(MethodInterceptor check) implements MethodInterceptor {

    /** The name of the interface is a text, because Spring Security may be absent. */
    private static final String CHECK = "org.springframework.security.authorization.method.AuthorizationAdvisor";

    static void putAhead(Advised proxy, Advisor deferring) {
        for (Advisor advisor : proxy.getAdvisors()) {
            if (advisor instanceof PointcutAdvisor checking && isCheck(checking.getAdvice())) {
                MethodSecurity security = new MethodSecurity((MethodInterceptor) checking.getAdvice());
                proxy.removeAdvisor(checking);
                proxy.addAdvisor(
                        proxy.indexOf(deferring), new DefaultPointcutAdvisor(checking.getPointcut(), security));
            }
        }
    }

    private static boolean isCheck(Advice advice) {
        return ClassUtils.getAllInterfacesForClassAsSet(advice.getClass()).stream()
                .map(Class::getName)
                .anyMatch(CHECK::equals);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        return PassThrough.isOpenFor(CalledMethod.of(call)) ? call.proceed() : check.invoke(call);
    }
}
