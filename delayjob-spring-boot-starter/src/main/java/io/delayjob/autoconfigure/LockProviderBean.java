package io.delayjob.autoconfigure;

import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** Finds the application's lock provider that {@code delayjob.lease.provider} names. */
final class LockProviderBean {

    static final String SETTING = "delayjob.lease.provider";

    private static final String THE_ONLY_BEAN = "bean";

    private LockProviderBean() {}

    /** @param own value that chooses the store's own leases, for the error message */
    static LockProvider find(BeanFactory beans, String choice, String own) {
        try {
            return choice.equals(THE_ONLY_BEAN)
                    ? beans.getBean(LockProvider.class)
                    : beans.getBean(choice, LockProvider.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException missing) {
            // With a cause, Spring Boot would explain the missing bean instead of the setting.
            throw new InvalidSettingException(
                    SETTING,
                    "Invalid %s '%s': must be '%s', 'bean' for the only bean of type %s, or the name of such a bean."
                            .formatted(SETTING, choice, own, LockProvider.class.getName()));
        }
    }
}
