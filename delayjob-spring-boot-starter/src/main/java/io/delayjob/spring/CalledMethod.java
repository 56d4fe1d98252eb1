package io.delayjob.spring;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;

/**
 * The method that the proxy of a bean calls.
 *
 * @param type class of the bean behind the proxy
 * @param method the method of that class, even if the call was made through an interface
 */
record CalledMethod(Class<?> type, Method method) {

    static CalledMethod of(MethodInvocation call) {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        return new CalledMethod(type, AopUtils.getMostSpecificMethod(call.getMethod(), type));
    }
}
